// Ranges of ranks that remain possible after all differences have been tested. Also decides which entrants differ
// significantly.
import { isEnough } from '../statistics/exchange-test.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import type { RatingEstimate } from './rating-estimates.ts';

/** Lead of the first entrant of a pair over the second, in expected score or strength. */
export interface RatingDifference {
  readonly pair: readonly [string, string];
  readonly difference: RatingEstimate;
  /** Number of deals or blocks in which the scores of the pair differ; null if not counted. */
  readonly informative: number | null;
  /**
   * Whether the test could reach .05 after Holm's correction. If it could not, too few deals are informative, and ranks
   * do not use this pair.
   */
  readonly isTestable: boolean;
  /** p adjusted by Holm's procedure over all pairs of a list; null if the pair was not tested. */
  readonly adjusted: number | null;
}

/** The best and the worst possible rank; null if nothing was tested. */
export type RankRange = readonly [best: number, worst: number] | null;

/** Joint level of all tests of a list. */
const RANK_ALPHA = 0.05;

export const listPairs = (names: readonly string[]): [string, string][] =>
  names.flatMap((one, place) => names.slice(place + 1).map((other): [string, string] => [one, other]));

/**
 * Adjusts the p-values of all differences. `least`: smallest possible p of a row; needed only if the number of
 * informative units does not determine that p.
 */
export function adjustDifferences(
  rows: readonly (Pick<RatingDifference, 'pair' | 'difference' | 'informative'> & { readonly least?: number | null })[],
): RatingDifference[] {
  const adjusted = adjustHolm(rows.map(({ difference }) => difference.p));
  return rows.map(({ pair, difference, informative, least = null }, place) => {
    const canReach =
      least !== null ? least * rows.length <= RANK_ALPHA : informative === null || isEnough(informative, rows.length);
    return {
      ...{ pair, difference, informative },
      isTestable: difference.p !== null && canReach,
      adjusted: adjusted[place]!,
    };
  });
}

/** Returns whether the two entrants differ significantly. */
export const isToldApart = ({ adjusted }: Pick<RatingDifference, 'adjusted'>): boolean =>
  adjusted !== null && adjusted <= RANK_ALPHA;

/**
 * Computes the possible ranks of an entrant. The best rank is 1 + the number of entrants that are significantly better.
 * The worst rank is the size of the group minus the number of entrants that are significantly worse. Null if no test of
 * the entrant could have found a difference, because equal ranks would then not mean equal strength.
 */
export function computeRankRange(
  name: string,
  group: readonly string[],
  differences: readonly RatingDifference[],
): RankRange {
  const own = differences.filter(({ pair }) => pair.includes(name));
  if (!own.some(({ isTestable }) => isTestable)) return null;
  const leads = own.map((one) => {
    if (!isToldApart(one) || one.difference.value === null) return 0;
    return Math.sign(one.pair[0] === name ? one.difference.value : -one.difference.value);
  });
  return [1 + leads.filter((lead) => lead < 0).length, group.length - leads.filter((lead) => lead > 0).length];
}
