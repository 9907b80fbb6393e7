// Intervals for the mean of a small number of values with a known range, such as wins. They need neither many units nor
// normally distributed values.
import jstat from 'jstat';
import type { IntervalBounds } from './proportion.ts';

// Paired outcomes: in each of n pairs, one side won, the other side won, or neither did.

/**
 * Computes Tango's score interval (1998) for the difference of two paired shares. `first`: number of pairs in which
 * only the first side had the outcome; `second`: number of pairs in which only the second side had it. Bounds are
 * within −1 to 1. With 10 to 100 pairs, the interval contains the true difference in 93 to 100% of samples, even if one
 * of the two numbers is always 0. Throws a RangeError unless the numbers are whole and their sum is at most `pairs`.
 *
 * @example
 * computeTangoBounds({ first: 3, second: 0, pairs: 20 }); // about [-0.02, 0.36]
 */
export function computeTangoBounds(
  { first, second, pairs }: { readonly first: number; readonly second: number; readonly pairs: number },
  level = 0.95,
): IntervalBounds {
  if (![first, second, pairs].every(Number.isInteger) || Math.min(first, second) < 0 || first + second > pairs)
    throw new RangeError(`${first} and ${second} of ${pairs} are no paired outcomes: give whole numbers that fit.`);
  const z = jstat.normal.inv((1 + level) / 2, 0, 1);
  const estimate = (first - second) / pairs;
  /**
   * Computes the score statistic of a difference. The second share is its maximum likelihood estimate given the
   * difference.
   */
  const computeScore = (difference: number): number => {
    const b = -first - second + (2 * pairs - first + second) * difference;
    const c = -second * difference * (1 - difference);
    const share = (Math.sqrt(Math.max(0, b * b - 8 * pairs * c)) - b) / (4 * pairs);
    const variance = pairs * (2 * share + difference * (1 - difference));
    const distance = first - second - pairs * difference;
    if (distance === 0) return 0;
    return variance <= 0 ? Math.sign(distance) * Infinity : distance / Math.sqrt(variance);
  };
  return [
    estimate === -1 ? -1 : findRoot((at) => computeScore(at) - z, -1, estimate),
    estimate === 1 ? 1 : findRoot((at) => computeScore(at) + z, estimate, 1),
  ];
}

/**
 * Finds the point where a falling function crosses 0, to 1e-7, by the Illinois variant of false position (Dowell &
 * Jarratt 1971).
 */
function findRoot(compute: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  let [above, below] = [limitSize(compute(low)), limitSize(compute(high))];
  let side = 0;
  for (let step = 0; step < 100 && high - low > 1e-7; step++) {
    const middle = (low * below - high * above) / (below - above);
    const found = limitSize(compute(middle));
    if (Math.abs(found) < 1e-9) return middle;
    if (found > 0) {
      [low, above] = [middle, found];
      if (side > 0) below /= 2;
      side = 1;
    } else {
      [high, below] = [middle, found];
      if (side < 0) above /= 2;
      side = -1;
    }
  }
  return (low + high) / 2;
}

const limitSize = (value: number) => Math.min(1e3, Math.max(-1e3, value));

// The mean of values with a known range.

/**
 * Computes Gaffke's interval (2005; Learned-Miller & Thomas 2020) for the mean of independent values in `range`. Each
 * bound is a quantile of a randomly weighted mean. This mean includes every value, plus one value at the end of the
 * range; all weights are exponential random numbers.
 *
 * For zeros and ones, the bounds are the exact bounds of Clopper & Pearson. For paired outcomes −1, 0 and 1, the bounds
 * exclude 0 exactly if the p of the sign test is below 1 − level, so that interval and test agree. Throws a RangeError
 * for a value outside the range, and if there are no values.
 *
 * @example
 * computeMeanBounds([1, 1, 1, 1, 1, 1, 0, 0, 0, 0], [-1, 1]); // about [0.01, 0.86]
 */
export function computeMeanBounds(
  values: readonly number[],
  [least, most]: readonly [number, number],
  level = 0.95,
): IntervalBounds {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const outside = values.length === 0 ? 'nothing' : values.find((value) => !(value >= least && value <= most));
  if (outside !== undefined)
    throw new RangeError(`The value ${outside} lies outside ${least} to ${most}, so its mean has no bounds.`);
  const tail = (1 - level) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  // The weighted mean lies below the lower bound, or above the upper bound, with probability `tail`.
  const findBound = (end: number, share: number) => {
    const weighted = [...new Map(counts).set(end, (counts.get(end) ?? 0) + 1)];
    if (weighted.length === 1) return end;
    const [low, high] = end === least ? [least, mean] : [mean, most];
    return findRoot((at) => share - computeChanceBelow(weighted, at), low, high);
  };
  return [findBound(least, tail), findBound(most, 1 - tail)];
}

/** Step of the integral on the logarithmic scale. Halving it changes no result in six digits. */
const STEP = 0.1;

/**
 * Computes the probability that the mean with exponential weights is at most `at`. This equals the probability that the
 * sum of (value − `at`) times exponential variables is at most 0 (Gil-Pelaez 1951).
 */
function computeChanceBelow(weighted: readonly (readonly [value: number, count: number])[], at: number): number {
  const terms = weighted.map(([value, count]) => [value - at, count] as const);
  if (terms.every(([lead]) => lead >= 0)) return 0;
  if (terms.every(([lead]) => lead <= 0)) return 1;
  const spread = Math.sqrt(terms.reduce((sum, [lead, count]) => sum + count * lead * lead, 0));
  let integral = 0;
  for (let step = -200; step < 300; step++) {
    const t = Math.exp(step * STEP) / spread;
    let [angle, shrink] = [0, 0];
    for (const [lead, count] of terms) {
      angle += count * Math.atan(t * lead);
      shrink += count * Math.log1p((t * lead) ** 2);
    }
    const size = Math.exp(-shrink / 2);
    integral += Math.sin(angle) * size;
    if (size < 1e-10) break;
  }
  return Math.min(1, Math.max(0, 0.5 - (integral * STEP) / Math.PI));
}
