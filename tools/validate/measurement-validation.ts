// Validation of the statistics by simulation: whether intervals cover, whether tests reject as often as they should, and
// whether what was planted in bots is found again.
import jstat from 'jstat';
import { type RandomSource, draw } from '../../state/random.ts';
import type { EffectPartName } from '../../deception/comparison/comparison-schema.ts';
import type { ContrastedFigure } from '../../deception/comparison/contrasted-figure.ts';
import { computeDifferences } from '../../deception/comparison/differences.ts';
import { findMissingGroups } from '../../deception/metrics/metric-collection.ts';
import type { MetricCell, Metric } from '../../deception/metrics/metric.ts';
import type { WeakCoverage } from '../../deception/metrics/weak-coverage.ts';
import { computeClusterInterval, createResampling, type Resampling } from '../../deception/statistics/bootstrap.ts';
import { adjustHolm } from '../../deception/statistics/adjusted-p-values.ts';
import { computeContrast, type Contrast } from '../../deception/statistics/paired-test.ts';
import { addSums, mean, type Statistic, type Sums } from '../../deception/statistics/sums.ts';
import { compareText } from '../../state/text.ts';

// Coverage and rejections in samples drawn from a pool of matches whose figure is known.

/** What is sampled, how often, and which statistic is computed. */
export interface SamplingTrial {
  figure: Statistic;
  range: readonly [number, number] | undefined;
  /** As of a metric. */
  comparedGroups?: Metric['comparedGroups'] | undefined;
  /** The number of matches, or deals, in each sample. */
  size: number;
  repetitions: number;
  resamples: number;
  seed: number;
}

interface Coverage {
  /** The value of the whole pool, or 0 where nothing differs. */
  truth: number | null;
  repetitions: number;
  /** Samples whose interval contains the truth. */
  covered: number;
  /** Samples without an interval, e.g. with too few matches with data; coverage is a share of the others. */
  without: number;
  /** The mean length of the intervals; null without any. */
  mean_width: number | null;
}

interface Rejections {
  repetitions: number;
  /** Samples with p ≤ .05. */
  rejected: number;
  /** Samples without p; rejections are a share of the others. */
  without: number;
}

/**
 * Counts in how many samples the interval contains the value of the whole pool. Samples of matches are drawn from `pool`
 * with replacement. Throws a RangeError for an empty pool.
 *
 * @example
 * const trial = { figure: createRatio('lies', 'claims'), range: [0, 1], size: 20, repetitions: 500, resamples: 500, seed: 1 } as const;
 * const { covered, without } = measureCoverage(pool, trial);
 */
export function measureCoverage(pool: readonly Sums[], trial: SamplingTrial): Coverage {
  const { figure, range } = trial;
  const random = draw(trial.seed, 'coverage', trial.size);
  const bounds = runTrials(trial, (resampling) => {
    const sample = Array.from({ length: trial.size }, () => random.pick(pool));
    return findMissingGroups(trial, sample) ?? computeClusterInterval(sample, figure, { resampling, range });
  });
  return countCovered(bounds, figure(addSums(pool)));
}

/**
 * Counts in how many samples of deals the interval of a contrast contains the truth, and in how many p is at most .05. Each
 * deal has its sums in each arm. The truth is the contrast of the whole pool; or, where the arms are `alike`, 0: then
 * they stand in a random order within each deal. Throws a RangeError for an empty pool.
 *
 * @example
 * measureContrast(deals, pairContrast, trial, 'alike').rejections; // about 5 of 100
 */
