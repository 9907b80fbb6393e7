// How many deals a difference takes: from what single deals differ by to a sample size, and how unsure that is.
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

/** How far deals spread about a difference. */
export interface DealSpread {
  /** The difference over all deals. */
  estimate: number;
  /** The standard deviation of one deal: over n deals the standard error is this over √n. */
  spread: number;
  /** Deals with data of the arm that has the fewest: one more than the degrees of freedom. */
  withData: number;
}

/**
 * The spread of a sum of the arms' statistics with these weights, e.g. 1 and −1 for a difference, from the sums of each arm
 * in each deal. Null where it is undefined or fewer than two deals have data.
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

/** Goal of a sample: to show a true difference of `effect`, two-sided at `alpha`, with this probability. */
export interface PowerTarget {
  effect: number;
  alpha: number;
  power: number;
}

/**
 * The number of deals that shows a true difference, from their spread: ((z + z') · spread / effect)², and ½ z² more since the
 * spread is estimated anew (Guenther 1981). At least ten, under which there is no interval.
 *
 * @example countDealsNeeded(0.3, { effect: 0.1, alpha: 0.05, power: 0.8 }); // 73
 */
export function countDealsNeeded(spread: number, { effect, alpha, power }: PowerTarget): number {
  const level = jstat.normal.inv(1 - alpha / 2, 0, 1);
  const needed = (((level + jstat.normal.inv(power, 0, 1)) * spread) / effect) ** 2 + level ** 2 / 2;
  return Math.max(MIN_CLUSTERS, Math.ceil(needed - 1e-9));
}

/**
 * The half-width of an interval of 95 % over so many deals, by Student's t.
 *
 * @example computeHalfWidth(0.5, 100); // 0.1
 */
export const computeHalfWidth = (spread: number, deals: number): number =>
  (jstat.studentt.inv(0.975, deals - 1) * spread) / Math.sqrt(deals);

/**
 * The least number of deals over which an interval of 95 % is that narrow, ten at least.
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
 * What the true spread does not exceed with this probability, where single deals are about normal (Browne 1995): a sample
 * size for the spread that a small pilot found has less power than it promises.
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

/** The variance of a deal's difference: between deals, and within a deal from one replicate to the next. */
export interface SplitVariance {
  between: number;
  within: number;
}

/**
 * Splits the variance between deals from that within. `together`: the spread of deals whose replicates are added up;
 * `apart`: the spread if each replicate of a deal were a deal of its own, from an analysis of variance in one direction
 * (Miller 2024, section 3). No part is below 0.
 *
 * @example splitVariance({ together: 0.3, apart: 0.4 }, { deals: 20, replicates: 2 }).within
 */
export function splitVariance(
  { together, apart }: { together: number; apart: number },
  { deals, replicates }: { deals: number; replicates: number },
): SplitVariance {
  // The variance of units that share deals contains slightly less than the whole variance between deals.
  const share = (replicates * (deals - 1)) / (replicates * deals - 1);
  const within = Math.max(0, (apart ** 2 - share * together ** 2) / (1 - share / replicates));
  return { between: Math.max(0, together ** 2 - within / replicates), within };
}

/**
 * The spread of a deal that is played so many times.
 *
 * @example computeReplicatedSpread({ between: 0.04, within: 0.1 }, 4) // 0.255
 */
export const computeReplicatedSpread = ({ between, within }: SplitVariance, replicates: number): number =>
  Math.sqrt(between + within / replicates);

/**
 * Between which bounds the true spread lies with a probability of .95, where single deals are about normal (χ²): with ten
 * deals from .69 to 1.83 times what was found.
 */
export function computeSpreadBounds({ spread, withData }: Pick<DealSpread, 'spread' | 'withData'>): [number, number] {
  const freedom = withData - 1;
  const bound = (share: number) => spread * Math.sqrt(freedom / jstat.chisquare.inv(share, freedom));
  return [bound(0.975), bound(0.025)];
}
