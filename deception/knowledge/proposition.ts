// Propositions about a match: who is what, and what happened.
import type { Cause } from '../../state/event.ts';
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
export type Happening =
  | { type: 'vote'; by: string; target: string; round?: number; ballot: 'ballot' | 'pseudo_ballot' | 'badge_ballot' }
  | { type: 'departure'; player: string; round?: number; cause?: Cause }
  | { type: 'act'; by: string; verb: string; target: string; round?: number }
  | { type: 'check'; by: string; about: string; role?: string; team?: Team; round?: number };

/** What a player can be: of a role, on a team, able to do what the verb says, or able to learn what others are. */
type Identity = { role: string } | { team: Team } | { verb: string } | { aim: 'learn' };

export type Proposition =
  | { is: 'identity'; player: string; what: Identity }
  | { is: 'happening'; what: Happening }
  | { is: 'all' | 'any'; of: readonly Proposition[] }
  | { is: 'not'; of: Proposition };

export const all = (...of: Proposition[]): Proposition => ({ is: 'all', of });
export const any = (...of: Proposition[]): Proposition => ({ is: 'any', of });
export const not = (of: Proposition): Proposition => ({ is: 'not', of });

const identity = (player: string, what: Identity): Proposition => ({ is: 'identity', player, what });
const happening = (what: Happening): Proposition => ({ is: 'happening', what });

export const hasRole = (player: string, role: string) => identity(player, { role });
export const isOn = (player: string, team: Team) => identity(player, { team });
/** Whether the player's role has a power or a last act of this verb. */
export const isAble = (player: string, verb: string) => identity(player, { verb });

type Of<Type extends Happening['type']> = Omit<Extract<Happening, { type: Type }>, 'type'>;

/** A vote in a ballot for exile, unless `ballot` says otherwise. */
export const voted = ({ ballot = 'ballot', ...vote }: Omit<Of<'vote'>, 'ballot'> & Partial<Of<'vote'>>) =>
  happening({ ...vote, type: 'vote', ballot });

/** That a player has left the game. */
export const left = (departure: Of<'departure'>) => happening({ ...departure, type: 'departure' });

/** That a player used the power or the last act of this verb, or had a part in the pack's using it. */
export const didAct = (act: Of<'act'>) => all(isAble(act.by, act.verb), happening({ ...act, type: 'act' }));

/** That a player checked another and was told so much. What is told by a check is true. */
export const didCheck = (check: Of<'check'>) => {
  const { by, about, role, team } = check;
  return all(
    identity(by, { aim: 'learn' }),
    ...(role === undefined ? [] : [hasRole(about, role)]),
    ...(team === undefined ? [] : [isOn(about, team)]),
    happening({ ...check, type: 'check' }),
  );
};

/** The roles by which a player is so. */
export function rolesFor(what: Identity, cast: RoleTable): RoleSet {
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
export function conditionsOf(
  proposition: Proposition,
  isSo: boolean,
  truthOf: (what: Happening) => Truth,
  cast: RoleTable,
): Condition[] {
  const of = (part: Proposition, asIs = isSo) => conditionsOf(part, asIs, truthOf, cast);
  switch (proposition.is) {
    case 'identity': {
      const roles = rolesFor(proposition.what, cast);
      return [new Map([[getSeatIndex(cast, proposition.player), isSo ? roles : ~roles]])];
    }
    case 'happening': {
      const truth = truthOf(proposition.what);
      return truth === 'unknown' || (truth === 'true') === isSo ? [new Map()] : [];
    }
    case 'not':
      return of(proposition.of, !isSo);
    case 'all':
    case 'any':
      return (proposition.is === 'all') === isSo
        ? proposition.of.map((part) => of(part)).reduce(combined, [new Map()])
        : proposition.of.flatMap((part) => of(part));
  }
}

const combined = (some: readonly Condition[], others: readonly Condition[]): Condition[] =>
  some.flatMap((one) => others.map((other) => both(one, other)));

function both(one: Condition, other: Condition): Condition {
  const met = new Map(one);
  for (const [seat, roles] of other) met.set(seat, (met.get(seat) ?? ~0) & roles);
  return met;
}
