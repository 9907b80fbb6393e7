// Intervals of means whose range is known: paired outcomes, and scores.
import { describe, expect, it } from '@jest/globals';
import { computeMeanBounds, computeTangoBounds } from '../../../deception/statistics/bounded-mean.ts';
import {
  boundClusteredShare,
  computeEffectiveTrials,
  computeShareBounds,
} from '../../../deception/statistics/proportion.ts';
import { draw } from '../../../state/random.ts';
import { itLong } from '../../it-long.ts';

const repeat = (count: number, value: number) => Array.from({ length: count }, () => value);
const pairOutcomes = (first: number, second: number, pairs: number) => [
  ...repeat(first, 1),
  ...repeat(second, -1),
  ...repeat(pairs - first - second, 0),
];

describe('the interval of paired outcomes (Tango 1998)', () => {
  // Expected values by scipy 1.17, which maximizes the likelihood at each difference (`minimize_scalar`, `brentq`).
  it.each([
    [{ first: 12, second: 14, pairs: 44 }, [-0.2664, 0.1805]],
    [{ first: 3, second: 0, pairs: 20 }, [-0.0353, 0.3604]],
    [{ first: 9, second: 5, pairs: 20 }, [-0.1658, 0.5127]],
    [{ first: 0, second: 0, pairs: 20 }, [-0.1611, 0.1611]],
  ] as const)('of %j is %j', (counts, expected) => {
    const bounds = computeTangoBounds(counts);
    bounds.forEach((bound, place) => expect(bound).toBeCloseTo(expected[place]!, 3));
  });

  it('changes its sign with the sides, and stays within −1 and 1', () => {
    const [low, high] = computeTangoBounds({ first: 7, second: 2, pairs: 15 });
    const turned = computeTangoBounds({ first: 2, second: 7, pairs: 15 });
    expect([-turned[1], -turned[0]]).toEqual([expect.closeTo(low, 6), expect.closeTo(high, 6)]);
    expect(computeTangoBounds({ first: 5, second: 0, pairs: 5 })[1]).toBe(1);
  });

  it('refuses counts that are none', () => {
    expect(() => computeTangoBounds({ first: 3, second: 3, pairs: 5 })).toThrow('3 and 3 of 5');
    expect(() => computeTangoBounds({ first: 0.5, second: 0, pairs: 5 })).toThrow(RangeError);
  });
});

describe('the interval of a mean in a range (Gaffke 2005)', () => {
  it.each([
    [0, 20],
    [2, 60],
    [7, 20],
    [20, 20],
  ])('of %d ones among %d is that of Clopper and Pearson', (ones, count) => {
    const [low, high] = computeMeanBounds([...repeat(ones, 1), ...repeat(count - ones, 0)], [0, 1]);
    const exact = computeShareBounds(ones / count, count);
    expect([low, high]).toEqual([expect.closeTo(exact[0], 5), expect.closeTo(exact[1], 5)]);
  });

  it.each([
    [5, 0, false],
    [6, 0, true],
    [7, 1, false],
    [8, 1, true],
    [9, 2, false],
    [10, 2, true],
  ])('of %d to %d paired outcomes leaves out 0 as the sign test does: %s', (first, second, isApart) => {
    for (const pairs of [20, 60]) {
      const [low, high] = computeMeanBounds(pairOutcomes(first, second, pairs), [-1, 1]);
      expect(low > 0 || high < 0).toBe(isApart);
    }
  });

  itLong('covers where one side never wins alone, and of values of any shape', () => {
    const chance = draw(1, 'coverage');
    const shapes = [
      { mean: 0.15, sample: () => (chance.fraction() < 0.15 ? 1 : 0) },
      { mean: 0, sample: () => Math.round(8 * (chance.fraction() - 0.5)) / 4 },
    ];
    for (const { mean, sample } of shapes) {
      const samples = Array.from({ length: 100 }, () => Array.from({ length: 20 }, sample));
      const held = samples.filter((values) => {
        const [low, high] = computeMeanBounds(values, [-1, 1]);
        return low <= mean && mean <= high;
      });
      expect(held.length / 100).toBeGreaterThan(0.93);
    }
  });

  it('refuses values outside of the range, and none', () => {
    expect(() => computeMeanBounds([0.5, 1.2], [0, 1])).toThrow('1.2');
    expect(() => computeMeanBounds([], [0, 1])).toThrow(RangeError);
  });
});

describe('the interval of a share at its effective sample size (Korn & Graubard 1998)', () => {
  const computeEffectiveBounds = (share: Parameters<typeof computeEffectiveTrials>[0]) =>
    computeShareBounds(share.share, computeEffectiveTrials(share));

  it('of 58 of 60 matches is never that of more than 60', () => {
    const [low, high] = computeEffectiveBounds({ share: 58 / 60, error: 0.01, clusters: 20, trials: 60 });
    expect([low, high]).toEqual([expect.closeTo(0.885, 3), expect.closeTo(0.996, 3)]);
  });

  it('is wider where matches of a deal end alike', () => {
    const independent = computeEffectiveBounds({ share: 0.9, error: 0.039, clusters: 20, trials: 60 });
    const alike = computeEffectiveBounds({ share: 0.9, error: 0.06, clusters: 20, trials: 60 });
    expect(alike[0]).toBeLessThan(independent[0]);
    // Expected value by R: survey::svyciprop(method = "beta") uses 0.9 * 0.1 / 0.06^2 = 25 cases, times (2.001 /
    // 2.093)^2.
    const exact = computeShareBounds(0.9, 25 * (2.000995 / 2.093024) ** 2);
    expect(alike).toEqual([expect.closeTo(exact[0], 4), expect.closeTo(exact[1], 4)]);
  });

  it('counts clusters where all agree, since no error is known then', () => {
    expect(computeEffectiveBounds({ share: 0, error: 0, clusters: 20, trials: 400 })).toEqual(
      computeShareBounds(0, 20),
    );
  });

  it('knows less of the similarity of large deals if few of them have the rarer outcome', () => {
    const share = { share: 1 / 120, error: 1 / 120, clusters: 20, trials: 120 };
    const one = computeEffectiveTrials({ ...share, rare: 1, independent: 20 });
    expect(one).toBeLessThan(0.5 * computeEffectiveTrials(share));
    expect(one).toBeGreaterThanOrEqual(20);
    // One liar in 20 deals bounds the share hardly better than none does.
    expect(computeShareBounds(1 / 120, one)[1]).toBeGreaterThan(0.09);
  });
});

describe('the interval of a share of few cases per deal', () => {
  it('is never that of more independent cases than there are', () => {
    const { bounds, method } = boundClusteredShare({ share: 0.5, error: 0.001, clusters: 20, trials: 60 });
    expect(method).toBe('logit');
    expect(bounds[1] - bounds[0]).toBeGreaterThan(0.25);
  });
});