export function measureContrast(
  pool: readonly (readonly Sums[])[],
  contrast: Contrast,
  trial: SamplingTrial,
  arms: 'alike' | 'as they are',
): { coverage: Coverage; rejections: Rejections } {
  const { figure, range, size, seed, repetitions } = trial;
  const random = draw(seed, 'contrast', arms, size);
  const found = runTrials(trial, (resampling) => {
    const sample = Array.from({ length: size }, () => {
      const deal = random.pick(pool);
      return arms === 'alike' ? random.shuffle(deal) : deal;
    });
    if (hasMissingGroups(trial, sample)) return { low: null, high: null, p: null };
    const { difference, p } = computeContrast(sample, figure, contrast, { resampling, range, isRefined: false });
    return { low: difference.low, high: difference.high, p };
  });
  const sums = contrast.a.map((_, arm) => addSums(pool.map((deal) => deal[arm]!)));
  const truth = arms === 'alike' ? 0 : computeContrastValue(sums.map(figure), contrast);
  return {
    coverage: countCovered(found, truth),
    rejections: {
      repetitions,
      rejected: found.filter(({ p }) => p !== null && p <= 0.05).length,
      without: found.filter(({ p }) => p === null).length,
    },
  };
}

/** Whether in any arm too few deals have one of the groups that the figure compares. */
const hasMissingGroups = (metric: Pick<SamplingTrial, 'comparedGroups'>, deals: readonly (readonly Sums[])[]) =>
  metric.comparedGroups !== undefined &&
  deals[0]!.some((_, arm) => findMissingGroups(metric, deals.map((deal) => deal[arm]!)) !== null); // prettier-ignore

function computeContrastValue(values: readonly (number | null)[], { a, b }: Contrast): number | null {
  const weights = a.map((weight, arm) => weight - b[arm]!);
  if (weights.some((weight, arm) => weight !== 0 && values[arm] === null)) return null;
  return weights.reduce((total, weight, arm) => total + (weight === 0 ? 0 : weight * values[arm]!), 0);
}

/** Ten resamplings are used in turn: creating one for each repetition would take longer than using it. */
export function runTrials<Result>(
  { size, resamples, repetitions, seed }: Pick<SamplingTrial, 'size' | 'resamples' | 'repetitions' | 'seed'>,
  run: (resampling: Resampling) => Result,
): Result[] {
  const resamplings = Array.from({ length: 10 }, (_, index) => createResampling(size, resamples, seed + index));
  return Array.from({ length: repetitions }, (_, repetition) => run(resamplings[repetition % resamplings.length]!));
}

interface Bounds {
  low: number | null;
  high: number | null;
}

function countCovered(found: readonly Bounds[], truth: number | null): Coverage {
  const widths: number[] = [];
  let covered = 0;
  for (const { low, high } of found) {
    if (low === null || high === null) continue;
    widths.push(high - low);
    if (truth !== null && low <= truth && truth <= high) covered++;
  }
  const [repetitions, without] = [found.length, found.length - widths.length];
  return { truth, repetitions, covered, without, mean_width: mean(widths) };
}

// Whole comparisons of what does not differ.

/** A row of a comparison, with the number of the arm, the same in all rows, behind each of its sums. */
export interface ArmedRow extends ContrastedFigure {
  arms: readonly number[];
}

/** What comparisons of the same player under two names find, over all of them. */
export interface NullComparisons {
  comparisons: number;
  deals: number;
  /** Rows that were tested, those with p ≤ .05, and those that remain after the adjustment. */
  rows: number;
  nominal: number;
  adjusted: number;
  /** Comparisons in which any row remains. */
  any: number;
}

/**
 * Compares samples of deals in all rows, with `arms` in a random order within each deal, the same in all rows: nothing
 * differs. Throws a RangeError without rows.
 */
