// Validation of the statistics by simulation: whether intervals cover, whether tests reject as often as they should, and
// whether rates that were planted in bots are found again.
import jstat from 'jstat';
import { draw } from '../../state/random.ts';
import type { Cell } from '../metrics/metric.ts';
import { computeClusterInterval, createResampling, type Resampling } from '../statistics/bootstrap.ts';
import { adjustHolm, computePairedDifference, type Pair } from '../statistics/paired-test.ts';
import { addSums, mean, type Statistic, type Sums } from '../statistics/sums.ts';

// Coverage and rejections in samples drawn from a pool of matches whose figure is known.

/** What is sampled, how often, and which statistic is computed. */
export interface Trial {
  figure: Statistic;
  range: readonly [number, number] | undefined;
  /** The number of matches, or deals, in each sample. */
  size: number;
  repetitions: number;
  resamples: number;
  seed: number;
}

interface Coverage {
  /** The value of the whole pool. */
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
export function measureCoverage(pool: readonly Sums[], trial: Trial): Coverage {
  const { figure, range, repetitions } = trial;
  const truth = figure(addSums(pool));
  const getResampling = createResamplings(trial);
  const [random, widths] = [draw(trial.seed, 'coverage', trial.size), [] as number[]];
  let covered = 0;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const sample = Array.from({ length: trial.size }, () => random.pick(pool));
    const { low, high } = computeClusterInterval(sample, figure, { resampling: getResampling(repetition), range });
    if (low === null || high === null) continue;
    widths.push(high - low);
    if (truth !== null && low <= truth && truth <= high) covered++;
  }
  const without = repetitions - widths.length;
  return { truth, repetitions, covered, without, mean_width: mean(widths) };
}

/**
 * Counts in how many samples p is at most .05 although nothing differs: samples of deals are drawn from `pool`, and the arms
 * of each deal are swapped at random. Throws a RangeError for an empty pool.
 */
export function measureRejections(pool: readonly Pair[], trial: Trial): Rejections {
  const { figure, range, repetitions } = trial;
  const getResampling = createResamplings(trial);
  const random = draw(trial.seed, 'rejections', trial.size);
  let [rejected, without] = [0, 0];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const sample = Array.from({ length: trial.size }, (): Pair => {
      const { a, b } = random.pick(pool);
      return random.integer(2) === 0 ? { a, b } : { a: b, b: a };
    });
    const { p } = computePairedDifference(sample, figure, { resampling: getResampling(repetition), range });
    if (p === null) without++;
    else if (p <= 0.05) rejected++;
  }
  return { repetitions, rejected, without };
}

/** Ten resamplings are used in turn: creating one for each repetition would take longer than using it. */
function createResamplings({ size, resamples, seed }: Trial): (repetition: number) => Resampling {
  const resamplings = Array.from({ length: 10 }, (_, index) => createResampling(size, resamples, seed + index));
  return (repetition) => resamplings[repetition % resamplings.length]!;
}

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

/** The figures for which rates are planted in bots; of analyses, those by listeners who could not know the truth. */
export const validationEndpoints: readonly {
  metric: string;
  of: Cell;
  planted: 'lie' | 'hit' | 'falseAlarm' | 'admission';
}[] = [
  { metric: 'lie_rate', of: {}, planted: 'lie' },
  { metric: 'hit_rate', of: { source: 'match', kind: 'debate', could_know: 'false' }, planted: 'hit' },
  { metric: 'false_alarm_rate', of: { source: 'match', kind: 'debate', could_know: 'false' }, planted: 'falseAlarm' },
  { metric: 'admission_rate', of: { kind: 'debate' }, planted: 'admission' },
];

/** Bounds for the coverage of intervals and, where nothing differs, for the share of p ≤ .05. */
export const promisedBounds = { coverage: [0.94, 0.96], rejection: [0.04, 0.06] } as const;

/** What a whole pool shows of a planted rate. */
export interface PoolFinding {
  cell: string;
  metric: string;
  planted: number;
  matches: number;
  found: number | null;
  /** The standard error over matches; null where there is none. */
  se: number | null;
}

export interface JudgedPool extends PoolFinding {
  /** Two-sided p (normal distribution) of the hypothesis that the rate is the planted one, adjusted by Holm's procedure. */
  p: number;
}

/** Judges whether planted rates were found again. A rate without a value or without a standard error counts as missed. */
export function judgePools(pools: readonly PoolFinding[]): JudgedPool[] {
  const p = pools.map(({ planted, found, se }) =>
    found === null || se === null || se === 0 ? 0 : 2 * jstat.normal.cdf(-Math.abs(found - planted) / se, 0, 1),
  );
  const adjusted = adjustHolm(p) as number[]; // There is a p for each.
  return pools.map((pool, index) => ({ ...pool, p: adjusted[index]! }));
}

/** One row of a validation: an endpoint in samples of one size from the pool of one cell of the grid. */
export interface ValidationFinding {
  cell: string;
  metric: string;
  size: number;
  planted: number;
  coverage: Coverage;
  rejections: Rejections;
}

export interface JudgedFinding extends ValidationFinding {
  /** Exact p of the hypothesis that the rate lies within the promised bounds, adjusted by Holm's procedure over all findings. */
  coverage_p: number;
  rejection_p: number;
}

/** The number of samples that have an interval, or a p. */
export const countTrialsWithResult = ({ repetitions, without }: { repetitions: number; without: number }) =>
  repetitions - without;

/** Judges whether coverage and rejections are within the promised bounds; see `isFailed`. */
export function judgeFindings(findings: readonly ValidationFinding[]): JudgedFinding[] {
  const p = findings.flatMap(({ coverage, rejections }) => [
    testWithinBounds(coverage.covered, countTrialsWithResult(coverage), promisedBounds.coverage),
    testWithinBounds(rejections.rejected, countTrialsWithResult(rejections), promisedBounds.rejection),
  ]);
  const adjusted = adjustHolm(p) as number[]; // There is a p for each.
  return findings.map((finding, index) => ({
    ...finding,
    coverage_p: adjusted[2 * index]!,
    rejection_p: adjusted[2 * index + 1]!,
  }));
}

/** Whether coverage or rejections are outside the promised bounds, at an adjusted p of .05 or less. */
export const isFailed = (finding: JudgedFinding) => finding.coverage_p <= 0.05 || finding.rejection_p <= 0.05;

/** Whether what was found differs from the planted rate, at an adjusted p of .05 or less. */
export const isMissed = ({ p }: JudgedPool) => p <= 0.05;
