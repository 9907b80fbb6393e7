// The difference that a condition makes to a statistic, over the same deals played under both: its interval, its p-value,
// and p-values adjusted for many tests.
import jstat from 'jstat';
import {
  createNoInterval,
  FEWEST_CLUSTERS,
  type Interval,
  type IntervalOptions,
  type Resampling,
} from './bootstrap.ts';
import { computeShareBounds } from './proportion.ts';
import {
  computeSlopes,
  computeSpread,
  computeTotals,
  createEstimator,
  createEvaluate,
  createSparseSample,
  type Evaluate,
  listRowsWithData,
  listSparseCells,
  listSumNames,
  MOST_SLOPES,
  type SparseSample,
} from './standard-error.ts';
import type { Statistic, Sums } from './sums.ts';

// The randomization test: the conditions change places within pairs at random.

interface SwapTest {
  /** Two-sided: above 0, at most 1. */
  readonly p: number;
  /** The size that a share `level` of swaps does not exceed, in standard errors if `isStudentized`. */
  readonly within: number;
  readonly isStudentized: boolean;
}

/** Sizes that differ by less than this share count as equal. */
const ROUNDING = 1e-9;
/** Above this share of undefined swaps there is no test. */
const MOST_UNDEFINED = 0.1;

/**
 * The two-sided randomization test over pairs (Fisher 1935, § 21), whose rows hold the sums of one condition in the
 * first half of the columns and those of the other in the second: p = (1 + swaps at least as extreme) / (1 + swaps).
 * The difference is divided by its standard error after each swap (Janssen 1997), so that the test also holds when
 * the conditions differ in spread or in their number of cases; for statistics of many sums it is not divided.
 * Null where the statistic is undefined, or is so in more than a tenth of the swaps; otherwise these swaps are left out.
 */
function runSwapTest(sample: SparseSample, resampling: Resampling, level = 0.95): SwapTest | null {
  const computeSize = createSwappedSize(sample);
  const swapped = new Uint8Array(sample.rows);
  const observed = computeSize(swapped);
  const sizes: number[] = [];
  for (let resample = 0; observed !== null && resample < resampling.resamples; resample++) {
    resampling.drawSwaps(resample, swapped);
    const size = computeSize(swapped);
    if (size !== null) sizes.push(size);
  }
  if (observed === null || sizes.length < (1 - MOST_UNDEFINED) * resampling.resamples) return null;
  const sorted = Float64Array.from(sizes).sort();
  const extreme = sorted.filter((size) => size >= observed * (1 - ROUNDING)).length;
  const last = Math.ceil(level * (sorted.length + 1) - 1e-9) - 1;
  return {
    p: (1 + extreme) / (1 + sorted.length),
    within: (sorted[last] ?? Infinity) * (1 + ROUNDING),
    isStudentized: sample.columns <= MOST_SLOPES,
  };
}

/** Computes the size of the difference after given swaps, in standard errors where there are few enough sums. */
function createSwappedSize(sample: SparseSample): (swapped: Uint8Array) => number | null {
  const { rows, columns, start, column, amount, evaluate } = sample;
  const half = columns / 2;
  const totals = new Float64Array(columns);
  const slopes = new Float64Array(columns);
  const other = Int32Array.from(totals, (_, k) => (k + half) % columns);
  const whole = computeTotals(sample);
  const fillTotals = (swapped: Uint8Array) => {
    totals.set(whole);
    for (let i = 0; i < rows; i++) {
      if (swapped[i] === 0) continue;
      for (let j = start[i]!; j < start[i + 1]!; j++) {
        totals[column[j]!]! -= amount[j]!;
        totals[other[column[j]!]!]! += amount[j]!;
      }
    }
  };
  const computeErrorAfter = (swapped: Uint8Array) => {
    let [total, squares] = [0, 0];
    for (let i = 0; i < rows; i++) {
      let effect = 0;
      for (let j = start[i]!; j < start[i + 1]!; j++) {
        effect += slopes[swapped[i] === 0 ? column[j]! : other[column[j]!]!]! * amount[j]!;
      }
      total += effect;
      squares += effect * effect;
    }
    return computeSpread(total, squares, rows);
  };
  return (swapped) => {
    fillTotals(swapped);
    const difference = evaluate(totals);
    if (difference === null) return null;
    if (columns > MOST_SLOPES) return Math.abs(difference);
    if (!computeSlopes(evaluate, totals, slopes)) return null;
    const error = computeErrorAfter(swapped);
    if (difference === 0) return 0;
    return error === 0 ? Infinity : Math.abs(difference) / error;
  };
}

