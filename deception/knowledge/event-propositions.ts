// Whether something happened, as far as one player saw the match.
import type { SeenEvent } from '../../state/view.ts';
import { powers } from '../../state/roles/index.ts';
import { selectRolesWithPower, selectRevealedRoles, type RoleTable, type RoleSet } from './role-table.ts';
import type { EventProposition, Truth } from './proposition.ts';

/** A player's part of a match. */
export interface Witness {
  cast: RoleTable;
  me: string;
  /** The roles that the player may have: the own one. */
  own: RoleSet;
  events: readonly SeenEvent[];
}

type EventPropositionOf<Type extends EventProposition['type']> = Extract<EventProposition, { type: Type }>;

/**
 * `false` for what the player would have seen and did not, and for what the dead are said to have done. Whether roles
 * allow it is not looked at here.
 */
export function evaluateEventProposition(what: EventProposition, witness: Witness): Truth {
  const hasSeen = (isIt: (event: SeenEvent) => boolean) => witness.events.some(isIt);
  switch (what.type) {
    case 'departure':
      return decideTruth(
        hasSeen((event) => isDeparture(event, what)),
        true,
      );
    case 'vote':
      return isTooLate(what, witness)
        ? 'false'
        : decideTruth(
            hasSeen((event) => isVote(event, what)),
            isVoteSeen(what, witness),
          );
    case 'act':
      return isTooLate(what, witness)
        ? 'false'
        : decideTruth(
            hasSeen((event) => isAct(event, what, witness)),
            isActSeen(what, witness),
          );
    case 'check': {
      const hasLearned = hasSeen((event) => isCheck(event, what, witness.cast));
      return isTooLate({ ...what, target: what.about }, witness)
        ? 'false'
        : decideTruth(hasLearned, what.by === witness.me);
    }
  }
}

/** What was not seen did not happen where it could not have been missed. */
const decideTruth = (wasSeen: boolean, cannotBeMissed: boolean): Truth =>
  wasSeen ? 'true' : cannotBeMissed ? 'false' : 'unknown';

const isInRound = (event: SeenEvent, { round }: { round?: number }) => round === undefined || event.round === round;

const isDeparture = (event: SeenEvent, what: EventPropositionOf<'departure'>) =>
  event.type === 'death' &&
  event.player === what.player &&
  isInRound(event, what) &&
  (what.cause === undefined || event.cause === what.cause);

const isVote = (event: SeenEvent, what: EventPropositionOf<'vote'>) =>
  event.type === what.ballot && event.by === what.by && event.target === what.target && isInRound(event, what);

/** Only votes for exile may be secret. */
const isVoteSeen = ({ by, ballot }: EventPropositionOf<'vote'>, { me, cast }: Witness) =>
  by === me || ballot !== 'ballot' || cast.rules.ballots === 'public';

/** What the pack picked was done by all of it who were still in the game. */
const isAct = (event: SeenEvent, what: EventPropositionOf<'act'>, witness: Witness) =>
  (event.type === 'pick' || event.type === 'acted' || event.type === 'last_act') &&
  (event.type === 'pick' ? !isGoneBefore(what.by, event.round, witness) : event.by === what.by) &&
  event.verb === what.verb &&
  event.target === what.target &&
  isInRound(event, what);

/** Own acts, last acts, and what the own team did together. */
function isActSeen(what: EventPropositionOf<'act'>, witness: Witness): boolean {
  const { me, own, cast } = witness;
  const power = powers.find((known) => known.verb === what.verb);
  return (
    what.by === me ||
    !power ||
    (power.actor === 'team' && (own & selectRolesWithPower(cast, what.verb)) !== 0 && !isAfterLeaving(what, witness))
  );
}

/** Whether it can have been done after the witness had left: from then on the pack shows its picks no more. */
function isAfterLeaving({ by, round }: EventPropositionOf<'act'>, witness: Witness): boolean {
  const last = round ?? findDepartureRound(by, witness) ?? Infinity;
  return isGoneBefore(witness.me, last, witness);
}

const isCheck = (event: SeenEvent, what: EventPropositionOf<'check'>, cast: RoleTable) =>
  event.type === 'learned' &&
  event.by === what.by &&
  event.about === what.about &&
  isInRound(event, what) &&
  (selectRevealedRoles(cast, event) & ~selectRevealedRoles(cast, what)) === 0;

/** Whether somebody in it had left before its round, or the round is still to come. */
function isTooLate({ by, target, round }: { by: string; target: string; round?: number }, witness: Witness): boolean {
  if (round === undefined) return false;
  return (
    isGoneBefore(by, round, witness) ||
    isGoneBefore(target, round, witness) ||
    !witness.events.some((event) => event.round >= round)
  );
}

/** The round in which a player left; undefined for one who is still in the game. */
const findDepartureRound = (name: string, { events }: Witness) =>
  events.find((event) => event.type === 'death' && event.player === name)?.round;

const isGoneBefore = (name: string, round: number, witness: Witness) =>
  (findDepartureRound(name, witness) ?? Infinity) < round;
