// Propositions about the roles and events of a match, the conditions that propositions set on roles, and whether one
// player has seen the events.
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

/** Truth as far as one player can be certain of it. */
export type TruthValue = 'true' | 'false' | 'unknown';

/** A possible event. Without a round, the event may happen in any round. */
export type EventProposition =
  | { type: 'vote'; by: string; target: string; round?: number; ballot: 'ballot' | 'pseudo_ballot' | 'badge_ballot' }
  | { type: 'departure'; player: string; round?: number; cause?: Cause }
  | { type: 'act'; by: string; verb: string; target: string; round?: number }
  | { type: 'check'; by: string; about: string; role?: string; team?: Team; round?: number };

/**
 * Identity of a player: a role, a team, the ability to perform the act named by `verb`, or the ability to learn other
 * players' identities.
 */
type PlayerIdentity = { role: string } | { team: Team } | { verb: string } | { aim: 'learn' };

/** A statement that is true or false in a match, combined from identities and events. */
export type Proposition =
  | { is: 'identity'; player: string; what: PlayerIdentity }
  | { is: 'happening'; what: EventProposition }
  | { is: 'all' | 'any'; of: readonly Proposition[] }
  | { is: 'not'; of: Proposition };

/** Returns a proposition that is true if all parts are true. */
export const conjoin = (...of: Proposition[]): Proposition => ({ is: 'all', of });
/** Returns a proposition that is true if at least one part is true. */
export const disjoin = (...of: Proposition[]): Proposition => ({ is: 'any', of });
export const negate = (of: Proposition): Proposition => ({ is: 'not', of });

const createIdentityProposition = (player: string, what: PlayerIdentity): Proposition => ({
  is: 'identity',
  player,
  what,
});
const createEventProposition = (what: EventProposition): Proposition => ({ is: 'happening', what });

/**
 * States that a player has a role.
 *
 * @example
 * knowledge.evaluate(any(hasRole('Ann', 'Seer'), not(isOnTeam('Bob', 'werewolves'))));
 */
export const hasRole = (player: string, role: string) => createIdentityProposition(player, { role });
/** States that a player is on a team. */
export const isOnTeam = (player: string, team: Team) => createIdentityProposition(player, { team });
/** States that the player's role has a power or a last act of this verb. */
const isAbleTo = (player: string, verb: string) => createIdentityProposition(player, { verb });

type EventFields<Type extends EventProposition['type']> = Omit<Extract<EventProposition, { type: Type }>, 'type'>;

/** States that a player voted for another, in a ballot for exile unless `ballot` says otherwise. */
export const didVote = ({
  ballot = 'ballot',
  ...vote
}: Omit<EventFields<'vote'>, 'ballot'> & Partial<EventFields<'vote'>>) =>
  createEventProposition({ ...vote, type: 'vote', ballot });

/** States that a player has left the game. */
export const didLeave = (departure: EventFields<'departure'>) =>
  createEventProposition({ ...departure, type: 'departure' });

/** States that a player used the power or the last act of this verb, alone or together with the other Werewolves. */
export const didAct = (act: EventFields<'act'>) =>
  conjoin(isAbleTo(act.by, act.verb), createEventProposition({ ...act, type: 'act' }));

/**
 * States that a player checked another player and learned this role or team. Checks are truthful, so the proposition
 * also states that the checked player has this identity.
 */
export const didCheck = (check: EventFields<'check'>) => {
  const { by, about, role, team } = check;
  return conjoin(
    createIdentityProposition(by, { aim: 'learn' }),
    ...(role === undefined ? [] : [hasRole(about, role)]),
    ...(team === undefined ? [] : [isOnTeam(about, team)]),
    createEventProposition({ ...check, type: 'check' }),
  );
};

/** Returns the roles that have the identity `what`. */
export function selectRolesFor(what: PlayerIdentity, table: RoleTable): RoleSet {
  if ('role' in what) return selectRoleNamed(table, what.role);
  if ('team' in what) return selectTeamRoles(table, what.team);
  if ('verb' in what) return selectRolesWithPower(table, what.verb);
  return selectRoles(table, ({ powers }) => powers.some(({ aim }) => aim === what.aim));
}

/** For each seat, the roles that the seat may have. A seat without an entry may have any role. */
export type Condition = ReadonlyMap<number, RoleSet>;

/**
 * Lists conditions on roles, at least one of which must hold for the proposition to be true. If `isTrue` is false,
 * lists the conditions for the proposition to be false. An event of unknown truth sets no condition. Throws a
 * UsageError for an unknown player.
 */
export function listRoleConditions(
  proposition: Proposition,
  isTrue: boolean,
  evaluateEvent: (what: EventProposition) => TruthValue,
  table: RoleTable,
): Condition[] {
  const listPartConditions = (part: Proposition, isPartTrue = isTrue) =>
    listRoleConditions(part, isPartTrue, evaluateEvent, table);
  switch (proposition.is) {
    case 'identity': {
      const roles = selectRolesFor(proposition.what, table);
      return [new Map([[getSeatIndex(table, proposition.player), isTrue ? roles : ~roles]])];
    }
    case 'happening': {
      const truth = evaluateEvent(proposition.what);
      return truth === 'unknown' || (truth === 'true') === isTrue ? [new Map()] : [];
    }
    case 'not':
      return listPartConditions(proposition.of, !isTrue);
    case 'all':
    case 'any':
      return (proposition.is === 'all') === isTrue
        ? proposition.of.map((part) => listPartConditions(part)).reduce(combineConditions, [new Map()])
        : proposition.of.flatMap((part) => listPartConditions(part));
  }
}

