// Bounds of the studentized interval where they can be worked out by hand.
import { describe, expect, it } from '@jest/globals';
import type { Resampling } from '../../../deception/statistics/resampling.ts';
import type { Estimate } from '../../../deception/statistics/standard-error.ts';
import { studentizedBounds } from '../../../deception/statistics/studentized.ts';

const whole: Estimate = { value: 0, error: 1 };

/** The bounds where resample after resample gives these figures; null: none. */
function boundsOf(resamples: readonly (Estimate | null)[]) {
  const resampling: Resampling = {
    clusters: 1,
    resamples: resamples.length,
    count: (resample, times) => void times.fill(resample),
    swap: () => undefined,
  };
  return studentizedBounds((times) => resamples[times[0]!]!, 1, whole, { resampling, level: 0.95 });
}

/** A hundred resamples of the value 1 with this standard error. */
const bounded = (error: number) => boundsOf(Array<Estimate>(100).fill({ value: 1, error }));

describe('a resample', () => {
  it('reaches as far as its own standard error says', () => {
    expect(bounded(0.5)).toEqual([-2, 0]);
    expect(bounded(0.25)).toEqual([-4, 0]);
  });

  it('with less than a fifth of the sample’s standard error counts as one with a fifth', () => {
    expect(bounded(0.2)).toEqual([-5, 0]);
    expect(bounded(0.1)).toEqual([-5, 0]);
    expect(bounded(0)).toEqual([-5, 0]);
  });
});

describe('an interval', () => {
  const drawn = (undefinedOnes: number) =>
    boundsOf(Array.from({ length: 100 }, (_, index) => (index < undefinedOnes ? null : { value: 1, error: 0.5 })));

  it('is given where no more than a tenth of the resamples is undefined', () => {
    expect(drawn(10)).toEqual([-2, 0]);
    expect(drawn(11)).toBeNull();
  });
});
