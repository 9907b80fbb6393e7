// Which ranks remain open once differences are tested, and who can be told apart.
import { adjustHolm } from '../statistics/paired-test.ts';
import type { RatingEstimate } from './rating-estimates.ts';

/** How much more the first is expected to score, or is worth. */
export interface RatingDifference {
  readonly pair: readonly [string, string];
  readonly difference: RatingEstimate;
  /** p by Holm's procedure over all of a list; null where not tested. */
  readonly adjusted: number | null;
}

/** The best and the worst rank that remain open; null where nothing was tested. */
export type RankRange = readonly [best: number, worst: number] | null;

/** The level of the tests, over all of a list together. */
const RANK_ALPHA = 0.05;

/** With fewer deals intervals may cover less than they say; validation shows what they reach. */
export const MIN_DEALS_FOR_COVERAGE = 20;

export const listPairs = (names: readonly string[]): [string, string][] =>
  names.flatMap((one, place) => names.slice(place + 1).map((other): [string, string] => [one, other]));

/** Differences with p adjusted over all of them. */
export function adjustDifferences(rows: readonly Omit<RatingDifference, 'adjusted'>[]): RatingDifference[] {
  const adjusted = adjustHolm(rows.map(({ difference }) => difference.p));
  return rows.map((row, place) => ({ ...row, adjusted: adjusted[place]! }));
}

/** Whether the two are told apart. */
export const isToldApart = ({ adjusted }: Pick<RatingDifference, 'adjusted'>): boolean =>
  adjusted !== null && adjusted <= RANK_ALPHA;

/** 1 + those who are found better, to all but those who are found worse, among the others of a group. */
export function computeRankRange(
  name: string,
  group: readonly string[],
  differences: readonly RatingDifference[],
): RankRange {
  const own = differences.flatMap((one) => {
    if (!one.pair.includes(name) || one.difference.value === null) return [];
    const lead = one.pair[0] === name ? one.difference.value : -one.difference.value;
    return [isToldApart(one) ? Math.sign(lead) : 0];
  });
  if (own.length === 0 || own.length < group.length - 1) return null;
  return [1 + own.filter((lead) => lead < 0).length, group.length - own.filter((lead) => lead > 0).length];
}
