// Ranking and calibration from histograms of scores, against brute force over the cases.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brier, calibrationError, reliabilityBins } from '../../../deception/statistics/calibration.ts';
import { barsOf, histogram, scoreKey } from '../../../deception/statistics/histogram.ts';
import { averagePrecision, rocAuc } from '../../../deception/statistics/ranking.ts';
import { addSums } from '../../../deception/statistics/sums.ts';

const scores = [0.1, 0.4, 0.35, 0.8, 0.35, 0.9, 0.1, 0.6];
const truths = [0, 0, 1, 1, 0, 1, 1, 0];
const eight = histogram(scores.map((score, i) => ({ score, isPositive: truths[i] === 1 })));
const anyCases = fc.array(
  fc.record({ score: fc.integer({ min: 0, max: 6 }).map((n) => n / 6), isPositive: fc.boolean() }),
);

describe('a histogram of scores', () => {
  it('keeps every score as it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (score) => {
        expect(barsOf({ [scoreKey(true, score)]: 1 })[0]?.score).toBe(score === 0 ? 0 : score);
      }),
    );
  });

  it('of two matches is the sum of theirs, and other sums are passed over', () => {
    const sums = addSums([histogram([{ score: 0.5, isPositive: true }]), { ...eight, lies: 4 }]);
    expect(barsOf(sums).map(({ score }) => score)).toEqual([0.1, 0.35, 0.4, 0.5, 0.6, 0.8, 0.9]);
  });

  it('refuses a score that is missing', () => {
    expect(() => scoreKey(true, NaN)).toThrow('The score is NaN; leave cases without a score out.');
  });
});

describe('the area under the ROC curve', () => {
  it('is the share of pairs ranked rightly, ties half', () => {
    expect(rocAuc(eight)).toBe(0.625); // numpy, over all pairs
    fc.assert(
      fc.property(anyCases, (cases) => {
        const [yes, no] = [cases.filter((one) => one.isPositive), cases.filter((one) => !one.isPositive)];
        const wins = yes.flatMap((a) => no.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)));
        const area = rocAuc(histogram(cases));
        if (wins.length === 0) expect(area).toBeNull();
        else expect(area).toBeCloseTo(wins.reduce<number>((sum, win) => sum + win, 0) / wins.length, 12);
      }),
    );
  });
});

describe('average precision', () => {
  it('adds precision for each rise in recall, tied scores together', () => {
    expect(averagePrecision(eight)).toBeCloseTo(0.75, 12); // numpy, threshold by threshold
    fc.assert(
      fc.property(anyCases, (cases) => {
        const positives = cases.filter((one) => one.isPositive);
        // The mean over positive cases of precision at their own score.
        const precisions = positives.map(({ score }) => {
          const above = cases.filter((one) => one.score >= score);
          return above.filter((one) => one.isPositive).length / above.length;
        });
        const area = averagePrecision(histogram(cases));
        if (positives.length === 0) expect(area).toBeNull();
        else expect(area).toBeCloseTo(precisions.reduce((sum, p) => sum + p, 0) / precisions.length, 12);
      }),
    );
  });

  it('is the base rate when all scores are the same', () => {
    expect(averagePrecision({ 'pos:0.5': 3, 'neg:0.5': 9 })).toBe(0.25);
  });
});

describe('the Brier score', () => {
  it('is the mean square of probability minus outcome', () => {
    expect(brier(eight)).toBeCloseTo(0.241875, 12); // numpy
    expect(brier({})).toBeNull();
  });

  it('refuses what is no probability', () => {
    expect(() => brier({ 'pos:70': 1 })).toThrow('The probability is 70; it must lie in 0…1.');
  });
});

describe('calibration', () => {
  const tenths = Array.from({ length: 200 }, (_, i) => ({ score: (i % 10) / 10 + 0.05, isPositive: i % 20 < 10 }));

  it('is hidden under 200 pairs', () => {
    expect(calibrationError(histogram(tenths.slice(1)))).toBeNull();
    expect(calibrationError(histogram(tenths))).not.toBeNull();
  });

  it('is the mean gap between what was said and what was so', () => {
    // Half are so at every probability: gaps .45, .35, … .05 twice each.
    expect(calibrationError(histogram(tenths))).toBeCloseTo(0.25, 12);
    expect(reliabilityBins(histogram(tenths)).map(({ cases }) => cases)).toEqual(Array.from({ length: 10 }, () => 20));
  });

  it('keeps cases of the same probability in one bin', () => {
    expect(reliabilityBins({ 'pos:0.3': 90, 'neg:0.3': 210 })).toEqual([
      { cases: 300, given: expect.closeTo(0.3, 9), observed: 0.3 },
    ]);
    expect(calibrationError({ 'pos:0.3': 90, 'neg:0.3': 210 })).toBeCloseTo(0, 12);
  });
});
