// Pairs extracted claims with labeled claims of the same meaning, whatever their wording.
import type { Claim, ClaimType } from '../../../deception/claims/claim.ts';
import type { Verdict } from '../../../deception/claims/verify-claim.ts';
import { getRole } from '../../../state/roles/index.ts';
import type { Team } from '../../../state/teams.ts';
import type { LabelledClaim } from './read-corpus.ts';

/** A claim with its verdict, from labels or from an extractor. */
export interface FoundClaim extends Omit<Claim, 'id' | 'statement' | 'words'> {
  verdict: Verdict;
}

interface PairedClaims {
  pairs: { labelled: FoundClaim; drawn: FoundClaim }[];
  missed: FoundClaim[];
  invented: FoundClaim[];
}

/**
 * Pairs claims of equal meaning. Each claim is in at most one pair. Ignores whether a claim is hedged or presupposed.
 *
 * @example const { pairs, missed, invented } = pairClaims(labelled, drawn);
 */
export function pairClaims(labelled: readonly FoundClaim[], drawn: readonly FoundClaim[]): PairedClaims {
  const free = new Set(drawn);
  const found: PairedClaims = { pairs: [], missed: [], invented: [] };
  for (const claim of labelled) {
    const same = [...free].find((one) => isSame(claim, one));
    if (same) found.pairs.push({ labelled: claim, drawn: same });
    else found.missed.push(claim);
    if (same) free.delete(same);
  }
  return { ...found, invented: [...free] };
}

/**
 * Returns whether a claim is about the vote that is cast together with the statement. Labels do not include that vote.
 */
export const isOwnBallot = (kind: 'debate' | 'ballot', { type, subject, by, when, round }: FoundClaim) =>
  kind === 'ballot' && subject === by && (type === 'promise' || (type === 'vote' && when === round));

function isSame(labelled: FoundClaim, drawn: FoundClaim): boolean {
  const [one, other] = [getMeaning(labelled), getMeaning(drawn)];
  const agree = (a: unknown, b: unknown) => a === null || b === null || a === b;
  if (one.type !== other.type || one.subject !== other.subject || !agree(one.object, other.object)) return false;
  const isAbout = one.type === 'speech' && one.object !== null; // role and team are then ignored
  const isVague = labelled.type !== 'act' || labelled.verbs.length === 0;
  return (
    one.polarity === other.polarity &&
    (isAbout || (one.role === other.role && one.team === other.team)) &&
    agree(one.when, other.when) &&
    agree(one.cause, other.cause) &&
    (isVague || labelled.verbs.some((verb) => drawn.verbs.includes(verb)))
  );
}

interface Meant extends Pick<FoundClaim, 'subject' | 'object' | 'role' | 'when' | 'cause' | 'polarity'> {
  type: ClaimType;
  team: Team | null;
}

/**
 * Returns the meaning of a claim. Werewolf roles are reduced to their side. Denying one side means asserting the other
 * side.
 */
function getMeaning({ by, type, subject, object, when, cause, polarity, ...claim }: FoundClaim): Meant {
  const side = claim.role === null ? null : getRole(claim.role).team;
  const role = side === 'werewolves' ? null : claim.role;
  const team = side === 'werewolves' ? side : claim.team;
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

/** Converts a labeled claim to the form of an extracted claim. An accusation or a defense also names its side. */
export function createLabelledClaim(
  { by, round }: { by: string; round: number },
  label: LabelledClaim,
): Omit<FoundClaim, 'verdict'> {
  const { type, subject, verb, role = null, team = null } = label;
  const isUnsaid = role === null && team === null;
  const bySide: Partial<Record<ClaimType, Team>> = { accusation: 'werewolves', defence: 'villagers' };
  const side = isUnsaid ? bySide[type] : undefined;
  return {
    ...{ by, round, type, subject, role },
    object: label.object ?? null,
    verbs: verb === undefined ? [] : [verb],
    when: label.when ?? null,
    cause: label.cause ?? null,
    team: side ?? team,
    polarity: side !== undefined || (label.polarity ?? true), // if no side is stated, the type implies it
    hedged: label.hedged ?? false,
    presupposed: label.presupposed ?? false,
  };
}
