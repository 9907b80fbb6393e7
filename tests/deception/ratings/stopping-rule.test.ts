// Stopping rules: the formula, its error level if checked after every deal, and the deals that it counts.
import { describe, expect, it } from '@jest/globals';
import {
  computeConfidenceSequence,
  computeEvidence,
  evaluateStop,
  takeUnbrokenPrefix,
} from '../../../deception/ratings/stopping-rule.ts';
import { mean } from '../../../deception/statistics/sums.ts';
import { draw } from '../../../state/random.ts';

const chance = draw(1, 'sequential');

/** Draws the difference between two entrants in each deal, if Werewolves win with these probabilities. */
const drawDifferences = (deals: number, [one, other]: readonly [number, number]) =>
  Array.from({ length: deals }, () => (chance.fraction() < one ? 1 : 0) - (chance.fraction() < other ? 1 : 0));

const judge = (differences: (number | null)[], rule = {}) =>
  evaluateStop([{ pair: ['x', 'y'], differences }], { alpha: 0.05, decide: true, ...rule });

describe('the evidence', () => {
  const scores = [1, 0.5, 1, 0, 0.75, 1, 1];

  it('is the mean of Π (1 + λ (S − ½)) over λ', () => {
    const lambdas = [0.1, 0.2, 0.4, 0.7, 1, 1.3, 1.6, 1.85].flatMap((one) => [one, -one]);
    const products = lambdas.map((lambda) => scores.reduce((product, s) => product * (1 + lambda * (s - 0.5)), 1));
    expect(computeEvidence(scores)).toBeCloseTo(mean(products)!, 12);
    expect(computeEvidence([])).toBe(1);
  });

  it('is the same for both of a pair and in any order, and holds thousands of deals', () => {
    const turned = scores.map((score) => 1 - score).toReversed();
    expect(computeEvidence(turned)).toBeCloseTo(computeEvidence(scores), 12);
    expect(computeEvidence(Array<number>(5000).fill(1))).toBe(Infinity);
    expect(computeEvidence(Array<number>(5000).fill(0.5))).toBeCloseTo(1, 9);
  });

  it('decides for the better one, in about the deals that a fixed sample needs', () => {
    const stops = Array.from({ length: 60 }, () => judge(drawDifferences(200, [0.69, 0.31])));
    expect(stops.filter(({ stopAt }) => stopAt !== null && stopAt <= 120).length).toBeGreaterThan(55);
    expect(stops.filter(({ pairs }) => pairs[0]!.difference! < 0)).toEqual([]);
  });
});

describe('the confidence sequence', () => {
  it('holds the means whose evidence is under 1/α', () => {
    const scores = [1, 0.5, 1, 1, 0.5, 1, 1, 1, 0];
    const inside = Array.from({ length: 999 }, (_, i) => (i + 1) / 1000).filter((m) => computeEvidence(scores, m) < 20);
    const [low, high] = computeConfidenceSequence(scores, 0.05);
    expect([low, high]).toEqual([expect.closeTo(inside[0]!, 2), expect.closeTo(inside.at(-1)!, 2)]);
    expect(inside.at(-1)! - inside[0]!).toBeCloseTo((inside.length - 1) / 1000, 9); // all values between the bounds are inside
  });

  it('is everything before the first deal, and ends where scores do', () => {
    expect(computeConfidenceSequence([], 0.05)).toEqual([0, 1]);
    expect(computeConfidenceSequence(Array<number>(50).fill(1), 0.05)).toEqual([expect.closeTo(0.885, 1), 1]);
    expect(computeConfidenceSequence(Array<number>(50).fill(0), 0.05)[0]).toBe(0);
  });
});

describe('a tournament', () => {
  it('decides only on the deals before the first that is not over', () => {
    expect(takeUnbrokenPrefix([1, 0.5, null, 1])).toEqual([1, 0.5]);
    expect(takeUnbrokenPrefix([1, 0])).toEqual([1, 0]);
    const later = [1, null, ...Array<number>(100).fill(1)];
    expect(judge(later)).toMatchObject({ stopAt: null, pairs: [{ deals: 1, decidedAt: null }] });
  });

  it('would have stopped at the same deal whenever it is asked', () => {
    const differences = [...Array<number>(12).fill(1), ...Array<number>(40).fill(-1)];
    const { stopAt } = judge(differences.slice(0, 12));
    expect(stopAt).toBe(8);
    expect(judge(differences).stopAt).toBe(stopAt);
  });

  it('ends when the last pair is known well enough, with α shared among the pairs', () => {
    const differences = Array<number>(300).fill(0.5);
    const alone = judge(differences, { decide: false, precision: 0.1 });
    const both = evaluateStop(
      [
        { pair: ['x', 'y'], differences },
        { pair: ['x', 'z'], differences: drawDifferences(300, [0.5, 0.5]) },
      ],
      { alpha: 0.05, precision: 0.1 },
    );
    expect(alone.stopAt).toBe(alone.pairs[0]!.preciseAt);
    expect(alone.stopAt).not.toBeNull();
    expect(both.pairs[0]!.preciseAt).toBeGreaterThan(alone.stopAt!);
    expect(both.stopAt).toBeNull();
    expect(judge(differences, { decide: false }).stopAt).toBeNull(); // without a rule the tournament does not stop
  });

  it('knows a pair well enough after the first deal whose confidence sequence is that narrow, wherever its scores lie', () => {
    const precision = 0.2;
    const played = [
      ...[1, -1, 0, 0.9].map((score) => Array<number>(120).fill(score)),
      ...[0.5, 0.9, 0.98].map((share) => drawDifferences(200, [share, 1 - share])),
    ];
    for (const differences of played) {
      const isNarrow = (deals: number) => {
        const scores = differences.slice(0, deals).map((difference) => (1 + difference) / 2);
        const [low, high] = computeConfidenceSequence(scores, 0.05);
        return high - low <= precision;
      };
      const first = differences.findIndex((_, place) => isNarrow(place + 1)) + 1;
      expect(first).toBeGreaterThan(1);
      expect(judge(differences, { precision }).pairs[0]!.preciseAt).toBe(first);
    }
  });

  it('of which nothing is over knows nothing', () => {
    expect(judge([null, 1]).pairs[0]).toMatchObject({ deals: 0, difference: null, low: -1, high: 1, evidence: 1 });
  });

  it.each([
    [[1.5], {}, /must lie from 0 to 1/],
    [[1], { alpha: 0 }, /α is 0/],
    [[1], { precision: 5 }, /precision is 5/],
  ])('of differences %j under %j is refused', (differences, rule, message) => {
    expect(() => judge(differences, rule)).toThrow(message);
  });
});
