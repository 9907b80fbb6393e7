// Ranges of ranks, from significant differences, and entrants without a rank.
import { describe, expect, it } from '@jest/globals';
import { adjustDifferences, computeRankRange, type RatingDifference } from '../../../deception/ratings/rank-ranges.ts';

const group = ['ann', 'bob', 'cas'];

/** The first entrant's lead, and whether it is significant. */
const differ = (
  one: string,
  other: string,
  value: number | null,
  adjusted: number | null = 0.01,
): RatingDifference => ({
  ...{ pair: [one, other], adjusted, informative: null, isTestable: value !== null },
  difference: { value, low: null, high: null, error: null, p: null, reason: null },
});
const rank = (name: string, differences: readonly RatingDifference[]) => computeRankRange(name, group, differences);

describe('a range of ranks', () => {
  it('reaches from behind those who are found better to before those who are found worse', () => {
    const differences = [differ('ann', 'bob', 0.2), differ('bob', 'cas', 0.1, 0.3), differ('cas', 'ann', -0.3)];
    expect(group.map((name) => rank(name, differences))).toEqual([
      [1, 1],
      [2, 3],
      [2, 3],
    ]);
  });

  it('stays open towards whom no test can tell it from', () => {
    const differences = [differ('ann', 'bob', 0.2), differ('bob', 'cas', 0.1), differ('ann', 'cas', null)];
    expect(group.map((name) => rank(name, differences))).toEqual([
      [1, 2],
      [2, 2],
      [2, 3],
    ]);
  });

  it('is none where no test could have told anything', () => {
    const differences = [differ('ann', 'bob', null), differ('bob', 'cas', 0.1), differ('ann', 'cas', null)];
    expect(rank('ann', differences)).toBeNull();
    expect(computeRankRange('ann', ['ann'], [])).toBeNull();
  });
});

describe('a list of differences', () => {
  const known = { value: 0.3, low: 0, high: 0.6, error: 0.1, reason: null };
  const list = (informative: number, pairs: number) =>
    adjustDifferences(
      Array.from({ length: pairs }, () => ({
        pair: ['ann', 'bob'] as const,
        ...{ difference: { ...known, p: 2 ** (1 - informative) }, informative },
      })),
    );

  it.each([
    [1, 5, false],
    [1, 6, true],
    [3, 6, false],
    [3, 7, true],
    [6, 7, false],
    [6, 8, true],
  ])('of %d pairs with %d deals that tell of each can be told apart: %s', (pairs, informative, isTestable) => {
    const [first] = list(informative, pairs);
    expect(first).toMatchObject({ isTestable });
    expect(first!.adjusted! <= 0.05).toBe(isTestable); // the smallest p that so few deals allow
  });
});