export function measureNullComparisons(
  rows: readonly ArmedRow[],
  arms: number,
  { size, repetitions, resamples, seed }: Pick<SamplingTrial, 'size' | 'repetitions' | 'resamples' | 'seed'>,
): NullComparisons {
  const deals = rows[0]?.deals.length ?? 0;
  if (deals === 0) throw new RangeError('Comparisons need rows with deals.');
  const random = draw(seed, 'comparisons', arms);
  const found = runTrials({ size, repetitions, resamples, seed }, (resampling) => {
    const drawn = drawDeals(random, deals, arms, size);
    const sampled = rows.map((row) => ({ ...row, deals: drawn.map((deal) => getArms(row, deal)) }));
    return computeDifferences(sampled, [], resampling).secondary.filter(({ p }) => p !== null);
  });
  /** A row whose p cannot be small enough is in no adjustment. */
  const isFound = ({ p_adjusted: p }: (typeof found)[number][number]) => p !== null && p <= 0.05;
  const countRows = (isSo: (row: (typeof found)[number][number]) => boolean) => found.flat().filter(isSo).length;
  return {
    comparisons: repetitions,
    deals: size,
    rows: countRows(() => true),
    nominal: countRows(({ p }) => p! <= 0.05),
    adjusted: countRows(isFound),
    any: found.filter((tested) => tested.some(isFound)).length,
  };
}

interface DrawnDeal {
  deal: number;
  /** Which arm stands in the place of each. */
  order: readonly number[];
}

const drawDeals = (random: RandomSource, deals: number, arms: number, size: number): DrawnDeal[] =>
  Array.from({ length: size }, () => ({
    deal: random.integer(deals),
    order: random.shuffle(Array.from({ length: arms }, (_, arm) => arm)),
  }));

export const getArms = ({ deals, arms }: ArmedRow, { deal, order }: DrawnDeal) =>
  arms.map((arm) => deals[deal]![arms.indexOf(order[arm]!)]!);

// Judging what was found.

/**
 * The one-sided exact (binomial) p of the hypothesis that the rate lies within the bounds: the probability of a count as
 * far outside or farther if the rate were the nearest bound. 0…1; 1 for a share within the bounds, or without repetitions.
 *
 * @example
 * testWithinBounds(950, 1000, [0.94, 0.96]); // 1
 */
export function testWithinBounds(count: number, repetitions: number, [low, high]: readonly [number, number]): number {
  if (repetitions === 0) return 1;
  const share = count / repetitions;
  if (share < low) return jstat.binomial.cdf(count, repetitions, low);
  if (share > high) return 1 - jstat.binomial.cdf(count - 1, repetitions, high);
  return 1;
}

/** Bounds for the coverage of intervals and, where nothing differs, for the share of p ≤ .05. */
export const promisedBounds = { coverage: [0.94, 0.96], rejection: [0.04, 0.06] } as const;

/** With fewer deals it is printed what is reached. */
export const minPromisedDeals = 50;

/** What a whole pool shows of a planted rate, or of a planted difference between two bots. */
export interface PoolFinding {
  /** Which bots played. */
  cell: string;
  metric: string;
  /** Of a difference, whose part it is. */
  part: EffectPartName | null;
  planted: number;
  matches: number;
  found: number | null;
  /** The standard error over matches, or deals; null where there is none. */
  se: number | null;
}

export interface EvaluatedPool extends PoolFinding {
  /** Two-sided p (normal distribution) of the hypothesis that the rate is the planted one, adjusted by Holm's procedure. */
  p: number;
}

/** The largest bias of a planted part that may go unnoticed. */
const NOTICED_BIAS = 0.05;
/** A bias of so many standard errors is noticed with a probability of .8, at two-sided .05. */
const NOTICED_ERRORS = 2.8;

/** The largest standard error of a part at which a bias of .05 is noticed with a probability of .8. */
export const MOST_PART_ERROR = NOTICED_BIAS / NOTICED_ERRORS;

/** Whether a planted part is known so well that a bias of .05 would be noticed. */
export const isPrecise = ({ se }: Pick<PoolFinding, 'se'>) => se !== null && se <= MOST_PART_ERROR;

/** Judges whether planted rates were found again. A rate without a value or without a standard error counts as missed. */
export function evaluatePools(pools: readonly PoolFinding[]): EvaluatedPool[] {
  const p = pools.map(({ planted, found, se }) =>
    found === null || se === null || se === 0 ? 0 : 2 * jstat.normal.cdf(-Math.abs(found - planted) / se, 0, 1),
  );
  const adjusted = adjustHolm(p) as number[]; // There is a p for each.
  return pools.map((pool, index) => ({ ...pool, p: adjusted[index]! }));
}

