// Equality within a margin: two one-sided tests, whose margin comes from the command, the plan, or the effect of an endpoint.
import { describe, expect, it } from '@jest/globals';
import { AnalysisPlan } from '../../../deception/comparison/analysis-plan.ts';
import type { ContrastedFigure } from '../../../deception/comparison/contrasted-figure.ts';
import { testEquivalence } from '../../../deception/comparison/equivalence.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { pairContrast } from '../../../deception/statistics/paired-test.ts';
import { createRatio, type Sums } from '../../../deception/statistics/sums.ts';
import { draw, drawNormal } from '../../../state/random.ts';
import { itLong } from '../../it-long.ts';

const chance = draw(3, 'equivalence');
const metric = { ...metrics.find(({ name }) => name === 'belief_brier')!, value: createRatio('total', 'of') };
const resampling = createResampling(40, 199, 1);

/** Forty deals whose arms differ by about the given amount, with a standard error of about .01. */
const createRow = (difference: number): ContrastedFigure => ({
  ...{ metric, cell: { source: 'match' }, contrast: pairContrast, isJoint: false, part: null },
  deals: Array.from({ length: 40 }, (): Sums[] => {
    const shared = 0.5 + 0.05 * drawNormal(chance);
    const noise = () => 0.045 * drawNormal(chance);
    return [
      { total: shared + difference + noise(), of: 1 },
      { total: shared + noise(), of: 1 },
    ];
  }),
});
const plan = AnalysisPlan.parse({ endpoints: [{ metric: 'belief_brier', of: { source: 'match' }, effect: 0.05 }] });

describe('equality within a margin', () => {
  it('has the margin of the command, else that of the plan, else the effect of the endpoint', () => {
    const row = createRow(0);
    const find = (of: Parameters<typeof testEquivalence>[1], named: Record<string, number> = {}) =>
      testEquivalence([row], of, named, resampling).map(({ margin, named_in: where }) => [margin, where]);
    expect(find(plan)).toEqual([[0.05, 'effect']]);
    expect(find({ ...plan, equivalent: { belief_brier: 0.04 } })).toEqual([[0.04, 'plan']]);
    expect(find({ ...plan, equivalent: { belief_brier: 0.04 } }, { belief_brier: 0.03 })).toEqual([[0.03, 'command']]);
    expect(find(null)).toEqual([]);
    expect(find(null, { belief_brier: 0.03 })).toEqual([[0.03, 'command']]);
    expect(() => find(null, { lie_rat: 0.03 })).toThrow(
      'lie_rat is not among the figures compared. Known: belief_brier.',
    );
  });

  it('is the 90 % interval within ± the margin, and none with too few deals', () => {
    const [one] = testEquivalence([createRow(0)], plan, {}, resampling);
    expect(one).toMatchObject({ is_equivalent: true, deals: 40 });
    expect(one!.high! - one!.low!).toBeLessThan(0.05);
    expect(testEquivalence([createRow(0.1)], plan, {}, resampling)[0]!.is_equivalent).toBe(false);
    const few = { ...createRow(0), deals: createRow(0).deals.slice(0, 5) };
    expect(testEquivalence([few], plan, {}, resampling)[0]).toMatchObject({ low: null, is_equivalent: null });
  });

  itLong(
    'is claimed in at most 5 % where the true difference is the margin, and nearly always where there is none',
    () => {
      const count = (difference: number) =>
        Array.from({ length: 300 }, () => testEquivalence([createRow(difference)], plan, {}, resampling)[0]!).filter(
          ({ is_equivalent: isSo }) => isSo,
        ).length;
      expect(count(0.05)).toBeLessThan(27); // 5 % of 300, plus three standard errors
      expect(count(0)).toBeGreaterThan(290);
    },
  );
});
