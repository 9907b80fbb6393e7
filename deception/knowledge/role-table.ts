// The table as everybody knows it: who sits there, how many have each role, and what the rules let a role do.
import { getRole } from '../../state/roles/index.ts';
import type { Role } from '../../state/roles/role.ts';
import type { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup } from '../../state/view.ts';
import { decideWinner } from '../../state/win-conditions.ts';
import { createNightPowers, type NightPowers } from './night-powers.ts';

/** Some of the roles of a board, as a bit each, in the order of `RoleTable.roles`. */
export type RoleSet = number;

export interface RoleTable extends Pick<PublicSetup, 'rules'> {
  /** Names in seat order. */
  seats: readonly string[];
  /** The roles of which the board has at least one. */
  roles: readonly Role[];
  /** How many have each of them. */
  counts: readonly number[];
  /** What may be done at night. */
  powers: NightPowers;
  /** A whole number below 2^16 for so many of each role. */
  encodeHeadcount(left: readonly number[]): number;
  /** The side that has won where so many of each role are left, or null. */
  findWinnerAmong(left: readonly number[]): Team | null;
}

/** Throws a UsageError for a board with a role that is not known or with more or fewer roles than players. */
export function createRoleTable({ board, rules, players }: PublicSetup): RoleTable {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const roles = dealt.map(([name]) => getRole(name));
  const counts = dealt.map(([, count]) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== players.length)
    throw new UsageError(`Board "${board.name}" has ${total} roles for ${players.length} players.`);
  const encodeHeadcount = (left: readonly number[]) =>
    left.reduce((number, count, role) => number * (counts[role]! + 1) + count, 0);
  const nameCounts = (some: readonly number[]) =>
    Object.fromEntries(roles.map(({ name }, role) => [name, some[role]!]));
  const winners = new Map<number, Team | null>();
  const findWinnerAmong = (left: readonly number[]) => {
    const key = encodeHeadcount(left);
    const known = winners.get(key);
    if (known !== undefined) return known;
    const winner = decideWinner(rules, nameCounts(counts), nameCounts(left))?.winner ?? null;
    winners.set(key, winner);
    return winner;
  };
  return {
    seats: players,
    roles,
    counts,
    rules,
    powers: createNightPowers({ board, rules, players }, roles),
    encodeHeadcount,
    findWinnerAmong,
  };
}

/** The roles of the board that are so. */
export const selectRoles = ({ roles }: Pick<RoleTable, 'roles'>, isSo: (role: Role) => boolean): RoleSet =>
  roles.reduce((set, role, index) => (isSo(role) ? set | (1 << index) : set), 0);

export const selectAllRoles = (cast: RoleTable): RoleSet => selectRoles(cast, () => true);

export const selectRoleNamed = (cast: RoleTable, name: string): RoleSet =>
  selectRoles(cast, (role) => role.name === name);

export const selectTeamRoles = (cast: RoleTable, team: Team): RoleSet =>
  selectRoles(cast, (role) => role.team === team);

/** The roles with a power or a last act of this verb. */
export const selectRolesWithPower = (cast: RoleTable, verb: string): RoleSet =>
  selectRoles(cast, ({ powers, lastAct }) => lastAct?.verb === verb || powers.some((power) => power.verb === verb));

/** What an announcement or a check says: a role, a team, or nothing. */
export const selectRevealedRoles = (
  cast: RoleTable,
  { role, team }: { role?: string | undefined; team?: Team | undefined },
): RoleSet =>
  role !== undefined
    ? selectRoleNamed(cast, role)
    : team !== undefined
      ? selectTeamRoles(cast, team)
      : selectAllRoles(cast);

/** Where a player sits. Throws a UsageError that names those at the table. */
export function getSeatIndex({ seats }: Pick<RoleTable, 'seats'>, name: string): number {
  const seat = seats.indexOf(name);
  if (seat < 0) throw new UsageError(`No player "${name}". At the table: ${seats.join(', ')}.`);
  return seat;
}
