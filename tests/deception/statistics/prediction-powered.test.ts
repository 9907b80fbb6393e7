// Rates corrected by people's labels: whatever errors a reader makes, intervals must contain the true rate as often as
// promised.
import { describe, expect, it } from '@jest/globals';
import {
  estimateCorrected,
  estimatePredictedRate,
  computeCorrectedSums,
  type PredictedUnit,
} from '../../../deception/statistics/prediction-powered.ts';
import { addSums } from '../../../deception/statistics/sums.ts';
import { draw } from '../../../state/random.ts';
import { itLong } from '../../it-long.ts';

/**
 * The planted truth: rates and the reader's errors by model, deals that differ in their statements, and a stratified
 * sample.
 */
interface Planted {
  deals: number;
  perDeal: number;
  labels: number;
  models: readonly { lies: number; missed: number; invented: number }[];
}

function simulate({ deals, perDeal, labels, models }: Planted, seed: number) {
  const random = draw(seed, 'gold');
  const statements = Array.from({ length: deals }, (_, deal) => {
    const mood = (random.fraction() - 0.5) * 0.2; // rates differ between deals
    return Array.from({ length: perDeal }, (__, place) => {
      const { lies, missed, invented } = models[place % models.length]!;
      const truth = Number(random.fraction() < lies + mood);
      const predicted = Number(random.fraction() < (truth === 1 ? 1 - missed : invented));
      return { cluster: `${deal}`, model: place % models.length, truth, predicted };
    });
  }).flat();
  const strata = [...Map.groupBy(statements, ({ model, predicted }) => `${model} ${predicted}`).values()];
  const units = strata.flatMap((stratum): PredictedUnit[] => {
    const count = Math.min(stratum.length, Math.round(labels / strata.length));
    const chosen = new Set(random.shuffle(stratum).slice(0, count));
    return stratum.map((one) => ({
      ...{ cluster: one.cluster, predicted: one.predicted },
      ...(chosen.has(one) ? { gold: { label: one.truth, probability: count / stratum.length } } : {}),
    }));
  });
  const planted = models.reduce((total, { lies }) => total + lies, 0) / models.length;
  return { units, planted };
}

/** Number of repetitions. `tests/long/many-repetitions.test.ts` makes 500. */
const runs = Number(process.env['WOLFGRAPH_RUNS'] ?? 100);

describe.each<[string, Planted]>([
  ['reads one model worse', { deals: 60, perDeal: 14, labels: 200, models: [{ lies: 0.3, missed: 0.05, invented: 0.02 }, { lies: 0.3, missed: 0.4, invented: 0.1 }] }], // prettier-ignore
  ['reads nothing', { deals: 60, perDeal: 14, labels: 200, models: [{ lies: 0.25, missed: 1, invented: 0 }, { lies: 0.35, missed: 1, invented: 0 }] }], // prettier-ignore
  ['reads all but exactly', { deals: 60, perDeal: 14, labels: 200, models: [{ lies: 0.3, missed: 0.1, invented: 0.05 }, { lies: 0.5, missed: 0.1, invented: 0.05 }] }], // prettier-ignore
  ['reads one of the models that a report tells apart', { deals: 60, perDeal: 7, labels: 100, models: [{ lies: 0.3, missed: 0.4, invented: 0.1 }] }], // prettier-ignore
])('with a judge that %s', (_what, planted) => {
  itLong('the interval holds the planted rate in 94 to 96 % of repetitions', () => {
    const found = Array.from({ length: runs }, (__, seed) => {
      const { units, planted: truth } = simulate(planted, seed);
      const { low, high, value } = estimatePredictedRate(units)!;
      return { isHeld: low! <= truth && truth <= high!, error: value - truth };
    });
    const coverage = found.filter(({ isHeld }) => isHeld).length / runs;
    const noise = 2.6 * Math.sqrt((0.05 * 0.95) / runs);
    expect(coverage).toBeGreaterThan(0.94 - noise);
    expect(coverage).toBeLessThan(0.96 + noise);
    expect(Math.abs(found.reduce((total, { error }) => total + error, 0) / runs)).toBeLessThan(0.11 / Math.sqrt(runs));
    if (process.env['WOLFGRAPH_SHOW']) console.log(_what, coverage);
  });
});