// The paired difference.

/** The sums of one deal under two conditions. */
export interface Pair {
  readonly a: Sums;
  readonly b: Sums;
}

/** As `Interval`, but by random swaps. */
interface DifferenceInterval extends Omit<Interval, 'method'> {
  readonly method: 'randomization' | 'exact' | null;
}

interface PairedDifference {
  /** The statistic of each condition over all pairs. */
  readonly a: number | null;
  readonly b: number | null;
  /** a − b with its interval; clusters are pairs, and `withData` counts those with sums on both sides. */
  readonly difference: DifferenceInterval;
  /** Two-sided, by swapping the conditions within pairs: above 0, at most 1; null where there is no interval. */
  readonly p: number | null;
  /**
   * The smallest true difference that is found at α = .05 (two-sided) with a probability of .8; null where there is no
   * interval or nothing varies.
   */
  readonly detectable: number | null;
}

/** The smallest difference found at α = .05 (two-sided) with power .8, in standard errors: about 2.8. */
const DETECTABLE = jstat.normal.inv(0.975, 0, 1) + jstat.normal.inv(0.8, 0, 1);

/**
 * The paired difference of a statistic, each side computed from its sums over all pairs, with its interval, its
 * randomization test (Fisher 1935) and the difference that so many pairs can detect. `options.range` is the range of the
 * statistic itself, so the difference lies within plus or minus its width; `resampling` is made for the number of pairs.
 *
 * The bounds are the difference plus or minus as many standard errors as 95 % of random swaps do not exceed, so that 0
 * lies outside exactly where p is at most .05. In 800 simulated samples a cell of 10 to 50 pairs the interval covered in
 * 91.8 to 96.2 %, below 93.9 % only with rates of .05 in 10 pairs of which one side had a fifth of the cases; the
 * bootstrap in 86.6 to 96.5 %. Without a difference p was at most .05 in 3.3 to 6.4 % (7.7 % there) of 1,000 samples.
 * Where nothing varies the interval is the estimate plus or minus the exact bound for what is seen in no pair.
 *
 * @example
 * const pairs = deals.map(() => ({ a: { lies: 2, claims: 9 }, b: { lies: 1, claims: 8 } }));
 * const resampling = createResampling(pairs.length, 2000, 1);
 * const { difference, p } = computePairedDifference(pairs, createRatio('lies', 'claims'), { resampling, range: [0, 1] });
 */
export function computePairedDifference(
  pairs: readonly Pair[],
  statistic: Statistic,
  options: IntervalOptions,
): PairedDifference {
  const { sample, evaluateA, evaluateB } = createPairedSample(pairs, statistic);
  const totals = computeTotals(sample);
  const test = runSwapTest(sample, options.resampling, options.level);
  const difference = computeDifferenceInterval(sample, test, {
    ...options,
    clusters: pairs.length,
    withData: countWithBoth(sample, evaluateA, evaluateB),
  });
  const { se } = difference;
  return {
    ...{ a: evaluateA(totals), b: evaluateB(totals), difference },
    p: se === null || test === null ? null : test.p,
    detectable: se === null || se === 0 ? null : DETECTABLE * se,
  };
}

interface DifferenceContext extends IntervalOptions {
  readonly clusters: number;
  readonly withData: number;
}

function computeDifferenceInterval(
  sample: SparseSample,
  test: SwapTest | null,
  context: DifferenceContext,
): DifferenceInterval {
  const { clusters, withData, level, range } = context;
  const counts = { clusters, withData };
  const estimate = sample.evaluate(computeTotals(sample));
  if (estimate === null) return createNoInterval('no data', estimate, counts);
  if (withData < FEWEST_CLUSTERS) return createNoInterval('too few', estimate, counts);
  const se = createEstimator(sample)(new Float64Array(sample.rows).fill(1))?.error;
  const width = range === undefined ? Infinity : range[1] - range[0];
  if (se === undefined || test === null) return createNoInterval('unstable', estimate, counts);
  if (se === 0 && range === undefined) return createNoInterval('no variation', estimate, counts);
  const reach =
    se === 0 ? computeShareBounds(0, withData, level)[1] * width : test.within * (test.isStudentized ? se : 1);
  const [low, high] = [Math.max(-width, estimate - reach), Math.min(width, estimate + reach)];
  if (!Number.isFinite(high - low)) return createNoInterval('unstable', estimate, counts);
  return { estimate, low, high, se, method: se === 0 ? 'exact' : 'randomization', reason: null, ...counts };
}

