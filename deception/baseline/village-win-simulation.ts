// Algorithm 1 of the Werewolf Arena paper: simulates games without speech and counts how many the village wins.
import { getCountedSide } from '../../state/roles/role.ts';
import type { Board } from '../../state/boards.ts';
import { type RandomSource, draw } from '../../state/random.ts';
import { listDealtRoles } from '../../state/rulebook.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type IntervalBounds, computeWilsonBounds } from '../statistics/proportion.ts';

/** A table in the terms of Algorithm 1. */
export interface SimulatedTable {
  players: number;
  werewolves: number;
  /** Whether somebody protects a player each night. The paper's table of eight has a Doctor. */
  isProtected: boolean;
  /** Whether a Seer checks a player each night. Every Werewolf that is found is exposed and exiled immediately. */
  isSeen: boolean;
}

/**
 * Counts how many of `games` the village wins by Algorithm 1 of the Werewolf Arena paper (appendix A), exactly as
 * printed. Each night a random villager is removed, unless the living Doctor protects the same player; the Doctor draws
 * among all players. The living Seer checks a player not checked before. A Werewolf that the Seer finds leaves, and the
 * day is skipped. By day everyone votes for a random other player; Werewolves do not vote for each other. More than
 * half of the votes exile a player. The game ends when no Werewolf is left, or when Werewolves reach parity at the
 * start of a round. Throws a UsageError for numbers of players and Werewolves that cannot be played.
 *
 * @example
 * countVillageWins({ players: 8, werewolves: 2, isProtected: true, isSeen: false }, 1000, draw(1, 'games')) / 1000;
 */
export function countVillageWins(table: SimulatedTable, games: number, draw: RandomSource): number {
  checkTable(table);
  const play = createGameRunner(table, draw);
  let wins = 0;
  for (let game = 0; game < games; game++) if (play()) wins++;
  return wins;
}

/** Maximum number of players, because votes are counted in bytes. */
const mostPlayers = 255;

function checkTable({ players, werewolves, isProtected, isSeen }: SimulatedTable) {
  const others = players - werewolves;
  if (players > mostPlayers) throw new UsageError(`${players} players are too many: at most ${mostPlayers} can play.`);
  if (werewolves < 1 || werewolves >= others)
    throw new UsageError(
      `${werewolves} Werewolves among ${players} players: give at least 1, and fewer than half of the players.`,
    );
  const special = Number(isProtected) + Number(isSeen);
  if (others < special)
    throw new UsageError(`${others} players beside the Werewolves are too few for ${special} roles.`);
}

const nobody = -1;

/**
 * Creates the function that plays one game and returns whether the village won. Living villagers have the places 0 to
 * `village - 1`, and Werewolves the places after them. When a player leaves, the last player of the same side moves to
 * the free place.
 */
function createGameRunner(
  { players, werewolves, isProtected, isSeen }: SimulatedTable,
  draw: RandomSource,
): () => boolean {
  const drawInteger = (below: number) => draw.integer(below);
  const isChecked = new Uint8Array(players);
  const votes = new Uint8Array(players);
  let village = 0;
  let pack = 0;
  let doctor = nobody;
  let seer = nobody;

  const removeVillager = (place: number) => {
    const last = --village;
    doctor = doctor === place ? nobody : doctor === last ? place : doctor;
    seer = seer === place ? nobody : seer === last ? place : seer;
    isChecked[place] = isChecked[last]!;
  };

  /**
   * Draws the player to check and returns whether it is a Werewolf. The loop ends, because a living Werewolf has never
   * been checked before and can be drawn at any time.
   */
  const drawCheck = (): boolean => {
    for (;;) {
      const place = drawInteger(village + pack);
      if (place >= village) return true;
      if (place === seer || isChecked[place] === 1) continue;
      isChecked[place] = 1;
      return false;
    }
  };

  /** Returns the place of the player with more than half of the votes, if any. */
  const drawExile = (): number => {
    const living = village + pack;
    votes.fill(0, 0, living);
    let exiled = nobody;
    for (let by = 0; by < living; by++) {
      const drawn = drawInteger(by < village ? living - 1 : village);
      const target = by < village && drawn >= by ? drawn + 1 : drawn;
      if (++votes[target]! * 2 > living) exiled = target;
    }
    return exiled;
  };

  return () => {
    village = players - werewolves;
    pack = werewolves;
    doctor = isProtected ? 0 : nobody;
    seer = isSeen ? Number(isProtected) : nobody;
    isChecked.fill(0);
    while (pack > 0 && pack < village) {
      const victim = drawInteger(village);
      const saved = drawInteger(village + pack);
      if (doctor === nobody || victim !== saved) removeVillager(victim);
      if (seer !== nobody && drawCheck()) {
        pack--;
        continue;
      }
      const exile = drawExile();
      if (exile >= village) pack--;
      else if (exile !== nobody) removeVillager(exile);
    }
    return pack === 0;
  };
}

// Win rates with and without a Seer, next to the rates in the paper.

/** A table of players that is simulated with and without a Seer. */
export type TableNumbers = Omit<SimulatedTable, 'isSeen'>;

/** One line of a simulation. Shares are from 0 to 1. */
export interface SimulationResult {
  with_seer: boolean;
  games: number;
  village_wins: number;
  share: number;
  /** The 95% Wilson interval of the share over games. */
  interval: IntervalBounds;
  /** The share stated in the paper for its own table of eight; null for any other table. */
  published: number | null;
}

/** The table of players in the paper. */
const paperTable: TableNumbers = { players: 8, werewolves: 2, isProtected: true };

/** Shares that the paper states (section 6.1), each from 100,000 games. */
const published = { without: 0.012, with: 1 };

/**
 * Describes a board in the terms of Algorithm 1: the number of players, the number of Werewolves, and whether a role
 * such as Doctor or Guard can shield somebody every night. All other roles count as plain villagers.
 */
export function countTable(board: Pick<Board, 'roles'>): TableNumbers {
  const counts = Object.entries(board.roles);
  const dealt = listDealtRoles(board);
  const pack = new Set(dealt.filter((role) => getCountedSide(role) === 'werewolves').map(({ name }) => name));
  return {
    players: counts.reduce((sum, [, count]) => sum + count, 0),
    werewolves: counts.reduce((sum, [role, count]) => sum + (pack.has(role) ? count : 0), 0),
    isProtected: dealt.some(({ powers }) => powers.some(({ aim, uses }) => aim === 'shield' && uses === undefined)),
  };
}

/**
 * Plays `games` games with a Seer and the same number without. The same arguments always give the same result. Throws a
 * UsageError for numbers of players and Werewolves that cannot be played.
 *
 * @example
 * const [withoutSeer, withSeer] = simulate({ players: 8, werewolves: 2, isProtected: true }, 10_000, 1);
 */
export function simulate(numbers: TableNumbers, games: number, seed: number): SimulationResult[] {
  const isPaperTable = Object.entries(paperTable).every(
    ([name, value]) => numbers[name as keyof TableNumbers] === value,
  );
  return [false, true].map((isSeen) => {
    const wins = countVillageWins({ ...numbers, isSeen }, games, draw(seed, 'algorithm 1', Number(isSeen)));
    return {
      with_seer: isSeen,
      games,
      village_wins: wins,
      share: wins / games,
      interval: computeWilsonBounds(wins, games)!,
      published: isPaperTable ? published[isSeen ? 'with' : 'without'] : null,
    };
  });
}
