// Intervals of figures over matches: resampled, Wilson, Clopper–Pearson.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  computeClusterInterval,
  computeBoundsFromResamples,
  createResampling,
} from '../../../deception/statistics/bootstrap.ts';
import { computeMcc, computePrecision } from '../../../deception/statistics/classification.ts';
import { computeRocAuc, createHistogram } from '../../../deception/statistics/probability-scoring.ts';
import { computeShareBounds, computeWilsonBounds } from '../../../deception/statistics/proportion.ts';
import {
  createEstimator,
  type Estimator,
  createSparseSample,
  createStatisticEvaluator,
  groupEqualRows,
  listSparseCells,
} from '../../../deception/statistics/standard-error.ts';
import { addSums, createRatio, type Sums } from '../../../deception/statistics/sums.ts';
import { draw } from '../../../state/random.ts';

const draws = createResampling(60, 500, 1);
const share = { resampling: draws, range: [0, 1] } as const;
const lieRate = createRatio('lies', 'opportunities');
const match = (lies: number, opportunities: number): Sums => ({ lies, opportunities });
const twenty = Array.from({ length: 20 }, (_, i) => match(i % 5, 8 + (i % 7)));

/** Returns the ends of the given number of groups of one cluster each. */
const listEnds = (clusters: number) => Int32Array.from({ length: clusters }, (_, i) => i + 1);

describe('the sums of matches', () => {
  it('add up by name, an absent name standing for 0', () => {
    expect(addSums([{ a: 1 }, { b: 2, a: 3 }, {}])).toEqual({ a: 4, b: 2 });
  });
});

describe('a resampling', () => {
  it('draws n of n clusters each time, about evenly over all times', () => {
    const [times, drawn] = [new Float64Array(10), new Float64Array(10)];
    for (let i = 0; i < draws.resamples; i++) {
      draws.countDraws(i, listEnds(10), times);
      expect(times.reduce((sum, n) => sum + n, 0)).toBe(10);
      times.forEach((n, k) => (drawn[k]! += n));
    }
    drawn.forEach((n) => expect(Math.abs(n - 500)).toBeLessThan(100)); // 4.7 standard deviations
  });

  it('draws a group as often as the clusters in it, whatever size was asked for before', () => {
    const [single, grouped] = [new Float64Array(12), new Float64Array(3)];
    for (const resample of [0, 7, 499]) {
      draws.countDraws(resample, Int32Array.of(5, 6, 12), grouped);
      draws.countDraws(resample, listEnds(11), new Float64Array(11));
      draws.countDraws(resample, listEnds(12), single);
      const total = (from: number, to: number) => single.slice(from, to).reduce((a, b) => a + b, 0);
      expect([...grouped]).toEqual([total(0, 5), total(5, 6), total(6, 12)]);
    }
  });

  it('refuses more clusters than it was made for', () => {
    expect(() => draws.countDraws(0, listEnds(61), new Float64Array(61))).toThrow(
      'No draws for 61 clusters: the resampling was made for 60.',
    );
    expect(() => createResampling(-1, 10, 1)).toThrow(
      'The number of clusters is -1; it must be a whole number from 0 to 65535.',
    );
  });
});

