// Propositions about a match: who is what, and what happened.
import type { Cause } from '../../state/events.ts';
import { powers } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { SeenEvent } from '../../state/view.ts';
import {
  getSeatIndex,
  type RoleSet,
  type RoleTable,
  selectRevealedRoles,
  selectRoleNamed,
  selectRoles,
  selectRolesWithPower,
  selectTeamRoles,
} from './role-table.ts';

export type Truth = 'true' | 'false' | 'unknown';

/** Something that happened or did not. Without a round: in any. */
export type EventProposition =
  | { type: 'vote'; by: string; target: string; round?: number; ballot: 'ballot' | 'pseudo_ballot' | 'badge_ballot' }
  | { type: 'departure'; player: string; round?: number; cause?: Cause }
  | { type: 'act'; by: string; verb: string; target: string; round?: number }
  | { type: 'check'; by: string; about: string; role?: string; team?: Team; round?: number };

/** What a player can be: of a role, on a team, able to do what the verb says, or able to learn what others are. */
type PlayerIdentity = { role: string } | { team: Team } | { verb: string } | { aim: 'learn' };

export type Proposition =
  | { is: 'identity'; player: string; what: PlayerIdentity }
  | { is: 'happening'; what: EventProposition }
  | { is: 'all' | 'any'; of: readonly Proposition[] }
  | { is: 'not'; of: Proposition };

export const all = (...of: Proposition[]): Proposition => ({ is: 'all', of });
export const any = (...of: Proposition[]): Proposition => ({ is: 'any', of });
export const not = (of: Proposition): Proposition => ({ is: 'not', of });

const createIdentityProposition = (player: string, what: PlayerIdentity): Proposition => ({
  is: 'identity',
  player,
  what,
});
const createEventProposition = (what: EventProposition): Proposition => ({ is: 'happening', what });

export const hasRole = (player: string, role: string) => createIdentityProposition(player, { role });
export const isOnTeam = (player: string, team: Team) => createIdentityProposition(player, { team });
/** Whether the player's role has a power or a last act of this verb. */
export const isAbleTo = (player: string, verb: string) => createIdentityProposition(player, { verb });

type EventFields<Type extends EventProposition['type']> = Omit<Extract<EventProposition, { type: Type }>, 'type'>;

/** A vote in a ballot for exile, unless `ballot` says otherwise. */
export const didVote = ({
  ballot = 'ballot',
  ...vote
}: Omit<EventFields<'vote'>, 'ballot'> & Partial<EventFields<'vote'>>) =>
  createEventProposition({ ...vote, type: 'vote', ballot });

/** That a player has left the game. */
export const didLeave = (departure: EventFields<'departure'>) =>
  createEventProposition({ ...departure, type: 'departure' });

/** That a player used the power or the last act of this verb, or had a part in the pack's using it. */
export const didAct = (act: EventFields<'act'>) =>
  all(isAbleTo(act.by, act.verb), createEventProposition({ ...act, type: 'act' }));

/** That a player checked another and was told so much. What is told by a check is true. */
export const didCheck = (check: EventFields<'check'>) => {
  const { by, about, role, team } = check;
  return all(
    createIdentityProposition(by, { aim: 'learn' }),
    ...(role === undefined ? [] : [hasRole(about, role)]),
    ...(team === undefined ? [] : [isOnTeam(about, team)]),
    createEventProposition({ ...check, type: 'check' }),
  );
};

/** The roles by which a player is so. */
export function selectRolesFor(what: PlayerIdentity, cast: RoleTable): RoleSet {
  if ('role' in what) return selectRoleNamed(cast, what.role);
  if ('team' in what) return selectTeamRoles(cast, what.team);
  if ('verb' in what) return selectRolesWithPower(cast, what.verb);
  return selectRoles(cast, ({ powers }) => powers.some(({ aim }) => aim === what.aim));
}

/** Seat → the roles that it may have; seats that are not named may have any. */
export type Condition = ReadonlyMap<number, RoleSet>;

/**
 * The conditions on roles, of which at least one must hold for the proposition to be so (or not, where `isSo` is
 * false). A happening whose truth is unknown sets no condition. Throws a UsageError for a player who is not at the table.
 */
export function listConditions(
  proposition: Proposition,
  isSo: boolean,
  truthOf: (what: EventProposition) => Truth,
  cast: RoleTable,
): Condition[] {
  const listPartConditions = (part: Proposition, asIs = isSo) => listConditions(part, asIs, truthOf, cast);
  switch (proposition.is) {
    case 'identity': {
      const roles = selectRolesFor(proposition.what, cast);
      return [new Map([[getSeatIndex(cast, proposition.player), isSo ? roles : ~roles]])];
    }
    case 'happening': {
      const truth = truthOf(proposition.what);
      return truth === 'unknown' || (truth === 'true') === isSo ? [new Map()] : [];
    }
    case 'not':
      return listPartConditions(proposition.of, !isSo);
    case 'all':
    case 'any':
      return (proposition.is === 'all') === isSo
        ? proposition.of.map((part) => listPartConditions(part)).reduce(combineConditions, [new Map()])
        : proposition.of.flatMap((part) => listPartConditions(part));
  }
}

const combineConditions = (some: readonly Condition[], others: readonly Condition[]): Condition[] =>
  some.flatMap((one) => others.map((other) => intersectConditions(one, other)));

function intersectConditions(one: Condition, other: Condition): Condition {
  const met = new Map(one);
  for (const [seat, roles] of other) met.set(seat, (met.get(seat) ?? ~0) & roles);
  return met;
}

// Whether something happened, as far as one player saw the match.

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
