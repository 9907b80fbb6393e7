// Computes standard errors of a statistic over clusters, fast enough for thousands of resamples. For speed, clusters
// become sparse rows of numbers, and the statistic becomes a function of column totals.
import type { Statistic, Sums } from './sums.ts';

/** A statistic as a function of column totals. Returns null if the statistic is undefined. */
export interface StatisticEvaluator {
  (totals: Float64Array): number | null;
  /**
   * Writes the statistic's slope in each column to `slopes`. Returns false if the slopes are undefined. If this
   * function is absent, slopes are computed by differences.
   */
  readonly fillSlopes?: (totals: Float64Array, slopes: Float64Array) => boolean;
}

/**
 * Clusters as rows, and sums as columns. Row i has `amount[j]` in `column[j]` for j from `start[i]` to `start[i + 1] -
 * 1`, and 0 in all other columns.
 */
export interface SparseSample {
  readonly rows: number;
  readonly columns: number;
  readonly start: Int32Array;
  readonly column: Int32Array;
  readonly amount: Float64Array;
  readonly evaluate: StatisticEvaluator;
}

type SparseCell = readonly [column: number, amount: number];

/** Lists the names of the sums of all clusters, sorted: the columns of a sample. */
export function listSumNames(clusters: readonly Sums[]): string[] {
  const names = new Set<string>();
  for (const sums of clusters) for (const name in sums) names.add(name);
  return [...names].sort();
}

/** Lists the nonzero cells of a cluster's row. The column of a sum is `offset` + the index of the sum's name. */
export function listSparseCells(sums: Sums, places: ReadonlyMap<string, number>, offset = 0): SparseCell[] {
  const cells: SparseCell[] = [];
  for (const name in sums) if (sums[name] !== 0) cells.push([offset + places.get(name)!, sums[name]!]);
  return cells.sort(([a], [b]) => a - b);
}

/** Formats the cells of a row as JSON. `JSON.stringify` would take three times as long. */
function describeCells(cells: readonly SparseCell[]): string {
  let text = '';
  for (const [column, amount] of cells) text += `${text === '' ? '[[' : ',['}${column},${amount}]`;
  return `${text}]`;
}

/** Creates a sample with rows sorted by content, so that the order of clusters does not matter. */
export function createSparseSample(
  rows: readonly (readonly SparseCell[])[],
  columns: number,
  evaluate: StatisticEvaluator,
): SparseSample {
  const alike = [...Map.groupBy(rows, describeCells)]; // There are far fewer distinct rows than rows, so sorting them is cheap.
  const sorted = alike.sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, same]) => same);
  const start = new Int32Array(rows.length + 1);
  sorted.forEach((cells, i) => (start[i + 1] = start[i]! + cells.length));
  const cells = sorted.flat();
  return {
    rows: rows.length,
    columns,
    start,
    column: Int32Array.from(cells, ([column]) => column),
    amount: Float64Array.from(cells, ([, amount]) => amount),
    evaluate,
  };
}

/** Returns a sample that holds only these rows. */
export function selectRows(sample: SparseSample, rows: readonly number[]): SparseSample {
  if (rows.length === sample.rows) return sample;
  const cells = rows.map((i) => {
    const [from, to] = [sample.start[i]!, sample.start[i + 1]!];
    return Array.from(sample.column.subarray(from, to), (column, j): SparseCell => [column, sample.amount[from + j]!]);
  });
  return createSparseSample(cells, sample.columns, sample.evaluate);
}

/**
 * Groups equal rows: returns the distinct rows, and the end of each group. Equal rows are adjacent in the sample. Two
 * kinds of samples stay unchanged: samples with more than `MAX_SLOPES` columns, because their rows are rarely equal,
 * and samples with fractions, because adding fractions in another order changes the last digits.
 */
