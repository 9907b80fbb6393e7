// The paired difference of a figure between two conditions.
import { describe, expect, it } from '@jest/globals';
import { mcc } from '../../../deception/statistics/confusion.ts';
import { type Pair, pairedDifference } from '../../../deception/statistics/paired.ts';
import { resampling } from '../../../deception/statistics/resampling.ts';
import { ratioOf } from '../../../deception/statistics/sums.ts';
import { draw } from '../../../state/draw.ts';

const draws = resampling(40, 1000, 1);
const share = { resampling: draws, range: [0, 1] } as const;
const lieRate = ratioOf('lies', 'of');
const chance = draw(3, 'pairs');
const side = (rate: number, times = 1) => {
  const of = times * (5 + chance.integer(20));
  return { lies: Array.from({ length: of }, () => chance.fraction()).filter((x) => x < rate).length, of };
};
const pairsOf = (count: number, a: number, b: number): Pair[] =>
  Array.from({ length: count }, () => ({ a: side(a), b: side(b) }));
const swapped = (pairs: readonly Pair[]) => pairs.map(({ a, b }) => ({ a: b, b: a }));

describe('a paired difference', () => {
  const apart = pairsOf(20, 0.7, 0.3);

  it('is that of the figures over all pairs', () => {
    const { a, b, difference } = pairedDifference(apart, lieRate, share);
    expect(difference.estimate).toBe(a! - b!);
    expect(difference).toMatchObject({ clusters: 20, withData: 20, method: 'randomization' });
  });

  it('changes sign with its interval when the conditions are named the other way round', () => {
    const [one, other] = [apart, swapped(apart)].map((pairs) => pairedDifference(pairs, lieRate, share).difference);
    expect(other!.estimate).toBe(-one!.estimate!);
    expect(other!.low!).toBeCloseTo(-one!.high!, 1);
  });

  it('that is large is found, with the smallest p that so many swaps allow', () => {
    const { p, difference } = pairedDifference(apart, lieRate, share);
    expect(p).toBe(1 / 1001);
    expect(difference.low).toBeGreaterThan(0);
  });

  it('has an interval without 0 exactly where p is at most .05', () => {
    for (let i = 0; i < 12; i++) {
      const { p, difference } = pairedDifference(pairsOf(15, 0.5, 0.4), lieRate, share);
      expect(difference.low! > 0 || difference.high! < 0).toBe(p! <= 0.05);
    }
  });

  it('that is none is found in about 5 of 100 samples, also where one side has far more cases', () => {
    const few = resampling(15, 200, 2);
    const isFound = () => {
      const pairs = Array.from({ length: 15 }, () => ({ a: side(0.4), b: side(0.4, 6) }));
      return pairedDifference(pairs, lieRate, { ...share, resampling: few }).p! <= 0.05;
    };
    const found = Array.from({ length: 200 }, isFound).filter(Boolean).length;
    expect(found / 200).toBeGreaterThan(0.003); // three standard errors of 200 samples
    expect(found / 200).toBeLessThan(0.097);
  });

  it('agrees with the t-test where each pair gives one number a side', () => {
    // scipy 1.17, `ttest_rel`: t = 3.07, p = .0106 over 12 pairs; the swaps, in whole cases, come near.
    const [xs, ys] = [
      [5, 7, 6, 9, 8, 7, 6, 8, 9, 5, 7, 8],
      [4, 7, 5, 6, 8, 5, 7, 6, 8, 5, 6, 6],
    ];
    const pairs = xs.map((x, i) => ({ a: { lies: x, of: 10 }, b: { lies: ys[i]!, of: 10 } }));
    const { p, difference, detectable } = pairedDifference(pairs, lieRate, share);
    const gaps = xs.map((x, i) => (x - ys[i]!) / 10);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / 12;
    const se = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / 11 / 12);
    expect(difference.se).toBeCloseTo(se, 8);
    expect(detectable).toBeCloseTo(2.8015852 * se, 6);
    expect(difference.estimate! / se).toBeCloseTo(3.070597894, 8);
    expect(Math.abs(p! - 0.0106)).toBeLessThan(0.015);
  });

  it('does not depend on the order of pairs', () => {
    expect(pairedDifference(apart.toReversed(), lieRate, share)).toEqual(pairedDifference(apart, lieRate, share));
  });

  it('of two sides without any lie is 0, give or take what is seen in no pair', () => {
    const none = Array.from({ length: 20 }, () => ({ a: { lies: 0, of: 9 }, b: { lies: 0, of: 9 } }));
    const { p, difference, detectable } = pairedDifference(none, lieRate, share);
    expect(difference).toMatchObject({ estimate: 0, se: 0, method: 'exact' });
    expect(difference.high).toBeCloseTo(1 - 0.025 ** (1 / 20), 9);
    expect([p, detectable]).toEqual([1, null]);
  });

  it('is not judged under ten pairs with data on both sides', () => {
    const pairs = [...pairsOf(9, 0.5, 0.5), { a: side(0.5), b: {} }, { a: {}, b: {} }];
    const { p, difference } = pairedDifference(pairs, lieRate, share);
    expect([p, difference.low]).toEqual([null, null]);
    expect(difference).toMatchObject({ reason: 'too few', clusters: 11, withData: 9 });
  });

  it('is unknown where one side has no data', () => {
    const pairs = pairsOf(12, 0.5, 0.5).map(({ a }) => ({ a, b: {} }));
    expect(pairedDifference(pairs, lieRate, share)).toMatchObject({
      b: null,
      p: null,
      difference: { reason: 'no data' },
    });
  });

  it('is found for functions of several sums, as MCC', () => {
    const detector = (hits: number) => ({ tp: hits, fn: 6 - hits, fp: chance.integer(4), tn: 10 });
    const pairs = Array.from({ length: 20 }, () => ({
      a: detector(4 + chance.integer(3)),
      b: detector(chance.integer(4)),
    }));
    const { p, difference } = pairedDifference(pairs, mcc, { resampling: draws, range: [-1, 1] });
    expect(p).toBeLessThan(0.01);
    expect(difference.low).toBeGreaterThan(0);
  });

  it('has some width where both sides are at the same end in every pair, though rounding hides it', () => {
    const pairs = Array.from({ length: 20 }, (_, i): Pair => {
      const [a, b] = [1 + (i % 4), 1 + (i % 3)];
      return { a: { lies: a, of: a }, b: { lies: b, of: b } };
    });
    const { difference, detectable } = pairedDifference(pairs, lieRate, share);
    expect(difference).toMatchObject({ estimate: 0, se: 0, method: 'exact' });
    expect(difference.high!).toBeGreaterThan(0.1);
    expect(detectable).toBeNull();
  });
});
