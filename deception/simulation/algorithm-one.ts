// Algorithm 1 of Werewolf Arena: games without a word said, with or without a Seer whose findings everybody believes.
import type { Draw } from '../../state/draw.ts';
import { UsageError } from '../../state/usage-error.ts';

/** The numbers of a table as far as Algorithm 1 knows them. */
export interface Table {
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
export function villageWins(table: Table, games: number, draw: Draw): number {
  checkTable(table);
  const play = gameAt(table, draw);
  let wins = 0;
  for (let game = 0; game < games; game++) if (play()) wins++;
  return wins;
}

/** Ballots are counted in bytes. */
const most = 255;

function checkTable({ players, werewolves, isProtected, isSeen }: Table) {
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
function gameAt({ players, werewolves, isProtected, isSeen }: Table, draw: Draw): () => boolean {
  const integer = (below: number) => draw.integer(below);
  const isChecked = new Uint8Array(players);
  const votes = new Uint8Array(players);
  let village = 0;
  let pack = 0;
  let doctor = nobody;
  let seer = nobody;

  const villagerLeaves = (place: number) => {
    const last = --village;
    doctor = doctor === place ? nobody : doctor === last ? place : doctor;
    seer = seer === place ? nobody : seer === last ? place : seer;
    isChecked[place] = isChecked[last]!;
  };

  /** Whether the player checked is a Werewolf. No living Werewolf has been checked before, so somebody is left. */
  const findsWerewolf = (): boolean => {
    for (;;) {
      const place = integer(village + pack);
      if (place >= village) return true;
      if (place === seer || isChecked[place] === 1) continue;
      isChecked[place] = 1;
      return false;
    }
  };

  /** Whom more than half of the votes name, or nobody. */
  const exiled = (): number => {
    const living = village + pack;
    votes.fill(0, 0, living);
    let named = nobody;
    for (let by = 0; by < living; by++) {
      const drawn = integer(by < village ? living - 1 : village);
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
      const victim = integer(village);
      const saved = integer(village + pack);
      if (doctor === nobody || victim !== saved) villagerLeaves(victim);
      if (seer !== nobody && findsWerewolf()) {
        pack--;
        continue;
      }
      const exile = exiled();
      if (exile >= village) pack--;
      else if (exile !== nobody) villagerLeaves(exile);
    }
    return pack === 0;
  };
}
