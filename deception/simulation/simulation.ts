// A simulation of Algorithm 1 in numbers: how often the village wins, and what the paper says of it.
import { dealtRoles } from '../../state/idle-rules.ts';
import type { Board } from '../../state/boards.ts';
import { draw } from '../../state/draw.ts';
import { wilson, type Bounds } from '../statistics/proportion.ts';
import { villageWins, type Table } from './algorithm-one.ts';

export type Numbers = Omit<Table, 'isSeen'>;

/** One line of a simulation; shares are 0…1. */
export interface Simulated {
  with_seer: boolean;
  games: number;
  village_wins: number;
  share: number;
  /** 95 %, Wilson; the unit is the game. */
  interval: Bounds;
  /** What the paper says for its own eight players; null for any other table. */
  published: number | null;
}

/** The paper's table. */
const eight: Numbers = { players: 8, werewolves: 2, isProtected: true };

/** What the paper says (section 6.1): 100,000 games each. */
const published = { without: 0.012, with: 1 };

/**
 * As much of a board as Algorithm 1 knows: players, Werewolves, and whether a role can shield somebody every night, as
 * Doctor and Guard can. All other roles are plain villagers to it.
 */
export function numbersOf(board: Pick<Board, 'roles'>): Numbers {
  const counts = Object.entries(board.roles);
  const dealt = dealtRoles(board);
  const pack = new Set(dealt.filter(({ team }) => team === 'werewolves').map(({ name }) => name));
  return {
    players: counts.reduce((sum, [, count]) => sum + count, 0),
    werewolves: counts.reduce((sum, [role, count]) => sum + (pack.has(role) ? count : 0), 0),
    isProtected: dealt.some(({ powers }) => powers.some(({ aim, uses }) => aim === 'shield' && uses === undefined)),
  };
}

/**
 * Plays `games` games without and as many with a Seer. The same numbers, games and seed always give the same result.
 * Throws a UsageError for numbers that make no game.
 */
export function simulate(numbers: Numbers, games: number, seed: number): Simulated[] {
  const isPapers = Object.entries(eight).every(([name, value]) => numbers[name as keyof Numbers] === value);
  return [false, true].map((isSeen) => {
    const wins = villageWins({ ...numbers, isSeen }, games, draw(seed, 'algorithm 1', Number(isSeen)));
    return {
      with_seer: isSeen,
      games,
      village_wins: wins,
      share: wins / games,
      interval: wilson(wins, games)!,
      published: isPapers ? published[isSeen ? 'with' : 'without'] : null,
    };
  });
}