describe('the interval of a ratio of sums', () => {
  it('is the same where matches are alike, to the last digit, as one by one', () => {
    const many = Array.from({ length: 3 }, () => twenty).flat();
    const names = ['lies', 'opportunities'];
    const places = new Map(names.map((name, place) => [name, place]));
    const rows = many.map((sums) => listSparseCells(sums, places));
    const sample = createSparseSample(rows, 2, createStatisticEvaluator(lieRate, names));
    const { distinct, ends } = groupEqualRows(sample);
    expect([distinct.rows, ends.at(-1)]).toEqual([new Set(twenty.map((one) => JSON.stringify(one))).size, 60]);
    const whole = createEstimator(sample)(new Float64Array(60).fill(1))!;
    const computeBounds = (estimate: Estimator, groups: Int32Array) => {
      const times = new Float64Array(groups.length);
      const estimates = Array.from({ length: draws.resamples }, (_, resample) => {
        draws.countDraws(resample, groups, times);
        return estimate(times);
      });
      return computeBoundsFromResamples(estimates, 60, whole, { level: 0.95, range: [0, 1] });
    };
    expect(computeBounds(createEstimator(distinct, 60), ends)).toEqual(
      computeBounds(createEstimator(sample), listEnds(60)),
    );
  });

  it('stands on the linearised standard error over matches', () => {
    const { estimate, se } = computeClusterInterval(twenty, lieRate, share);
    const { lies, opportunities } = addSums(twenty) as { lies: number; opportunities: number };
    // Cochran 1977, eq. 6.13, without the correction for a finite population.
    const squares = twenty.map((sums) => (sums['lies']! - (lies / opportunities) * sums['opportunities']!) ** 2);
    expect(estimate).toBe(lies / opportunities);
    expect(se).toBeCloseTo(Math.sqrt((20 / 19) * squares.reduce((a, b) => a + b, 0)) / opportunities, 8);
  });

  it('is near the estimate give or take two standard errors where matches are many', () => {
    const many = Array.from({ length: 3 }, () => twenty).flat();
    const { estimate, low, high, se } = computeClusterInterval(many, lieRate, share);
    expect((high! - low!) / (4 * se!)).toBeCloseTo(1, 0);
    expect((high! + low!) / 2).toBeCloseTo(estimate!, 1);
  });

  it('covers the true rate in about 95 of 100 samples of 20 matches', () => {
    const chance = draw(5, 'coverage');
    const small = createResampling(20, 300, 1);
    const sample = () =>
      Array.from({ length: 20 }, () => {
        const inclination = 0.6 * chance.fraction();
        const opportunities = 5 + chance.integer(36);
        const lies = Array.from({ length: opportunities }, () => chance.fraction()).filter((x) => x < inclination);
        return match(lies.length, opportunities);
      });
    const covered = Array.from({ length: 200 }, () =>
      computeClusterInterval(sample(), lieRate, { ...share, resampling: small }),
    );
    const hits = covered.filter(({ low, high }) => low! <= 0.3 && 0.3 <= high!).length;
    expect(hits / 200).toBeGreaterThan(0.9); // three standard errors of 200 samples
    expect(hits / 200).toBeLessThan(0.997);
  });

  it('is wider at a higher level', () => {
    const [wide, usual] = [0.99, 0.95].map((level) => computeClusterInterval(twenty, lieRate, { ...share, level }));
    expect(wide!.high! - wide!.low!).toBeGreaterThan(usual!.high! - usual!.low!);
  });
});