describe.each<[string, number, Planted['models'], number]>([
  ['reads one model worse', 100, [{ lies: 0.3, missed: 0.05, invented: 0.02 }, { lies: 0.3, missed: 0.4, invented: 0.1 }], 50], // prettier-ignore
  [
    'reads nothing',
    100,
    [
      { lies: 0.3, missed: 1, invented: 0 },
      { lies: 0.3, missed: 1, invented: 0 },
    ],
    50,
  ],
  ['reads one model worse, by fifty labels each', 50, [{ lies: 0.2, missed: 0.1, invented: 0.02 }, { lies: 0.4, missed: 0.3, invented: 0.05 }], 50], // prettier-ignore
])('the difference of two models, with a judge that %s,', (_what, labels, models, usual) => {
  it('has an interval that holds the planted one, and p at most .05 in as few repetitions as promised', () => {
    const repetitions = process.env['WOLFGRAPH_RUNS'] === undefined ? usual : runs;
    const found = Array.from({ length: repetitions }, (__, seed) => {
      const sides = models.map((model, side) => {
        // Deals differ, but not in the same way for both models: paired deals would only narrow the interval.
        const { units } = simulate({ deals: 60, perDeal: 7, labels, models: [model] }, 2 * seed + side);
        const sums = computeCorrectedSums(units)?.sums ?? [];
        return Map.groupBy(
          units.map(({ cluster }, place) => ({ cluster, sums: sums[place] ?? {} })),
          ({ cluster }) => cluster,
        );
      });
      const deals = [...(sides[0]?.keys() ?? [])].map((deal) =>
        sides.map((side) => addSums((side.get(deal) ?? []).map(({ sums }) => sums))),
      );
      const { low, high, p, estimate } = estimateCorrected(deals, [1, -1])!;
      expect(p! <= 0.05).toBe(low! > 0 || high! < 0);
      const truth = models[0]!.lies - models[1]!.lies;
      return { isHeld: low! <= truth && truth <= high!, error: estimate - truth };
    });
    const coverage = found.filter(({ isHeld }) => isHeld).length / repetitions;
    const noise = 2.6 * Math.sqrt((0.05 * 0.95) / repetitions);
    expect(coverage).toBeGreaterThan(0.94 - noise);
    expect(Math.abs(found.reduce((total, { error }) => total + error, 0) / repetitions)).toBeLessThan(
      0.18 / Math.sqrt(repetitions),
    );
    if (process.env['WOLFGRAPH_SHOW']) console.log('difference', _what, coverage);
  });
});

describe('a rate', () => {
  it('is that of the labels where the reader tells nothing, and null without labels', () => {
    const units = Array.from({ length: 40 }, (_, place): PredictedUnit => ({
      ...{ cluster: `${place}`, predicted: 0 },
      gold: { label: Number(place % 4 === 0), probability: 1 },
    }));
    expect(estimatePredictedRate(units)).toMatchObject({ value: 0.25, uncorrected: 0, lambda: 0, labeled: 40 });
    expect(estimatePredictedRate(units.map(({ cluster, predicted }) => ({ cluster, predicted })))).toBeNull();
  });

  it('has a narrower interval where the reader is right', () => {
    const planted = { deals: 60, perDeal: 14, labels: 200, models: [{ lies: 0.4, missed: 0.02, invented: 0.02 }] };
    const { units } = simulate(planted, 1);
    const measure = (some: PredictedUnit[]) => {
      const { low, high } = estimatePredictedRate(some)!;
      return high! - low!;
    };
    expect(measure(units)).toBeLessThan(0.8 * measure(units.map((one) => ({ ...one, predicted: 0 }))));
  });

  it('has no interval where only one deal has labels', () => {
    const gold = { label: 1, probability: 0.5 };
    const units = [
      { cluster: 'a', predicted: 1, gold },
      { cluster: 'b', predicted: 0 },
    ];
    expect(estimatePredictedRate(units)).toMatchObject({ low: null, high: null });
  });
});