/** The number of pairs with data on both sides. */
function countWithBoth(sample: SparseSample, evaluateA: Evaluate, evaluateB: Evaluate): number {
  const withB = new Set(listRowsWithData(sample, evaluateB));
  return listRowsWithData(sample, evaluateA).filter((row) => withB.has(row)).length;
}

/** Pairs as rows: the sums under the first condition, then those under the second. Its value is the difference. */
function createPairedSample(
  pairs: readonly Pair[],
  statistic: Statistic,
): { sample: SparseSample; evaluateA: Evaluate; evaluateB: Evaluate } {
  const names = listSumNames(pairs.flatMap(({ a, b }) => [a, b]));
  const places = new Map(names.map((name, place) => [name, place]));
  const [evaluateA, evaluateB] = [createEvaluate(statistic, names), createEvaluate(statistic, names, names.length)];
  const computeDifference: Evaluate = (totals) => {
    const [a, b] = [evaluateA(totals), evaluateB(totals)];
    return a === null || b === null ? null : a - b;
  };
  const rows = pairs.map(({ a, b }) => [...listSparseCells(a, places), ...listSparseCells(b, places, names.length)]);
  const filled = rows.filter((cells) => cells.length > 0);
  return { sample: createSparseSample(filled, 2 * names.length, computeDifference), evaluateA, evaluateB };
}

// p-values adjusted for many tests.

/** A p-value for each hypothesis, in the order given; null where there was no test. */
type PValues = readonly (number | null)[];

/**
 * Holm's step-down adjusted p-values (Holm 1979): the i-th smallest of m is multiplied by m − i + 1, and none is less
 * than one before it; at most 1. Those at most α hold the chance of any false finding at α, however they depend.
 *
 * m is the number of hypotheses named before the data were seen. One without a test (null) counts in it as if its p were
 * 1, since only the data show which of them can be tested. Results are in 0…1, null where there was no test. Throws a
 * RangeError for a p outside 0…1.
 *
 * @example
 * adjustHolm([0.01, 0.04, null]); // [0.03, 0.08, null]
 */
export const adjustHolm = (values: PValues): (number | null)[] =>
  adjustPValues(values, (ranked) => {
    let most = 0;
    return ranked.map((p, i) => (most = Math.max(most, Math.min(1, p * (values.length - i)))));
  });

/**
 * Benjamini & Hochberg's step-up adjusted p-values (1995): the i-th smallest of m is multiplied by m / i, and none is
 * more than one after it. Those at most q hold the expected share of false findings at q (under independence). m is the
 * number of tests: a hypothesis without one (null) does not count. Results are in 0…1. Throws a RangeError for a p
 * outside 0…1.
 *
 * @example
 * adjustBenjaminiHochberg([0.01, 0.04, null]); // [0.02, 0.04, null]
 */
export const adjustBenjaminiHochberg = (values: PValues): (number | null)[] =>
  adjustPValues(values, (ranked) => {
    let least = 1;
    return ranked
      .map((_, i) => ranked.length - 1 - i)
      .map((i) => (least = Math.min(least, (ranked[i]! * ranked.length) / (i + 1))))
      .reverse();
  });

/** Applies `adjust` to the p-values there are in rising order, and puts the results back in their places. */
function adjustPValues(values: PValues, adjust: (ranked: readonly number[]) => number[]): (number | null)[] {
  for (const p of values) {
    if (p !== null && !(p >= 0 && p <= 1)) throw new RangeError(`A p-value is ${p}; it must lie in 0…1.`);
  }
  const tested = values.flatMap((p, place) => (p === null ? [] : [{ p, place }])).sort((a, b) => a.p - b.p);
  const results: (number | null)[] = values.map(() => null);
  adjust(tested.map(({ p }) => p)).forEach((p, i) => (results[tested[i]!.place] = p));
  return results;
}
