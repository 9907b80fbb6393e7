// Keyed randomness: the same seed and key always give the same draw, independent of earlier draws.
import { hash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface RandomSource {
  /** Returns a whole number from 0 to `below - 1`, all equally likely. `below` must be at least 1. */
  integer(below: number): number;
  /** Returns one of `items`, all equally likely. Throws a RangeError if there are none. */
  pick<T>(items: readonly T[]): T;
  /** Returns a copy of `items` in random order. */
  shuffle<T>(items: readonly T[]): T[];
  /** Returns a number in [0, 1). */
  fraction(): number;
}

/**
 * Returns the random source of a seed and key. Successive calls on it continue the same sequence.
 *
 * @example draw(setup.seed, 'exile', game.roundNum).pick(['Dan', 'Leah'])
 */
export function draw(seed: number, ...key: (string | number)[]): RandomSource {
  let generator: ReturnType<typeof xoroshiro128plus> | undefined; // made when used: most questions draw nothing
  const drawInteger = (below: number) => uniformInt((generator ??= openGenerator(seed, key)), 0, below - 1);
  return {
    integer: drawInteger,
    pick: (items) => {
      if (items.length === 0) throw new RangeError(`The random draw ${JSON.stringify(key)} has no options.`);
      return items[drawInteger(items.length)]!;
    },
    shuffle: (items) => {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = drawInteger(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
      }
      return shuffled;
    },
    fraction: () => drawInteger(2 ** 30) / 2 ** 30,
  };
}

const openGenerator = (seed: number, key: readonly (string | number)[]) =>
  xoroshiro128plus(hash('sha256', JSON.stringify([seed, ...key]), 'buffer').readInt32LE(0));

/** Draws a number from the standard normal distribution (Box and Muller, 1958). */
export const drawNormal = (chance: RandomSource): number =>
  Math.sqrt(-2 * Math.log(1 - chance.fraction())) * Math.cos(2 * Math.PI * chance.fraction());
