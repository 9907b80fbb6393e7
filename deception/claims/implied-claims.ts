// Whether one claim says all that another says, so that nobody need be asked about the weaker one or count both.
import { everybody } from '../../state/player-names.ts';
import { getRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { Claim } from './claim.ts';
import { getClaimKey } from './majority-claims.ts';

type Said = Pick<Claim, 'type' | 'by' | 'subject' | 'object' | 'role' | 'team' | 'polarity'>;

/**
 * Whether `strong` says what `weak` says, or more: "I'm the Seer" holds "I'm no wolf", a check with its result holds what it
 * shows. How sure either is said does not count.
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

/** A check names by its object whom it shows, every other claim by its subject. */
function impliesIdentity(strong: Said, weak: Said): boolean {
  const isShown = strong.type === 'check' && strong.polarity && isTold(strong) && strong.subject === strong.by;
  if (!isIdentity(strong) && !isShown) return false;
  return (isShown ? strong.object : strong.subject) === weak.subject && holdsSide(strong, weak);
}

/** Whether what is said to be somebody holds what else is said: a role holds its side and denies all others. */
function holdsSide(strong: Said, weak: Said): boolean {
  const [role, side] = [findRole(strong), findSide(strong)];
  if (weak.role !== null) {
    if (weak.polarity) return role === weak.role;
    const isOther = role !== null && role !== weak.role;
    return isOther || (side !== null && side !== getRole(weak.role).team);
  }
  return side !== null && side === findSide(weak);
}

const findRole = ({ role, polarity }: Said) => (polarity ? role : null);

/** The side that is said, in whatever form; null where none is. */
function findSide({ type, role, team, polarity }: Said): Team | null {
  if (role !== null) return polarity ? getRole(role).team : null;
  if (team !== null) return (team === 'werewolves') === polarity ? 'werewolves' : 'villagers';
  if (type === 'accusation') return polarity ? 'werewolves' : 'villagers';
  return type === 'defence' ? 'villagers' : null;
}

/**
 * A judge's own claims with those that it confirmed, without what a stronger one among the others says too.
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
