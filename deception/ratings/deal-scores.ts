// Each entrant's score in each deal, computed without a model of wins. Sequential tests and exact bounds use these
// scores.
import { mean } from '../statistics/sums.ts';
import type { Team } from '../../state/teams.ts';
import type { RatedMatch } from './rating-model.ts';
import type { PairScores } from './stopping-rule.ts';

/**
 * An entrant's scores in one deal, from 0 to 1. Each score is a mean over the entrant's seats on one side. A score is
 * null if the entrant has no seat on the side.
 */
export interface DealScore extends Readonly<Record<Team, number | null>> {
  /** Mean of the scores on both sides; null if either score is missing. */
  readonly both: number | null;
}

/** Returns whether one entrant holds every seat. */
export const isSelfPlay = ({ seats }: Pick<RatedMatch, 'seats'>): boolean =>
  new Set(seats.map(({ entrant }) => entrant)).size === 1;

/** Returns a side's score in a match: 1 if it won, 0 if it lost, and ½ in a draw. */
export const computeSideScore = (winner: Team | null, side: Team): number =>
  winner === null ? 0.5 : winner === side ? 1 : 0;

/**
 * Computes scores: deal → entrant → score. A score over both sides is half the mean over the entrant's Werewolf seats
 * plus half the mean over its village seats. Matches in which one entrant holds all seats do not count.
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
 * Lists, for each pair of entrants, by how much the first entrant outscored the second in each deal. `deals`: deals in
 * the schedule's order, with null for a deal with unfinished matches. `of`: the compared score; the name of a side if
 * each entrant plays on one side only. Deals in which one of the two entrants has no score are left out.
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
