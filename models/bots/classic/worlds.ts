// Worlds: every way in which the Werewolves can be seated, each with its weight; belief is a question asked of them.
// Worked out in full (at most 792 of them at a table of 12), so numbers always add up to the Werewolves there are.

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

const goesOn = (world: number, left: number) => {
  const pack = size(world & left);
  return pack > 0 && pack * 2 < size(left);
};

export interface Worlds {
  /** 0…1 that the player in this seat is a Werewolf. */
  pack(seat: number): number;
  /** 0…1 that `one` is a Werewolf and `other` is one too, or is not. */
  together(one: number, other: number, otherIsPack: boolean): number;
}

export function weigh(constraints: Constraints, evidence: Evidence): Worlds {
  const { seats, pack, surelyPack, surelyVillage, left } = constraints;
  const all = combinations(seats, pack);
  const fitting = all.filter((world) => (world & surelyPack) === surelyPack && (world & surelyVillage) === 0);
  const ongoing = fitting.filter((world) => left.every((moment) => goesOn(world, moment)));
  const worlds = ongoing.length > 0 ? ongoing : fitting.length > 0 ? fitting : all;
  const logs = worlds.length === 1 ? [0] : worlds.map((world) => logWeight(world, evidence));
  const highest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (holds: (world: number) => boolean) =>
    worlds.reduce((sum, world, index) => (holds(world) ? sum + weights[index]! : sum), 0) / total;
  const shares = Array.from({ length: seats }, (_, seat) => share((world) => (world & bit(seat)) !== 0));
  return {
    pack: (seat) => shares[seat] ?? 0,
    together: (one, other, otherIsPack) =>
      share((world) => (world & bit(one)) !== 0 && ((world & bit(other)) !== 0) === otherIsPack),
  };
}

function logWeight(world: number, { alone, pairs, rivals }: Evidence) {
  let log = 0;
  for (const [seat, odds] of alone.entries()) if ((world & bit(seat)) !== 0) log += odds;
  for (const [key, logs] of pairs) {
    log += logs[((world >> (key >> 4)) & 1) * 2 + ((world >> (key & 15)) & 1)]!;
  }
  for (const { seats, genuine } of rivals) log += untruth * Math.max(0, size(seats & ~world) - genuine);
  return log;
}
