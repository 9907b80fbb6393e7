// The fit, compared with closed forms and with gradient ascent on the penalized likelihood.
import { describe, expect, it } from '@jest/globals';
import {
  type CellDesign,
  createDesignRow,
  computeDealCovariance,
  computeOutcomes,
  countOutcomes,
  estimateParameters,
} from '../../../deception/ratings/firth-fit.ts';
import { draw } from '../../../state/random.ts';

const row = (...values: number[]) => Float64Array.from(values);
const create = (rows: readonly Float64Array[], ties: readonly number[] = rows.map(() => -1)): CellDesign => {
  const strengths = rows[0]!.length;
  const size = strengths + Math.max(...ties) + 1;
  return { cells: rows.map(createDesignRow), ties: Int32Array.from(ties), strengths, size };
};
const fit = (design: CellDesign, counts: number[]) => [
  ...estimateParameters(design, Float64Array.from(counts))!.parameters,
];

/**
 * Computes log-likelihood + ½ log |information|. The information is computed separately from the statistics of each
 * outcome.
 */
function computePenalised(
  { cells, ties, strengths, size }: CellDesign,
  counts: readonly number[],
  at: readonly number[],
): number {
  const information = Array.from({ length: size }, () => Array<number>(size).fill(0));
  let value = 0;
  for (const [c, { at: places, amounts }] of cells.entries()) {
    const z = Array<number>(strengths).fill(0);
    places.forEach((place, i) => (z[place] = amounts[i]!));
    const eta = z.reduce((sum, one, i) => sum + one * at[i]!, 0);
    const place = z.length + ties[c]!;
    const weights = [Math.exp(eta / 2), Math.exp(-eta / 2), ties[c] === -1 ? 0 : Math.exp(at[place]!)];
    const all = weights.reduce((sum, one) => sum + one, 0);
    const statistics = [0.5, -0.5, 0].map((sign, outcome) =>
      at.map((_, i) => (i < z.length ? sign * z[i]! : outcome === 2 && i === place ? 1 : 0)),
    );
    const mean = at.map((_, i) => statistics.reduce((sum, one, o) => sum + (weights[o]! / all) * one[i]!, 0));
    const matches = counts[3 * c]! + counts[3 * c + 1]! + counts[3 * c + 2]!;
    for (let o = 0; o < 3; o++) {
      const p = weights[o]! / all;
      if (counts[3 * c + o]! > 0) value += counts[3 * c + o]! * Math.log(p);
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++)
          information[i]![j]! += matches * p * (statistics[o]![i]! - mean[i]!) * (statistics[o]![j]! - mean[j]!);
    }
  }
  return value + Math.log(computeDeterminant(information)) / 2;
}

const computeDeterminant = ([first, ...rest]: readonly (readonly number[])[]): number =>
  first === undefined
    ? 1
    : first.reduce(
        (sum, one, i) =>
          sum + (i % 2 === 0 ? one : -one) * computeDeterminant(rest.map((other) => other.filter((_, j) => j !== i))),
        0,
      );

/** Gradient ascent with numerical slopes. The step grows while the likelihood rises. */
function climb(design: CellDesign, counts: readonly number[]): number[] {
  let at = Array<number>(design.size).fill(0);
  let step = 0.01;
  for (let i = 0; i < 3000; i++) {
    const slopes = at.map((_, k) => {
      const move = (by: number) => computePenalised(design, counts, at.with(k, at[k]! + by));
      return (move(1e-5) - move(-1e-5)) / 2e-5;
    });
    if (slopes.every((slope) => Math.abs(slope) < 1e-5)) return at;
    const next = at.map((one, k) => one + step * slopes[k]!);
    const isUp = computePenalised(design, counts, next) > computePenalised(design, counts, at);
    step *= isUp ? 1.2 : 0.5;
    if (isUp) at = next;
  }
  throw new Error('No top was found.');
}

