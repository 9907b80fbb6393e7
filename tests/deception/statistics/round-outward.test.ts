// Bounds of intervals are rounded outward.
import { describe, expect, it } from '@jest/globals';
import { roundDown, roundOutward, roundUp } from '../../../deception/statistics/round-outward.ts';

describe('rounding outward', () => {
  it.each([
    [0.1544, 2, 0.15, 0.16],
    [-0.1544, 2, -0.16, -0.15],
    [0.29, 2, 0.29, 0.29], // 0.29 * 100 is 28.999999999999996
    [-0.07, 2, -0.07, -0.07],
    [1, 0, 1, 1],
  ])('of %d to %d decimals gives %d and %d', (value, decimals, down, up) => {
    expect(roundDown(value, decimals)).toBe(down);
    expect(roundUp(value, decimals)).toBe(up);
  });

  it('never excludes what the interval holds', () => {
    for (let low = -1; low < 1; low += 0.0137) {
      const { low: least, high: most } = roundOutward({ low, high: low + 0.1 }, 2);
      expect(least).toBeLessThanOrEqual(low + 1e-9);
      expect(most).toBeGreaterThanOrEqual(low + 0.1 - 1e-9);
    }
  });
});
