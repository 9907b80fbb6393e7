// Computes the precision that a dry run states in advance (the promise), and the precision that simulated tournaments
// of the same plan reach.
import { rateEntrants } from '../ratings/rate-entrants.ts';
import { createResampling, MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { computeHalfWidth } from '../statistics/sample-size.ts';
import { mean } from '../statistics/sums.ts';
import type { TournamentPlan } from '../tournament-plan/tournament-plan.ts';
import { countBlockDeals, listTournamentMatches } from '../tournament-plan/tournament-schedule.ts';
import {
  drawWinners,
  type OutcomeAssumption,
  rateMatch,
  simulateSpreads,
  widestOutcomes,
} from './tournament-precision.ts';

/**
 * Returns the half-width that a dry run promises before the first match: the half-width of the 95% interval for the
 * difference of two entrants' scores. Null with fewer than ten blocks of deals, or if no two entrants meet.
 *
 * @example estimatePromise(plan) // 0.286
 */
export function estimatePromise(plan: TournamentPlan, assumption: OutcomeAssumption = widestOutcomes): number | null {
  const blocks = Math.floor(plan.deals / countBlockDeals(plan));
  if (blocks < MIN_CLUSTERS) return null;
  const { difference } = simulateSpreads(takeOneCondition(plan), assumption);
  return difference === null ? null : computeHalfWidth(difference, blocks);
}

/** Keeps only the first condition of a plan, because all conditions have the same schedule. */
const takeOneCondition = ({ rules, ...plan }: TournamentPlan): TournamentPlan => ({
  ...plan,
  rules: rules.slice(0, 1),
  conditions: undefined,
});

/**
 * Returns the mean half-width of the intervals for differences in a simulated tournament; null if no difference has an
 * interval. `run`: number of the simulation, from 1.
 *
 * @example simulateReached(plan, { run: 1, resamples: 199 }) // 0.29
 */
export function simulateReached(
  whole: TournamentPlan,
  { run, resamples }: { run: number; resamples: number },
  assumption: OutcomeAssumption = widestOutcomes,
): number | null {
  const plan = takeOneCondition(whole);
  const matches = listTournamentMatches(plan);
  const winners = drawWinners(matches, assumption, run);
  const { differences } = rateEntrants(
    matches.flatMap((match, place) => (winners[place] === undefined ? [] : [rateMatch(match, winners[place])])),
    { resampling: createResampling(plan.deals, resamples, run) },
  );
  return computeReached(differences.map(({ difference }) => difference));
}

/**
 * Returns the mean half-width of intervals; null if there is no interval.
 *
 * @example computeReached(rating.differences) // 0.49
 */
export const computeReached = (differences: readonly { low: number | null; high: number | null }[]): number | null =>
  mean(differences.flatMap(({ low, high }) => (low === null || high === null ? [] : [(high - low) / 2])));
