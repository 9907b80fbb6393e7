// Ranges of ranks: who is found better or worse, and for whom nothing can be said.
import { describe, expect, it } from '@jest/globals';
import { computeRankRange, type RatingDifference } from '../../../deception/ratings/rank-ranges.ts';

const group = ['ann', 'bob', 'cas'];

/** How much more the first scores, and whether that is more than chance. */
const differ = (
  one: string,
  other: string,
  value: number | null,
  adjusted: number | null = 0.01,
): RatingDifference => ({
  ...{ pair: [one, other], adjusted },
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

  it('takes a difference that is known from each of the others', () => {
    const differences = [differ('ann', 'bob', 0.2), differ('bob', 'cas', 0.1), differ('ann', 'cas', null)];
    expect(group.map((name) => rank(name, differences))).toEqual([null, [2, 2], null]);
    expect(computeRankRange('ann', ['ann'], [])).toBeNull();
  });
});
