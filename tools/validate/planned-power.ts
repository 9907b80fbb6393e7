// Power of studies planned from a pilot. Both the pilots and the studies are drawn from deals with a planted
// difference.
import { countDealsNeeded, computeDealSpread, computeSpreadLimit } from '../../deception/statistics/sample-size.ts';
import { createResampling } from '../../deception/statistics/bootstrap.ts';
import { computeContrast, pairContrast } from '../../deception/statistics/paired-test.ts';
import { createRatio, type Sums } from '../../deception/statistics/sums.ts';
import { testWithinBounds } from './measurement-validation.ts';
import { draw, drawNormal, type RandomSource } from '../../state/random.ts';

/** Number of deals in a pilot, and number of pilots. */
export interface PowerTrial {
  readonly pilot: number;
  readonly repetitions: number;
  readonly seed: number;
}

/** Results of studies that were planned for a power of .8. */
export interface DeliveredPower {
  readonly pilot: number;
  readonly repetitions: number;
  /**
   * Number of studies that found the difference (p ≤ .05). `estimate`: studies planned for the pilot's spread. `bound`:
   * studies planned for the upper bound of that spread.
   */
  readonly found: { readonly estimate: number; readonly bound: number };
  /** Median number of deals in these studies. */
  readonly deals: { readonly estimate: number; readonly bound: number };
}

/** Sizes of the validated pilots. */
export const plannedPilots = [10, 20, 30] as const;

/** Number of pilots of each size, in a whole and in a quick validation. */
export const powerRepetitions = { whole: 4000, quick: 200 } as const;

const promised = { alpha: 0.05, power: 0.8 } as const;

/** Planted difference between two shares. */
const EFFECT = 0.1;

/** Whether studies planned for the bound found the difference less often than promised, by an exact test at .05. */
export const isPowerMissed = ({ found, repetitions }: DeliveredPower): boolean =>
  testWithinBounds(found.bound, repetitions, [promised.power, 1]) <= promised.alpha / plannedPilots.length;

/**
 * Number of random swaps behind a test. It is one less than a multiple of 20, so that the 5% quantile is the result of
 * a single swap.
 */
const SWAPS = 199;

const lies = createRatio('lies', 'turns');

/**
 * Draws a deal of two arms with 6 to 12 turns each. The probability of a lie has a component of the deal and a
 * component of the arm.
 */
function drawDeal(chance: RandomSource): Sums[] {
  const shared = 0.1 * drawNormal(chance);
  return [0.45 + EFFECT / 2, 0.45 - EFFECT / 2].map((share) => {
    const own = Math.min(1, Math.max(0, share + shared + 0.1 * drawNormal(chance)));
    const turns = 6 + chance.integer(7);
    return { turns, lies: Array.from({ length: turns }).filter(() => chance.fraction() < own).length };
  });
}

/**
 * Plans studies of two arms from pilots, as `plan` does. Simulates these studies, and counts how many find the
 * difference.
 *
 * @example measureDeliveredPower({ pilot: 10, repetitions: 400, seed: 1 }).found.bound / 400 // .8 or more
 */
export function measureDeliveredPower({ pilot, repetitions, seed }: PowerTrial): DeliveredPower {
  const chance = draw(seed, 'delivered power', pilot);
  const deals = { estimate: [] as number[], bound: [] as number[] };
  const found = { estimate: 0, bound: 0 };
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const own = computeDealSpread(
      Array.from({ length: pilot }, () => drawDeal(chance)),
      lies,
      [1, -1],
    );
    if (own === null) continue; // every pilot of ten deals has turns
    const spreads = { estimate: own.spread, bound: computeSpreadLimit(own, promised.power) };
    for (const which of ['estimate', 'bound'] as const) {
      const size = countDealsNeeded(spreads[which], { ...promised, effect: EFFECT });
      const study = Array.from({ length: size }, () => drawDeal(chance));
      const { p } = computeContrast(study, lies, pairContrast, {
        ...{ resampling: createResampling(size, SWAPS, repetition + 1), isRefined: false },
        range: [0, 1],
      });
      deals[which].push(size);
      if (p !== null && p <= promised.alpha) found[which]++;
    }
  }
  const median = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other).at(values.length / 2) ?? Number.NaN;
  return { pilot, repetitions, found, deals: { estimate: median(deals.estimate), bound: median(deals.bound) } };
}
