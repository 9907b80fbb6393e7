// Intervals that are valid however often they are looked at.
import { describe, expect, it } from '@jest/globals';
import { computeAnyTimeFactor } from '../../../deception/statistics/any-time-interval.ts';
import { draw } from '../../../state/random.ts';

describe('an interval that holds at any time', () => {
  it('is wider than one of a fixed sample, least so near the planned size', () => {
    expect(computeAnyTimeFactor(100, 100)).toBeCloseTo(1.55, 2);
    const factors = [10, 50, 100, 200, 1000].map((units) => computeAnyTimeFactor(units, 100));
    expect(Math.min(...factors)).toBeGreaterThan(1.5);
    expect(Math.max(...factors)).toBe(factors[0]);
  });

  it('misses the mean at any look in at most 5% of studies, where one of a fixed sample misses it in far more', () => {
    const [studies, units, share] = [400, 100, 0.5];
    const missed = { fixed: 0, anyTime: 0 };
    for (let study = 0; study < studies; study++) {
      const chance = draw(study, 'looks');
      const has = { fixed: false, anyTime: false };
      let won = 0;
      for (let seen = 1; seen <= units; seen++) {
        won += Number(chance.fraction() < share);
        if (seen < 10) continue;
        const mean = won / seen;
        const half = 1.96 * Math.sqrt((mean * (1 - mean)) / seen);
        has.fixed ||= Math.abs(mean - share) > half;
        has.anyTime ||= Math.abs(mean - share) > half * computeAnyTimeFactor(seen, units);
      }
      for (const name of ['fixed', 'anyTime'] as const) missed[name] += Number(has[name]);
    }
    expect(missed.fixed / studies).toBeGreaterThan(0.15);
    expect(missed.anyTime / studies).toBeLessThanOrEqual(0.05);
  });

  it('refuses what is no number of units', () => {
    expect(() => computeAnyTimeFactor(0, 100)).toThrow('0 of 100 units');
  });
});
