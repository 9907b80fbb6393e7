// Public knowledge from the start of a match: each player's seat, the number of players with each role, and what the
// rules let a role do.
import { getRole } from '../../state/roles/index.ts';
import { getCountedSide, type Role } from '../../state/roles/role.ts';
import type { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup } from '../../state/view.ts';
import { decideWinner } from '../../state/win-conditions.ts';
import { NightPowers } from './night-powers.ts';

/** A set of roles: bit i represents the role at index i of `RoleTable.roles`. */
export type RoleSet = number;

export interface RoleTable extends Pick<PublicSetup, 'rules'> {
  /** Names in seat order. */
  seats: readonly string[];
  /** The roles that occur on the board, in its order. */
  roles: readonly Role[];
  /** Number of players with each role. */
  counts: readonly number[];
  /** Roles' abilities at night. */
  powers: NightPowers;
  /** Encodes the number of living players of each role as one whole number below 2^16, a key for look-ups. */
  encodeHeadcount(left: readonly number[]): number;
  /** Returns the team that has won with this many living players of each role; null while the match continues. */
  findWinnerAmong(left: readonly number[]): Team | null;
}

/**
 * Creates the table of a match from its rules and its board. Throws a UsageError for a board with an unknown role, or
 * with more or fewer roles than players.
 *
 * @example
 * const table = createRoleTable({ board, rules, players: ['Ann', 'Bob', 'Cleo'] });
 * selectTeamRoles(table, 'werewolves'); // 1 where the first role of the board is the only one of that team
 */
export function createRoleTable({ board, rules, players }: PublicSetup): RoleTable {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const roles = dealt.map(([name]) => getRole(name));
  const counts = dealt.map(([, count]) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== players.length)
    throw new UsageError(`Board "${board.name}" has ${total} roles for ${players.length} players.`);
  const encodeHeadcount = (left: readonly number[]) =>
    left.reduce((code, count, role) => code * (counts[role]! + 1) + count, 0);
  const countByName = (headcount: readonly number[]) =>
    Object.fromEntries(roles.map(({ name }, role) => [name, headcount[role]!]));
  const winners = new Map<number, Team | null>();
  const findWinnerAmong = (left: readonly number[]) => {
    const key = encodeHeadcount(left);
    const known = winners.get(key);
    if (known !== undefined) return known;
    const winner = decideWinner(rules, countByName(counts), countByName(left))?.winner ?? null;
    winners.set(key, winner);
    return winner;
  };
  return {
    seats: players,
    roles,
    counts,
    rules,
    powers: new NightPowers({ board, rules, players }, roles),
    encodeHeadcount,
    findWinnerAmong,
  };
}

/** Selects the roles of the board for which `isSelected` holds. */
export const selectRoles = ({ roles }: Pick<RoleTable, 'roles'>, isSelected: (role: Role) => boolean): RoleSet =>
  roles.reduce((set, role, index) => (isSelected(role) ? set | (1 << index) : set), 0);

export const selectAllRoles = (table: RoleTable): RoleSet => selectRoles(table, () => true);

export const selectRoleNamed = (table: RoleTable, name: string): RoleSet =>
  selectRoles(table, (role) => role.name === name);

export const selectTeamRoles = (table: RoleTable, team: Team): RoleSet =>
  selectRoles(table, (role) => getCountedSide(role) === team);

/** Selects the roles with a power or a last act of this verb. */
export const selectRolesWithPower = (table: RoleTable, verb: string): RoleSet =>
  selectRoles(table, ({ powers, lastAct }) => lastAct?.verb === verb || powers.some((power) => power.verb === verb));

/**
 * Selects the roles that agree with an announcement or a check. The announcement may state a role, a team, or neither;
 * if it states neither, all roles agree.
 */
export const selectRevealedRoles = (
  table: RoleTable,
  { role, team }: { role?: string | undefined; team?: Team | undefined },
): RoleSet =>
  role !== undefined
    ? selectRoleNamed(table, role)
    : team !== undefined
      ? selectTeamRoles(table, team)
      : selectAllRoles(table);

/** Returns a player's index in the seat order, from 0. Throws a UsageError that lists the players. */
export function getSeatIndex({ seats }: Pick<RoleTable, 'seats'>, name: string): number {
  const seat = seats.indexOf(name);
  if (seat < 0) throw new UsageError(`No player "${name}". At the table: ${seats.join(', ')}.`);
  return seat;
}
