// Boards: how many players have each role. The built-in boards are data here; a user's own board comes from a YAML
// file.
import { z } from 'zod';
import { findNameClash, isConfusable, PlayerName } from './player-names.ts';
import { getRole, roles } from './roles/index.ts';
import { getCountedSide, passChoice } from './roles/role.ts';
import type { RuleValue } from './rules/rule.ts';
import { destroyBadgeChoice } from './sheriff.ts';
import { describeIssue, describeNearName, UsageError } from './usage-error.ts';

export const Board = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a board name has only lower-case letters, digits and hyphens'),
  /** Number of players with each role. */
  roles: z.record(z.string(), z.number().int().min(0).max(16)),
  /** Names to draw from, at least one for each player. Default: the pool of 17 names. */
  names: z.array(PlayerName).optional(),
  /** Rules of this board. They override the preset, and single options override them. */
  rules: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]) as z.ZodType<RuleValue>)
    .optional(),
});
export type Board = z.infer<typeof Board>;

const twelve = { Werewolf: 4, Seer: 1, Witch: 1, Hunter: 1, Guard: 1, Villager: 4 };

export const boards: Readonly<Record<string, Board>> = {
  'classic-8': { name: 'classic-8', roles: { Werewolf: 2, Seer: 1, Doctor: 1, Villager: 4 } },
  'plus-8': { name: 'plus-8', roles: { Werewolf: 2, Seer: 1, Guard: 1, Villager: 4 }, rules: { sheriff: true } },
  'plus-9': { name: 'plus-9', roles: { Werewolf: 3, Seer: 1, Witch: 1, Hunter: 1, Villager: 3 } },
  'plus-10': { name: 'plus-10', roles: { Werewolf: 3, Seer: 1, Witch: 1, Guard: 1, Villager: 4 } },
  'plus-12': { name: 'plus-12', roles: twelve },
  'plus-12-sheriff': { name: 'plus-12-sheriff', roles: twelve, rules: { sheriff: true } },
};

/** Smallest and largest number of players. */
const fewest = 4;
const most = 16;

/**
 * Reads a board: the name of a built-in one, or a user's own as parsed from YAML. Throws a UsageError with the reason
 * if the board is unknown or cannot be played.
 *
 * @example readBoard('classic-8').roles // { Werewolf: 2, Seer: 1, Doctor: 1, Villager: 4 }
 * @example readBoard({ name: 'mine', roles: { Werewolf: 1, Seer: 1, Villager: 4 } })
 */
export function readBoard(given: unknown): Board {
  if (typeof given === 'string') return getKnownBoard(given);
  const read = Board.safeParse(given, { error: describeIssue });
  if (!read.success) throw new UsageError(`Not a board: ${z.prettifyError(read.error)}`);
  for (const role of Object.keys(read.data.roles)) getRole(role);
  const fault = findSeatFault(read.data) ?? findNameFault(read.data);
  if (fault) throw new UsageError(`Board "${read.data.name}" cannot be played: ${fault}.`);
  return read.data;
}

function getKnownBoard(name: string): Board {
  const known = Object.hasOwn(boards, name) ? boards[name] : undefined;
  if (known) return known;
  throw new UsageError(
    `Unknown board ${JSON.stringify(name)}. ${describeNearName(name, Object.keys(boards))}Known boards: ${Object.keys(boards).join(', ')}; or give a YAML file.`,
  );
}

function findSeatFault(board: Board): string | undefined {
  const seats = listSeatRoles(board);
  const pack = seats.filter((role) => getCountedSide(getRole(role)) === 'werewolves').length;
  if (seats.length < fewest || seats.length > most) return `it seats ${seats.length} players, not ${fewest} to ${most}`;
  if (pack === 0) return 'it has no Werewolf';
  if (pack * 2 >= seats.length) return `${pack} Werewolves among ${seats.length} players are at parity at the start`;
  return undefined;
}

/**
 * Returns a fault of the board's names, or undefined. No name may be mistaken for another name, a role, or a choice
 * such as "pass". Names that differ only in case count as equal, because case is ignored when answers are read.
 */
function findNameFault(board: Board): string | undefined {
  const { names = [] } = board;
  for (const [index, name] of names.entries()) {
    const other = names.slice(0, index).find((earlier) => isConfusable(earlier, name));
    if (other?.toLowerCase() === name.toLowerCase()) return `it names "${name}" twice`;
    if (other !== undefined) return `"${other}" and "${name}" are too similar: one can be mistaken for the other`;
    const clash = names
      .slice(0, index)
      .map((earlier) => findNameClash(earlier, name))
      .find((found) => found !== null);
    if (clash) return clash;
  }
  const asChoice = names.find((name) => [passChoice, destroyBadgeChoice].some((choice) => isConfusable(choice, name)));
  if (asChoice !== undefined) return `a player cannot be called "${asChoice}": that is the name of a choice`;
  const roleWords = [...roles.values()].flatMap(({ name, plural }) => [name, plural]);
  const asRole = names.find((name) =>
    name.split(' ').some((part) => roleWords.some((word) => isConfusable(word, part))),
  );
  if (asRole !== undefined) return `a player cannot be called "${asRole}": that is the name of a role`;
  const seats = listSeatRoles(board).length;
  return board.names && names.length < seats
    ? `it names ${names.length} different players for ${seats} seats`
    : undefined;
}

/** Lists the role of each seat, in the order of the board. */
export const listSeatRoles = ({ roles: counts }: Pick<Board, 'roles'>): string[] =>
  Object.entries(counts).flatMap(([role, count]) => Array<string>(count).fill(role));
