// Bounds of the studentized interval in cases that can be computed by hand.
import { describe, expect, it } from '@jest/globals';
import { computeBoundsFromResamples } from '../../../deception/statistics/bootstrap.ts';
import {
  createEstimator,
  createSparseSample,
  type EstimateWithError,
} from '../../../deception/statistics/standard-error.ts';

const whole: EstimateWithError = { value: 0, error: 1 };

interface Asked {
  of?: EstimateWithError;
  level?: number;
  range?: readonly [number, number];
}

/** Computes the bounds that follow from these figures of resamples. Null if there are no bounds. */
function computeBoundsOf(
  resamples: readonly (EstimateWithError | null)[],
  { of = whole, level = 0.95, range }: Asked = {},
) {
  return computeBoundsFromResamples(resamples, 1, of, { level, range });
}

/** Computes the bounds for a hundred resamples of the value 1 with this standard error. */
const computeBoundsAt = (error: number) => computeBoundsOf(Array<EstimateWithError>(100).fill({ value: 1, error }));

describe('a resample', () => {
  it('reaches as far as its own standard error says', () => {
    expect(computeBoundsAt(0.5)).toEqual([-2, 0]);
    expect(computeBoundsAt(0.25)).toEqual([-4, 0]);
  });

  it('with less than a fifth of the sample’s standard error counts as one with a fifth', () => {
    expect(computeBoundsAt(0.2)).toEqual([-5, 0]);
    expect(computeBoundsAt(0.1)).toEqual([-5, 0]);
    expect(computeBoundsAt(0)).toEqual([-5, 0]);
  });
});

describe('an interval', () => {
  const computeBoundsWithout = (undefinedOnes: number) =>
    computeBoundsOf(
      Array.from({ length: 100 }, (_, index) => (index < undefinedOnes ? null : { value: 1, error: 0.5 })),
    );

  it('is given where no more than a tenth of the resamples is undefined', () => {
    expect(computeBoundsWithout(10)).toEqual([-2, 0]);
    expect(computeBoundsWithout(11)).toBeNull();
  });
});

describe('the bounds', () => {
  /** 99 resamples from -49 to 49. */
  const even = Array.from({ length: 99 }, (_, index) => ({ value: index - 49, error: 1 }));

  it.each([
    [0.9, 45],
    [0.95, 47.5],
    [0.945, 47.25],
    [0.999, 49],
  ])(
    'at a level of %d lie where a share of the resamples lies beyond, between neighbours in proportion',
    (level, at) => {
      const [low, high] = computeBoundsOf(even, { level })!;
      expect(low).toBeCloseTo(-at, 10);
      expect(high).toBeCloseTo(at, 10);
    },
  );

  it('take two resamples at least', () => {
    expect(computeBoundsOf(even.slice(0, 2))).not.toBeNull();
    expect(computeBoundsOf(even.slice(0, 1))).toBeNull();
  });
});

describe('the bounds of a share', () => {
  /**
   * Computes the bounds for resamples on both sides of a share. `width`: distance between them; `least` and `scale`:
   * start and width of the possible range.
   */
  function computeBoundsAround(share: number, width: number, [least, scale]: readonly [number, number] = [0, 1]) {
    const at = (value: number, error: number) => ({ value: least + scale * value, error: scale * error });
    const resamples = Array.from({ length: 99 }, (_, index) => at(share + ((index - 49) / 49) * width, width));
    return computeBoundsOf(resamples, { of: at(share, width), range: [least, least + scale] })!;
  }

  it('are nearly those of any other figure where it is sure', () => {
    for (const share of [0.1, 0.5, 0.8]) {
      const [low, high] = computeBoundsAround(share, 1e-5);
      expect((low - share) / 1e-5).toBeCloseTo(-47.5 / 49, 3);
      expect((high - share) / 1e-5).toBeCloseTo(47.5 / 49, 3);
    }
  });

  it('stay within what it can be', () => {
    for (const share of [0.02, 0.98]) {
      const [low, high] = computeBoundsAround(share, 0.05);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
    }
  });

  it('lie on the same places of any range', () => {
    const [low, high] = computeBoundsAround(0.3, 0.1);
    for (const [least, scale] of [
      [-1, 2],
      [0, 100],
      [3, 0.5],
    ] as const) {
      const [lower, upper] = computeBoundsAround(0.3, 0.1, [least, scale]);
      expect((lower - least) / scale).toBeCloseTo(low, 10);
      expect((upper - least) / scale).toBeCloseTo(high, 10);
    }
  });
});

describe('the standard error of a resample', () => {
  /** Counts how often a statistic of `columns` sums is computed for one resample. */
  const countEvaluations = (columns: number) => {
    let count = 0;
    const evaluate = (totals: Float64Array) => {
      count += 1;
      return totals.reduce((sum, total) => sum + total, 0);
    };
    const row = (amount: number) => Array.from({ length: columns }, (_, column) => [column, amount] as const);
    const estimate = createEstimator(createSparseSample([row(1), row(2), row(4)], columns, evaluate));
    count = 0;
    estimate(new Float64Array(3).fill(1));
    return count;
  };

  it('is by slopes up to ten sums: the statistic itself, and twice for each; of more, the statistic alone', () => {
    expect(countEvaluations(10)).toBe(1 + 2 * 10);
    expect(countEvaluations(11)).toBe(1);
  });
});
