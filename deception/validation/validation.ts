// What a validation looks at, and how its counts are judged.
import jstat from 'jstat';
import { draw } from '../../state/random.ts';
import type { Cell } from '../metrics/metric.ts';
import { computeClusterInterval, createResampling, type Resampling } from '../statistics/bootstrap.ts';
import { adjustHolm, computePairedDifference, type Pair } from '../statistics/paired-test.ts';
import { addSums, mean, type Statistic, type Sums } from '../statistics/sums.ts';

// Whether intervals hold what they promise: samples drawn from a pool of matches whose figure is known.

export interface Trial {
  figure: Statistic;
  range: readonly [number, number] | undefined;
  /** Matches, or deals, in each sample. */
  size: number;
  repetitions: number;
  resamples: number;
  seed: number;
}

interface Coverage {
  /** The figure of the whole pool. */
  truth: number | null;
  repetitions: number;
  /** Samples whose interval holds the truth. */
  covered: number;
  /** Samples without an interval, as of too few matches with data; coverage is a share of the others. */
  without: number;
  /** The mean length of the intervals that there are; null without any. */
  mean_width: number | null;
}

interface Rejections {
  repetitions: number;
  /** Samples with p ≤ .05. */
  rejected: number;
  /** Samples without p; rejections are a share of the others. */
  without: number;
}

/** Draws samples of matches with replacement from `pool`. Throws a RangeError for an empty one. */
export function measureCoverage(pool: readonly Sums[], trial: Trial): Coverage {
  const { figure, range, repetitions } = trial;
  const truth = figure(addSums(pool));
  const bank = createResamplings(trial);
  const [random, widths] = [draw(trial.seed, 'coverage', trial.size), [] as number[]];
  let covered = 0;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const sample = Array.from({ length: trial.size }, () => random.pick(pool));
    const { low, high } = computeClusterInterval(sample, figure, { resampling: bank(repetition), range });
    if (low === null || high === null) continue;
    widths.push(high - low);
    if (truth !== null && low <= truth && truth <= high) covered++;
  }
  const without = repetitions - widths.length;
  return { truth, repetitions, covered, without, mean_width: mean(widths) };
}

/** Draws samples of deals from `pool` and swaps the arms of each at random, so that they do not differ. */
export function measureRejections(pool: readonly Pair[], trial: Trial): Rejections {
  const { figure, range, repetitions } = trial;
  const bank = createResamplings(trial);
  const random = draw(trial.seed, 'rejections', trial.size);
  let [rejected, without] = [0, 0];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const sample = Array.from({ length: trial.size }, (): Pair => {
      const { a, b } = random.pick(pool);
      return random.integer(2) === 0 ? { a, b } : { a: b, b: a };
    });
    const { p } = computePairedDifference(sample, figure, { resampling: bank(repetition), range });
    if (p === null) without++;
    else if (p <= 0.05) rejected++;
  }
  return { repetitions, rejected, without };
}

/** Repetitions take turns with a few resamplings: to draw one for each would take longer than to use it. */
function createResamplings({ size, resamples, seed }: Trial): (repetition: number) => Resampling {
  const some = Array.from({ length: 10 }, (_, index) => createResampling(size, resamples, seed + index));
  return (repetition) => some[repetition % some.length]!;
}

// Whether a count out of so many repetitions goes with a rate that was promised to lie within bounds.

/**
 * One-sided exact p of the hypothesis that the rate lies within the bounds: the probability of a count as far out or
 * farther, were the rate that of the nearest bound; 1 for a count within them,
 * and without any repetition.
 */
export function testWithinBounds(count: number, repetitions: number, [low, high]: readonly [number, number]): number {
  if (repetitions === 0) return 1;
  const share = count / repetitions;
  if (share < low) return jstat.binomial.cdf(count, repetitions, low);
  if (share > high) return 1 - jstat.binomial.cdf(count - 1, repetitions, high);
  return 1;
}

// What a validation looks at, and how its counts are judged.

/** The figures that rates were planted for, where those who could not know listen to debates. */
export const endpoints: readonly { metric: string; of: Cell; planted: 'lie' | 'hit' | 'falseAlarm' | 'admission' }[] = [
  { metric: 'lie_rate', of: {}, planted: 'lie' },
  { metric: 'hit_rate', of: { source: 'match', kind: 'debate', could_know: 'false' }, planted: 'hit' },
  { metric: 'false_alarm_rate', of: { source: 'match', kind: 'debate', could_know: 'false' }, planted: 'falseAlarm' },
  { metric: 'admission_rate', of: { kind: 'debate' }, planted: 'admission' },
];

/** What was promised of intervals, and of p ≤ .05 where nothing differs. */
export const promised = { coverage: [0.94, 0.96], rejection: [0.04, 0.06] } as const;

/** What a whole pool gives for a rate that was planted. */
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
  /** Two-sided p, by the normal distribution, that what was found goes with what was planted, adjusted by Holm's procedure. */
  p: number;
}

/** A rate that cannot be told counts as not met. */
export function judgePools(pools: readonly PoolFinding[]): JudgedPool[] {
  const p = pools.map(({ planted, found, se }) =>
    found === null || se === null || se === 0 ? 0 : 2 * jstat.normal.cdf(-Math.abs(found - planted) / se, 0, 1),
  );
  const adjusted = adjustHolm(p) as number[]; // none is missing
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
  /** Exact p that the rate lies within what was promised, adjusted by Holm's procedure over all findings. */
  coverage_p: number;
  rejection_p: number;
}

/** Samples that an interval, or p, was given for. */
export const countTold = ({ repetitions, without }: { repetitions: number; without: number }) => repetitions - without;

/** A finding fails where its adjusted p is .05 or less. Where nothing was told nothing was promised. */
export function judgeFindings(findings: readonly ValidationFinding[]): JudgedFinding[] {
  const p = findings.flatMap(({ coverage, rejections }) => [
    testWithinBounds(coverage.covered, countTold(coverage), promised.coverage),
    testWithinBounds(rejections.rejected, countTold(rejections), promised.rejection),
  ]);
  const adjusted = adjustHolm(p) as number[]; // none is missing
  return findings.map((finding, index) => ({
    ...finding,
    coverage_p: adjusted[2 * index]!,
    rejection_p: adjusted[2 * index + 1]!,
  }));
}

export const isFailed = (finding: JudgedFinding) => finding.coverage_p <= 0.05 || finding.rejection_p <= 0.05;

export const isMissed = ({ p }: JudgedPool) => p <= 0.05;
