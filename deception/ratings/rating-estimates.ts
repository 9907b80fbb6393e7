// Estimates strengths and scores with intervals by a studentized bootstrap over deals. Each resample is fitted once,
// for all targets.
import jstat from 'jstat';
import {
  computeBoundsFromResamples,
  computeExactBounds,
  computeStudentized,
  MIN_CLUSTERS,
  type Interval,
  type Resampling,
} from '../statistics/bootstrap.ts';
import { computeShareBounds } from '../statistics/proportion.ts';
import { boundShare } from '../statistics/share-interval.ts';
import type { EstimateWithError } from '../statistics/standard-error.ts';
import { readAt } from '../statistics/sums.ts';
import {
  computeDealCovariance,
  computeEta,
  type DesignRow,
  computeOutcomes,
  computeQuadraticForm,
  computeResiduals,
  countCellMatches,
  countOutcomes,
  estimateParameters,
  type FirthFit,
  type OutcomeCounts,
} from './firth-fit.ts';
import type { RatingModel } from './rating-model.ts';

/**
 * One term of a target: `weight` times η, or `weight` times the Werewolves' score at η. η is the η of one table, or a
 * difference of strengths.
 */
export interface TargetTerm {
  /** Design row of η, created by `RatingModel.reduce`. */
  readonly row: DesignRow;
  /**
   * For a term of the Werewolves' score, the index of ν in its context, or −1 if draws are impossible. Null for a term
   * of η.
   */
  readonly tie: number | null;
  readonly weight: number;
}

/** A quantity to estimate: the sum of a constant and terms. */
export interface RatingTarget {
  readonly constant: number;
  readonly terms: readonly TargetTerm[];
  readonly range?: readonly [number, number] | undefined;
  /** Number of deals that inform about the target. */
  readonly deals: number;
  /**
   * Number of matches that a score is computed from. Near 0 or 1, the bounds of the score are at least as wide as the
   * bounds of a share of this many trials.
   */
  readonly matches?: number;
  /**
   * The score if it is equal in all of these deals; undefined if the deals differ. The bounds of a constant score are
   * the bounds of a share.
   */
  readonly constantScore?: number | undefined;
  /** For a difference, its largest possible distance from 0. */
  readonly width?: number | undefined;
  /** Whether almost all outcomes are equal. The penalty would then decide the strength, so no strength is reported. */
  readonly isOneSided?: boolean;
}

/** An estimate with its interval. Without an interval both bounds are null, and `reason` says why. */
export interface RatingEstimate extends Pick<Interval, 'low' | 'high'> {
  readonly reason: Interval['reason'] | 'one-sided' | 'not identified';
  readonly value: number | null;
  /** Standard error over deals. */
  readonly error: number | null;
  /**
   * Two-sided p of the hypothesis that the target is 0. Null if there is no interval, or if the target has a range (as
   * scores do).
   */
  readonly p: number | null;
}

/** Deviation of a cell's results from the results that the strengths predict. */
export interface CellResidual {
  /** The Werewolves' score per match, as observed and as fitted. A draw counts ½. */
  readonly found: number;
  readonly fitted: number;
  readonly matches: number;
  /** p of the hypothesis that the two scores are equal, by Student's t over deals; null without an interval. */
  readonly p: number | null;
}

export interface RatingEstimates {
  readonly targets: readonly RatingEstimate[];
  readonly residuals: readonly CellResidual[];
  /** Test of all cells together; null if there is nothing to test. */
  readonly lackOfFit: { readonly statistic: number; readonly freedom: number; readonly p: number } | null;
}

export interface EstimateOptions {
  /** Resampling, created for at least as many clusters as there are deals. */
  readonly resampling: Resampling;
  readonly level?: number;
}

/**
 * Minimum number of wins and minimum number of losses of an entrant on a side or in a role. With fewer wins or fewer
 * losses, the penalty decides the log-odds.
 */
export const MIN_OUTCOMES = 3;

/**
 * Minimum expected number of wins of each side in a cell (Cochran 1954). With a smaller number, the test of fit is
 * invalid.
 */
