// Paired differences between two conditions, and adjusted p-values.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { computeMcc } from '../../../deception/statistics/classification.ts';
import {
  adjustBenjaminiHochberg,
  adjustHolm,
  adjustUnderHeadlines,
} from '../../../deception/statistics/adjusted-p-values.ts';
import {
  computeContrast,
  computePairedDifference,
  type Contrast,
  pairContrast,
  type SumsPair,
} from '../../../deception/statistics/paired-test.ts';
import { addSums, createRatio, sum, type Sums } from '../../../deception/statistics/sums.ts';
import { draw } from '../../../state/random.ts';
import { itLong } from '../../it-long.ts';

const draws = createResampling(40, 1000, 1);
const share = { resampling: draws, range: [0, 1] } as const;
const lieRate = createRatio('lies', 'of');
const chance = draw(3, 'pairs');
const drawSide = (rate: number, times = 1) => {
  const of = times * (5 + chance.integer(20));
  return { lies: Array.from({ length: of }, () => chance.fraction()).filter((x) => x < rate).length, of };
};
const drawPairs = (count: number, a: number, b: number): SumsPair[] =>
  Array.from({ length: count }, () => ({ a: drawSide(a), b: drawSide(b) }));
const swapPairs = (pairs: readonly SumsPair[]) => pairs.map(({ a, b }) => ({ a: b, b: a }));

