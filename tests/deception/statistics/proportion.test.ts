// Intervals and the exact test for a share; expected values by scipy 1.17 (`binomtest`), unless a source is named.
import { describe, expect, it } from '@jest/globals';
import { binomialTest, clopperPearson, shareBounds, wilson } from '../../../deception/statistics/proportion.ts';

const close = (bounds: readonly [number, number] | null, [low, high]: [number, number]) => {
  expect(bounds?.[0]).toBeCloseTo(low, 9);
  expect(bounds?.[1]).toBeCloseTo(high, 9);
};

describe('the Wilson interval', () => {
  it('is that of scipy', () => {
    close(wilson(7, 20), [0.1811918241010821, 0.5671457233147637]);
    close(wilson(0, 10), [0, 0.27753279986288926]);
  });

  it('reaches 1 when all succeed and 0 when none does', () => {
    expect(wilson(10, 10)?.[1]).toBe(1);
    expect(wilson(0, 10)?.[0]).toBe(0);
  });

  it('is unknown without trials', () => {
    expect(wilson(0, 0)).toBeNull();
  });
});

describe('the Clopper–Pearson interval', () => {
  it('is that of scipy, at 95 and 90 %', () => {
    close(clopperPearson(7, 20), [0.1539092047845412, 0.5921885345328283]);
    close(clopperPearson(3, 15, 0.9), [0.05684686759024679, 0.4397844359815561]);
  });

  it('bounds what was never seen by 1 − .025^(1/n)', () => {
    close(clopperPearson(0, 20), [0, 1 - 0.025 ** (1 / 20)]);
    close(clopperPearson(20, 20), [0.025 ** (1 / 20), 1]);
  });

  it('is unknown without trials', () => {
    expect(clopperPearson(0, 0)).toBeNull();
  });

  it('goes on between whole numbers of successes', () => {
    expect(shareBounds(0.35, 20)).toEqual(clopperPearson(7, 20));
    expect(shareBounds(0.37, 20)[0]).toBeGreaterThan(shareBounds(0.35, 20)[0]);
  });
});

describe('the exact binomial test', () => {
  it.each([
    [7, 20, 0.3, 0.6294979666766769],
    [2, 30, 0.25, 0.0187750627148012],
    [15, 50, 0.5, 0.006600447966810918],
    [0, 12, 0.2, 0.141274976256],
    [12, 12, 0.8, 0.141274976256],
    [190, 200, 0.9, 0.017579561902075935],
    [5, 10, 0.5, 1],
    [682, 925, 0.75, 0.3824915595748517], // Conover 1971, p. 97; the example of binom.test in R
  ])('of %i in %i for a share of %d', (successes, trials, share, p) => {
    expect(binomialTest(successes, trials, share)).toBeCloseTo(p, 10);
  });

  it('excludes what cannot be', () => {
    expect(binomialTest(1, 10, 0)).toBe(0);
    expect(binomialTest(0, 10, 0)).toBe(1);
    expect(binomialTest(10, 10, 1)).toBe(1);
  });

  it('is unknown without trials', () => {
    expect(binomialTest(0, 0)).toBeNull();
  });
});

it('refuses counts that are none', () => {
  expect(() => wilson(3, 2)).toThrow('3 of 2 is no share: give whole numbers, 0 ≤ part ≤ whole.');
  expect(() => clopperPearson(0.5, 2)).toThrow('0.5 of 2 is no share');
  expect(() => wilson(1, 2, 95)).toThrow('The level is 95; it must lie between 0 and 1, as 0.95.');
  expect(() => binomialTest(1, 2, 1.2)).toThrow('The share tested is 1.2; it must lie in 0…1.');
});
