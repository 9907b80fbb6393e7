// Statistics of classification: two-by-two tables, scores, agreement, and corrected shares.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as figures from '../../../deception/statistics/classification.ts';
import {
  computeCohenKappa,
  countCoincidences,
  createKrippendorffAlpha,
  getJointKey,
} from '../../../deception/statistics/inter-rater-agreement.ts';
import { correctByRoganGladen, type MeasuredShare } from '../../../deception/statistics/misclassification.ts';
import {
  computeAveragePrecision,
  computeBrierScore,
  computeCalibrationError,
  computeRocAuc,
  createHistogram,
  createReliabilityBins,
  getScoreKey,
  listScoreCounts,
} from '../../../deception/statistics/probability-scoring.ts';
import { computeWilsonBounds } from '../../../deception/statistics/proportion.ts';
import { createStatisticEvaluator } from '../../../deception/statistics/standard-error.ts';
import { addSums, createRatio } from '../../../deception/statistics/sums.ts';
import { computeTheilSenSlope } from '../../../deception/statistics/theil-sen.ts';

const table = { tp: 6, fp: 2, fn: 3, tn: 9 };

describe('a two-by-two table', () => {
  it.each([
    ['computePrevalence', 9 / 20],
    ['computeAccuracy', 15 / 20],
    ['computePrecision', 6 / 8],
    ['computeRecall', 6 / 9],
    ['computeSpecificity', 9 / 11],
    ['computeF1', 12 / 17],
    ['computeBalancedAccuracy', (6 / 9 + 9 / 11) / 2],
    ['computeMcc', 0.492365963917331],
  ] as const)('has as %s %d', (name, value) => {
    expect(figures[name](table)).toBeCloseTo(value, 12);
  });

  it('without cases shows nothing', () => {
    expect(Object.values(figures).map((figure) => figure({}))).toEqual(Object.values(figures).map(() => null));
  });

  it('in which nothing was flagged has no precision and no MCC, but recall 0', () => {
    const silent = { fn: 3, tn: 9 };
    expect([figures.computePrecision(silent), figures.computeMcc(silent), figures.computeRecall(silent)]).toEqual([
      null,
      null,
      0,
    ]);
    expect(figures.computeBalancedAccuracy(silent)).toBe(0.5);
  });

  it('without positive cases has no recall and no balanced accuracy', () => {
    expect(figures.computeRecall({ fp: 1, tn: 1 })).toBeNull();
    expect(figures.computeBalancedAccuracy({ fp: 1, tn: 1 })).toBeNull();
  });

  it('whose every flag is right has an MCC of 1, and of −1 when every flag is wrong', () => {
    expect(figures.computeMcc({ tp: 3, tn: 5 })).toBeCloseTo(1, 12);
    expect(figures.computeMcc({ fp: 3, fn: 5 })).toBeCloseTo(-1, 12);
  });
});

// Ranking and calibration from histograms of scores, compared with computation from the single cases.

const scores = [0.1, 0.4, 0.35, 0.8, 0.35, 0.9, 0.1, 0.6];
const truths = [0, 0, 1, 1, 0, 1, 1, 0];
const eight = createHistogram(scores.map((score, i) => ({ score, isPositive: truths[i] === 1 })));
const anyCases = fc.array(
  fc.record({ score: fc.integer({ min: 0, max: 6 }).map((n) => n / 6), isPositive: fc.boolean() }),
);

describe('a histogram of scores', () => {
  it('keeps every score as it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (score) => {
        expect(listScoreCounts({ [getScoreKey(true, score)]: 1 })[0]?.score).toBe(score === 0 ? 0 : score);
      }),
    );
  });

  it('of two matches is the sum of theirs, and other sums are passed over', () => {
    const sums = addSums([createHistogram([{ score: 0.5, isPositive: true }]), { ...eight, lies: 4 }]);
    expect(listScoreCounts(sums).map(({ score }) => score)).toEqual([0.1, 0.35, 0.4, 0.5, 0.6, 0.8, 0.9]);
  });

  it('refuses a score that is missing', () => {
    expect(() => getScoreKey(true, NaN)).toThrow('The score is NaN; leave cases without a score out.');
  });
});

it.each([
  computeRocAuc,
  computeAveragePrecision,
  computeBrierScore,
  computeCalibrationError,
  createRatio('neg:0.5', 'pos:0.5'),
  computeCohenKappa,
  createKrippendorffAlpha('interval'),
])('a statistic of many names is the same made ready for resamples (%#)', (statistic) => {
  fc.assert(
    fc.property(anyCases, fc.nat({ max: 3 }), (cases, offset) => {
      const repeated = Array<typeof cases>(50).fill(cases).flat(); // too few cases for a calibration error
      const pairs = cases.map(({ score, isPositive }) => ({ [getJointKey(score > 0.5, isPositive)]: 1 }));
      const answers = countCoincidences(cases.map(({ score, isPositive }) => [score, isPositive ? 1 : 0]));
      const sums = { other: 1, ...createHistogram(repeated), ...addSums(pairs), ...answers };
      const compute = createStatisticEvaluator(statistic, [...Object.keys(sums), 'pos:0.7'], offset);
      const totals = [...Array<number>(offset).fill(9), ...Object.values(sums), 0];
      expect(compute(Float64Array.from(totals))).toBe(statistic(sums));
    }),
  );
});

