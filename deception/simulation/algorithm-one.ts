// Algorithm 1 of Werewolf Arena: games without a word said, and how often the village wins them.
import type { Board } from '../../state/boards.ts';
import { type Draw, draw } from '../../state/random.ts';
import { listDealtRoles } from '../../state/rules/rules.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type Bounds, computeWilsonBounds } from '../statistics/proportion.ts';

/** The numbers of a table as far as Algorithm 1 knows them. */
export interface SimulatedTable {
  players: number;
  werewolves: number;
  /** Whether somebody protects a player each night; the paper's eight have a Doctor. */
  isProtected: boolean;
  /** Whether a Seer checks a player each night and exposes every Werewolf found, who is exiled at once. */
  isSeen: boolean;
}

/**
 * How many of `games` the village wins, by Algorithm 1 of the Werewolf Arena paper (appendix A) as it is printed. Each
 * night one of the village, drawn at random, is removed unless the living Doctor drew the same player out of all. The
 * living Seer checks a player not checked before; a Werewolf found leaves and the day is skipped. By day all vote for
 * another at random, Werewolves not for each other, and more than half of the votes exile. It ends when no Werewolf is
 * left or they are at parity at the beginning of a round.
 * Throws a UsageError for a table that has no such game.
 */
export function countVillageWins(table: SimulatedTable, games: number, draw: Draw): number {
  checkTable(table);
  const play = createGameRunner(table, draw);
  let wins = 0;
  for (let game = 0; game < games; game++) if (play()) wins++;
  return wins;
}

/** Ballots are counted in bytes. */
const most = 255;

function checkTable({ players, werewolves, isProtected, isSeen }: SimulatedTable) {
  const others = players - werewolves;
  if (players > most) throw new UsageError(`${players} players are too many: at most ${most} can play.`);
  if (werewolves < 1 || werewolves >= others)
    throw new UsageError(
      `${werewolves} Werewolves among ${players} players: give at least 1, and fewer than half of the players.`,
    );
  const named = Number(isProtected) + Number(isSeen);
  if (others < named) throw new UsageError(`${others} players beside the Werewolves are too few for ${named} roles.`);
}

const nobody = -1;

/**
 * A function that plays one game and says whether the village has won. The living of the village stand at 0 to
 * `village - 1` and the Werewolves behind them; whoever leaves gives the place to the last of the same side.
 */
function createGameRunner({ players, werewolves, isProtected, isSeen }: SimulatedTable, draw: Draw): () => boolean {
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

  /** Whether the player checked is a Werewolf. No living Werewolf has been checked before, so somebody is left. */
  const drawCheck = (): boolean => {
    for (;;) {
      const place = drawInteger(village + pack);
      if (place >= village) return true;
      if (place === seer || isChecked[place] === 1) continue;
      isChecked[place] = 1;
      return false;
    }
  };

  /** Whom more than half of the votes name, or nobody. */
  const drawExile = (): number => {
    const living = village + pack;
    votes.fill(0, 0, living);
    let named = nobody;
    for (let by = 0; by < living; by++) {
      const drawn = drawInteger(by < village ? living - 1 : village);
      const target = by < village && drawn >= by ? drawn + 1 : drawn;
      if (++votes[target]! * 2 > living) named = target;
    }
    return named;
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

// A simulation of Algorithm 1 in numbers: how often the village wins, and what the paper says of it.

export type TableNumbers = Omit<SimulatedTable, 'isSeen'>;

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
const eight: TableNumbers = { players: 8, werewolves: 2, isProtected: true };

/** What the paper says (section 6.1): 100,000 games each. */
const published = { without: 0.012, with: 1 };

/**
 * As much of a board as Algorithm 1 knows: players, Werewolves, and whether a role can shield somebody every night, as
 * Doctor and Guard can. All other roles are plain villagers to it.
 */
export function countTable(board: Pick<Board, 'roles'>): TableNumbers {
  const counts = Object.entries(board.roles);
  const dealt = listDealtRoles(board);
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
export function simulate(numbers: TableNumbers, games: number, seed: number): Simulated[] {
  const isPapers = Object.entries(eight).every(([name, value]) => numbers[name as keyof TableNumbers] === value);
  return [false, true].map((isSeen) => {
    const wins = countVillageWins({ ...numbers, isSeen }, games, draw(seed, 'algorithm 1', Number(isSeen)));
    return {
      with_seer: isSeen,
      games,
      village_wins: wins,
      share: wins / games,
      interval: computeWilsonBounds(wins, games)!,
      published: isPapers ? published[isSeen ? 'with' : 'without'] : null,
    };
  });
}
