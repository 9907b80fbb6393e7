// Worlds: every way in which the Werewolves can be seated, each with its weight; belief is a question asked of them.
// Worked out in full (792 of them at a table of 12, 11,440 at the most), so numbers always add up to the Werewolves
// there are; each piece of evidence is added to all worlds at once, which keeps large tables quick.
import type { Rules } from '../../../state/common-rules.ts';

/** What one player did to another: how likely that is by the sides of the two, as natural logarithms. */
export type PairLogs = [bothVillage: number, aboutPack: number, byPack: number, bothPack: number];

export interface Evidence {
  /** By seat: what speaks for being a Werewolf, as log odds. */
  alone: number[];
  /** By 16 · seat of who acted + seat of the other. */
  pairs: Map<number, PairLogs>;
  /** Seats of which at most `genuine` can be of the village, all claiming what only so many hold. */
  rivals: { seats: number; genuine: number }[];
}

export interface Constraints {
  seats: number;
  /** How many Werewolves were dealt. */
  pack: number;
  /** Bit sets of seats. */
  surelyPack: number;
  surelyVillage: number;
  /** Who was left at each moment at which the game went on. */
  left: readonly number[];
  /** When the Werewolves have won, so that the game does not go on. */
  wins: Rules['wins'];
}

/** The seat's bit. */
export const bit = (seat: number) => 1 << seat;

/** What a village player's untruth costs in log odds: villagers rarely lie. */
const untruth = Math.log(0.01);

const dealt = new Map<number, readonly number[]>();

function combinations(seats: number, pack: number): readonly number[] {
  const key = seats * 16 + pack;
  const known = dealt.get(key);
  if (known) return known;
  const all: number[] = [];
  for (let world = 0; world < bit(seats); world++) if (size(world) === pack) all.push(world);
  dealt.set(key, all);
  return all;
}

function size(set: number) {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Whether the game goes on among those who are left, as far as that follows from the numbers of the two sides. */
function goesOn(world: number, left: number, wins: Rules['wins']) {
  const pack = size(world & left);
  if (pack === 0 || wins === 'edge') return pack > 0;
  return wins === 'parity' ? pack * 2 < size(left) : pack * 2 <= size(left);
}

export interface Worlds {
  /** 0…1 that the player in this seat is a Werewolf. */
  pack(seat: number): number;
  /** 0…1 that `one` is a Werewolf and `other` is one too, or is not. */
  together(one: number, other: number, otherIsPack: boolean): number;
}

/** Results of large tables, by all that they follow from: every player asks the same of what all have seen. */
const weighed = new Map<string, Worlds>();
/** As many worlds as it takes for remembering to be quicker than weighing again. */
const many = 300;

export function weigh(constraints: Constraints, evidence: Evidence): Worlds {
  if (combinations(constraints.seats, constraints.pack).length < many) return weighNow(constraints, evidence);
  const key = JSON.stringify([constraints, evidence.alone, [...evidence.pairs], evidence.rivals]);
  const known = weighed.get(key);
  if (known) return known;
  const worlds = weighNow(constraints, evidence);
  if (weighed.size >= 64) weighed.clear();
  weighed.set(key, worlds);
  return worlds;
}

function weighNow(constraints: Constraints, evidence: Evidence): Worlds {
  const worlds = possible(constraints);
  const weights = weightsOf(worlds, evidence);
  const sums = new Float64Array(constraints.seats);
  let total = 0;
  worlds.forEach((world, index) => {
    const weight = weights[index]!;
    total += weight;
    for (let rest = world; rest !== 0; rest &= rest - 1) sums[31 - Math.clz32(rest & -rest)]! += weight;
  });
  return {
    pack: (seat) => (sums[seat] ?? 0) / total,
    together: (one, other, otherIsPack) =>
      worlds.reduce((sum, world, index) => {
        const holds = (world & bit(one)) !== 0 && ((world & bit(other)) !== 0) === otherIsPack;
        return holds ? sum + weights[index]! : sum;
      }, 0) / total,
  };
}

/** The worlds that agree with what is certain; where none does, the nearest to it. */
function possible({ seats, pack, surelyPack, surelyVillage, left, wins }: Constraints): readonly number[] {
  const all = combinations(seats, pack);
  const fitting = all.filter((world) => (world & surelyPack) === surelyPack && (world & surelyVillage) === 0);
  const ongoing = fitting.filter((world) => left.every((moment) => goesOn(world, moment, wins)));
  return ongoing.length > 0 ? ongoing : fitting.length > 0 ? fitting : all;
}

/** The weight of each world beside that of the likeliest. */
function weightsOf(worlds: readonly number[], { alone, pairs, rivals }: Evidence): Float64Array {
  const logs = new Float64Array(worlds.length);
  if (worlds.length === 1) return logs.fill(1);
  for (const [seat, odds] of alone.entries()) {
    if (odds === 0) continue;
    for (let index = 0; index < worlds.length; index++) if ((worlds[index]! >> seat) & 1) logs[index]! += odds;
  }
  for (const [key, byTeams] of pairs) {
    const [by, about] = [key >> 4, key & 15];
    for (let index = 0; index < worlds.length; index++) {
      const world = worlds[index]!;
      logs[index]! += byTeams[((world >> by) & 1) * 2 + ((world >> about) & 1)]!;
    }
  }
  for (const { seats, genuine } of rivals) {
    for (let index = 0; index < worlds.length; index++)
      logs[index]! += untruth * Math.max(0, size(seats & ~worlds[index]!) - genuine);
  }
  const highest = logs.reduce((most, log) => Math.max(most, log), -Infinity);
  return logs.map((log) => Math.exp(log - highest));
}
