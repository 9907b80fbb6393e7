// Findings of whole comparisons about a part that does not differ while another part does.
import { describe, expect, it } from '@jest/globals';
import { createPart, listPartContrasts, narrowToSides } from '../../../deception/comparison/crossed-effects.ts';
import { winRate } from '../../../deception/metrics/outcomes.ts';
import { createRatioFigure } from '../../../deception/metrics/metric.ts';
import { draw } from '../../../state/random.ts';
import type { ArmedRow } from '../../../tools/validate/measurement-validation.ts';
import { exchanges, listBrokenParts, measurePartComparisons } from '../../../tools/validate/part-comparisons.ts';
import { itLong } from '../../it-long.ts';

const arms = [['x', 'x'], ['x', 'y'], ['y', 'x'], ['y', 'y']].map(([werewolves, villagers]) => ({ werewolves: werewolves!, villagers: villagers! })); // prettier-ignore
const { identified } = listPartContrasts(arms);
const chance = draw(4, 'parts');
const metric = { ...narrowToSides(winRate)!, ...createRatioFigure('part', 'whole') };

/** Rows of all parts of a figure. X and Y differ as Werewolves, as the village, and in the interaction. */
const rows: ArmedRow[] = ['werewolves', 'villagers'].flatMap((team) => {
  const deals = Array.from({ length: 30 }, () =>
    [0.9, 0.6, 0.4, 0.6].map((rate) => ({
      part: Array.from({ length: 10 }, () => chance.fraction()).filter((one) => one < rate).length,
      whole: 10,
    })),
  );
  return identified.map((one) => ({
    ...{ metric, cell: { team }, contrast: one.contrast, isJoint: false, arms: one.arms },
    ...{ part: createPart(one, metric, { team }), deals: deals.map((sums) => one.arms.map((arm) => sums[arm]!)) },
  }));
});
const trial = { size: 20, repetitions: 60, resamples: 99, seed: 2 };

describe('comparisons of deals whose labels are exchanged at random', () => {
  it('leave the part that stays as it is, and nothing of the others', () => {
    for (const [exchanged, { order, isNull }] of Object.entries(exchanges))
      for (const { side, contrast, arms: own } of identified) {
        const weights = [0, 0, 0, 0];
        own.forEach((arm, place) => (weights[arm]! += contrast.a[place]! - contrast.b[place]!));
        const swapped = order.map((arm) => weights[arm]!);
        expect([exchanged, side, swapped]).toEqual([
          exchanged,
          side,
          weights.map((weight) => (isNull(side) ? 0 - weight : weight)),
        ]);
      }
  });

  itLong('find little where nothing is left, though the other part differs much', () => {
    const found = measurePartComparisons(rows, 'werewolves', trial);
    // The Werewolves' model is the actor for Werewolves, and the opponent for villagers.
    expect(found.map(({ family }) => family)).toEqual(['actor', 'interaction', 'opponent']);
    for (const { any, comparisons, tested } of found) {
      expect(comparisons).toBe(60);
      expect(tested).toBeGreaterThanOrEqual(60);
      expect(any).toBeLessThan(10);
    }
  });

  it('are counted as broken only where chance cannot be blamed', () => {
    const count = (any: number) => ({ any, comparisons: 400 });
    expect(listBrokenParts([count(20), count(28), count(60)])).toEqual([count(60)]);
  });
});