describe('an interval', () => {
  const anyMatches = fc.array(
    fc.tuple(fc.nat(8), fc.nat(8)).map(([lies, others]) => match(lies, lies + others)),
    { minLength: 10, maxLength: 30 },
  );

  it('contains its estimate, lies within the range and is never without width', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const { estimate, low, high, reason } = computeClusterInterval(matches, lieRate, share);
        if (reason !== null) return expect([low, high]).toEqual([null, null]);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(estimate!);
        expect(high).toBeGreaterThanOrEqual(estimate!);
        expect(high).toBeLessThanOrEqual(1);
        expect(high! - low!).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  });

  it('is the same again, in whatever order the matches are given', () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const again = [
          computeClusterInterval(matches, lieRate, share),
          computeClusterInterval(matches.toReversed(), lieRate, share),
        ];
        expect(again[1]).toEqual(again[0]);
        expect(
          computeClusterInterval(matches, lieRate, { ...share, resampling: createResampling(60, 500, 1) }),
        ).toEqual(again[0]);
      }),
      { numRuns: 10 },
    );
  });

  it('is exact, with matches as trials, where no match has a lie, or nothing but lies', () => {
    const none = computeClusterInterval(
      Array.from({ length: 20 }, () => match(0, 9)),
      lieRate,
      share,
    );
    expect(none).toMatchObject({ estimate: 0, method: 'exact', withData: 20 });
    expect([none.low, none.high]).toEqual(computeShareBounds(0, 20));
    const all = computeClusterInterval(
      Array.from({ length: 20 }, () => match(9, 9)),
      lieRate,
      share,
    );
    expect([all.low, all.high]).toEqual(computeShareBounds(1, 20));
  });

  it('is exact, at the effective sample size, where few of the cases of small clusters are rare', () => {
    const wins = Array.from({ length: 20 }, (_, deal) => match(deal < 2 ? 2 : 3, 3));
    const { estimate, low, high, method } = computeClusterInterval(wins, lieRate, share);
    expect([estimate, method]).toEqual([58 / 60, 'exact']);
    expect([low, high]).toEqual([expect.closeTo(0.885, 2), expect.closeTo(0.996, 3)]);
    // A share that is not near 0 or 1 also gets exact bounds if few deals show it: three of fourteen deals are three
    // cases.
    const deals = Array.from({ length: 14 }, (_, deal) => match(deal < 3 ? 0 : 2, 2));
    const lost = computeClusterInterval(deals, lieRate, share);
    expect([lost.low, lost.high, lost.method]).toEqual([expect.closeTo(0.46, 1), expect.closeTo(0.96, 1), 'exact']);
    // Clustered cases count as fewer independent cases.
    const together = Array.from({ length: 20 }, (_, deal) => match(deal < 1 ? 0 : 3, 3));
    expect(computeClusterInterval(together, lieRate, share).low!).toBeLessThan(0.8);
    // For large clusters the estimate of the effective number of cases is too inexact.
    expect(computeClusterInterval(Array.from({ length: 20 }, (_, deal) => match(deal < 2 ? 1 : 0, 40)), lieRate, share).method).toBe('studentized'); // prettier-ignore
  });

  it('is of log-odds where small clusters have enough of both outcomes', () => {
    const mixed = Array.from({ length: 20 }, (_, deal) => match([1, 0, 3, 1, 2][deal % 5]!, 3));
    const { low, high, estimate, se, method } = computeClusterInterval(mixed, lieRate, share);
    expect(method).toBe('logit');
    // R: plogis(qlogis(28 / 60) + c(-1, 1) * qt(.975, 19) * se / (28 / 60 * 32 / 60))
    const reach = (2.093024 * se!) / (estimate! * (1 - estimate!));
    const place = (value: number) => Math.log(value / (1 - value));
    expect([place(estimate!) - place(low!), place(high!) - place(estimate!)]).toEqual([
      expect.closeTo(reach, 5),
      expect.closeTo(reach, 5),
    ]);
  });

  it('does not take a mean of fractions for a share', () => {
    const fractions = Array.from({ length: 20 }, (_, deal) => match(1 + 0.01 * (deal % 5), 4));
    const { low, high, method } = computeClusterInterval(fractions, lieRate, share);
    expect(method).toBe('studentized');
    expect(high! - low!).toBeLessThan(0.01);
  });

  it('is exact where all matches are alike', () => {
    const half = computeClusterInterval(
      Array.from({ length: 20 }, () => match(4, 8)),
      lieRate,
      share,
    );
    expect(half.method).toBe('exact');
    expect([half.low, half.high]).toEqual(computeShareBounds(0.5, 20));
  });

  it('is not given for figures without a range where all matches are alike', () => {
    const alike = Array.from({ length: 20 }, () => match(40, 8));
    expect(computeClusterInterval(alike, lieRate, { resampling: draws })).toMatchObject({
      low: null,
      reason: 'no variation',
    });
  });

  it('is not given under ten matches with data, nor without any', () => {
    const nine = [...twenty.slice(0, 9), match(0, 0), {}, {}];
    expect(computeClusterInterval(nine, lieRate, share)).toMatchObject({
      low: null,
      reason: 'too few',
      clusters: 12,
      withData: 9,
    });
    expect(computeClusterInterval([{}, {}], lieRate, share)).toMatchObject({
      estimate: null,
      reason: 'no data',
      withData: 0,
    });
  });

  it('counts as data only what the figure depends on', () => {
    const silent = Array.from({ length: 30 }, () => ({ tn: 5 }));
    const flagging = Array.from({ length: 12 }, (_, i) => ({ tp: 1 + (i % 3), fp: i % 2, tn: 4 }));
    expect(computeClusterInterval([...silent, ...flagging], computePrecision, share)).toEqual({
      ...computeClusterInterval(flagging, computePrecision, share),
      clusters: 42,
    });
  });

  it('is not given where the figure is undefined in more than a tenth of the resamples', () => {
    const oneHit = Array.from({ length: 12 }, (_, i) => ({ tp: i === 0 ? 2 : 0, fp: i % 2, tn: 4 }));
    expect(computeClusterInterval(oneHit, computeMcc, { resampling: draws, range: [-1, 1] })).toMatchObject({
      low: null,
      reason: 'unstable',
    });
  });

  it('is found for figures of many sums as well', () => {
    const chance = draw(9, 'scores');
    const matches = Array.from({ length: 30 }, () =>
      createHistogram(
        Array.from({ length: 20 }, (_, i) => ({
          score: chance.integer(15) / 20 + (i % 4 ? 0 : 0.25),
          isPositive: i % 4 === 0,
        })),
      ),
    );
    const { estimate, low, high, se, method } = computeClusterInterval(matches, computeRocAuc, share);
    expect(method).toBe('studentized');
    expect(low).toBeLessThan(estimate! - se!);
    expect(high).toBeGreaterThan(estimate! + se!);
  });
});

