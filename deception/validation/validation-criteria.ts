// What a validation looks at, and how its counts are judged.
import jstat from 'jstat';
import type { Cell } from '../metrics/metric.ts';
import { adjustHolm } from '../statistics/paired-test.ts';
import type { Coverage, Rejections } from './interval-coverage.ts';

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