export function groupEqualRows(sample: SparseSample): { distinct: SparseSample; ends: Int32Array } {
  const { rows, columns, start, column, amount } = sample;
  const isLikeNext = (i: number) => {
    const length = start[i + 1]! - start[i]!;
    if (start[i + 2]! - start[i + 1]! !== length) return false;
    for (let j = start[i]!; j < start[i + 1]!; j++)
      if (column[j] !== column[j + length] || amount[j] !== amount[j + length]) return false;
    return true;
  };
  const isGrouped = columns <= MAX_SLOPES && amount.every(Number.isInteger);
  const last = Array.from({ length: rows }, (_, i) => i).filter((i) => !isGrouped || i === rows - 1 || !isLikeNext(i));
  return { distinct: selectRows(sample, last), ends: Int32Array.from(last, (i) => i + 1) };
}

/** Returns the number of rows in each group, from the groups' ends. */
export const countRows = (ends: Int32Array): Float64Array =>
  Float64Array.from(ends, (end, group) => end - (group === 0 ? 0 : ends[group - 1]!));

/**
 * Creates a function that computes the statistic from totals. The totals are in the order of `names`, starting at
 * column `offset`. The function returns null if the statistic is not finite.
 */
export function createStatisticEvaluator(
  statistic: Statistic,
  names: readonly string[],
  offset = 0,
): StatisticEvaluator {
  const compute = statistic.prepare?.(names, offset) ?? createReadingOfSums(statistic, names, offset);
  const evaluate: StatisticEvaluator = (totals) => {
    const value = compute(totals);
    return value === null || Number.isFinite(value) ? value : null;
  };
  const fillSlopes = statistic.prepareSlopes?.(names, offset);
  return fillSlopes === undefined ? evaluate : Object.assign(evaluate, { fillSlopes });
}

/**
 * Creates a function that computes a statistic of sums from totals. For speed, the function reuses one object of sums
 * for all totals.
 */
function createReadingOfSums(statistic: Statistic, names: readonly string[], offset: number): StatisticEvaluator {
  const sums: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  return (totals) => {
    for (let i = 0; i < names.length; i++) sums[names[i]!] = totals[offset + i]!;
    return statistic(sums);
  };
}

/**
 * Computes the column totals. Row i counts `times[i]` times (once by default). Writes the result to `totals` if that
 * array is given.
 */
export function computeTotals(
  sample: SparseSample,
  times?: Float64Array,
  totals: Float64Array = new Float64Array(sample.columns),
): Float64Array {
  const { rows, start, column, amount } = sample;
  totals.fill(0);
  for (let i = 0; i < rows; i++) {
    const weight = times === undefined ? 1 : times[i]!;
    if (weight === 0) continue;
    for (let j = start[i]!; j < start[i + 1]!; j++) totals[column[j]!]! += weight * amount[j]!;
  }
  return totals;
}

/** Computes the statistic while leaving out each row in turn (the jackknife). */
function computeJackknife(sample: SparseSample, evaluate = sample.evaluate): (number | null)[] {
  const computeWithout = createJackknife(sample, evaluate);
  return Array.from({ length: sample.rows }, (_, i) => computeWithout(i));
}

/** Creates the function that computes the statistic while leaving out one row. */
function createJackknife(sample: SparseSample, evaluate: StatisticEvaluator): (row: number) => number | null {
  const totals = computeTotals(sample);
  const rest = new Float64Array(sample.columns);
  return (i) => {
    rest.set(totals);
    for (let j = sample.start[i]!; j < sample.start[i + 1]!; j++) rest[sample.column[j]!]! -= sample.amount[j]!;
    return evaluate(rest);
  };
}

/**
 * Lists the rows with data. A row has data if the statistic is defined in it, or if it changes the statistic's value.
 */
