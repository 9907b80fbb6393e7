// Boards: who sits at the table. One is data; a user's own comes from a YAML file.
import { z } from 'zod';
import { PlayerName } from './names.ts';
import { roleNamed, roles } from './roles/index.ts';
import type { RuleValue } from './rule.ts';

export const Board = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a board is named in lower-case letters, digits and hyphens'),
  /** How many players have each role. */
  roles: z.record(z.string(), z.number().int().min(0).max(12)),
  /** The names to draw from, at least as many as players; the pool of 17 by default. */
  names: z.array(PlayerName).optional(),
  /** Options of this board: they come before the preset's and after single ones. */
  rules: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]) as z.ZodType<RuleValue>)
    .optional(),
});
export type Board = z.infer<typeof Board>;

export const boards: Readonly<Record<string, Board>> = {
  'classic-8': { name: 'classic-8', roles: { Werewolf: 2, Seer: 1, Doctor: 1, Villager: 4 } },
};

/** How many may sit at a table. */
const fewest = 6;
const most = 12;

/** A board by name, or a user's own. Throws a RangeError with the reason when it is unknown or cannot be played. */
export function readBoard(given: unknown): Board {
  if (typeof given === 'string') {
    const known = Object.hasOwn(boards, given) ? boards[given] : undefined;
    if (!known)
      throw new RangeError(
        `Unknown board "${given}". Known boards: ${Object.keys(boards).join(', ')}; or give a YAML file.`,
      );
    return known;
  }
  const read = Board.safeParse(given);
  if (!read.success) throw new RangeError(`Not a board: ${z.prettifyError(read.error)}`);
  const board = read.data;
  const refuse = (reason: string) => {
    throw new RangeError(`Board "${board.name}" cannot be played: ${reason}.`);
  };
  for (const role of Object.keys(board.roles)) if (!roles.has(role)) roleNamed(role);
  const seats = seatsOf(board).map((role) => roleNamed(role).team);
  const pack = seats.filter((team) => team === 'werewolves').length;
  if (seats.length < fewest || seats.length > most)
    refuse(`it seats ${seats.length} players, not ${fewest} to ${most}`);
  if (pack === 0) refuse('it has no Werewolf');
  if (pack * 2 >= seats.length) refuse(`${pack} Werewolves among ${seats.length} players are at parity at the start`);
  const names = board.names?.map((name) => name.toLowerCase()) ?? [];
  const twice = board.names?.find((_, index) => names.indexOf(names[index]!) !== index);
  if (twice !== undefined) refuse(`it names "${twice}" twice`);
  const asRole = board.names?.find((name) =>
    [...roles.keys()].some((role) => role.toLowerCase() === name.toLowerCase()),
  );
  if (asRole !== undefined) refuse(`a player cannot be called "${asRole}" like a role`);
  if (board.names && board.names.length < seats.length)
    refuse(`it names ${new Set(board.names).size} different players for ${seats.length} seats`);
  return board;
}

/** The roles of all seats, in the order of the board. */
export const seatsOf = ({ roles: counts }: Pick<Board, 'roles'>): string[] =>
  Object.entries(counts).flatMap(([role, count]) => Array<string>(count).fill(role));
