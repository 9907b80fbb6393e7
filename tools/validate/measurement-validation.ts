// Validates the statistics by simulation: whether intervals cover the truth, whether tests reject as often as they
// should, and whether planted rates of bots are found.
import jstat from 'jstat';
import { type RandomSource, draw } from '../../state/random.ts';
import type { EffectPartName, TestFamily } from '../../deception/comparison/comparison-schema.ts';
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

// Coverage and rejections in samples drawn from a pool of matches with a known figure.

/** A sampling trial: the statistic, and the size and number of samples. */
export interface SamplingTrial {
  figure: Statistic;
  range: readonly [number, number] | undefined;
  /** Groups that the statistic compares; absent if it compares none. */
  comparedGroups?: Metric['comparedGroups'] | undefined;
  /** Number of matches, or deals, in each sample. */
  size: number;
  repetitions: number;
  resamples: number;
  seed: number;
}

interface Coverage {
  /** Figure of the whole pool; 0 for a difference that does not exist. */
  truth: number | null;
  repetitions: number;
  /** Number of samples whose interval contains the truth. */
  covered: number;
  /**
   * Number of samples without an interval, e.g. because of too little data. Coverage is a share of the other samples.
   */
  without: number;
  /** Mean width of the intervals; null if there are none. */
  mean_width: number | null;
}

interface Rejections {
  repetitions: number;
  /** Number of samples with p ≤ .05. */
  rejected: number;
  /** Number of samples without p. Rejections are a share of the other samples. */
  without: number;
}

/**
 * Counts the samples whose interval contains the value of the whole pool. Matches are drawn from `pool` with
 * replacement. Throws a RangeError for an empty pool.
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
 * Draws samples of deals, and computes the contrast of the arms in each sample. Counts the intervals that contain the
 * truth, and the p of at most .05. `pool`: the sums of each deal in each arm. The truth is the contrast of the whole
 * pool. For arms that are `alike` the truth is 0, and the arms are shuffled within each deal. Throws a RangeError for
 * an empty pool.
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

/** Runs trials that take turns with ten resamplings, because creating a resampling takes longer than using it. */
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

// Whole comparisons in which nothing differs.

/** A row of a comparison. The name of each sum ends with the number of its arm, so that names differ between arms. */
export interface ArmedRow extends ContrastedFigure {
  arms: readonly number[];
}

/** Findings of comparisons of one player with itself under another name. */
export interface NullComparisons {
  comparisons: number;
  deals: number;
  /** Number of tested rows. `nominal`: rows with p ≤ .05. `adjusted`: rows that are significant after adjustment. */
  rows: number;
  nominal: number;
  adjusted: number;
  /** For each family of tests: the number of comparisons in which any row of the family is significant. */
  families: { family: TestFamily; comparisons: number; any: number }[];
}

/**
 * Repeatedly draws a sample of deals and compares the arms in every row. Arms are first shuffled within each deal, so
 * that no true difference exists. Throws a RangeError if there are no rows.
 */
export function measureNullComparisons(
  rows: readonly ArmedRow[],
  arms: number,
  { size, repetitions, resamples, seed }: Pick<SamplingTrial, 'size' | 'repetitions' | 'resamples' | 'seed'>,
): NullComparisons {
  const deals = rows[0]?.deals.length ?? 0;
  if (deals === 0) throw new RangeError('Comparisons need rows that state their deal.');
  const random = draw(seed, 'comparisons', arms);
  const found = runTrials({ size, repetitions, resamples, seed }, (resampling) => {
    const drawn = drawDeals(random, deals, arms, size);
    const sampled = rows.map((row) => ({ ...row, deals: drawn.map((deal) => getArms(row, deal)) }));
    return computeDifferences(sampled, [], resampling).secondary.filter(({ p }) => p !== null);
  });
  /** Whether a row is significant after adjustment. Rows whose p can never be small enough have no adjusted p. */
  const isFound = ({ p_adjusted: p }: (typeof found)[number][number]) => p !== null && p <= 0.05;
  const countRows = (isSo: (row: (typeof found)[number][number]) => boolean) => found.flat().filter(isSo).length;
  return {
    comparisons: repetitions,
    deals: size,
    rows: countRows(() => true),
    nominal: countRows(({ p }) => p! <= 0.05),
    adjusted: countRows(isFound),
    families: listFamilies(found.flat()).map((family) => ({
      ...{ family, comparisons: repetitions },
      any: found.filter((tested) => tested.some((row) => row.family === family && isFound(row))).length,
    })),
  };
}

/**
 * Lists the families of tests that rows belong to, sorted by name.
 *
 * @example listFamilies(differences) // ['interaction', 'speaker']
 */
export const listFamilies = (rows: readonly { family: TestFamily | null }[]): TestFamily[] =>
  [...new Set(rows.flatMap(({ family }) => family ?? []))].sort();

interface DrawnDeal {
  deal: number;
  /** For each arm: the index of the arm that replaces it. */
  order: readonly number[];
}

