// Whether something happened, as far as one player saw the match.
import type { SeenEvent } from '../../state/view.ts';
import { powers } from '../../state/roles/index.ts';
import { ableTo, revealed, type Cast, type RoleSet } from './cast.ts';
import type { Happening, Truth } from './proposition.ts';

/** A player's part of a match. */
export interface Witness {
  cast: Cast;
  me: string;
  /** The roles that the player may have: the own one. */
  own: RoleSet;
  events: readonly SeenEvent[];
}

type Of<Type extends Happening['type']> = Extract<Happening, { type: Type }>;

/**
 * `false` for what the player would have seen and did not, and for what the dead are said to have done. Whether roles
 * allow it is not looked at here.
 */
export function truthOf(what: Happening, witness: Witness): Truth {
  const has = (isIt: (event: SeenEvent) => boolean) => witness.events.some(isIt);
  switch (what.type) {
    case 'departure':
      return truth(
        has((event) => isDeparture(event, what)),
        true,
      );
    case 'vote':
      return isTooLate(what, witness)
        ? 'false'
        : truth(
            has((event) => isVote(event, what)),
            isVoteSeen(what, witness),
          );
    case 'act':
      return isTooLate(what, witness)
        ? 'false'
        : truth(
            has((event) => isAct(event, what)),
            isActSeen(what, witness),
          );
    case 'check': {
      const hasLearned = has((event) => isCheck(event, what, witness.cast));
      return isTooLate({ ...what, target: what.about }, witness) ? 'false' : truth(hasLearned, what.by === witness.me);
    }
  }
}

/** What was not seen did not happen where it could not have been missed. */
const truth = (wasSeen: boolean, cannotBeMissed: boolean): Truth =>
  wasSeen ? 'true' : cannotBeMissed ? 'false' : 'unknown';

const isIn = (event: SeenEvent, { round }: { round?: number }) => round === undefined || event.round === round;

const isDeparture = (event: SeenEvent, what: Of<'departure'>) =>
  event.type === 'death' &&
  event.player === what.player &&
  isIn(event, what) &&
  (what.cause === undefined || event.cause === what.cause);

const isVote = (event: SeenEvent, what: Of<'vote'>) =>
  event.type === what.ballot && event.by === what.by && event.target === what.target && isIn(event, what);

/** Only votes for exile may be secret. */
const isVoteSeen = ({ by, ballot }: Of<'vote'>, { me, cast }: Witness) =>
  by === me || ballot !== 'ballot' || cast.rules.ballots === 'public';

const isAct = (event: SeenEvent, what: Of<'act'>) =>
  (event.type === 'pick' || ((event.type === 'acted' || event.type === 'last_act') && event.by === what.by)) &&
  event.verb === what.verb &&
  event.target === what.target &&
  isIn(event, what);

/** Own acts, last acts, and what the own team did together. */
function isActSeen({ by, verb }: Of<'act'>, { me, own, cast }: Witness): boolean {
  const power = powers.find((known) => known.verb === verb);
  return by === me || !power || (power.actor === 'team' && (own & ableTo(cast, verb)) !== 0);
}

const isCheck = (event: SeenEvent, what: Of<'check'>, cast: Cast) =>
  event.type === 'learned' &&
  event.by === what.by &&
  event.about === what.about &&
  isIn(event, what) &&
  (revealed(cast, event) & ~revealed(cast, what)) === 0;

/** Whether somebody in it had left before its round, or the round is still to come. */
function isTooLate(
  { by, target, round }: { by: string; target: string; round?: number },
  { events }: Witness,
): boolean {
  if (round === undefined) return false;
  const isGone = (name: string) =>
    events.some((event) => event.type === 'death' && event.player === name && event.round < round);
  return isGone(by) || isGone(target) || !events.some((event) => event.round >= round);
}