const MIN_PER_CELL = 5;

/**
 * Estimates all targets. If there are fewer than ten deals, or if more than a tenth of the resamples cannot be fitted,
 * all values of the estimates are null, and `reason` says why.
 *
 * @example estimateTargets(createRatingModel(matches), targets, { resampling: createResampling(40, 2000, 1)
 *   }).targets[0]?.low
 */
export function estimateTargets(
  model: RatingModel,
  targets: readonly RatingTarget[],
  { resampling, level = 0.95 }: EstimateOptions,
): RatingEstimates {
  const { design, deals } = model;
  const once = new Float64Array(deals.length).fill(1);
  const counts = countOutcomes(deals, once, design.cells.length);
  const whole = estimateParameters(design, counts);
  if (whole === null || deals.length < MIN_CLUSTERS)
    return createNone(model, targets, counts, whole, whole === null ? 'unstable' : 'too few');
  const covariance = computeDealCovariance(design, deals, once, whole);
  const own = targets.map((target) => evaluateTarget(target, design.strengths, whole.parameters, covariance));
  const left = computeResiduals(design, counts, whole);
  const resampled: (EstimateWithError | null)[][] = targets.map(() => []);
  const residuals: Float64Array[] = [];
  const ends = Int32Array.from(deals, (_, d) => d + 1);
  const times = new Float64Array(deals.length);
  for (let resample = 0; resample < resampling.resamples; resample++) {
    resampling.countDraws(resample, ends, times);
    const drawn = countOutcomes(deals, times, design.cells.length);
    const fit = estimateParameters(design, drawn, whole.parameters) ?? estimateParameters(design, drawn);
    if (fit === null) {
      for (const one of resampled) one.push(null);
      continue;
    }
    const spread = computeDealCovariance(design, deals, times, fit);
    targets.forEach((target, at) =>
      resampled[at]!.push(evaluateTarget(target, design.strengths, fit.parameters, spread)),
    );
    residuals.push(computeResiduals(design, drawn, fit));
  }
  return {
    targets: targets.map((target, at) => createEstimate(target, own[at]!, resampled[at]!, { deals, level })),
    residuals: evaluateResiduals(model, counts, expectCounts(counts, whole), left, residuals),
    lackOfFit: testFit(model, expectCounts(counts, whole), left, residuals),
  };
}

function createNone(
  { cells }: RatingModel,
  targets: readonly RatingTarget[],
  counts: OutcomeCounts,
  whole: FirthFit | null,
  reason: Interval['reason'],
): RatingEstimates {
  const expected = whole && expectCounts(counts, whole);
  return {
    targets: targets.map(() => createMissingEstimate(reason)),
    residuals: expected === null ? [] : cells.map((_, cell) => ({ ...scoreCell(counts, expected, cell), p: null })),
    lackOfFit: null,
  };
}

export const createMissingEstimate = (reason: RatingEstimate['reason']): RatingEstimate => ({
  ...{ value: null, error: null, low: null, high: null, p: null, reason },
});

/** Computes the value of a target with its standard error (the delta method). */
function evaluateTarget(
  { constant, terms }: RatingTarget,
  strengths: number,
  parameters: Float64Array,
  covariance: Float64Array,
): EstimateWithError {
  let value = constant;
  const slopes = new Float64Array(parameters.length);
  const addSlopes = ({ at, amounts }: DesignRow, slope: number) => {
    for (let i = 0; i < at.length; i++) slopes[at[i]!]! += slope * amounts[i]!;
  };
  for (const { row, tie, weight } of terms) {
    const eta = computeEta(row, parameters);
    if (tie === null) {
      value += weight * eta;
      addSlopes(row, weight);
      continue;
    }
    const [werewolves, villagers, nobody] = computeOutcomes(eta, tie === -1 ? null : parameters[strengths + tie]!);
    value += weight * (werewolves + nobody / 2);
    const middle = (werewolves - villagers) / 2;
    addSlopes(row, weight * (werewolves * (0.5 - middle) - (nobody * middle) / 2));
    if (tie !== -1) slopes[strengths + tie]! += weight * nobody * ((1 - nobody) / 2 - werewolves);
  }
  return { value, error: Math.sqrt(computeQuadraticForm(covariance, slopes)) };
}