describe('a paired difference', () => {
  const apart = drawPairs(20, 0.7, 0.3);

  it('is that of the figures over all pairs', () => {
    const { a, b, difference } = computePairedDifference(apart, lieRate, share);
    expect(difference.estimate).toBe(a! - b!);
    expect(difference).toMatchObject({ clusters: 20, withData: 20, method: 'randomization' });
  });

  it('changes sign with its interval when the conditions are named the other way round', () => {
    const [one, other] = [apart, swapPairs(apart)].map(
      (pairs) => computePairedDifference(pairs, lieRate, share).difference,
    );
    expect(other!.estimate).toBe(-one!.estimate!);
    expect(other!.low!).toBeCloseTo(-one!.high!, 1);
  });

  it('that is large is found, with the smallest p that fifty times as many swaps allow', () => {
    const { p, difference } = computePairedDifference(apart, lieRate, share);
    expect(p).toBe(1 / 50_001);
    expect(difference.low).toBeGreaterThan(0);
  });

  it('of a statistic of many sums reaches as far as 95 % of all swaps move it', () => {
    const gains = [...Array<number>(11).fill(1), 0.5];
    const filler = { f1: 1, f2: 1, f3: 1, f4: 1 };
    const pairs = gains.map((gain) => ({ a: { lies: gain, of: 1, ...filler }, b: { lies: 0, of: 1, ...filler } }));
    const moved = Array.from({ length: 2 ** gains.length }, (_, signs) =>
      Math.abs(sum(gains.map((gain, place) => ((signs >> place) & 1 ? gain : -gain))) / gains.length),
    ).sort((one, other) => one - other);
    const { difference } = computePairedDifference(pairs, (sums) => lieRate(sums), { resampling: draws });
    expect(difference.estimate! - difference.low!).toBeCloseTo(moved[Math.ceil(0.95 * moved.length) - 1]!, 6);
  });

  it('has an interval without 0 exactly where p is at most .05', () => {
    for (let i = 0; i < 12; i++) {
      const { p, difference } = computePairedDifference(drawPairs(15, 0.5, 0.4), lieRate, share);
      expect(difference.low! > 0 || difference.high! < 0).toBe(p! <= 0.05);
    }
  });

  itLong('that is none is found in about 5 of 100 samples, also where one side has far more cases', () => {
    const few = createResampling(15, 200, 2);
    const isFound = () => {
      const pairs = Array.from({ length: 15 }, () => ({ a: drawSide(0.4), b: drawSide(0.4, 6) }));
      return computePairedDifference(pairs, lieRate, { ...share, resampling: few }).p! <= 0.05;
    };
    const found = Array.from({ length: 200 }, isFound).filter(Boolean).length;
    expect(found / 200).toBeGreaterThan(0.003); // three standard errors of 200 samples
    expect(found / 200).toBeLessThan(0.097);
  });

  it('agrees with the t-test where each pair gives one number a side', () => {
    // By scipy 1.17, `ttest_rel`: t = 3.07, p = .0106 over 12 pairs. The swap test, which exchanges whole cases, should
    // be near.
    const [xs, ys] = [
      [5, 7, 6, 9, 8, 7, 6, 8, 9, 5, 7, 8],
      [4, 7, 5, 6, 8, 5, 7, 6, 8, 5, 6, 6],
    ];
    const pairs = xs.map((x, i) => ({ a: { lies: x, of: 10 }, b: { lies: ys[i]!, of: 10 } }));
    const { p, difference, detectable } = computePairedDifference(pairs, lieRate, share);
    const gaps = xs.map((x, i) => (x - ys[i]!) / 10);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / 12;
    const se = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / 11 / 12);
    expect(difference.se).toBeCloseTo(se, 8);
    expect(detectable).toBeCloseTo(2.8015852 * se, 6);
    expect(difference.estimate! / se).toBeCloseTo(3.070597894, 8);
    expect(Math.abs(p! - 0.0106)).toBeLessThan(0.015);
  });

  it('does not depend on the order of pairs', () => {
    expect(computePairedDifference(apart.toReversed(), lieRate, share)).toEqual(
      computePairedDifference(apart, lieRate, share),
    );
  });

  it('of two sides without any lie is 0, give or take what is seen in no pair', () => {
    const none = Array.from({ length: 20 }, () => ({ a: { lies: 0, of: 9 }, b: { lies: 0, of: 9 } }));
    const { p, difference, detectable } = computePairedDifference(none, lieRate, share);
    expect(difference).toMatchObject({ estimate: 0, se: 0, method: 'exact' });
    expect(difference.high).toBeCloseTo(1 - 0.025 ** (1 / 20), 9);
    expect([p, detectable]).toEqual([null, null]); // no swap changes anything: there is nothing to test
  });

  it('that is rare among swaps has the share of ten that are as extreme, whatever more are drawn', () => {
    // 14 pairs with equal differences: p is exactly the share of the 2¹⁴ swaps in which at most one sign differs, 30 /
    // 16384.
    const pairs = Array.from({ length: 14 }, (_, i): SumsPair => {
      const [a, b] = i === 0 ? [4, 6] : [6, 4];
      return { a: { lies: a, of: 10 }, b: { lies: b, of: 10 } };
    });
    const found = computePairedDifference(pairs, lieRate, { ...share, resampling: createResampling(14, 1000, 1) }).p!;
    expect(found).toBeGreaterThan(30 / 16384 / 2.5);
    expect(found).toBeLessThan((30 / 16384) * 2.5);
    expect(10 / found).toBeCloseTo(Math.round(10 / found), 6);
  });

  it('is not judged under ten pairs with data on both sides', () => {
    const pairs = [...drawPairs(9, 0.5, 0.5), { a: drawSide(0.5), b: {} }, { a: {}, b: {} }];
    const { p, difference } = computePairedDifference(pairs, lieRate, share);
    expect([p, difference.low]).toEqual([null, null]);
    expect(difference).toMatchObject({ reason: 'too few', clusters: 11, withData: 9 });
  });

  it.each([
    [6, 2 / 64, 2 / 64], // all six differences have the same sign, which is as extreme as possible
    [9, 2 / 512, 2 / 512],
    [5, 2 / 32, 2 / 32],
  ])('of %i pairs that all go one way has the exact p %f, the least there is', (count, p, least) => {
    const pairs = Array.from({ length: count }, (_, i) => ({ a: { lies: 5 + i, of: 20 }, b: { lies: 2, of: 20 } }));
    const found = computePairedDifference(pairs, lieRate, share);
    expect(found).toMatchObject({ p, leastP: least, difference: { low: null, reason: 'too few' } });
    expect(computePairedDifference(swapPairs(pairs), lieRate, share)).toMatchObject({ p, leastP: least });
  });

  it('of few pairs has the p of all sign flips of their differences, where all have as many cases', () => {
    const differences = [4, -1, 3, 2, 5, -2, 1];
    const pairs = differences.map((difference) => ({ a: { lies: 10 + difference, of: 20 }, b: { lies: 10, of: 20 } }));
    const total = (flips: number) => differences.reduce((all, one, i) => all + ((flips >> i) & 1 ? -one : one), 0);
    const extreme = Array.from({ length: 128 }, (_, flips) => Math.abs(total(flips)) >= 12).filter(Boolean).length;
    expect(computePairedDifference(pairs, lieRate, share)).toMatchObject({ p: extreme / 128, leastP: 2 / 128 });
  });

  it('of few pairs of which some do not differ has a greater least p, and none where no pair differs', () => {
    const same = { a: { lies: 1, of: 4 }, b: { lies: 1, of: 4 } };
    const apart = Array.from({ length: 4 }, (_, i) => ({ a: { lies: 2 + i, of: 8 }, b: { lies: 1, of: 8 } }));
    expect(computePairedDifference([...apart, same, same], lieRate, share).leastP).toBe(2 / 16);
    expect(computePairedDifference([same, same, same], lieRate, share)).toMatchObject({ p: null, leastP: null });
  });

  it('has no interval where fewer than six of many pairs tell of it, and an exact p', () => {
    const rare = (count: number) =>
      Array.from({ length: 20 }, (_, i) => ({
        a: { lies: i < count ? 1 : 0, of: 9 },
        b: { lies: 0, of: 9 - (i % 2) },
      }));
    const few = computePairedDifference(rare(5), lieRate, share);
    expect(few).toMatchObject({ difference: { low: null, reason: 'too few', clusters: 20 } });
    expect(computePairedDifference(rare(6), lieRate, share).difference.low).toBeGreaterThan(0);
    const alike = Array.from({ length: 15 }, () => ({ a: { lies: 1, of: 9 }, b: { lies: 1, of: 9 } }));
    const four = Array.from({ length: 4 }, () => ({ a: { lies: 3, of: 9 }, b: { lies: 1, of: 9 } }));
    expect(computePairedDifference([...alike, ...four], lieRate, share)).toMatchObject({
      ...{ p: 2 / 16, leastP: 2 / 16, difference: { low: null, reason: 'too few' } },
    });
  });

  it('of one outcome a side has the interval of Tango where few pairs tell of it', () => {
    const won = createRatio('won', 'matches');
    const pairs = Array.from({ length: 20 }, (_, i) => ({
      ...{ a: { won: 1, matches: 1 }, b: { won: i < 3 ? 0 : 1, matches: 1 } },
    }));
    const { difference, p } = computePairedDifference(pairs, won, share);
    expect(p).toBe(0.25);
    expect(difference).toMatchObject({
      method: 'exact',
      low: expect.closeTo(-0.035, 3),
      high: expect.closeTo(0.36, 3),
    });
  });

  itLong('of few pairs that do not differ keeps its level', () => {
    for (const count of [6, 8]) {
      const rejected = Array.from({ length: 400 }, () => {
        const { p } = computePairedDifference(drawPairs(count, 0.4, 0.4), lieRate, share);
        return p !== null && p <= 0.05;
      }).filter(Boolean).length;
      expect(rejected / 400).toBeLessThan(0.08);
    }
  });

  it('is unknown where one side has no data', () => {
    const pairs = drawPairs(12, 0.5, 0.5).map(({ a }) => ({ a, b: {} }));
    expect(computePairedDifference(pairs, lieRate, share)).toMatchObject({
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
    const { p, difference } = computePairedDifference(pairs, computeMcc, { resampling: draws, range: [-1, 1] });
    expect(p).toBeLessThan(0.01);
    expect(difference.low).toBeGreaterThan(0);
  });

  it('has some width where both sides are at the same end in every pair, though rounding hides it', () => {
    const pairs = Array.from({ length: 20 }, (_, i): SumsPair => {
      const [a, b] = [1 + (i % 4), 1 + (i % 3)];
      return { a: { lies: a, of: a }, b: { lies: b, of: b } };
    });
    const { difference, detectable } = computePairedDifference(pairs, lieRate, share);
    expect(difference).toMatchObject({ estimate: 0, se: 0, method: 'exact' });
    expect(difference.high!).toBeGreaterThan(0.1);
    expect(detectable).toBeNull();
  });
});

// Contrasts of four arms: two speakers, each before two listeners, on the same deals.

const speakers: Contrast = { a: [0.5, 0.5, 0, 0], b: [0, 0, 0.5, 0.5], swap: [2, 3, 0, 1] };
const listeners: Contrast = { a: [0.5, 0, 0.5, 0], b: [0, 0.5, 0, 0.5], swap: [1, 0, 3, 2] };
const interaction: Contrast = { a: [1, 0, -1, 0], b: [0, 1, 0, -1], swap: [2, 3, 0, 1] };

const drawDeals = (count: number, rates: readonly number[]) =>
  Array.from({ length: count }, () => rates.map((rate) => drawSide(rate)));

describe('a contrast of four arms', () => {
  // Both speakers are flagged equally often. The second listener flags three times as often as the first.
  const ofListeners = drawDeals(30, [0.6, 0.2, 0.6, 0.2]);
  const compute = (deals: readonly (readonly Sums[])[], contrast: Contrast) =>
    computeContrast(deals, lieRate, contrast, share);

  it('is the difference of the weighted figures of its arms', () => {
    const figures = [0, 1, 2, 3].map((arm) => lieRate(addSums(ofListeners.map((deal) => deal[arm]!)))!);
    const { a, b, difference } = compute(ofListeners, speakers);
    expect(a).toBeCloseTo((figures[0]! + figures[1]!) / 2, 12);
    expect(b).toBeCloseTo((figures[2]! + figures[3]!) / 2, 12);
    expect(difference.estimate).toBeCloseTo(a! - b!, 12);
  });

  it('gives each part what is its own', () => {
    expect(compute(ofListeners, listeners).p!).toBeLessThan(0.001);
    expect(compute(ofListeners, listeners).difference.estimate).toBeCloseTo(0.4, 1);
    expect(Math.abs(compute(ofListeners, speakers).difference.estimate!)).toBeLessThan(0.08);
    expect(compute(ofListeners, interaction).p!).toBeGreaterThan(0.01);
  });

  it('finds what only both together do', () => {
    const { p, difference } = compute(drawDeals(30, [0.5, 0.3, 0.3, 0.5]), interaction);
    expect(p!).toBeLessThan(0.001);
    expect(difference.estimate).toBeCloseTo(0.4, 1);
  });

  it.each([
    ['speakers', speakers],
    ['interaction', interaction],
  ])('of %s that do not differ is found in about 5 of 100 samples, though listeners do', (_, contrast) => {
    const few = createResampling(15, 100, 2);
    const isFound = () =>
      computeContrast(drawDeals(15, [0.6, 0.2, 0.6, 0.2]), lieRate, contrast, { ...share, resampling: few }).p! <= 0.05;
    const found = Array.from({ length: 200 }, isFound).filter(Boolean).length;
    expect(found / 200).toBeGreaterThan(0.003); // three standard errors of 200 samples
    expect(found / 200).toBeLessThan(0.097);
  });

  it('of two arms is the paired difference', () => {
    const pairs = drawPairs(20, 0.6, 0.4);
    const deals = pairs.map(({ a, b }) => [a, b]);
    expect(compute(deals, pairContrast)).toEqual(computePairedDifference(pairs, lieRate, share));
  });

  it('counts deals with data of the arm that has the fewest, and is unknown where one has none', () => {
    const some = ofListeners.map((deal, place) => (place < 5 ? [...deal.slice(0, 3), {}] : deal));
    expect(compute(some, speakers).difference).toMatchObject({ clusters: 30, withData: 25 });
    const rare = ofListeners.map((deal, place) => deal.map((sums, arm) => (place % 2 === arm % 2 ? sums : {})));
    expect(compute(rare, speakers).difference).toMatchObject({ withData: 15, reason: null }); // no deal has data in all arms
    const none = ofListeners.map((deal) => [...deal.slice(0, 3), {}]);
    expect(compute(none, speakers)).toMatchObject({ p: null, difference: { reason: 'no data' } });
  });

  it('has as wide a range as it has arms', () => {
    const none = Array.from({ length: 20 }, () => Array.from({ length: 4 }, () => ({ lies: 0, of: 9 })));
    const [one, two] = [speakers, interaction].map((contrast) => compute(none, contrast).difference.high!);
    expect(two).toBeCloseTo(2 * one!, 12);
  });

  it('must change its sign where labels are exchanged', () => {
    expect(() => compute(ofListeners, { ...speakers, swap: [1, 0, 3, 2] })).toThrow(
      /The contrast 0\.5, 0\.5, -0\.5, -0\.5 does not change its sign by the swap 1, 0, 3, 2\./,
    );
  });
});

// Adjusted p-values.

const close = (values: (number | null)[], expected: (number | null)[]) =>
  expect(values.map((value) => value && Number(value.toFixed(10)))).toEqual(expected);

describe('Holm', () => {
  it('multiplies the smallest of four by four, the next by three, and never falls', () => {
    // Computed by hand: .005·4, .01·3, max(.03, .03·2), max(.06, .04·1).
    close(adjustHolm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
  });

  it('stops at 1', () => {
    close(adjustHolm([0.6, 0.7]), [1, 1]);
  });

  it('adjusts for all that were named: one without a test stays without p and counts as if its p were 1', () => {
    close(adjustHolm([null, 0.01, null]), [null, 0.03, null]);
    close(adjustHolm([0.01, null, 0.04]), [0.03, null, 0.08]);
    expect(adjustHolm([])).toEqual([]);
  });
});

describe('headlines and what is finer', () => {
  it('are adjusted by Holm, and under each by Benjamini and Hochberg at the share that is rejected', () => {
    // Computed by hand. Holm's procedure gives .02 and .5. Under the first headline, .002 and .04 are doubled because
    // one headline of two is rejected.
    const { headlines, finer } = adjustUnderHeadlines([0.01, 0.5], [[0.001, 0.04], [0.001]]);
    close(headlines, [0.02, 0.5]);
    close(finer[0]!, [0.02, 0.08]);
    close(finer[1]!, [0.5]); // the p of a finer cell is at least that of its headline
  });

  it('without a test do not count, and may be none', () => {
    const { headlines, finer } = adjustUnderHeadlines([0.01], [[null, 0.04]]);
    close(headlines, [0.01]);
    close(finer[0]!, [null, 0.04]);
    expect(adjustUnderHeadlines([], [])).toEqual({ headlines: [], finer: [] });
    expect(() => adjustUnderHeadlines([0.2], [[-1]])).toThrow(RangeError);
  });

  it('reject what the procedure says at any level', () => {
    const anyP = fc.double({ min: 0, max: 1, noNaN: true });
    const anyHeadline = fc.record({ p: anyP, finer: fc.array(anyP, { maxLength: 6 }) });
    fc.assert(
      fc.property(fc.array(anyHeadline, { minLength: 1, maxLength: 8 }), fc.constantFrom(0.05, 0.1, 0.3), (all, q) => {
        const holm = adjustHolm(all.map(({ p }) => p)) as number[];
        const rejected = holm.filter((p) => p <= q).length;
        const expected = all.map(({ finer }, place) => {
          const own = adjustBenjaminiHochberg(finer) as number[];
          return own.map((p) => holm[place]! <= q && (p * all.length) / rejected <= q);
        });
        const adjusted = adjustUnderHeadlines(
          all.map(({ p }) => p),
          all.map(({ finer }) => finer),
        );
        expect(adjusted.headlines).toEqual(holm);
        expect(adjusted.finer.map((group) => group.map((p) => p! <= q))).toEqual(expected);
      }),
    );
  });

  itLong('hold the chance that anything is found at .05 where nothing differs', () => {
    const chance = draw(11, 'nothing');
    const found = Array.from({ length: 2000 }, () => {
      const p = () => chance.fraction();
      const { headlines, finer } = adjustUnderHeadlines(
        Array.from({ length: 12 }, p),
        Array.from({ length: 12 }, () => Array.from({ length: 20 }, p)),
      );
      return [...headlines, ...finer.flat()].some((one) => one! <= 0.05);
    });
    const share = found.filter(Boolean).length / found.length;
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.06);
  });
});

describe('Benjamini and Hochberg', () => {
  it('is that of scipy 1.17 (`false_discovery_control`)', () => {
    close(adjustBenjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.5]), [0.025, 0.05, 0.05, 0.025, 0.5]);
  });

  it('leaves a missing test missing and does not count it', () => {
    close(adjustBenjaminiHochberg([0.01, null, 0.04]), [0.02, null, 0.04]);
    expect(adjustBenjaminiHochberg([])).toEqual([]);
  });

  it('finds the first four of the fifteen tests of Benjamini & Hochberg (1995, § 3)', () => {
    const published = [1e-4, 4e-4, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719];
    const values = [...published, 0.6528, 0.759, 1];
    expect(adjustBenjaminiHochberg(values).filter((p) => p !== null && p <= 0.05)).toHaveLength(4);
    expect(adjustHolm(values).filter((p) => p !== null && p <= 0.05)).toHaveLength(3);
  });
});

describe('Holm, and Benjamini and Hochberg', () => {
  it('refuse what is no p-value', () => {
    expect(() => adjustHolm([1.5])).toThrow('A p-value is 1.5; it must lie in 0…1.');
  });

  it('never make a p-value smaller, and Holm is never below Benjamini and Hochberg', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    fc.assert(
      fc.property(values, (ps) => {
        const [strict, lax] = [adjustHolm(ps), adjustBenjaminiHochberg(ps)];
        ps.forEach((p, i) => {
          expect(lax[i]).toBeGreaterThanOrEqual(p * (1 - 1e-12));
          expect(strict[i]).toBeGreaterThanOrEqual(lax[i]! * (1 - 1e-12));
        });
      }),
    );
  });
});
