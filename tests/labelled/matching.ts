// Which drawn claims are those that a label names, whatever words either has for the same thing.
import { ClaimType } from '../../deception/claims/claim.ts';
import type { JudgedClaim } from '../../deception/claims/match-claims.ts';
import { getRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { LabelledClaim, Statement } from './corpus.ts';

export interface Matched {
  /** Of both. */
  pairs: { labelled: LabelledClaim; drawn: JudgedClaim }[];
  missed: LabelledClaim[];
  invented: JudgedClaim[];
}

/** Each claim is matched once at most. */
export function matchClaims(
  statement: Statement,
  labelled: readonly LabelledClaim[],
  all: readonly JudgedClaim[],
): Matched {
  const free = new Set(all.filter((claim) => !isOwnBallot(statement, claim)));
  const found: Matched = { pairs: [], missed: [], invented: [] };
  for (const claim of labelled) {
    const drawn = [...free].find((one) => isSame(statement.by, claim, one));
    if (drawn) found.pairs.push({ labelled: claim, drawn });
    else found.missed.push(claim);
    if (drawn) free.delete(drawn);
  }
  return { ...found, invented: [...free] };
}

/** The vote that is cast in the same breath is no claim in the labels. */
const isOwnBallot = ({ kind, by }: Statement, { type, subject, when, round }: JudgedClaim) =>
  kind === 'ballot' && subject === by && (type === 'promise' || (type === 'vote' && when === round));

function isSame(by: string, labelled: LabelledClaim, drawn: JudgedClaim): boolean {
  const [one, other] = [getMeaning(by, labelled), getMeaning(by, drawn)];
  const agree = (a: unknown, b: unknown) => a === null || b === null || a === b;
  if (one.type !== other.type || one.subject !== other.subject || !agree(one.object, other.object)) return false;
  const isAbout = one.type === 'speech' && one.object !== null; // then by whom and of whom is all there is to it
  return (
    one.polarity === other.polarity &&
    (isAbout || (one.role === other.role && one.team === other.team)) &&
    agree(one.when, other.when) &&
    agree(one.cause, other.cause) &&
    (labelled.verb === undefined || drawn.verbs.includes(labelled.verb))
  );
}

interface Meant {
  type: ClaimType;
  subject: string;
  object: string | null;
  role: string | null;
  team: Team | null;
  when: number | null;
  cause: string | null;
  polarity: boolean;
}

/** A role of the pack is its side; what denies one side says the other. */
export function getMeaning(by: string, claim: LabelledClaim | JudgedClaim): Meant {
  const { type, subject, object = null, when = null, cause = null, polarity = true } = claim;
  const side = claim.role != null ? getRole(claim.role).team : null;
  const role = side === 'werewolves' ? null : (claim.role ?? null);
  const team = side === 'werewolves' ? side : (claim.team ?? null);
  const bare = { type, subject, object, role, team, when, cause, polarity };
  const isIdentity = ['own_role', 'role', 'accusation', 'defence'].includes(type);
  if (!isIdentity && type !== 'check') return bare;
  const told =
    type === 'accusation'
      ? getSide(team ?? 'werewolves', team === null || polarity)
      : type === 'defence'
        ? getSide(team ?? 'villagers', team === null || polarity)
        : team && getSide(team, polarity);
  if (role !== null || told === null) return bare;
  const kind = subject === by ? 'own_role' : told === 'werewolves' ? 'accusation' : 'defence';
  return { ...bare, type: isIdentity ? kind : type, team: told, polarity: true };
}

const getSide = (team: Team, isSo: boolean): Team => (isSo ? team : team === 'villagers' ? 'werewolves' : 'villagers');