// Intervals for a share; expected values by scipy 1.17 (`binomtest`), unless a source is named.

const close = (bounds: readonly [number, number] | null, [low, high]: [number, number]) => {
  expect(bounds?.[0]).toBeCloseTo(low, 9);
  expect(bounds?.[1]).toBeCloseTo(high, 9);
};

describe('the Wilson interval', () => {
  it('is that of scipy', () => {
    close(computeWilsonBounds(7, 20), [0.1811918241010821, 0.5671457233147637]);
    close(computeWilsonBounds(0, 10), [0, 0.27753279986288926]);
  });

  it('reaches 1 when all succeed and 0 when none does', () => {
    expect(computeWilsonBounds(10, 10)?.[1]).toBe(1);
    expect(computeWilsonBounds(0, 10)?.[0]).toBe(0);
  });

  it('is unknown without trials', () => {
    expect(computeWilsonBounds(0, 0)).toBeNull();
  });
});

describe('the Clopper–Pearson interval', () => {
  it('is that of scipy, at 95 and 90 %', () => {
    close(computeShareBounds(7 / 20, 20), [0.1539092047845412, 0.5921885345328283]);
    close(computeShareBounds(3 / 15, 15, 0.9), [0.05684686759024679, 0.4397844359815561]);
  });

  it('bounds what was never seen by 1 − .025^(1/n)', () => {
    close(computeShareBounds(0, 20), [0, 1 - 0.025 ** (1 / 20)]);
    close(computeShareBounds(1, 20), [0.025 ** (1 / 20), 1]);
  });

  it('goes on between whole numbers of successes', () => {
    expect(computeShareBounds(0.37, 20)[0]).toBeGreaterThan(computeShareBounds(0.35, 20)[0]);
  });
});

it('refuses counts that are none', () => {
  expect(() => computeWilsonBounds(3, 2)).toThrow('3 of 2 is no share: give whole numbers, 0 ≤ part ≤ whole.');
  expect(() => computeWilsonBounds(0.5, 2)).toThrow('0.5 of 2 is no share');
  expect(() => computeWilsonBounds(1, 2, 95)).toThrow('The level is 95; it must lie between 0 and 1, e.g. 0.95.');
});