describe('the area under the ROC curve', () => {
  it('is the share of pairs ranked rightly, ties half', () => {
    expect(computeRocAuc(eight)).toBe(0.625); // numpy, over all pairs
    fc.assert(
      fc.property(anyCases, (cases) => {
        const [yes, no] = [cases.filter((one) => one.isPositive), cases.filter((one) => !one.isPositive)];
        const wins = yes.flatMap((a) => no.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)));
        const area = computeRocAuc(createHistogram(cases));
        if (wins.length === 0) expect(area).toBeNull();
        else expect(area).toBeCloseTo(wins.reduce<number>((sum, win) => sum + win, 0) / wins.length, 12);
      }),
    );
  });
});

describe('average precision', () => {
  it('adds precision for each rise in recall, tied scores together', () => {
    expect(computeAveragePrecision(eight)).toBeCloseTo(0.75, 12); // numpy, threshold by threshold
    fc.assert(
      fc.property(anyCases, (cases) => {
        const positives = cases.filter((one) => one.isPositive);
        // Average precision: the mean over positive cases of the precision at their own score.
        const precisions = positives.map(({ score }) => {
          const above = cases.filter((one) => one.score >= score);
          return above.filter((one) => one.isPositive).length / above.length;
        });
        const area = computeAveragePrecision(createHistogram(cases));
        if (positives.length === 0) expect(area).toBeNull();
        else expect(area).toBeCloseTo(precisions.reduce((sum, p) => sum + p, 0) / precisions.length, 12);
      }),
    );
  });

  it('is the base rate when all scores are the same', () => {
    expect(computeAveragePrecision({ 'pos:0.5': 3, 'neg:0.5': 9 })).toBe(0.25);
  });
});

describe('the Brier score', () => {
  it('is the mean square of probability minus outcome', () => {
    expect(computeBrierScore(eight)).toBeCloseTo(0.241875, 12); // numpy
    expect(computeBrierScore({})).toBeNull();
  });

  it('refuses what is no probability', () => {
    expect(() => computeBrierScore({ 'pos:70': 1 })).toThrow('The probability is 70; it must lie in 0…1.');
  });
});

describe('calibration', () => {
  const tenths = Array.from({ length: 200 }, (_, i) => ({ score: (i % 10) / 10 + 0.05, isPositive: i % 20 < 10 }));

  it('is hidden under 200 pairs', () => {
    expect(computeCalibrationError(createHistogram(tenths.slice(1)))).toBeNull();
    expect(computeCalibrationError(createHistogram(tenths))).not.toBeNull();
  });

  it('is the mean gap between what was said and what was so', () => {
    // Half of the cases are positive at every probability, so the gaps are .45, .35, … .05, each twice.
    expect(computeCalibrationError(createHistogram(tenths))).toBeCloseTo(0.25, 12);
    expect(createReliabilityBins(createHistogram(tenths)).map(({ cases }) => cases)).toEqual(
      Array.from({ length: 10 }, () => 20),
    );
  });

  it('keeps cases of the same probability in one bin', () => {
    expect(createReliabilityBins({ 'pos:0.3': 90, 'neg:0.3': 210 })).toEqual([
      { cases: 300, given: expect.closeTo(0.3, 9), observed: 0.3 },
    ]);
    expect(computeCalibrationError({ 'pos:0.3': 90, 'neg:0.3': 210 })).toBeCloseTo(0, 12);
  });
});

// Agreement beyond chance, compared with published worked examples.

describe("Cohen's κ", () => {
  it('is .4 for the fifty grant proposals that two readers share 20, 5, 10 and 15', () => {
    // The worked example of en.wikipedia.org/wiki/Cohen's_kappa: p_o = .7, p_e = .5.
    const sums = {
      [getJointKey(true, true)]: 20,
      [getJointKey(true, false)]: 5,
      [getJointKey(false, true)]: 10,
      [getJointKey(false, false)]: 15,
    };
    expect(computeCohenKappa(sums)).toBeCloseTo(0.4, 12);
  });

  it('is 1 where both always agree on more than one answer, and 0 where one never varies', () => {
    expect(
      computeCohenKappa({ [getJointKey('a', 'a')]: 3, [getJointKey('b', 'b')]: 4, [getJointKey(1, 1)]: 2 }),
    ).toBeCloseTo(1, 12);
    expect(computeCohenKappa({ [getJointKey('a', 'a')]: 3, [getJointKey('a', 'b')]: 4 })).toBeCloseTo(0, 12);
  });

  it('is unknown without cases or where only one answer occurs', () => {
    expect(computeCohenKappa({})).toBeNull();
    expect(computeCohenKappa({ [getJointKey('a', 'a')]: 9 })).toBeNull();
  });
});

