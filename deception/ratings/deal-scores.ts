// Each entrant's score in each deal: the input of sequential tests and exact bounds, without a model.
import { mean } from '../statistics/sums.ts';
import type { Team } from '../../state/teams.ts';
import type { RatedMatch } from './rating-model.ts';
import type { PairScores } from './stopping-rule.ts';

/** An entrant's scores in one deal, each 0…1 and the mean over its seats; null without a seat there. */
export interface DealScore extends Readonly<Record<Team, number | null>> {
  /** The mean of both sides; null without one of them. */
  readonly both: number | null;
}

/** Whether one entrant holds every seat. */
export const isSelfPlay = ({ seats }: Pick<RatedMatch, 'seats'>): boolean =>
  new Set(seats.map(({ entrant }) => entrant)).size === 1;

/** 1 for a side that won, ½ for both where nobody did. */
export const computeSideScore = (winner: Team | null, side: Team): number =>
  winner === null ? 0.5 : winner === side ? 1 : 0;

/**
 * Deal → entrant → its score: the mean over its seats as Werewolves and that over its seats as the village, half each.
 * Matches in which one entrant holds all seats do not count.
 *
 * @example computeDealScores(matches).get('classic-8: Ann=Seer, …')?.get('gpt')?.both; // 0.75
 */
export function computeDealScores(matches: readonly RatedMatch[]): Map<string, Map<string, DealScore>> {
  const byDeal = Map.groupBy(matches, ({ deal }) => deal);
  return new Map([...byDeal].map(([deal, own]) => [deal, scoreDeal(own)]));
}

function scoreDeal(matches: readonly RatedMatch[]): Map<string, DealScore> {
  const seats = matches
    .filter((match) => !isSelfPlay(match))
    .flatMap(({ winner, seats: all }) =>
      all.map(({ entrant, team }) => ({ entrant, team, score: computeSideScore(winner, team) })),
    );
  return new Map(
    [...Map.groupBy(seats, ({ entrant }) => entrant)].map(([entrant, own]) => {
      const average = (side: Team) => mean(own.flatMap(({ team, score }) => (team === side ? [score] : [])));
      const [werewolves, villagers] = [average('werewolves'), average('villagers')];
      const both = werewolves === null || villagers === null ? null : (werewolves + villagers) / 2;
      return [entrant, { werewolves, villagers, both }];
    }),
  );
}

/**
 * For each pair how much more the first scored, deal by deal; `deals` stand in the order of the schedule, null for one whose
 * matches are not all over; `of`: on which side, where entrants have seats of one alone. Deals in which one of the two has no score are left out: they say nothing of the pair.
 *
 * @example evaluateStop(listPairScores(deals, [['gpt', 'gemini']]), { alpha: 0.05, decide: true }).stopAt
 */
export function listPairScores(
  deals: readonly (readonly RatedMatch[] | null)[],
  pairs: readonly (readonly [string, string])[],
  of: keyof DealScore = 'both',
): PairScores[] {
  const scored = deals.map((matches) => matches && scoreDeal(matches));
  return pairs.map((pair) => ({
    pair,
    differences: scored.flatMap((deal) => {
      if (deal === null) return [null];
      const [one, other] = pair.map((name) => deal.get(name)?.[of] ?? null) as [number | null, number | null];
      return one === null || other === null ? [] : [one - other];
    }),
  }));
}
