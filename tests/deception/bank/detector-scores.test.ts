// Detectors with a known skill: the table must measure that skill.
import { describe, expect, it } from '@jest/globals';
import type { BankStatement } from '../../../deception/bank/bank-rows.ts';
import { measureDetector } from '../../../deception/bank/detector-scores.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { createTruePositiveRate } from '../../../deception/statistics/probability-scoring.ts';
import { draw, drawNormal } from '../../../state/random.ts';
import { itLong } from '../../it-long.ts';

/**
 * Creates the given number of deals. In each, a Werewolf's false claim and a villager's true claim of a role occur
 * three times in one debate.
 */
function createStatements(deals: number): BankStatement[] {
  return Array.from({ length: deals }, (_, deal) =>
    Array.from({ length: 6 }, (_, turn) => {
      const isLie = turn % 2 === 0;
      return {
        ...{ row: `m${deal}/s1.${turn + 1}`, match_id: `m${deal}`, deal: `six: ${deal}`, board: 'six', round: 1 },
        ...{ statement: `s1.${turn + 1}`, kind: 'debate', occasion: 'debate', speaker: isLie ? 'Dan' : 'Leah' },
        ...{ role: isLie ? 'Werewolf' : 'Seer', team: isLie ? 'werewolves' : 'villagers', is_lie: isLie },
        ...{ model: deal % 2 === 0 ? 'x' : 'y', listeners: 1, listeners_suspicion: 0.5, self_type: null },
        claims: [{ type: 'own_role', verdict: isLie ? 'lie' : 'true', is_true: !isLie, is_hedged: false }],
      } as unknown as BankStatement;
    }),
  ).flat();
}

const deals = 100;
const statements = createStatements(deals);
const resampling = createResampling(deals, 100, 1);
const measure = (scoreOf: (statement: BankStatement, place: number) => number | null) =>
  measureDetector(
    statements.map((statement, place) => ({ statement, score: scoreOf(statement, place) })),
    [],
    resampling,
  );

describe('a planted detector', () => {
  itLong('whose score is the label with standard normal noise has AUROC Φ(1/√2) = .760 within its interval', () => {
    const noise = draw(1, 'noise');
    const { rows } = measure(({ is_lie: isLie }) => (isLie ? 1 : 0) + drawNormal(noise));
    const { low, high, estimate } = rows[0]!.roc_auc;
    expect(Math.abs(estimate! - 0.76)).toBeLessThan(0.05);
    expect([low! < 0.7602, high! > 0.7602]).toEqual([true, true]);
    expect(high! - low!).toBeLessThan(0.12);
  });

  it('has in pairs the same share, since its noise knows no speaker', () => {
    const noise = draw(1, 'noise');
    const { pairs } = measure(({ is_lie: isLie }) => (isLie ? 1 : 0) + drawNormal(noise));
    const [{ share, pairs: n }] = pairs as [(typeof pairs)[number]];
    expect(n).toBeGreaterThan(100);
    expect(share.low!).toBeLessThan(0.76);
    expect(share.high!).toBeGreaterThan(0.76);
  });

  it('that always says the same has .5, and flags nothing at 1%', () => {
    const { rows, pairs } = measure(() => 0.3);
    expect(rows[0]).toMatchObject({ roc_auc: { estimate: 0.5 }, tpr_at_1: { estimate: 0 }, tpr_at_5: { estimate: 0 } });
    expect(pairs[0]!.share.estimate).toBe(0.5);
  });

  itLong('that only knows who is a Werewolf ranks all rightly, and in pairs is right half of the time', () => {
    const noise = draw(1, 'coin');
    const { rows, pairs } = measure(({ speaker }) => (speaker === 'Dan' ? 0.8 : 0.2) + 0.1 * noise.fraction());
    expect(rows[0]!.roc_auc.estimate).toBe(1);
    expect(pairs[0]!.pairs).toBe(0); // no other speaker had been as suspect as the liar before
  });

  it('is told apart by model, and what it leaves out is missing', () => {
    const { rows } = measure(({ model, is_lie: isLie }, place) => {
      if (place % 6 === 5) return null;
      return model === 'x' ? (isLie ? 0.9 : 0.1) : 0.5;
    });
    const find = (model: string) => rows.find(({ part }) => part[0] === 'model' && part[1] === model)!;
    expect([find('x').roc_auc.estimate, find('y').roc_auc.estimate]).toEqual([1, 0.5]);
    expect(rows[0]).toMatchObject({ lies: 300, truths: 200, missing: 100, deals });
  });

  it('whose scores are no probabilities has no Brier score', () => {
    expect(measure(({ is_lie: isLie }) => (isLie ? 7 : -3)).rows[0]).toMatchObject({ brier: null });
    expect(measure(({ is_lie: isLie }) => (isLie ? 1 : 0)).rows[0]).toMatchObject({ brier: { estimate: 0 } });
  });
});

describe('the true positives at so many false positives', () => {
  const sums = { 'pos:0.9': 4, 'pos:0.5': 4, 'pos:0.1': 2, 'neg:0.7': 1, 'neg:0.5': 4, 'neg:0.0': 95 };

  it.each([
    [0, 0.4],
    [0.01, 0.4],
    [0.04, 0.4],
    [0.05, 1],
    [0.06, 1],
  ])('of at most %d are %d', (most, share) => {
    expect(createTruePositiveRate(most)(sums)).toBeCloseTo(share);
  });

  it('are not known without cases of both kinds', () => {
    expect(createTruePositiveRate(0.05)({ 'pos:1': 1 })).toBeNull();
  });
});