/** Standard errors up to this size are due to rounding and count as 0. */
const NO_ERROR = 1e-7;

function createEstimate(
  { range, deals: ofTarget, matches, constantScore, width, isOneSided }: RatingTarget,
  { value, error }: EstimateWithError,
  resampled: readonly (EstimateWithError | null)[],
  { deals, level }: { deals: { length: number }; level: number },
): RatingEstimate {
  if (ofTarget < MIN_CLUSTERS) return createMissingEstimate('too few');
  if (isOneSided) return createMissingEstimate('one-sided');
  if (constantScore !== undefined && range !== undefined) {
    const [low, high] = computeExactBounds(constantScore, ofTarget, level, range);
    return { value, error, low: Math.min(low, value), high: Math.max(high, value), p: null, reason: null };
  }
  if (error < NO_ERROR && width !== undefined) return boundConstant(value, ofTarget, width, level);
  if (error < NO_ERROR) return createMissingEstimate('no variation');
  const share =
    range === undefined || matches === undefined
      ? null
      : boundShare({ value, error }, { clusters: ofTarget, trials: matches }, range, level);
  const bounds =
    share?.bounds ?? computeBoundsFromResamples(resampled, deals.length, { value, error }, { level, range });
  if (bounds === null) return createMissingEstimate('unstable');
  const p = range === undefined ? computeResampledP({ value, error }, resampled, deals.length) : null;
  return { value, error, low: bounds[0], high: bounds[1], p, reason: null };
}

/**
 * Computes the bounds of a difference that is equal in every deal. The bounds allow for different values in deals that
 * were not observed. p is 2^(1 − deals): among all swaps of the two entrants, two are as extreme as the observed order.
 */
function boundConstant(value: number, deals: number, width: number, level: number): RatingEstimate {
  const reach = computeShareBounds(0, deals, level)[1] * width;
  const [low, high] = [Math.max(-width, value - reach), Math.min(width, value + reach)];
  return { value, error: 0, low, high, p: Math.abs(value) < NO_ERROR ? 1 : 2 ** (1 - deals), reason: null };
}

/**
 * Computes the two-sided p of the hypothesis that the value is 0. p is at most .05 exactly if the 95% interval excludes
 * 0. If p is below the resolution of the resamples, p comes from Student's t over deals instead.
 */
function computeResampledP(
  { value, error }: EstimateWithError,
  resampled: readonly (EstimateWithError | null)[],
  deals: number,
): number {
  const t = value / error;
  const drawn = resampled.flatMap((one) => (one === null ? [] : [computeStudentized(one, { value, error })]));
  const beyond = Math.min(drawn.filter((one) => one >= t).length, drawn.filter((one) => one <= t).length);
  const least = 2 / (1 + drawn.length);
  return beyond > 0 ? Math.min(1, (beyond + 1) * least) : Math.min(least, computeP(t, deals));
}

const computeP = (t: number, deals: number) => Math.min(1, 2 * jstat.studentt.cdf(-Math.abs(t), deals - 1));

// Fit of the model.

const expectCounts = (counts: OutcomeCounts, { probabilities }: FirthFit): Float64Array =>
  probabilities.map((p, place) => {
    const first = place - (place % 3);
    return p * countCellMatches(counts, first / 3);
  });

function scoreCell(counts: OutcomeCounts, expected: Float64Array, cell: number) {
  const matches = countCellMatches(counts, cell);
  const score = (of: Float64Array) => (of[3 * cell]! + of[3 * cell + 2]! / 2) / matches;
  return { found: score(counts), fitted: score(expected), matches };
}

/**
 * Tests the residual of each cell by Student's t over deals. The standard error is at least that of independent
 * matches. p is never smaller than the p of the exact test of a share, because the t test is invalid near 0 and 1.
 */