/** One row of a validation: a figure, or its contrast, in samples of one size from the pool of one cell of the grid. */
export interface ValidationFinding {
  cell: string;
  metric: string;
  of: MetricCell;
  /** A figure by itself, two arms of the same bot, or a part of a crossed design. */
  kind: 'figure' | 'two arms' | EffectPartName;
  size: number;
  /** Null where the truth is 0 by design: then every p above .05 covers it. */
  coverage: Coverage | null;
  /** Null of a figure by itself. */
  rejections: Rejections | null;
}

export interface EvaluatedFinding extends ValidationFinding {
  /**
   * Exact p of the hypothesis that coverage, or without it the share of rejections, lies within the promised bounds,
   * adjusted by Holm's procedure over all findings with so many deals that there is a promise; null with fewer.
   */
  p: number | null;
}

/** The number of samples that have an interval, or a p. */
export const countTrialsWithResult = ({ repetitions, without }: { repetitions: number; without: number }) =>
  repetitions - without;

/** Judges whether coverage and rejections are within the promised bounds; see `isFailed`. */
export function evaluateFindings(findings: readonly ValidationFinding[]): EvaluatedFinding[] {
  const promised = findings.filter(({ size }) => size >= minPromisedDeals);
  const adjusted = adjustHolm(promised.map(testPromise)) as number[]; // There is a p for each.
  const judged = new Map(promised.map((finding, index) => [finding, adjusted[index]!]));
  return findings.map((finding) => ({ ...finding, p: judged.get(finding) ?? null }));
}

function testPromise({ coverage, rejections }: ValidationFinding): number {
  if (coverage) return testWithinBounds(coverage.covered, countTrialsWithResult(coverage), promisedBounds.coverage);
  if (!rejections) return 1;
  return testWithinBounds(rejections.rejected, countTrialsWithResult(rejections), promisedBounds.rejection);
}

/** Whether coverage or rejections are outside the promised bounds, at an adjusted p of .05 or less. */
export const isFailed = ({ p }: EvaluatedFinding) => p !== null && p <= 0.05;

/** Whether what was found differs from what was planted, at an adjusted p of .05 or less. */
export const isPlantedRateMissed = ({ p }: EvaluatedPool) => p <= 0.05;

/** Whether more comparisons of what does not differ find something than 5 %, by an exact test. */
export const hasTooManyFindings = ({ any, comparisons }: NullComparisons) =>
  testWithinBounds(any, comparisons, [0, 0.05]) <= 0.05;

// Which intervals cover too little.

/** Intervals that cover less are marked wherever they are shown. */
const LEAST_COVERAGE = 0.93;
/** Coverage over fewer samples says little. */
const MIN_SAMPLES = 200;

/** The least coverage of each figure with so many deals, where it is under 93 %, by figure and rising number of deals. */
export function listWeakCoverage(findings: readonly ValidationFinding[]): WeakCoverage[] {
  const reached = findings.flatMap(({ metric, kind, size, coverage }): WeakCoverage[] => {
    const samples = coverage ? countTrialsWithResult(coverage) : 0;
    if (!coverage || samples < MIN_SAMPLES) return [];
    return [{ metric, of: kind === 'figure' ? kind : 'difference', deals: size, coverage: coverage.covered / samples }];
  });
  const rows = Map.groupBy(reached, ({ metric, of, deals }) => JSON.stringify([metric, of, deals]));
  return [...rows.values()]
    .map((own) => own.reduce((least, one) => (one.coverage < least.coverage ? one : least)))
    .filter(({ coverage }) => coverage < LEAST_COVERAGE)
    .sort(
      (one, other) => compareText(one.metric, other.metric) || compareText(one.of, other.of) || one.deals - other.deals,
    );
}
