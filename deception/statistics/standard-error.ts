// A figure and its standard error over clusters, for the sample and thousands of times over for its resamples.
import { type Evaluate, type Sample, totalsOf, withoutEach } from './sample.ts';

export interface Estimate {
  readonly value: number;
  /** The standard error over clusters. */
  readonly error: number;
}

/** The figure of a resample that holds row i `times[i]` times; null where it or its error is undefined. */
export type Estimator = (times: Float64Array) => Estimate | null;

/** Above so many sums a figure (as an AUC over many scores) keeps the rows' effects on the whole sample. */
export const MOST_SLOPES = 10;

/**
 * The figure with its linearised standard error (the delta method; Särndal, Swensson & Wretman 1992, ch. 5) and the
 * factor n / (n − 1): the spread over rows of the sum of slope times amount, slopes taken anew for each resample.
 * For figures of many sums the spread of the rows' effects by the jackknife on the whole sample, resampled.
 */
export const estimatorOf = (sample: Sample): Estimator =>
  sample.columns <= MOST_SLOPES ? bySlopes(sample) : byEffects(sample);

function bySlopes(sample: Sample): Estimator {
  const { rows, columns, evaluate } = sample;
  const amounts = denseColumns(sample);
  const products = amounts.flatMap((a, k) => amounts.slice(0, k + 1).map((b) => a.map((amount, i) => amount * b[i]!)));
  const totals = new Float64Array(columns);
  const slopes = new Float64Array(columns);
  return (times) => {
    for (let k = 0; k < columns; k++) totals[k] = dot(times, amounts[k]!);
    const value = evaluate(totals);
    if (value === null || !slopesAt(evaluate, totals, slopes)) return null;
    let [total, squares, next] = [0, 0, 0];
    for (let k = 0; k < columns; k++) {
      total += slopes[k]! * totals[k]!;
      for (let l = 0; l <= k; l++) {
        squares += (l === k ? 1 : 2) * slopes[k]! * slopes[l]! * dot(times, products[next++]!);
      }
    }
    return { value, error: spread(total, squares, rows) };
  };
}

function byEffects(sample: Sample): Estimator {
  const { rows, evaluate } = sample;
  const totals = new Float64Array(sample.columns);
  const whole = evaluate(totalsOf(sample));
  const without = withoutEach(sample);
  if (whole === null || without.includes(null)) return () => null;
  const effects = Float64Array.from(without, (value) => ((whole - (value ?? 0)) * (rows - 1)) / rows);
  const squares = effects.map((effect) => effect * effect);
  return (times) => {
    const value = evaluate(totalsOf(sample, times, totals));
    return value === null ? null : { value, error: spread(dot(times, effects), dot(times, squares), rows) };
  };
}

/** The step for a slope, as a share of the total: half of a double's digits are left to the difference. */
const STEP = 1e-5;

/**
 * The slopes of `evaluate` at `totals` by central differences, written into `slopes`; false where it is undefined
 * nearby. A column without any total gets 0: no row has anything in it.
 */
export function slopesAt(evaluate: Evaluate, totals: Float64Array, slopes: Float64Array): boolean {
  for (let k = 0; k < totals.length; k++) {
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

/** The root of n / (n − 1) times the sum of squares about the mean; what rounding alone may have left counts as 0. */
export function spread(total: number, squares: number, rows: number): number {
  const about = squares - (total * total) / rows;
  return about <= Math.max(squares * 1e-9, 1e-14) ? 0 : Math.sqrt((rows / (rows - 1)) * about);
}

function denseColumns({ rows, columns, start, column, amount }: Sample): Float64Array[] {
  const dense = Array.from({ length: columns }, () => new Float64Array(rows));
  for (let i = 0; i < rows; i++) {
    for (let j = start[i]!; j < start[i + 1]!; j++) dense[column[j]!]![i] = amount[j]!;
  }
  return dense;
}

/** The sum of products; in four strands, which need not wait for each other (three times as fast). */
function dot(a: Float64Array, b: Float64Array): number {
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