const combineConditions = (ones: readonly Condition[], others: readonly Condition[]): Condition[] =>
  ones.flatMap((one) => others.map((other) => intersectConditions(one, other)));

function intersectConditions(one: Condition, other: Condition): Condition {
  const both = new Map(one);
  for (const [seat, roles] of other) both.set(seat, (both.get(seat) ?? ~0) & roles);
  return both;
}

// Decides whether events happened, from one player's observations.

/** A player and their observations. */
interface Witness {
  table: RoleTable;
  me: string;
  /** Role of the player; all roles that the player may have if the role is unknown. */
  own: RoleSet;
  events: readonly SeenEvent[];
}

type EventPropositionOf<Type extends EventProposition['type']> = Extract<EventProposition, { type: Type }>;

/**
 * Returns whether an event happened, as far as the player can be certain. `true`: the player saw it. `false`: the
 * player could not have missed it, or it is an act by or on a player who had left. `unknown`: all other cases. Does not
 * consider whether roles allow the event.
 */
export function evaluateEventProposition(what: EventProposition, witness: Witness): TruthValue {
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
      const hasLearned = hasSeen((event) => isCheck(event, what, witness.table));
      return isTooLate({ ...what, target: what.about }, witness)
        ? 'false'
        : decideTruth(hasLearned, what.by === witness.me);
    }
  }
}

/** Decides the truth of an event. An unseen event did not happen if the player could not have missed it. */
const decideTruth = (wasSeen: boolean, cannotBeMissed: boolean): TruthValue =>
  wasSeen ? 'true' : cannotBeMissed ? 'false' : 'unknown';

const isInRound = (event: SeenEvent, { round }: { round?: number }) => round === undefined || event.round === round;

const isDeparture = (event: SeenEvent, what: EventPropositionOf<'departure'>) =>
  event.type === 'death' &&
  event.player === what.player &&
  isInRound(event, what) &&
  (what.cause === undefined || event.cause === what.cause);

const isVote = (event: SeenEvent, what: EventPropositionOf<'vote'>) =>
  event.type === what.ballot && event.by === what.by && event.target === what.target && isInRound(event, what);

/** Returns whether the player would have seen the vote. Only votes for exile may be secret. */
const isVoteSeen = ({ by, ballot }: EventPropositionOf<'vote'>, { me, table: cast }: Witness) =>
  by === me || ballot !== 'ballot' || cast.rules.ballots === 'public';

/**
 * Returns whether the event is the act that `what` describes. The Werewolves' pick counts as an act of everybody in the
 * game; conditions on roles then decide whether the named players are Werewolves.
 */
const isAct = (event: SeenEvent, what: EventPropositionOf<'act'>, witness: Witness) =>
  (event.type === 'pick' || event.type === 'acted' || event.type === 'last_act') &&
  (event.type === 'pick' ? !isGoneBefore(what.by, event.round, witness) : event.by === what.by) &&
  event.verb === what.verb &&
  event.target === what.target &&
  isInRound(event, what);

/**
 * Returns whether the player would have seen the act. Players see their own acts, all last acts, and acts that their
 * own team performs together.
 */
function isActSeen(what: EventPropositionOf<'act'>, witness: Witness): boolean {
  const { me, own, table: cast } = witness;
  const power = powers.find((known) => known.verb === what.verb);
  return (
    what.by === me ||
    !power ||
    (power.actor === 'team' && (own & selectRolesWithPower(cast, what.verb)) !== 0 && !isAfterLeaving(what, witness))
  );
}

/**
 * Returns whether the act may have happened after the player left. Players who have left no longer see the Werewolves'
 * picks.
 */
function isAfterLeaving({ by, round }: EventPropositionOf<'act'>, witness: Witness): boolean {
  const last = round ?? findDepartureRound(by, witness) ?? Infinity;
  return isGoneBefore(witness.me, last, witness);
}

const isCheck = (event: SeenEvent, what: EventPropositionOf<'check'>, table: RoleTable) =>
  event.type === 'learned' &&
  event.by === what.by &&
  event.about === what.about &&
  isInRound(event, what) &&
  (selectRevealedRoles(table, event) & ~selectRevealedRoles(table, what)) === 0;

/**
 * Returns whether the event is impossible in this round: one of the two players had left before the round, or the round
 * has not begun.
 */
function isTooLate({ by, target, round }: { by: string; target: string; round?: number }, witness: Witness): boolean {
  if (round === undefined) return false;
  return (
    isGoneBefore(by, round, witness) ||
    isGoneBefore(target, round, witness) ||
    !witness.events.some((event) => event.round >= round)
  );
}

/** Returns the round in which a player left; undefined for a player who is still in the game. */
const findDepartureRound = (name: string, { events }: Witness) =>
  events.find((event) => event.type === 'death' && event.player === name)?.round;

const isGoneBefore = (name: string, round: number, witness: Witness) =>
  (findDepartureRound(name, witness) ?? Infinity) < round;