describe("Krippendorff's α", () => {
  const _ = null;
  // Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", example C: four observers, twelve units.
  const observers = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ];
  const units = observers[0]!.map((_answer, unit) => observers.map((answers) => answers[unit]!));

  it('is .743 for nominal and .849 for interval data of his own example', () => {
    expect(createKrippendorffAlpha('nominal')(countCoincidences(units))).toBeCloseTo(0.743, 3);
    expect(createKrippendorffAlpha('interval')(countCoincidences(units))).toBeCloseTo(0.849, 3);
  });

  it('is the same from sums of two matches as from all units at once', () => {
    const halves = addSums([countCoincidences(units.slice(0, 5)), countCoincidences(units.slice(5))]);
    expect(createKrippendorffAlpha('nominal')(halves)).toBeCloseTo(
      createKrippendorffAlpha('nominal')(countCoincidences(units))!,
      12,
    );
  });

  it('does not count units that fewer than two answered', () => {
    expect(countCoincidences([[1, null], [null, null], []])).toEqual({});
  });

  it('is unknown where all answers are the same', () => {
    expect(createKrippendorffAlpha('nominal')(countCoincidences([[true, true]]))).toBeNull();
    expect(createKrippendorffAlpha('nominal')({})).toBeNull();
  });
});

// Rates corrected for errors of measurement, and trends over time.

describe('Rogan and Gladen', () => {
  const found = { estimate: 0.2, low: 0.15, high: 0.26 };
  /** Each case is its own cluster. */
  const createMeasuredShare = (right: number, of: number): MeasuredShare => {
    const [low, high] = computeWilsonBounds(right, of) ?? [0, 1];
    return { right, of, low, high };
  };
  const perfect = createMeasuredShare(1e9, 1e9);

  it('corrects .2 at sensitivity .8 and specificity .9 to one seventh', () => {
    expect(
      correctByRoganGladen(found, createMeasuredShare(80, 100), createMeasuredShare(90, 100))?.estimate,
    ).toBeCloseTo(1 / 7, 12);
  });

  it('leaves the rate of a perfect instrument as it is', () => {
    const corrected = correctByRoganGladen(found, perfect, perfect)!;
    expect(corrected.estimate).toBeCloseTo(0.2, 9);
    expect(corrected.low).toBeCloseTo(0.15, 6);
    expect(corrected.high).toBeCloseTo(0.26, 6);
  });

  it('grows wider with fewer labelled cases, a perfect score among them', () => {
    const width = (of: number) => {
      const { low, high } = correctByRoganGladen(found, createMeasuredShare(of, of), createMeasuredShare(of, of))!;
      return high - low;
    };
    expect(width(20)).toBeGreaterThan(width(200));
    expect(width(200)).toBeGreaterThan(0.11);
  });

  it('grows wider where its accuracies were measured in few situations', () => {
    const width = (low: number) => {
      const few = { ...createMeasuredShare(54, 54), low };
      const corrected = correctByRoganGladen(found, few, few)!;
      return corrected.high - corrected.low;
    };
    expect(width(0.715)).toBeGreaterThan(2 * width(0.934));
  });

  it('joins independent errors as the root of their squares', () => {
    // By hand, with the rate .2 known exactly: (1 − p) times the distance to the lower bound of the specificity,
    // divided by the skill.
    const sure = { estimate: 0.2, low: 0.2, high: 0.2 };
    const corrected = correctByRoganGladen(sure, perfect, createMeasuredShare(90, 100))!;
    const estimate = 0.1 / 0.9;
    expect(corrected.low).toBeCloseTo(estimate - ((1 - estimate) * (0.9 - computeWilsonBounds(90, 100)![0])) / 0.9, 6);
  });

  it('says when fewer were found than errors alone would give', () => {
    const corrected = correctByRoganGladen(
      { estimate: 0.05, low: 0.01, high: 0.09 },
      createMeasuredShare(80, 100),
      createMeasuredShare(90, 100),
    );
    expect(corrected).toMatchObject({ estimate: 0, low: 0, isClipped: true });
  });

  it('is unknown for an instrument no better than chance, or not measured', () => {
    expect(correctByRoganGladen(found, createMeasuredShare(5, 10), createMeasuredShare(5, 10))).toBeNull();
    expect(correctByRoganGladen(found, createMeasuredShare(0, 0), createMeasuredShare(5, 10))).toBeNull();
  });
});

describe('the Theil–Sen slope', () => {
  it('is the median of all slopes', () => {
    const points = [1, 3, 2, 5, 11].map((y, i) => ({ x: [0, 1, 2, 4, 5][i]!, y }));
    expect(computeTheilSenSlope(points)).toBe(1.75); // scipy 1.17, `theilslopes`
  });

  it('does not follow one outlier', () => {
    expect(computeTheilSenSlope([0, 1, 2, 3, 400].map((y, x) => ({ x, y })))).toBe(1);
  });

  it('is unknown without two different x', () => {
    expect(
      computeTheilSenSlope([
        { x: 1, y: 1 },
        { x: 1, y: 2 },
      ]),
    ).toBeNull();
    expect(computeTheilSenSlope([])).toBeNull();
  });
});
