// Sample sizes: the formula, and whether studies with the planned number of deals find the difference as often as
// promised.
import { describe, expect, it } from '@jest/globals';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { computePairedDifference, type SumsPair } from '../../../deception/statistics/paired-test.ts';
import {
  computeDealSpread,
  computeHalfWidth,
  computeReplicatedSpread,
  computeSpreadBounds,
  computeSpreadLimit,
  countDealsForHalfWidth,
  countDealsNeeded,
  splitVariance,
} from '../../../deception/statistics/sample-size.ts';
import { createRatio } from '../../../deception/statistics/sums.ts';
import { draw, drawNormal } from '../../../state/random.ts';
import { itLong } from '../../it-long.ts';

const rate = createRatio('lies', 'of');
const chance = draw(5, 'power');

/** Draws a deal that is easy or hard for both arms. The first arm lies more often than the second. */
function drawPair(difference: number): SumsPair {
  const ease = 0.3 + 0.3 * chance.fraction();
  const drawSide = (share: number) => {
    const of = 6 + chance.integer(8);
    return { lies: Array.from({ length: of }, () => chance.fraction()).filter((x) => x < share).length, of };
  };
  return { a: drawSide(ease + difference), b: drawSide(ease) };
}

const drawPairs = (count: number, difference: number) => Array.from({ length: count }, () => drawPair(difference));
const measureSpread = (pairs: readonly SumsPair[]) =>
  computeDealSpread(
    pairs.map(({ a, b }) => [a, b]),
    rate,
    [1, -1],
  )!;
const wish = { effect: 0.1, alpha: 0.05, power: 0.8 };

describe('the number of deals', () => {
  it('is that of the formula, and at least ten', () => {
    expect(countDealsNeeded(0.3, wish)).toBe(73); // (2.802 × 3)² = 70.6, and 1.92 more
    expect(countDealsNeeded(0.6, wish)).toBe(285);
    expect(countDealsNeeded(0.01, wish)).toBe(10);
    expect(countDealsNeeded(0.3, { ...wish, alpha: 0.025 })).toBeGreaterThan(73);
  });

  it('makes an interval so narrow, and one deal less does not', () => {
    expect(computeHalfWidth(1, 10)).toBeCloseTo(2.262157 / Math.sqrt(10), 5);
    for (const halfWidth of [0.02, 0.1, 0.33]) {
      const deals = countDealsForHalfWidth(1, halfWidth);
      expect(computeHalfWidth(1, deals)).toBeLessThanOrEqual(halfWidth);
      expect(computeHalfWidth(1, deals - 1)).toBeGreaterThan(halfWidth);
    }
    expect(countDealsForHalfWidth(0.1, 0.9)).toBe(10);
  });

  itLong.each([0.15])('shows a true difference of %f as often as promised', (effect) => {
    const { spread } = measureSpread(drawPairs(1000, effect));
    const deals = countDealsNeeded(spread, { ...wish, effect });
    const resampling = createResampling(deals, 100, 1);
    const samples = 150;
    const found = Array.from({ length: samples }, () => {
      const { p } = computePairedDifference(drawPairs(deals, effect), rate, { resampling, range: [0, 1] });
      return p !== null && p <= 0.05;
    }).filter(Boolean).length;
    expect(Math.abs(found / samples - 0.8)).toBeLessThan(0.11); // 3.4 standard errors
  });
});

describe('the spread of deals', () => {
  it('is that of the differences where all deals have as many cases', () => {
    const differences = [1, 2, 4, 5, 3];
    const deals = differences.map((one) => [
      { lies: 5 + one, of: 10 },
      { lies: 5, of: 10 },
    ]);
    expect(computeDealSpread(deals, rate, [1, -1])).toMatchObject({ withData: 5 });
    expect(computeDealSpread(deals, rate, [1, -1])!.spread).toBeCloseTo(Math.sqrt(2.5) / 10, 6);
  });

  it('lies for one arm and for a wish of half the size where these are', () => {
    const deals = drawPairs(400, 0).map(({ a }) => [a]);
    const { spread } = computeDealSpread(deals, rate, [1])!;
    expect(computeDealSpread(deals, rate, [0.5])!.spread).toBeCloseTo(spread / 2, 6);
  });

  it('is none where an arm has fewer than two deals with data', () => {
    expect(computeDealSpread([[{ lies: 1, of: 2 }, {}]], rate, [1, -1])).toBeNull();
  });

  it('has wide bounds in few deals', () => {
    const [low, high] = computeSpreadBounds({ spread: 1, withData: 10 });
    expect([low, high]).toEqual([expect.closeTo(0.688, 2), expect.closeTo(1.826, 2)]);
  });
});

describe('the limit of a spread', () => {
  it('is not exceeded by the true one with the probability asked for', () => {
    expect(computeSpreadLimit({ spread: 1, withData: 10 }, 0.8)).toBeCloseTo(1.293, 3); // √(9 / 5.380)
    const samples = Array.from({ length: 2000 }, () => {
      const values = Array.from({ length: 10 }, () => drawNormal(chance));
      const middle = values.reduce((total, one) => total + one, 0) / 10;
      const spread = Math.sqrt(values.reduce((total, one) => total + (one - middle) ** 2, 0) / 9);
      return computeSpreadLimit({ spread, withData: 10 }, 0.8);
    });
    expect(samples.filter((limit) => limit >= 1).length / samples.length).toBeCloseTo(0.8, 1);
  });
});

describe('the variance of a deal with replicates', () => {
  const mean = createRatio('total', 'of');
  const measure = (rows: readonly number[]) =>
    computeDealSpread(
      rows.map((total) => [{ total, of: 1 }]),
      mean,
      [1],
    )!.spread;

  it.each([
    [0.04, 0.1, 2],
    [0.2, 0.05, 3],
    [0, 0.1, 4],
  ])('splits into %f between and %f within, from %d replicates', (between, within, replicates) => {
    const deals = Array.from({ length: 3000 }, () => {
      const own = Math.sqrt(between) * drawNormal(chance);
      return Array.from({ length: replicates }, () => own + Math.sqrt(within) * drawNormal(chance));
    });
    const together = measure(deals.map((own) => own.reduce((total, one) => total + one, 0) / replicates));
    const apart = measure(deals.flat());
    const split = splitVariance({ together, apart }, { deals: deals.length, replicates });
    expect(split.between).toBeCloseTo(between, 1);
    expect(Math.abs(split.between - between)).toBeLessThan(0.015);
    expect(Math.abs(split.within - within)).toBeLessThan(0.01);
    expect(computeReplicatedSpread(split, replicates)).toBeCloseTo(together, 2);
  });
});
