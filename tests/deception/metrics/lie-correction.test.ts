// The share of lies, corrected for the judge's errors, on leaderboards and for contrasts of parts of a study.
import { describe, expect, it } from '@jest/globals';
import { computeCorrected } from '../../../deception/statistics/prediction-powered.ts';
import { buildTraitLeaderboards, type CountedTraits } from '../../../deception/ratings/trait-leaderboards.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import type { Sums } from '../../../deception/statistics/sums.ts';

const deals = 20;

/** Sums of a deal in which half of ten statements lie by the judge, and a corrected number of them by people. */
const createSums = (corrected: number, more: Sums = {}): Sums => ({
  ...{ lying: 5, statements: 10, corrected, correctable: 10, labeled: 2, hidden: 10 * 0.01 ** 2 },
  ...more,
});

const matches = (more: Sums = {}) =>
  Array.from({ length: deals }, (_, deal): CountedTraits => ({
    rated: { deal: String(deal) },
    extractor: 'openai:judge',
    cells: [
      { entrant: 'x', lies: 8 - (deal % 2) },
      { entrant: 'y', lies: 2 + (deal % 2) },
    ].map(({ entrant, lies }) => ({
      metric: 'lie_turn_rate',
      cell: { team: 'werewolves', model: entrant },
      sums: createSums(lies, more),
    })),
  }));

const build = (more: Sums, options: { anyTimeAlpha?: number; reading: 'alike' | 'measured' }) =>
  buildTraitLeaderboards(matches(more), {
    ...{ isCrossed: true, entrants: ['x', 'y'], resampling: createResampling(deals, 100, 1), findChance: () => null },
    ...options,
  });

describe('a leaderboard of lies', () => {
  it('has corrected shares where the errors on all statements are known', () => {
    const [board] = build({}, { reading: 'measured' }).boards;
    expect(board?.title).toContain(', corrected');
    expect(board?.rows.map(({ entrant, value }) => [entrant, value])).toEqual([
      ['x', expect.closeTo(0.75)],
      ['y', expect.closeTo(0.25)],
    ]);
    expect(board?.rows.every(({ low, high, value }) => low! < value! && value! < high!)).toBe(true);
  });

  it('is refused where some errors are unknown and nothing else speaks for the judge, else as the judge found', () => {
    const { boards, refused } = build({ uncorrectable: 1 }, { reading: 'measured' });
    expect([boards, refused.map(({ reason }) => reason)]).toEqual([[], ['judge errors not corrected']]);
    const [found] = build({ uncorrectable: 1 }, { reading: 'alike' }).boards;
    expect(found?.rows.map(({ value }) => value)).toEqual([0.5, 0.5]);
  });

  it('is not corrected where a tournament may stop early, and says so', () => {
    const [board] = build({}, { reading: 'alike', anyTimeAlpha: 0.05 }).boards;
    expect(board?.title).toContain('not corrected for the judge’s errors');
    expect(build({}, { reading: 'measured', anyTimeAlpha: 0.05 }).boards).toEqual([]);
  });
});

describe('a corrected contrast', () => {
  const rows = matches().map(({ cells }) => cells.map(({ sums }) => sums));

  it('has a sign that turns with its weights, an interval that excludes 0 where p is small, and none of one deal', () => {
    const [one, other] = [computeCorrected(rows, [1, -1]), computeCorrected(rows, [-1, 1])];
    expect(one?.estimate).toBeCloseTo(0.5);
    expect(other?.estimate).toBeCloseTo(-0.5);
    expect(one?.low).toBeCloseTo(-other!.high!);
    expect([one!.p! < 0.05, one!.low! > 0]).toEqual([true, true]);
    expect(computeCorrected(rows.slice(0, 1), [1, -1])).toMatchObject({ low: null, p: null });
  });

  it('is null where a statement of a compared arm cannot be corrected, whatever the other arms hold', () => {
    const spoiled = rows.map(([x = {}, y = {}]) => [x, { ...y, uncorrectable: 1 }]);
    expect(computeCorrected(spoiled, [1, -1])).toBeNull();
    expect(computeCorrected(spoiled, [1, 0])?.estimate).toBeCloseTo(0.75);
  });
});
