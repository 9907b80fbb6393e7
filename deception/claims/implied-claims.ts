// Decides whether one claim implies another. Implied claims are not counted, and the judge is not asked about them.
import { everybody } from '../../state/player-names.ts';
import { getRole } from '../../state/roles/index.ts';
import { getCountedSide } from '../../state/roles/role.ts';
import type { Team } from '../../state/teams.ts';
import type { Claim } from './claim.ts';
import { getClaimKey } from './majority-claims.ts';

type Said = Pick<Claim, 'type' | 'by' | 'subject' | 'object' | 'role' | 'team' | 'polarity'>;

/**
 * Whether `strong` says everything that `weak` says. "I'm the Seer" implies "I'm no wolf", and a check implies its
 * result. Certainty of expression does not matter.
 *
 * @example isImpliedBy(noWolf, seer) // true
 */
export function isImpliedBy(weak: Claim, strong: Claim): boolean {
  if (getClaimKey(strong) === getClaimKey(weak)) return true;
  if (isIdentity(weak)) return impliesIdentity(strong, weak);
  if (strong.type !== weak.type || strong.polarity !== weak.polarity) return false;
  const isSameObject = strong.object === weak.object;
  switch (weak.type) {
    case 'vote':
      return isSameObject && (strong.subject === weak.subject || strong.subject === everybody);
    case 'speech':
      return strong.subject === weak.subject && isSameObject && (weak.object !== null || holdsSide(strong, weak));
    case 'check':
      return strong.subject === weak.subject && isSameObject && (!isTold(weak) || holdsSide(strong, weak));
    default:
      return strong.subject === weak.subject && isSameObject;
  }
}

const isIdentity = ({ type }: Said) => ['own_role', 'role', 'accusation', 'defence'].includes(type);
const isTold = ({ role, team }: Said) => role !== null || team !== null;

/**
 * Whether the identity in one claim implies the identity in the other. A check names the player as its object; all
 * other claims name the player as their subject.
 */
function impliesIdentity(strong: Said, weak: Said): boolean {
  const isShown = strong.type === 'check' && strong.polarity && isTold(strong) && strong.subject === strong.by;
  if (!isIdentity(strong) && !isShown) return false;
  return (isShown ? strong.object : strong.subject) === weak.subject && holdsSide(strong, weak);
}

/** Returns whether one identity implies another: a role implies its side and excludes all other roles. */
function holdsSide(strong: Said, weak: Said): boolean {
  const [role, side] = [findRole(strong), findSide(strong)];
  if (weak.role !== null) {
    if (weak.polarity) return role === weak.role;
    const isOther = role !== null && role !== weak.role;
    return isOther || (side !== null && side !== getCountedSide(getRole(weak.role)));
  }
  return side !== null && side === findSide(weak);
}

const findRole = ({ role, polarity }: Said) => (polarity ? role : null);

/** Returns the side that a claim states in any form; null if it states none. */
function findSide({ type, role, team, polarity }: Said): Team | null {
  if (role !== null) return polarity ? getCountedSide(getRole(role)) : null;
  if (team !== null) return (team === 'werewolves') === polarity ? 'werewolves' : 'villagers';
  if (type === 'accusation') return polarity ? 'werewolves' : 'villagers';
  return type === 'defence' ? 'villagers' : null;
}

/**
 * Adds confirmed claims to a judge's own claims. Omits claims that a stronger claim of the list implies.
 *
 * @example mergeConfirmed([noWolf], [seer]) // [seer]
 */
export function mergeConfirmed(own: readonly Claim[], confirmed: readonly Claim[]): Claim[] {
  const added = confirmed.filter((claim) => !own.some((other) => isImpliedBy(claim, other)));
  const kept = own.filter((claim) => !added.some((other) => isImpliedBy(claim, other)));
  return [...kept, ...added]
    .sort((one, other) => one.words.from - other.words.from || one.words.to - other.words.to)
    .map((claim, index) => ({ ...claim, id: `${claim.statement}#${index + 1}` }));
}
