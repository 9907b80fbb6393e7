// Curves behind figures of scores, compared with the cases from which they are computed.
import { describe, expect, it } from '@jest/globals';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { computeRocAuc, createHistogram } from '../../../deception/statistics/probability-scoring.ts';
import { addSums } from '../../../deception/statistics/sums.ts';
import { computeCurve, hasCurve } from '../../../deception/summary/score-curves.ts';
import { draw } from '../../../state/random.ts';

const metric = 'belief_roc_auc';
const cell = { source: 'match', kind: 'beliefs' };

/** Thirty matches of ten scores in hundredths. Each score is right as often as it states. */
const matches = Array.from({ length: 30 }, (_, match) =>
  Array.from({ length: 10 }, (_, at) => {
    const random = draw(1, 'case', match, at);
    const score = random.integer(101) / 100;
    return { score, isPositive: random.fraction() < score };
  }),
);
const clusters = matches.map((cases, at) => ({ unit: String(at), sums: createHistogram(cases) }));
const cases = matches.flat();
const curve = computeCurve({ metric, cell, clusters }, createResampling(30, 200, 1));

describe('the ROC curve', () => {
  it('goes up from nothing to all, each point being what its threshold flags', () => {
    const shareFrom = (threshold: number, isPositive: boolean) => {
      const own = cases.filter((one) => one.isPositive === isPositive);
      return own.filter(({ score }) => score >= threshold).length / own.length;
    };
    const [start, ...points] = curve.roc;
    expect(start).toEqual({ threshold: null, hit_rate: 0, false_alarm_rate: 0 });
    expect(points.at(-1)).toMatchObject({ hit_rate: 1, false_alarm_rate: 1 });
    for (const { threshold, hit_rate: hits, false_alarm_rate: falseAlarms } of points) {
      expect(hits).toBeCloseTo(shareFrom(threshold!, true), 12);
      expect(falseAlarms).toBeCloseTo(shareFrom(threshold!, false), 12);
    }
  });

  it('has the AUC under it', () => {
    const area = curve.roc.slice(1).reduce((sum, { hit_rate: hits, false_alarm_rate: falseAlarms }, at) => {
      const before = curve.roc[at]!;
      return sum + ((hits + before.hit_rate) / 2) * (falseAlarms - before.false_alarm_rate);
    }, 0);
    expect(area).toBeCloseTo(computeRocAuc(addSums(clusters.map(({ sums }) => sums)))!, 12);
  });

  it('is missing without cases of both kinds', () => {
    const one = [{ unit: '0', sums: createHistogram([{ score: 0.4, isPositive: true }]) }];
    expect(computeCurve({ metric, cell, clusters: one }, createResampling(1, 10, 1)).roc).toEqual([]);
  });
});

describe('the bins', () => {
  it('take every score once, by tenths, with the share that is so and its interval', () => {
    expect(curve.bins.reduce((sum, bin) => sum + bin.cases, 0)).toBe(cases.length);
    for (const { from, to, share, mean_score: mean, low, high, cases: count, matches: having } of curve.bins) {
      const within = (score: number) => Math.min(9, Math.floor(Math.round(score * 100) / 10)) === Math.round(from * 10);
      const own = cases.filter(({ score }) => within(score));
      expect([count, to - from]).toEqual([own.length, expect.closeTo(0.1, 9)]);
      expect(having).toBe(matches.filter((some) => some.some(({ score }) => within(score))).length);
      expect(share).toBeCloseTo(own.filter(({ isPositive }) => isPositive).length / own.length, 12);
      expect(mean).toBeCloseTo(own.reduce((sum, { score }) => sum + score, 0) / own.length, 12);
      expect(low!).toBeLessThanOrEqual(share!);
      expect(high!).toBeGreaterThanOrEqual(share!);
    }
  });

  it('without a case are left out', () => {
    const two = [{ unit: '0', sums: createHistogram([{ score: 1, isPositive: true }, { score: 0.3, isPositive: false }]) }]; // prettier-ignore
    const { bins } = computeCurve({ metric, cell, clusters: two }, createResampling(1, 10, 1));
    expect(bins.map(({ from, share, low }) => [from, share, low])).toEqual([
      [0.3, 0, null],
      [0.9, 1, null],
    ]);
  });
});

it.each([
  [{}, true],
  [{ cell: { ...cell, observer_model: 'x' } }, true],
  [{ cell: { ...cell, observer_team: 'villagers' } }, false],
  [{ cell: { ...cell, source: 'an annotator' } }, false],
  [{ cell: { source: 'match', kind: 'debate', could_know: 'true' } }, false],
  [{ cell: { source: 'match', kind: 'debate', speaker_team: 'villagers' } }, false],
  [{ sample: 'few_fallbacks' }, false],
  [{ metric: 'belief_brier' }, false],
])('curves are of listeners who could not know, by model at most: %j', (changes, isSo) => {
  expect(hasCurve({ sample: 'all', metric, cell, ...changes })).toBe(isSo);
});
