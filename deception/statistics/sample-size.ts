// Sample sizes. Computes the number of deals that are needed to find a difference, from the spread between single
// deals. Also computes the uncertainty of this number.
import jstat from 'jstat';
import { MIN_CLUSTERS } from './bootstrap.ts';
import { createWeightedSum } from './paired-test.ts';
import {
  countRowsOfScarcest,
  createEstimator,
  createStatisticEvaluator,
  createSparseSample,
  listSparseCells,
  listSumNames,
} from './standard-error.ts';
import type { Statistic, Sums } from './sums.ts';

/** How much a difference varies between deals. */
export interface DealSpread {
  /** The difference over all deals. */
  estimate: number;
  /** Standard deviation of one deal. Over n deals, the standard error is `spread` / √n. */
  spread: number;
  /** Number of deals with data in the arm with the fewest such deals. It is one more than the degrees of freedom. */
  withData: number;
}

/**
 * Computes the spread of a weighted sum of the arms' statistics (weights 1 and −1 for a difference), from the sums of
 * each arm in each deal. Null if undefined, or if fewer than two deals have data.
 *
 * @example computeDealSpread(deals, createRatio('lies', 'turns'), [1, -1])?.spread
 */
export function computeDealSpread(
  deals: readonly (readonly Sums[])[],
  statistic: Statistic,
  weights: readonly number[],
): DealSpread | null {
  const names = listSumNames(deals.flat());
  const places = new Map(names.map((name, place) => [name, place]));
  const arms = weights.map((_, k) => createStatisticEvaluator(statistic, names, k * names.length));
  const rows = deals.map((sums) => sums.flatMap((one, k) => listSparseCells(one, places, k * names.length)));
  const filled = rows.filter((cells) => cells.length > 0);
  const sample = createSparseSample(filled, arms.length * names.length, createWeightedSum(arms, weights));
  const withData = countRowsOfScarcest(sample, arms);
  const whole = withData < 2 ? null : createEstimator(sample)(new Float64Array(sample.rows).fill(1));
  return whole && { estimate: whole.value, spread: whole.error * Math.sqrt(deals.length), withData };
}

/** Goal of a sample: a two-sided test at level `alpha` finds a true difference of `effect` with probability `power`. */
export interface PowerTarget {
  effect: number;
  alpha: number;
  power: number;
}

/**
 * Returns the number of deals with which a test detects a true difference, given the spread of deals: ((z + z') ·
 * spread / effect)² + ½ z². The last term allows for the fact that the test estimates the spread from its own data
 * (Guenther 1981). The result is at least ten, because fewer deals give no interval.
 *
 * @example countDealsNeeded(0.3, { effect: 0.1, alpha: 0.05, power: 0.8 }); // 73
 */
export function countDealsNeeded(spread: number, { effect, alpha, power }: PowerTarget): number {
  const level = jstat.normal.inv(1 - alpha / 2, 0, 1);
  const needed = (((level + jstat.normal.inv(power, 0, 1)) * spread) / effect) ** 2 + level ** 2 / 2;
  return Math.max(MIN_CLUSTERS, Math.ceil(needed - 1e-9));
}

/**
 * Returns the half-width of a 95% interval over this many deals, by Student's t.
 *
 * @example computeHalfWidth(0.5, 100); // 0.1
 */
export const computeHalfWidth = (spread: number, deals: number): number =>
  (jstat.studentt.inv(0.975, deals - 1) * spread) / Math.sqrt(deals);

/**
 * Returns the smallest number of deals, at least ten, whose 95% interval has at most this half-width.
 *
 * @example countDealsForHalfWidth(0.5, 0.1); // 99
 */
export function countDealsForHalfWidth(spread: number, halfWidth: number): number {
  let [few, enough] = [MIN_CLUSTERS, MIN_CLUSTERS];
  while (computeHalfWidth(spread, enough) > halfWidth) [few, enough] = [enough, 2 * enough];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (computeHalfWidth(spread, middle) > halfWidth) few = middle;
    else enough = middle;
  }
  return enough;
}

/**
 * Returns an upper bound of the true spread, which holds with probability `share`, for roughly normal deals (Browne
 * 1995). Plan sample sizes with this bound: a sample size computed from the estimated spread of a small pilot has less
 * power than it promises.
 *
 * @example computeSpreadLimit({ spread: 1, withData: 10 }, 0.8) // 1.29
 */
export function computeSpreadLimit(
  { spread, withData }: Pick<DealSpread, 'spread' | 'withData'>,
  share: number,
): number {
  const freedom = withData - 1;
  return spread * Math.sqrt(freedom / jstat.chisquare.inv(1 - share, freedom));
}

/** Variance of a deal's difference: between deals, and between the replicates of one deal. */
export interface SplitVariance {
  between: number;
  within: number;
}

/**
 * Splits the variance of a deal's difference into a part between deals and a part within deals, by a one-way analysis
 * of variance (Miller 2024, section 3). `together`: spread of deals whose replicates are added up. `apart`: spread if
 * each replicate counts as a deal. No part is negative.
 *
 * @example splitVariance({ together: 0.3, apart: 0.4 }, { deals: 20, replicates: 2 }).within
 */
export function splitVariance(
  { together, apart }: { together: number; apart: number },
  { deals, replicates }: { deals: number; replicates: number },
): SplitVariance {
  // If each replicate counts as a unit, the variance of the units contains only this share of the variance between
  // deals, because several units have the same deal.
  const share = (replicates * (deals - 1)) / (replicates * deals - 1);
  const within = Math.max(0, (apart ** 2 - share * together ** 2) / (1 - share / replicates));
  return { between: Math.max(0, together ** 2 - within / replicates), within };
}

/**
 * Returns the spread of a deal that is played `replicates` times.
 *
 * @example computeReplicatedSpread({ between: 0.04, within: 0.1 }, 4) // 0.255
 */
export const computeReplicatedSpread = ({ between, within }: SplitVariance, replicates: number): number =>
  Math.sqrt(between + within / replicates);

/**
 * Returns bounds that contain the true spread with probability .95, for roughly normal deals (χ²). With ten deals they
 * are .69 and 1.83 times the estimate.
 */
export function computeSpreadBounds({ spread, withData }: Pick<DealSpread, 'spread' | 'withData'>): [number, number] {
  const freedom = withData - 1;
  const bound = (share: number) => spread * Math.sqrt(freedom / jstat.chisquare.inv(share, freedom));
  return [bound(0.975), bound(0.025)];
}
