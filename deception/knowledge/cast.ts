// The table as everybody knows it: who sits there, how many have each role, and what the rules let a role do.
import type { Power, Role } from '../../state/role.ts';
import { roleNamed } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { View } from '../../state/view.ts';
import { decisionAmong } from '../../state/winner.ts';

/** What is public before the first night. A View has it. */
export type PublicSetup = Pick<View, 'board' | 'rules' | 'players'>;

/** Some of the roles of a board, as a bit each, in the order of `Cast.roles`. */
export type RoleSet = number;

/** A power by which a holder changes how a night ends. */
export interface NightPower extends Power {
  /** Its place in `Cast.powers`. */
  index: number;
  /** The place of its role in `Cast.roles`. */
  role: number;
}

export interface Cast extends Pick<PublicSetup, 'rules'> {
  /** Names in seat order. */
  seats: readonly string[];
  /** The roles of which the board has at least one. */
  roles: readonly Role[];
  /** How many have each of them. */
  counts: readonly number[];
  /** What shields, cures and poisons. */
  powers: readonly NightPower[];
  /** The roles of those who attack at night, so never that of a victim. */
  attackers: RoleSet;
  /** A whole number below 2^16 for so many of each role. */
  headcount(left: readonly number[]): number;
  /** The side that has won where so many of each role are left, or null. */
  winnerAmong(left: readonly number[]): Team | null;
}

/** Throws a UsageError for a board with a role that is not known or with more or fewer roles than players. */
export function castOf({ board, rules, players }: PublicSetup): Cast {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const roles = dealt.map(([name]) => roleNamed(name));
  const counts = dealt.map(([, count]) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== players.length)
    throw new UsageError(`Board "${board.name}" has ${total} roles for ${players.length} players.`);
  const powers = roles.flatMap((role, index) =>
    role.powers.filter(({ effect }) => outcomes.includes(effect)).map((power) => ({ ...power, role: index })),
  );
  const headcount = (left: readonly number[]) =>
    left.reduce((number, count, role) => number * (counts[role]! + 1) + count, 0);
  const named = (some: readonly number[]) => Object.fromEntries(roles.map(({ name }, role) => [name, some[role]!]));
  const winners = new Map<number, Team | null>();
  const winnerAmong = (left: readonly number[]) => {
    const key = headcount(left);
    const known = winners.get(key);
    if (known !== undefined) return known;
    const winner = decisionAmong(rules, named(counts), named(left))?.winner ?? null;
    winners.set(key, winner);
    return winner;
  };
  return {
    seats: players,
    roles,
    counts,
    rules,
    powers: powers.map((power, index) => ({ ...power, index })),
    attackers: attackersAmong(roles),
    headcount,
    winnerAmong,
  };
}

const outcomes: readonly Power['effect'][] = ['shield', 'cure', 'poison'];

/** The roles of the board that are so. */
export const roleSet = ({ roles }: Pick<Cast, 'roles'>, isSo: (role: Role) => boolean): RoleSet => setOf(roles, isSo);

const setOf = (roles: readonly Role[], isSo: (role: Role) => boolean): RoleSet =>
  roles.reduce((set, role, index) => (isSo(role) ? set | (1 << index) : set), 0);

export const everyRole = (cast: Cast): RoleSet => roleSet(cast, () => true);

export const withName = (cast: Cast, name: string): RoleSet => roleSet(cast, (role) => role.name === name);

export const onTeam = (cast: Cast, team: Team): RoleSet => roleSet(cast, (role) => role.team === team);

/** The roles with a power or a last act of this verb. */
export const ableTo = (cast: Cast, verb: string): RoleSet =>
  roleSet(cast, ({ powers, lastAct }) => lastAct?.verb === verb || powers.some((power) => power.verb === verb));

/** What an announcement or a check says: a role, a team, or nothing. */
export const revealed = (
  cast: Cast,
  { role, team }: { role?: string | undefined; team?: Team | undefined },
): RoleSet => (role !== undefined ? withName(cast, role) : team !== undefined ? onTeam(cast, team) : everyRole(cast));

/** The roles of the team whose attack a night brings. */
function attackersAmong(roles: readonly Role[]): RoleSet {
  const teams = roles.filter(({ powers }) => powers.some(({ effect }) => effect === 'attack')).map(({ team }) => team);
  return setOf(roles, ({ team }) => teams.includes(team));
}

/** Where a player sits. Throws a UsageError that names those at the table. */
export function seatOf({ seats }: Pick<Cast, 'seats'>, name: string): number {
  const seat = seats.indexOf(name);
  if (seat < 0) throw new UsageError(`No player "${name}". At the table: ${seats.join(', ')}.`);
  return seat;
}
