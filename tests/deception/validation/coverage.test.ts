// Validation by drawing from a pool whose figure is known.
import { describe, expect, it } from '@jest/globals';
import { coverageOf, rejectionsOf, type Trial } from '../../../deception/validation/coverage.ts';
import { withinTest } from '../../../deception/validation/exact-test.ts';
import { isFailed, isMissed, judge, judgePools, type Finding } from '../../../deception/validation/validation.ts';
import { ratioOf, type Sums } from '../../../deception/statistics/sums.ts';

const pool: Sums[] = Array.from({ length: 60 }, (_, index) => ({ lies: (index * 7) % 5, of: 6 + (index % 4) }));
const trial: Trial = {
  figure: ratioOf('lies', 'of'),
  range: [0, 1],
  size: 20,
  repetitions: 60,
  resamples: 200,
  seed: 3,
};

describe('coverage', () => {
  it('is counted against the figure of the whole pool', () => {
    const { truth, covered, without, repetitions } = coverageOf(pool, trial);
    expect(truth).toBeCloseTo(120 / 450, 12);
    expect(without).toBe(0);
    expect(covered / repetitions).toBeGreaterThan(0.8);
  });

  it('does not count samples that are too few for an interval', () => {
    const coverage = coverageOf(pool, { ...trial, size: 5 });
    expect(coverage).toMatchObject({ covered: 0, without: 60, mean_width: null });
  });

  it('is the same for the same seed', () => {
    expect(coverageOf(pool, trial)).toEqual(coverageOf(pool, trial));
    expect(coverageOf(pool, trial)).not.toEqual(coverageOf(pool, { ...trial, seed: 4 }));
  });
});

describe('rejections', () => {
  it('are rare even where the pool’s arms differ, since they are swapped at random', () => {
    const pairs = pool.map((a) => ({ a: { lies: a['of']!, of: a['of']! }, b: { lies: 0, of: 6 } }));
    const { rejected, repetitions } = rejectionsOf(pairs, trial);
    expect(rejected / repetitions).toBeLessThan(0.25);
  });
});

describe('the exact test of a promise', () => {
  // sums of binomial probabilities, computed with Python's fractions
  it.each([
    [95, 100, 1],
    [90, 100, 0.07754],
    [100, 100, 0.01687],
  ])('of %d in %d for 94 to 96 %% gives p = %d', (count, repetitions, p) => {
    expect(withinTest(count, repetitions, [0.94, 0.96])).toBeCloseTo(p, 5);
  });
});

describe('a validation', () => {
  const finding = (covered: number, rejected = 100): Finding => ({
    cell: 'c',
    metric: 'lie_rate',
    size: 20,
    planted: 0.1,
    coverage: { truth: 0.1, repetitions: 2000, covered, without: 0, mean_width: 0.1 },
    rejections: { repetitions: 2000, rejected, without: 0 },
  });

  it('fails where intervals hold the truth too seldom or too often, or comparisons reject too often', () => {
    const judged = judge([finding(1900), finding(1800), finding(1990), finding(1900, 200)]);
    expect(judged.map(isFailed)).toEqual([false, true, true, true]);
  });

  it('forgives a little: a promise is broken only where chance cannot be blamed', () => {
    expect(judge([finding(1875)]).map(isFailed)).toEqual([false]);
  });

  it('misses a planted rate that the pool lies too many standard errors from, and one that cannot be told', () => {
    const pool = (found: number | null, se: number | null) => ({
      ...{ cell: 'c', metric: 'lie_rate', planted: 0.3, matches: 800 },
      ...{ found, se },
    });
    const judged = judgePools([pool(0.31, 0.01), pool(0.35, 0.01), pool(null, null), pool(0.3, 0)]);
    expect(judged.map(isMissed)).toEqual([false, true, true, true]);
  });
});
