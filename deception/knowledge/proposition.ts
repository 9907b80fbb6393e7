// Propositions about a match: who is what, and what happened.
import type { Cause } from '../../state/events.ts';
import type { Team } from '../../state/teams.ts';
import {
  selectRolesWithPower,
  selectTeamRoles,
  selectRoles,
  getSeatIndex,
  selectRoleNamed,
  type RoleTable,
  type RoleSet,
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
