// Figures of a two-by-two table; MCC against Pearson's correlation by numpy 2.4.
import { describe, expect, it } from '@jest/globals';
import * as figures from '../../../deception/statistics/confusion.ts';

const table = { tp: 6, fp: 2, fn: 3, tn: 9 };

describe('a two-by-two table', () => {
  it.each([
    ['prevalence', 9 / 20],
    ['flagged', 8 / 20],
    ['accuracy', 15 / 20],
    ['precision', 6 / 8],
    ['recall', 6 / 9],
    ['specificity', 9 / 11],
    ['f1', 12 / 17],
    ['balancedAccuracy', (6 / 9 + 9 / 11) / 2],
    ['mcc', 0.492365963917331],
  ] as const)('has as %s %d', (name, value) => {
    expect(figures[name](table)).toBeCloseTo(value, 12);
  });

  it('without cases shows nothing', () => {
    expect(Object.values(figures).map((figure) => figure({}))).toEqual(Object.values(figures).map(() => null));
  });

  it('in which nothing was flagged has no precision and no MCC, but recall 0', () => {
    const silent = { fn: 3, tn: 9 };
    expect([figures.precision(silent), figures.mcc(silent), figures.recall(silent)]).toEqual([null, null, 0]);
    expect(figures.balancedAccuracy(silent)).toBe(0.5);
  });

  it('without positive cases has no recall and no balanced accuracy', () => {
    expect(figures.recall({ fp: 1, tn: 1 })).toBeNull();
    expect(figures.balancedAccuracy({ fp: 1, tn: 1 })).toBeNull();
  });

  it('whose every flag is right has an MCC of 1, and of −1 when every flag is wrong', () => {
    expect(figures.mcc({ tp: 3, tn: 5 })).toBeCloseTo(1, 12);
    expect(figures.mcc({ fp: 3, fn: 5 })).toBeCloseTo(-1, 12);
  });
});
