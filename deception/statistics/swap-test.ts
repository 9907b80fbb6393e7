// Whether a paired difference is more than chance: the conditions change places within pairs at random.
import type { Resampling } from './resampling.ts';
import { type Sample, totalsOf } from './sample.ts';
import { MOST_SLOPES, slopesAt, spread } from './standard-error.ts';

export interface SwapTest {
  /** Two-sided: above 0, at most 1. */
  readonly p: number;
  /** The size that the share `level` of swaps stay within, in standard errors if `isStudentized`. */
  readonly within: number;
  readonly isStudentized: boolean;
}

/** Sizes that differ by less than this share count as equal. */
const ROUNDING = 1e-9;
/** With more undefined swaps than this share there is no test. */
const MOST_UNDEFINED = 0.1;

/**
 * The two-sided randomization test over pairs (Fisher 1935, § 21), whose rows hold the sums of one condition in the
 * first half of the columns and those of the other in the second: p = (1 + swaps at least as extreme) / (1 + swaps).
 * The difference is divided by its standard error after each swap (Janssen 1997), so that the test also holds when
 * the conditions differ in spread or in their number of cases; for figures of many sums it is taken as it is.
 * Null where the figure is undefined, or is in more than a tenth of the swaps; else those swaps are left out.
 */
export function swapTest(sample: Sample, resampling: Resampling, level = 0.95): SwapTest | null {
  const statisticOf = swappedStatistic(sample);
  const swapped = new Uint8Array(sample.rows);
  const seen = statisticOf(swapped);
  const sizes: number[] = [];
  for (let resample = 0; seen !== null && resample < resampling.resamples; resample++) {
    resampling.swap(resample, swapped);
    const size = statisticOf(swapped);
    if (size !== null) sizes.push(size);
  }
  if (seen === null || sizes.length < (1 - MOST_UNDEFINED) * resampling.resamples) return null;
  const sorted = Float64Array.from(sizes).sort();
  const extreme = sorted.filter((size) => size >= seen * (1 - ROUNDING)).length;
  const last = Math.ceil(level * (sorted.length + 1) - 1e-9) - 1;
  return {
    p: (1 + extreme) / (1 + sorted.length),
    within: (sorted[last] ?? Infinity) * (1 + ROUNDING),
    isStudentized: sample.columns <= MOST_SLOPES,
  };
}

/** The size of the difference after those swaps, in standard errors where there are few enough sums. */
function swappedStatistic(sample: Sample): (swapped: Uint8Array) => number | null {
  const { rows, columns, start, column, amount, evaluate } = sample;
  const half = columns / 2;
  const totals = new Float64Array(columns);
  const slopes = new Float64Array(columns);
  const other = Int32Array.from(totals, (_, k) => (k + half) % columns);
  const whole = totalsOf(sample);
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
  const errorAfter = (swapped: Uint8Array) => {
    let [total, squares] = [0, 0];
    for (let i = 0; i < rows; i++) {
      let effect = 0;
      for (let j = start[i]!; j < start[i + 1]!; j++) {
        effect += slopes[swapped[i] === 0 ? column[j]! : other[column[j]!]!]! * amount[j]!;
      }
      total += effect;
      squares += effect * effect;
    }
    return spread(total, squares, rows);
  };
  return (swapped) => {
    fillTotals(swapped);
    const difference = evaluate(totals);
    if (difference === null) return null;
    if (columns > MOST_SLOPES) return Math.abs(difference);
    if (!slopesAt(evaluate, totals, slopes)) return null;
    const error = errorAfter(swapped);
    if (difference === 0) return 0;
    return error === 0 ? Infinity : Math.abs(difference) / error;
  };
}
