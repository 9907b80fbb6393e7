// The exchange test of two entrants, and its smallest p with few units.
import { describe, expect, it } from '@jest/globals';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { isEnough, testExchanges } from '../../../deception/statistics/exchange-test.ts';
import { draw } from '../../../state/random.ts';

const resampling = createResampling(200, 99, 1);
const repeat = (count: number, value: number) => Array.from({ length: count }, () => value);

describe('exchanging two within units', () => {
  it('of 20 deals, three won by one alone and none by the other, is as likely as one in four', () => {
    expect(testExchanges([...repeat(3, 1), ...repeat(17, 0)], resampling)).toMatchObject({ informative: 3, p: 0.25 });
  });

  it('says nothing where no unit differs', () => {
    expect(testExchanges(repeat(20, 0), resampling)).toMatchObject({ informative: 0, p: null });
  });

  it.each([
    [6, 0, 2 / 64],
    [7, 1, 18 / 256],
    [9, 2, 134 / 2048],
    [30, 12, 0.0079159], // scipy.stats.binomtest(12, 42).pvalue
  ])('is the sign test where all units say as much: %d to %d', (first, second, expected) => {
    const { p } = testExchanges([...repeat(first, 0.5), ...repeat(second, -0.5), 0, 0], resampling);
    expect(p).toBeCloseTo(expected, 6);
  });

  it('tries all exchanges of up to 14 units', () => {
    // There are eight sums ±1 ± 2 ± 4. Two of them are as extreme as 7, and four are as extreme as 5.
    expect(testExchanges([1, 2, 4], resampling).p).toBe(2 / 8);
    expect(testExchanges([-1, 2, 4], resampling).p).toBe(4 / 8);
    const fourteen = Array.from({ length: 14 }, (_, unit) => 1 + unit / 100);
    expect(testExchanges(fourteen, resampling).p).toBe(2 / 2 ** 14);
  });

  it('draws as many for more units whatever the report resamples, and the same ones again', () => {
    const chance = draw(1, 'leads');
    const leads = Array.from({ length: 40 }, () => chance.fraction() - 0.35);
    const one = testExchanges(leads, resampling);
    expect(one).toEqual(testExchanges(leads, resampling));
    expect(Math.abs(one.p! - testExchanges(leads, createResampling(40, 2000, 2)).p!)).toBeLessThan(0.02);
  });

  it('bounds how large a difference random exchanges make, in standard errors', () => {
    const chance = draw(3, 'within');
    const leads = Array.from({ length: 100 }, () => chance.fraction() - 0.5);
    expect(testExchanges(leads, resampling).within).toBeCloseTo(1.96, 0);
    expect(testExchanges([1, 1, 1, 0, 0], resampling).within).toBeGreaterThan(2); // one of all eight swaps
  });
});

describe('too few units', () => {
  it.each([
    [1, 6],
    [3, 7],
    [6, 8],
  ])('for %d pairs are under %d', (pairs, units) => {
    expect([isEnough(units - 1, pairs), isEnough(units, pairs)]).toEqual([false, true]);
  });
});
