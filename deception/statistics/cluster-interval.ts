// A figure with its interval, where the match is the unit.
import { shareBounds } from './proportion.ts';
import type { Resampling } from './resampling.ts';
import { cellsOf, evaluateOver, namesIn, onlyRows, rowsWithData, sampleOf, totalsOf } from './sample.ts';
import { estimatorOf } from './standard-error.ts';
import { studentizedBounds } from './studentized.ts';
import type { Figure, Sums } from './sums.ts';

/**
 * Why there is no interval: the figure is undefined; too few clusters have data; it is undefined in too many
 * resamples; all clusters are alike and the figure has no range.
 */
export type NoInterval = 'no data' | 'too few' | 'unstable' | 'no variation';

export interface Interval {
  /** The figure over all clusters; null where it is undefined. */
  readonly estimate: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** The standard error over clusters; null without an interval. */
  readonly se: number | null;
  /** How the bounds were found; null where there are none, and then `reason` says why. */
  readonly method: 'studentized' | 'exact' | null;
  readonly reason: NoInterval | null;
  readonly clusters: number;
  /** Clusters in which the figure is defined, or without which it is another. */
  readonly withData: number;
}

export interface IntervalOptions {
  /** `resampling(clusters, 2000, seed)`, made once for all figures; for at least as many clusters as there are. */
  readonly resampling: Resampling;
  /** Between 0 and 1; 0.95 unless told. */
  readonly level?: number;
  /** The least and the greatest value that the figure can have, as [0, 1] or [-1, 1]. */
  readonly range?: readonly [number, number] | undefined;
}

/** Fewer clusters with data than this give no interval. */
export const FEWEST_CLUSTERS = 10;

/**
 * The figure over all clusters with its interval: ratios of sums, and every other function of sums, with the match as
 * the unit. Studentized bootstrap on the arcsine scale (as is without `range`); where the sample shows no variation
 * or lies at an end of the range, the exact bounds of Clopper & Pearson with the clusters with data as trials, so
 * that none lied of 20 matches gives [0, 0.17] and never [0, 0]. The order of clusters does not matter.
 *
 * Coverage in % of 95 % intervals in 2,000 simulated samples a cell, of clusters of 5 to 40 cases, beta-binomial:
 * least and greatest over rates .05, .1, .3, .5, .9 and intra-cluster correlations .1, .3.
 *
 * | clusters | studentized, arcsine | BCa         | percentile  |
 * | -------- | -------------------- | ----------- | ----------- |
 * | 20       | 94.5 – 95.9          | 86.5 – 93.3 | 80.8 – 93.2 |
 * | 50       | 94.8 – 95.5          | 90.7 – 94.5 | 88.1 – 94.0 |
 * | 200      | 94.5 – 95.8          | 93.6 – 95.8 | 92.9 – 95.5 |
 *
 * MCC, F1 and precision over 20 to 200 matches: 92.4 – 96.4 (500 samples a cell, logit-normal effects of matches).
 * Figures of more than ten sums are cheaper and cover less in few matches: ROC AUC 92.4, 94.4, 94.4 and average
 * precision 89.4, 92.0, 94.0 with 20, 50, 200 matches.
 *
 * Give each figure its own sums alone (`within`): the sums it does not use cost time.
 * Throws a RangeError for more clusters than the resampling was made for.
 */
export function clusterInterval(clusters: readonly Sums[], figure: Figure, options: IntervalOptions): Interval {
  const names = namesIn(clusters);
  const places = new Map(names.map((name, place) => [name, place]));
  const filled = clusters.map((sums) => cellsOf(sums, places)).filter((cells) => cells.length > 0);
  const everything = sampleOf(filled, names.length, evaluateOver(figure, names));
  const sample = onlyRows(everything, rowsWithData(everything));
  const counts = { clusters: clusters.length, withData: sample.rows };
  const estimate = everything.evaluate(totalsOf(everything));
  if (estimate === null) return noInterval('no data', estimate, counts);
  if (sample.rows < FEWEST_CLUSTERS) return noInterval('too few', estimate, counts);
  const estimator = estimatorOf(sample);
  const whole = estimator(new Float64Array(sample.rows).fill(1));
  if (whole === null) return noInterval('unstable', estimate, counts);
  const { resampling, level = 0.95, range } = options;
  const se = whole.error;
  if (se === 0 || range?.includes(estimate) === true) {
    if (range === undefined) return noInterval('no variation', estimate, counts);
    const [low, high] = exactBounds(estimate, sample.rows, level, range);
    return { estimate, low, high, se, method: 'exact', reason: null, ...counts };
  }
  const bounds = studentizedBounds(
    estimator,
    sample.rows,
    { value: estimate, error: se },
    { resampling, level, range },
  );
  if (bounds === null) return noInterval('unstable', estimate, counts);
  return { estimate, low: bounds[0], high: bounds[1], se, method: 'studentized', reason: null, ...counts };
}

/** An estimate (or none) that has no interval, and why. */
export const noInterval = (
  reason: NoInterval,
  estimate: number | null,
  counts: Pick<Interval, 'clusters' | 'withData'>,
) => ({ estimate, low: null, high: null, se: null, method: null, reason, ...counts });

/** Clopper & Pearson's bounds for where the estimate lies in its range, clusters as trials. */
function exactBounds(estimate: number, clusters: number, level: number, [least, most]: readonly [number, number]) {
  const width = most - least;
  const [low, high] = shareBounds((estimate - least) / width, clusters, level);
  return [Math.min(estimate, least + low * width), Math.max(estimate, least + high * width)] as const;
}