export function listRowsWithData(sample: SparseSample, evaluate = sample.evaluate): number[] {
  const whole = evaluate(computeTotals(sample));
  const computeWithout = createJackknife(sample, evaluate);
  const own = new Float64Array(sample.columns);
  return Array.from({ length: sample.rows }, (_, i) => i).filter((i) => {
    own.fill(0);
    for (let j = sample.start[i]!; j < sample.start[i + 1]!; j++) own[sample.column[j]!] = sample.amount[j]!;
    return evaluate(own) !== null || computeWithout(i) !== whole;
  });
}

/**
 * Returns the number of rows with data for the arm with the fewest such rows. If data are rare, as for withheld
 * findings, few deals have data in every arm. Such deals are not required, because each arm's figure covers all deals
 * of the arm, and swaps keep deals whole.
 */
export const countRowsOfScarcest = (sample: SparseSample, arms: readonly StatisticEvaluator[]): number =>
  Math.min(...arms.map((evaluate) => listRowsWithData(sample, evaluate).length));

export interface EstimateWithError {
  readonly value: number;
  /** Standard error over clusters. */
  readonly error: number;
}

/**
 * Estimates the statistic from a resample that holds row i `times[i]` times. Null if the value or the error is
 * undefined.
 */
export type Estimator = (times: Float64Array) => EstimateWithError | null;

/**
 * Maximum number of sums for which slopes are computed. Statistics of more sums (such as an AUC over many scores) use
 * the cheaper jackknife error.
 */
export const MAX_SLOPES = 10;

/**
 * Creates the estimator. Its standard error is linearized (the delta method; Särndal, Swensson & Wretman 1992, ch. 5),
 * with the factor n / (n − 1). The effect of a row is the sum of slope times amount over its columns, and the error
 * follows from the spread of these effects over rows. Slopes are computed for each resample. With more than
 * `MAX_SLOPES` sums, the effects are those that the jackknife computes once on the whole sample. Errors are at least 0.
 * `clusters`: number of clusters, if a row represents several equal clusters.
 *
 * @example
 * const estimate = createEstimator(sample);
 * estimate(new Float64Array(sample.rows).fill(1)); // the sample itself: { value, error } or null
 */
export function createEstimator(sample: SparseSample, clusters = sample.rows): Estimator {
  const adder = createAdder(sample);
  const estimate = createTotalsEstimator(sample, clusters);
  const added = new Float64Array(adder.width);
  return (times) => {
    adder.add(times, added);
    return estimate(added, times);
  };
}

/**
 * Adds up the amounts that estimators need from a resample. An adder depends only on the rows, so statistics of the
 * same rows can share it.
 */
export interface ResampleAdder {
  /** Number of values that `add` writes. */
  readonly width: number;
  /**
   * Writes the column totals of a resample that holds row i `times[i]` times. If there are at most `MAX_SLOPES`
   * columns, these totals are followed by totals of products: of each column with itself and with the columns before
   * it.
   */
  readonly add: (times: Float64Array, added: Float64Array) => void;
}

/** Creates the adder of a sample. */
export function createAdder(sample: SparseSample): ResampleAdder {
  const { columns } = sample;
  if (columns > MAX_SLOPES) return { width: columns, add: (times, added) => void computeTotals(sample, times, added) };
  const amounts = createDenseColumns(sample);
  const products = amounts.flatMap((a, k) => amounts.slice(0, k + 1).map((b) => a.map((amount, i) => amount * b[i]!)));
  const all = [...amounts, ...products];
  const add = (times: Float64Array, added: Float64Array) => {
    all.forEach((column, k) => (added[k] = computeDotProduct(times, column)));
  };
  return { width: all.length, add };
}

/** Creates the function that estimates the statistic from the amounts of the sample's adder, like `createEstimator`. */
export const createTotalsEstimator = (
  sample: SparseSample,
  clusters = sample.rows,
): ((added: Float64Array, times: Float64Array) => EstimateWithError | null) =>
  sample.columns <= MAX_SLOPES ? createSlopeEstimator(sample, clusters) : createJackknifeEstimator(sample);

