// A statement with its forks: what it was, whom it was aimed at, and what came of it in each arm.
import type { ForkArm } from '../../state/fork.ts';
import { getRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { ClaimRow } from '../tables/claim-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { StatementRow } from '../tables/statement-rows.ts';
import { getDealKey } from '../design/schedule.ts';
import type { ForkOutcome } from './fork-outcome.ts';
import { listOwnClaims } from './select-statements.ts';

/** One fork, with what was read of the statement that its player made anew. */
export interface MeasuredFork {
  /** As `nameForkArm` gives it. */
  arm: string;
  kind: ForkArm;
  copy: number;
  outcome: ForkOutcome;
  /**
   * Whether the new statement holds a lie; null where it was not asked for anew, was not made, or could not be read. Of `honest`
   * and `resample` alone.
   */
  hasLied: boolean | null;
}

export interface ForkedStatement {
  /** Of the origin. */
  match: string;
  folder: string;
  statement: string;
  /** The cluster: board, names and roles. */
  deal: string;
  round: number;
  speaker: string;
  role: string;
  team: Team;
  /** The speaker's. */
  model: string;
  text: string;
  verdict: string | null;
  /** The types of its claims, each once. */
  claims: readonly string[];
  /** The player whom a claim accuses or reports as a Werewolf; null where none does. */
  target: string | null;
  /** Listeners who could know neither the speaker's side nor whether the statement is a lie; null where nobody was asked. */
  unknowing: readonly string[] | null;
  forks: readonly MeasuredFork[];
}

/**
 * The side of which a claim says that a player is; null where it says none.
 *
 * @example readClaimedTeam({ claimed_team: null, claimed_role: 'Werewolf' }) // 'werewolves'
 */
const readClaimedTeam = ({ claimed_team: team, claimed_role: role }: Pick<ClaimRow, 'claimed_team' | 'claimed_role'>) =>
  team ?? (role === null ? null : getRole(role).team);

/** The player whom a claim accuses or reports as a Werewolf; null for any other claim. */
function readTarget(claim: ClaimRow): string | null {
  if (!claim.polarity) return null;
  if (claim.type === 'accusation') return claim.subject;
  if (readClaimedTeam(claim) !== 'werewolves') return null;
  if (claim.type === 'check') return claim.object;
  return claim.type === 'role' ? claim.subject : null;
}

/**
 * The player at whom a statement is aimed: of the first claim that accuses or reports somebody as a Werewolf, one that is no
 * opinion before one that is. Null where no claim does.
 *
 * @example findTarget(tables.claims.filter(({ statement }) => statement === '2.3')) // 'Dan'
 */
export function findTarget(claims: readonly ClaimRow[]): string | null {
  const aimed = claims.filter((claim) => ![null, claim.speaker].includes(readTarget(claim)));
  const first = aimed.find(({ is_hedged: isHedged }) => !isHedged) ?? aimed[0];
  return first === undefined ? null : readTarget(first);
}

/**
 * A statement of a match as the tables describe it, without forks. `match`: the name of the match, and `folder` its place.
 *
 * @example describeStatement(row, tables, { match: 'a', folder: 'runs/a' }).target
 */
export function describeStatement(
  row: StatementRow,
  tables: MatchTables,
  { match, folder }: { match: string; folder: string },
): Omit<ForkedStatement, 'forks'> {
  const claims = listOwnClaims(tables).filter(({ statement }) => statement === row.statement);
  const heard = tables.analyses.filter(
    (one) => one.statement === row.statement && one.source === 'match' && one.perspective === 'peer',
  );
  return {
    ...{ match, folder, statement: row.statement, deal: getDealKey(tables.match), round: row.round },
    ...{ speaker: row.speaker, role: row.role, team: row.team, model: row.model, text: row.text, verdict: row.verdict },
    claims: [...new Set(claims.map(({ type }) => type))],
    target: findTarget(claims),
    unknowing:
      heard.length === 0
        ? null
        : heard.filter((one) => !one.knows_side && one.could_know !== true).map(({ observer }) => observer),
  };
}
