// Rates corrected for errors of measurement, and trends.
import { describe, expect, it } from '@jest/globals';
import { roganGladen, type Measured } from '../../../deception/statistics/misclassification.ts';
import { wilson } from '../../../deception/statistics/proportion.ts';
import { theilSen } from '../../../deception/statistics/rank-trend.ts';

describe('Rogan and Gladen', () => {
  const found = { estimate: 0.2, low: 0.15, high: 0.26 };
  /** As if every case were one of its own. */
  const measured = (right: number, of: number): Measured => {
    const [low, high] = wilson(right, of) ?? [0, 1];
    return { right, of, low, high };
  };
  const perfect = measured(1e9, 1e9);

  it('corrects .2 at sensitivity .8 and specificity .9 to one seventh', () => {
    expect(roganGladen(found, measured(80, 100), measured(90, 100))?.estimate).toBeCloseTo(1 / 7, 12);
  });

  it('leaves the rate of a perfect instrument as it is', () => {
    const corrected = roganGladen(found, perfect, perfect)!;
    expect(corrected.estimate).toBeCloseTo(0.2, 9);
    expect(corrected.low).toBeCloseTo(0.15, 6);
    expect(corrected.high).toBeCloseTo(0.26, 6);
  });

  it('grows wider with fewer labelled cases, a perfect score among them', () => {
    const width = (of: number) => {
      const { low, high } = roganGladen(found, measured(of, of), measured(of, of))!;
      return high - low;
    };
    expect(width(20)).toBeGreaterThan(width(200));
    expect(width(200)).toBeGreaterThan(0.11);
  });

  it('grows wider where its accuracies were measured in few situations', () => {
    const width = (low: number) => {
      const few = { ...measured(54, 54), low };
      const corrected = roganGladen(found, few, few)!;
      return corrected.high - corrected.low;
    };
    expect(width(0.715)).toBeGreaterThan(2 * width(0.934));
  });

  it('joins independent errors as the root of their squares', () => {
    // By hand at rate .2 exactly known: (1 − p) times the distance to the specificity's lower bound, over the skill.
    const sure = { estimate: 0.2, low: 0.2, high: 0.2 };
    const corrected = roganGladen(sure, perfect, measured(90, 100))!;
    const estimate = 0.1 / 0.9;
    expect(corrected.low).toBeCloseTo(estimate - ((1 - estimate) * (0.9 - wilson(90, 100)![0])) / 0.9, 6);
  });

  it('says when fewer were found than errors alone would give', () => {
    const corrected = roganGladen({ estimate: 0.05, low: 0.01, high: 0.09 }, measured(80, 100), measured(90, 100));
    expect(corrected).toMatchObject({ estimate: 0, low: 0, isClipped: true });
  });

  it('is unknown for an instrument no better than chance, or not measured', () => {
    expect(roganGladen(found, measured(5, 10), measured(5, 10))).toBeNull();
    expect(roganGladen(found, measured(0, 0), measured(5, 10))).toBeNull();
  });
});

describe('the Theil–Sen slope', () => {
  it('is the median of all slopes', () => {
    const points = [1, 3, 2, 5, 11].map((y, i) => ({ x: [0, 1, 2, 4, 5][i]!, y }));
    expect(theilSen(points)).toBe(1.75); // scipy 1.17, `theilslopes`
  });

  it('does not follow one outlier', () => {
    expect(theilSen([0, 1, 2, 3, 400].map((y, x) => ({ x, y })))).toBe(1);
  });

  it('is unknown without two different x', () => {
    expect(
      theilSen([
        { x: 1, y: 1 },
        { x: 1, y: 2 },
      ]),
    ).toBeNull();
    expect(theilSen([])).toBeNull();
  });
});
