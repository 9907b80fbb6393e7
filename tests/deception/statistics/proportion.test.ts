// Intervals for a share; expected values by scipy 1.17 (`binomtest`), unless a source is named.
import { describe, expect, it } from '@jest/globals';
import { clopperPearson, shareBounds, wilson } from '../../../deception/statistics/proportion.ts';

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

it('refuses counts that are none', () => {
  expect(() => wilson(3, 2)).toThrow('3 of 2 is no share: give whole numbers, 0 ≤ part ≤ whole.');
  expect(() => clopperPearson(0.5, 2)).toThrow('0.5 of 2 is no share');
  expect(() => wilson(1, 2, 95)).toThrow('The level is 95; it must lie between 0 and 1, as 0.95.');
});
