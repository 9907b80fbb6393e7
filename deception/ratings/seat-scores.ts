// Scores of entrants that sit at mixed tables: means over their seats, deal by deal, without a model of who wins. Where every
// table seats every entrant equally often, who is strong as Werewolves cannot be told from who is weak as the village: it
// is the same tables that show both.
import { computeClusterInterval } from '../statistics/bootstrap.ts';
import { computePairedDifference } from '../statistics/paired-test.ts';
import { createRatio } from '../statistics/sums.ts';
import type { Team } from '../../state/teams.ts';
import type { computeDealScores, DealScore } from './deal-scores.ts';
import { createMissingEstimate, type EstimateOptions, type RatingEstimate } from './rating-estimates.ts';
import type { RatedMatch } from './rating-model.ts';

type DealScores = ReturnType<typeof computeDealScores>;

const score = createRatio('score', 'deals');
const range = [0, 1] as const;

/** Whether several entrants share a side. */
export const isMixedTable = ({ seats }: RatedMatch): boolean =>
  (['werewolves', 'villagers'] as const satisfies Team[]).some(
    (side) => new Set(seats.flatMap(({ team, entrant }) => (team === side ? [entrant] : []))).size > 1,
  );

const createSums = (value: number) => ({ score: value, deals: 1 });

/**
 * The mean score of an entrant's seats over deals, on one side or on both, with the interval of any other figure.
 *
 * @example estimateSeatScore(computeDealScores(matches), 'gpt', 'both', { resampling }).value
 */
export function estimateSeatScore(
  scores: DealScores,
  entrant: string,
  of: keyof DealScore,
  { resampling, level = 0.95 }: EstimateOptions,
): RatingEstimate {
  const own = [...scores.values()].flatMap((deal) => deal.get(entrant)?.[of] ?? []).map(createSums);
  const { estimate, low, high, se, reason } = computeClusterInterval(own, score, { resampling, level, range });
  return low === null ? createMissingEstimate(reason) : { value: estimate, error: se, low, high, p: null, reason };
}

/** How much more the first of two scores, over the deals of both, with its test by swaps. */
export function compareSeatScores(
  scores: DealScores,
  [one, other]: readonly [string, string],
  { resampling, level = 0.95 }: EstimateOptions,
): RatingEstimate {
  const pairs = [...scores.values()].flatMap((deal) => {
    const [a, b] = [deal.get(one)?.both ?? null, deal.get(other)?.both ?? null];
    return a === null || b === null ? [] : [{ a: createSums(a), b: createSums(b) }];
  });
  const { difference, p } = computePairedDifference(pairs, score, { resampling, level, range });
  const { estimate, low, high, se, reason } = difference;
  return low === null ? createMissingEstimate(reason) : { value: estimate, error: se, low, high, p, reason };
}

/** The Werewolves' score over all mixed tables. */
export function estimateWerewolfScore(
  matches: readonly RatedMatch[],
  { resampling, level = 0.95 }: EstimateOptions,
): RatingEstimate {
  const byDeal = Map.groupBy(matches.filter(isMixedTable), ({ deal }) => deal);
  const sums = [...byDeal.values()].map((own) => ({
    score: own.reduce((sum, { winner }) => sum + (winner === null ? 0.5 : winner === 'werewolves' ? 1 : 0), 0),
    deals: own.length,
  }));
  const { estimate, low, high, se, reason } = computeClusterInterval(sums, score, { resampling, level, range });
  return low === null ? createMissingEstimate(reason) : { value: estimate, error: se, low, high, p: null, reason };
}