function evaluateResiduals(
  model: RatingModel,
  counts: OutcomeCounts,
  expected: Float64Array,
  left: Float64Array,
  resampled: readonly Float64Array[],
): CellResidual[] {
  const isTested = countFreedom(model) > 0 && resampled.length > 0;
  const score = (of: Float64Array, cell: number) => of[3 * cell]! + of[3 * cell + 2]! / 2;
  return model.cells.map((_, cell) => {
    const own = scoreCell(counts, expected, cell);
    if (!isTested) return { ...own, p: null };
    const mean = resampled.reduce((sum, one) => sum + score(one, cell), 0) / resampled.length;
    const square = resampled.reduce((sum, one) => sum + (score(one, cell) - mean) ** 2, 0) / resampled.length;
    const error = Math.sqrt(Math.max(square, own.matches * own.fitted * (1 - own.fitted)));
    const byT = computeP(score(left, cell) / error, model.deals.length);
    const independent = model.deals.filter(({ places }) => places.some((at) => Math.floor(at / 3) === cell)).length;
    return { ...own, p: Math.max(byT, computeShareP(own.found, own.fitted, independent)) };
  });
}

/**
 * Returns the exact two-sided p of a share of `trials` trials. A draw is half a success. A fractional number of
 * successes is rounded towards the expected number.
 */
function computeShareP(found: number, expected: number, trials: number): number {
  const successes = found * trials;
  const most = Math.ceil(successes - 1e-9);
  const least = Math.floor(successes + 1e-9);
  const below = jstat.binomial.cdf(most, trials, expected);
  const above = least === 0 ? 1 : 1 - jstat.binomial.cdf(least - 1, trials, expected);
  return Math.min(1, 2 * Math.min(below, above));
}

/**
 * Returns the degrees of freedom of the test of fit: the number of free outcome probabilities of all cells minus the
 * number of parameters.
 */
const countFreedom = ({ cells, design }: RatingModel): number =>
  cells.reduce((sum, _, cell) => sum + (design.ties[cell] === -1 ? 1 : 2), 0) - design.size;

/**
 * Tests the residuals of all pairings together. p is the share of resamples whose residuals differ from the sample's
 * residuals by at least as much as the sample's residuals differ from 0. Resamples draw whole deals, so dependence
 * within deals does not make p too small.
 */
function testFit(
  model: RatingModel,
  expected: Float64Array,
  left: Float64Array,
  resampled: readonly Float64Array[],
): RatingEstimates['lackOfFit'] {
  const freedom = countFreedom(model);
  const matches = model.cells.map((_, cell) => countCellMatches(expected, cell));
  const fewest = Math.min(
    ...model.cells.flatMap((_, cell) => [readAt(expected, 3 * cell), readAt(expected, 3 * cell + 1)]),
  );
  if (freedom <= 0 || fewest < MIN_PER_CELL || resampled.length === 0) return null;
  const measure = (from: Float64Array, to: (place: number) => number) =>
    from.reduce((sum, amount, place) => sum + (amount - to(place)) ** 2 / matches[Math.floor(place / 3)]!, 0);
  const statistic = measure(left, () => 0);
  const extreme = resampled.filter((one) => measure(one, (place) => left[place]!) >= statistic).length;
  const p = correctForFewDeals((1 + extreme) / (1 + resampled.length), freedom, model.deals.length);
  return p === null ? null : { statistic, freedom, p };
}

/**
 * Corrects p for a small number of deals, because resamples of few deals vary less than tournaments do. Reads p as a p
 * of chi-square, and returns the p of Hotelling's T² (1931) for the same statistic. Null unless the deals exceed the
 * degrees of freedom by at least 2.
 */
function correctForFewDeals(p: number, freedom: number, deals: number): number | null {
  if (deals <= freedom + 1) return null;
  const statistic = jstat.chisquare.inv(1 - p, freedom);
  return 1 - jstat.centralF.cdf((statistic * (deals - freedom)) / (freedom * deals), freedom, deals - freedom);
}