const drawDeals = (random: RandomSource, deals: number, arms: number, size: number): DrawnDeal[] =>
  Array.from({ length: size }, () => ({
    deal: random.integer(deals),
    order: random.shuffle(Array.from({ length: arms }, (_, arm) => arm)),
  }));

export const getArms = ({ deals, arms }: ArmedRow, { deal, order }: DrawnDeal) =>
  arms.map((arm) => deals[deal]![arms.indexOf(order[arm]!)]!);

// Evaluation of the findings.

/**
 * Computes the one-sided exact (binomial) p of the hypothesis that the rate lies within the bounds. The p is the
 * probability of a count at least as far outside if the rate were at the nearest bound. Returns 1 for a share within
 * the bounds, or without repetitions.
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

/** Bounds for the coverage of intervals, and for the share of p ≤ .05 if nothing differs. */
export const promisedBounds = { coverage: [0.94, 0.96], rejection: [0.04, 0.06] } as const;

/** Minimum number of deals for which coverage is promised. Results for fewer deals are printed, but not tested. */
export const minPromisedDeals = 50;

/** The estimate that a pool of matches gives of a planted rate, or of a planted difference between two bots. */
export interface PoolFinding {
  /** The bots that played. */
  cell: string;
  metric: string;
  /** The part of the crossed design; null for a rate. */
  part: EffectPartName | null;
  planted: number;
  matches: number;
  found: number | null;
  /** Standard error, clustered by match or deal; null if there is none. */
  se: number | null;
}

export interface EvaluatedPool extends PoolFinding {
  /**
   * Two-sided p (normal distribution) of the hypothesis that the rate equals the planted rate, adjusted by Holm's
   * procedure.
   */
  p: number;
}

/** Largest bias of a planted part that may remain unnoticed. */
const NOTICED_BIAS = 0.05;
/** A bias of this many standard errors is noticed with probability .8, at a two-sided level of .05. */
const NOTICED_ERRORS = 2.8;

/** Largest standard error of a part with which a bias of .05 is noticed with probability .8. */
export const MOST_PART_ERROR = NOTICED_BIAS / NOTICED_ERRORS;

/** Whether a planted part is estimated so precisely that a bias of .05 would be noticed. */
export const isPrecise = ({ se }: Pick<PoolFinding, 'se'>) => se !== null && se <= MOST_PART_ERROR;

/** Evaluates whether planted rates were found. A rate without an estimate or a standard error counts as missed. */
export function evaluatePools(pools: readonly PoolFinding[]): EvaluatedPool[] {
  const p = pools.map(({ planted, found, se }) =>
    found === null || se === null || se === 0 ? 0 : 2 * jstat.normal.cdf(-Math.abs(found - planted) / se, 0, 1),
  );
  const adjusted = adjustHolm(p) as number[]; // no result is null, because no p is null
  return pools.map((pool, index) => ({ ...pool, p: adjusted[index]! }));
}

/**
 * One row of a validation: a figure, or its difference between arms, in samples of one size. The samples are drawn from
 * the deals of one cell of the grid.
 */
export interface ValidationFinding {
  cell: string;
  metric: string;
  of: MetricCell;
  /** Kind of row: a figure, a difference between two arms of the same bot, or a part of a crossed design. */
  kind: 'figure' | 'two arms' | EffectPartName;
  size: number;
  /**
   * Coverage of the intervals. Null if the truth is 0 by design, because the interval then covers it exactly if p is
   * above .05.
   */
  coverage: Coverage | null;
  /** Rejections by the tests; null for a figure, which has no test. */
  rejections: Rejections | null;
}

export interface EvaluatedFinding extends ValidationFinding {
  /**
   * Exact p of the hypothesis that coverage, or the share of rejections, lies within the promised bounds. Adjusted by
   * Holm's procedure over all findings with a promise. Null for too few deals.
   */
  p: number | null;
}

/** Counts the samples with an interval, or with a p. */
export const countTrialsWithResult = ({ repetitions, without }: { repetitions: number; without: number }) =>
  repetitions - without;

/** Evaluates whether coverage and rejections are within the promised bounds; see `isFailed`. */
export function evaluateFindings(findings: readonly ValidationFinding[]): EvaluatedFinding[] {
  const promised = findings.filter(({ size }) => size >= minPromisedDeals);
  const adjusted = adjustHolm(promised.map(testPromise)) as number[]; // no result is null, because no p is null
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

/** Whether the estimate differs from the planted value, at an adjusted p of .05 or less. */
export const isPlantedRateMissed = ({ p }: EvaluatedPool) => p <= 0.05;

// Intervals that cover the truth too rarely.

/** Least coverage of an unmarked interval. Intervals with lower coverage are marked wherever they are shown. */
const LEAST_COVERAGE = 0.93;
/** Minimum number of samples to judge coverage by. */
const MIN_SAMPLES = 200;

/** Lists each figure's lowest coverage if it is below 93%. Figures are sorted by ascending number of deals. */
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
