// A statement with its forks: its properties, its target, and its outcome in each arm.
import type { ForkArm } from '../../state/fork.ts';
import { getShownSide } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { ClaimRow } from '../tables/claim-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { StatementRow } from '../tables/statement-rows.ts';
import { getDealKey } from '../design/schedule.ts';
import type { ForkOutcome } from './fork-outcome.ts';
import { listOwnClaims } from './select-statements.ts';

/** One fork. If the speaker spoke again, it includes the reading of the new statement. */
export interface MeasuredFork {
  /** Name of the arm, from `nameForkArm`. */
  arm: string;
  kind: ForkArm;
  copy: number;
  outcome: ForkOutcome;
  /**
   * Whether the new statement of an arm `honest` or `resample` contains a lie. Null if no new statement was asked for
   * or made, or if it could not be read.
   */
  hasLied: boolean | null;
}

export interface ForkedStatement {
  /** Name of the original match. */
  match: string;
  folder: string;
  statement: string;
  /** Deal of the statement, which is its cluster: board, names and roles. */
  deal: string;
  round: number;
  speaker: string;
  role: string;
  team: Team;
  /** Model of the speaker. */
  model: string;
  text: string;
  verdict: string | null;
  /** Types of the statement's claims, each once. */
  claims: readonly string[];
  /** Player whom a claim accuses or reports as a Werewolf; null if there is none. */
  target: string | null;
  /**
   * Listeners who could know neither the speaker's side nor whether the statement is a lie. Null if no listener was
   * asked.
   */
  unknowing: readonly string[] | null;
  forks: readonly MeasuredFork[];
}

/**
 * Returns the side that a claim states for a player; null if none.
 *
 * @example readClaimedTeam({ claimed_team: null, claimed_role: 'Werewolf' }) // 'werewolves'
 */
const readClaimedTeam = ({ claimed_team: team, claimed_role: role }: Pick<ClaimRow, 'claimed_team' | 'claimed_role'>) =>
  team ?? (role === null ? null : getShownSide(role));

/** Returns the player that a claim accuses or reports as a Werewolf; null for any other claim. */
function readTarget(claim: ClaimRow): string | null {
  if (!claim.polarity) return null;
  if (claim.type === 'accusation') return claim.subject;
  if (readClaimedTeam(claim) !== 'werewolves') return null;
  if (claim.type === 'check') return claim.object;
  return claim.type === 'role' ? claim.subject : null;
}

/**
 * Finds the target of a statement: the player whom a claim accuses or reports as a Werewolf. The first such claim
 * decides, with preference for claims that are not opinions. Null if there is no such claim.
 *
 * @example findTarget(tables.claims.filter(({ statement }) => statement === '2.3')) // 'Dan'
 */
export function findTarget(claims: readonly ClaimRow[]): string | null {
  const aimed = claims.filter((claim) => ![null, claim.speaker].includes(readTarget(claim)));
  const first = aimed.find(({ is_hedged: isHedged }) => !isHedged) ?? aimed[0];
  return first === undefined ? null : readTarget(first);
}

/**
 * Describes a statement from the tables of its match, without forks. `match`: name of the match; `folder`: path of the
 * match.
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