describe('the penalised fit', () => {
  it('of one cell is the log-odds with half a match more of each outcome', () => {
    const one = create([row(1)]);
    expect(fit(one, [3, 0, 0])[0]).toBeCloseTo(Math.log(3.5 / 0.5), 5);
    expect(fit(one, [7, 13, 0])[0]).toBeCloseTo(Math.log(7.5 / 13.5), 6);
  });

  it('of two cells is the odds ratio of Haldane (1956) and Anscombe (1956)', () => {
    const two = create([row(1, 0), row(1, 1)]);
    const [first, ratio] = fit(two, [9, 11, 0, 20, 0, 0]);
    expect(first).toBeCloseTo(Math.log(9.5 / 11.5), 5);
    expect(ratio).toBeCloseTo(Math.log((20.5 / 0.5) * (11.5 / 9.5)), 5);
  });

  it('is the top of the penalised likelihood, with wins alone and where nobody wins', () => {
    const cells = [row(1, 1, 0), row(1, -1, 0), row(1, 0, 1), row(1, 0, -1), row(1, 1, -1)];
    const alone = create(cells);
    const wins = [8, 2, 0, 3, 7, 0, 10, 0, 0, 5, 5, 0, 1, 1, 0];
    expect(fit(alone, wins)).toEqual(climb(alone, wins).map((one) => expect.closeTo(one, 4)));
    const tied = create(cells, [0, 0, 0, -1, -1]);
    const withTies = [8, 2, 4, 3, 7, 0, 10, 0, 1, 5, 5, 0, 1, 1, 0];
    expect(fit(tied, withTies)).toEqual(climb(tied, withTies).map((one) => expect.closeTo(one, 4)));
  });

  it('is finite where one side won everything, whatever it starts from', () => {
    const cells = [row(1, 1), row(1, -1), row(1, 0)];
    const design = create(cells);
    const counts = Float64Array.of(20, 0, 0, 20, 0, 0, 20, 0, 0);
    const near = estimateParameters(design, counts)!.parameters;
    expect(near[0]).toBeGreaterThan(2);
    expect(near[0]).toBeLessThan(8);
    const far = estimateParameters(design, counts, row(-6, 5))!.parameters;
    expect([...far]).toEqual([...near].map((one) => expect.closeTo(one, 4)));
  });

  it('is none where the cells with matches do not determine it', () => {
    const design = create([row(1, 0), row(1, 1)]);
    expect(estimateParameters(design, Float64Array.of(5, 5, 0, 0, 0, 0))).toBeNull();
  });

  it('knows outcomes that lie far apart', () => {
    expect(computeOutcomes(2000, null)).toEqual([1, 0, 0]);
    expect(computeOutcomes(0, 0)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
});

describe('the covariance over deals', () => {
  const design = create([row(1)]);
  const measure = (outcomes: readonly (readonly [number, number])[]) => {
    const deals = outcomes.map(([won, lost]) => ({ places: Int32Array.of(0, 1), counts: row(won, lost) }));
    const times = new Float64Array(deals.length).fill(1);
    const found = estimateParameters(design, countOutcomes(deals, times, 1))!;
    const [p] = found.probabilities;
    return { covariance: computeDealCovariance(design, deals, times, found)[0]!, model: found.inverse[0]!, p: p! };
  };

  it('is that of the model where matches are independent', () => {
    const chance = draw(3, 'independent');
    const { covariance, model } = measure(
      Array.from({ length: 4000 }, () => (chance.fraction() < 0.7 ? [1, 0] : [0, 1])),
    );
    expect(covariance / model).toBeCloseTo(1, 1);
  });

  it('is twice that where both matches of a deal end alike', () => {
    const alike = Array.from({ length: 40 }, (_, d) => (d % 4 === 0 ? ([0, 2] as const) : ([2, 0] as const)));
    const { covariance, model } = measure(alike);
    expect(covariance / model).toBeCloseTo(2, 0);
  });
});