function createSlopeEstimator({ columns, evaluate }: SparseSample, clusters: number) {
  const totals = new Float64Array(columns);
  const slopes = new Float64Array(columns);
  return (added: Float64Array): EstimateWithError | null => {
    for (let k = 0; k < columns; k++) totals[k] = added[k] ?? 0;
    const value = evaluate(totals);
    if (value === null || !computeSlopes(evaluate, totals, slopes)) return null;
    let [total, squares, next] = [0, 0, columns];
    for (let k = 0; k < columns; k++) {
      total += slopes[k]! * totals[k]!;
      for (let l = 0; l <= k; l++) squares += (l === k ? 1 : 2) * slopes[k]! * slopes[l]! * added[next++]!;
    }
    return { value, error: computeSpread(total, squares, clusters) };
  };
}

function createJackknifeEstimator(sample: SparseSample) {
  const { rows, evaluate } = sample;
  const whole = evaluate(computeTotals(sample));
  const without = computeJackknife(sample);
  if (whole === null || !without.every((value) => value !== null)) return () => null;
  const effects = Float64Array.from(without, (value) => ((whole - value) * (rows - 1)) / rows);
  const squares = effects.map((effect) => effect * effect);
  return (totals: Float64Array, times: Float64Array): EstimateWithError | null => {
    const value = evaluate(totals);
    return value === null
      ? null
      : { value, error: computeSpread(computeDotProduct(times, effects), computeDotProduct(times, squares), rows) };
  };
}

/**
 * Step for computing a slope, as a share of the total. With this step, about half of the digits of a double remain for
 * the difference.
 */
const STEP = 1e-5;

/**
 * Writes the slopes of `evaluate` at `totals` to `slopes`, by central differences. Returns false if `evaluate` is
 * undefined near `totals`. A column with total 0 gets the slope 0, because all its rows are 0. `from` and `to` limit
 * the columns (`to` exclusive).
 */
export function computeSlopes(
  evaluate: StatisticEvaluator,
  totals: Float64Array,
  slopes: Float64Array,
  from = 0,
  to = totals.length,
): boolean {
  for (let k = from; k < to; k++) {
    const total = totals[k]!;
    const step = Math.abs(total) * STEP;
    slopes[k] = 0;
    if (step === 0) continue;
    totals[k] = total + step;
    const above = evaluate(totals);
    totals[k] = total - step;
    const below = evaluate(totals);
    totals[k] = total;
    if (above === null || below === null) return false;
    slopes[k] = (above - below) / (2 * step);
  }
  return true;
}

/**
 * Computes the standard error of a total over `rows` clusters. `total` and `squares`: the sum of the rows' effects, and
 * the sum of their squares. The error is the root of n / (n − 1) times the sum of squares about the mean. An error that
 * could be due to rounding is 0.
 */
export function computeSpread(total: number, squares: number, rows: number): number {
  const aboutMean = squares - (total * total) / rows;
  return aboutMean <= Math.max(squares * 1e-9, 1e-14) ? 0 : Math.sqrt((rows / (rows - 1)) * aboutMean);
}

function createDenseColumns({ rows, columns, start, column, amount }: SparseSample): Float64Array[] {
  const dense = Array.from({ length: columns }, () => new Float64Array(rows));
  for (let i = 0; i < rows; i++) {
    for (let j = start[i]!; j < start[i + 1]!; j++) dense[column[j]!]![i] = amount[j]!;
  }
  return dense;
}

/**
 * Computes the sum of the products of corresponding elements. Four independent sums let the processor work in parallel,
 * which is three times as fast.
 */
function computeDotProduct(a: Float64Array, b: Float64Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    first += a[i]! * b[i]!;
    second += a[i + 1]! * b[i + 1]!;
    third += a[i + 2]! * b[i + 2]!;
    fourth += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < a.length; i++) first += a[i]! * b[i]!;
  return first + second + third + fourth;
}
