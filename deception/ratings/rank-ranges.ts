// The ranks that remain possible once differences are tested, and which entrants differ significantly.
import { isEnough } from '../statistics/exchange-test.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import type { RatingEstimate } from './rating-estimates.ts';

/** How much more the first is expected to score, or is worth. */
export interface RatingDifference {
  readonly pair: readonly [string, string];
  readonly difference: RatingEstimate;
  /** Deals, or blocks, that tell of the pair; null where that was not counted. */
  readonly informative: number | null;
  /** Whether its test could reach .05 after Holm's correction: else there are too few such deals, and no rank. */
  readonly isTestable: boolean;
  /** p by Holm's procedure over all of a list; null where not tested. */
  readonly adjusted: number | null;
}

/** The best and the worst rank that remain open; null where nothing was tested. */
export type RankRange = readonly [best: number, worst: number] | null;

/** The level of the tests, over all of a list together. */
const RANK_ALPHA = 0.05;

export const listPairs = (names: readonly string[]): [string, string][] =>
  names.flatMap((one, place) => names.slice(place + 1).map((other): [string, string] => [one, other]));

/**
 * Differences with p adjusted over all of them. `least`: the least p that a row could have had, where it is not that of its
 * informative units.
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

/** Returns whether the two differ significantly. */
export const isToldApart = ({ adjusted }: Pick<RatingDifference, 'adjusted'>): boolean =>
  adjusted !== null && adjusted <= RANK_ALPHA;

/**
 * 1 + those who are found better, to all but those who are found worse, among the others of a group. Null where no test of the
 * entrant could have found anything: a rank that all leave open would then say nothing of how alike they are.
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
