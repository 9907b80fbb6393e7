// Computes the precision that a schedule gives. Simulates the winners of the schedule's matches, and measures these
// matches as a report would.
import { draw, drawNormal } from '../../state/random.ts';
import type { Team } from '../../state/teams.ts';
import { type DealScore, listPairScores } from '../ratings/deal-scores.ts';
import { rateEntrants } from '../ratings/rate-entrants.ts';
import type { RatingEstimate } from '../ratings/rating-estimates.ts';
import type { RatedMatch } from '../ratings/rating-model.ts';
import { createResampling, MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { computeHalfWidth, countDealsForHalfWidth } from '../statistics/sample-size.ts';
import { mean } from '../statistics/sums.ts';
import type { TournamentPlan } from '../tournament-plan/tournament-plan.ts';
import {
  countBlockDeals,
  listTournamentMatches,
  type TournamentMatch,
} from '../tournament-plan/tournament-schedule.ts';

/** Assumed outcomes of matches between equally strong entrants. */
export interface OutcomeAssumption {
  /** The Werewolves' share of wins. */
  share: number;
  /** Standard deviation between deals, in log-odds. */
  dealSpread: number;
}

/** The assumption under which intervals are widest: each side wins half of the matches. */
export const widestOutcomes: OutcomeAssumption = { share: 0.5, dealSpread: 1 };

/**
 * Expected half-widths of 95% intervals in each condition. A half-width is null if the schedule does not identify the
 * figure, or has fewer than ten deals.
 */
export interface TournamentPrecision {
  /** Half-width for the difference of two entrants' scores, each 0 to 1, on the same deals. */
  difference: number | null;
  /** Standard deviation of that difference between single blocks. */
  differenceSpread: number | null;
  /** Half-width for the Werewolves' share of wins in all matches. */
  winRate: number | null;
  /** Half-width for an entrant's expected score against the field, over both sides and by side. */
  score: number | null;
  werewolves: number | null;
  villagers: number | null;
  /** Half-width for an entrant's strength relative to the field's mean, in log-odds. */
  strength: number | null;
  /** Questions that this schedule cannot answer, whatever its results, in words. */
  refused: readonly string[];
}

/**
 * Sizes of the simulations. `blocks` and `matches` limit the simulated blocks from which a spread is computed.
 * `tournaments` and `resamples` are the numbers from which a rating's half-width is computed.
 */
const simulated = { blocks: 200, matches: 20_000, tournaments: 5, resamples: 200 } as const;

/**
 * Simulates the precision of the plan's deals in each condition. The same plan and assumption give the same figures.
 *
 * @example simulatePrecision(plan).difference; // 0.12: a difference of scores is known to ± .12
 */
export function simulatePrecision(
  { rules, ...whole }: TournamentPlan,
  assumption: OutcomeAssumption = widestOutcomes,
): TournamentPrecision {
  const plan = { ...whole, rules: rules.slice(0, 1), conditions: undefined }; // one condition is simulated for all
  const spreads = simulateSpreads(plan, assumption);
  const blocks = Math.floor(plan.deals / countBlockDeals(plan));
  // The number of deals is rounded to whole blocks, because a report rates only whole blocks.
  const ratings = simulateRatings({ ...plan, deals: Math.max(1, blocks) * countBlockDeals(plan) }, assumption);
  const measure = (spread: number | null, units: number) =>
    spread === null || units < MIN_CLUSTERS ? null : computeHalfWidth(spread, units);
  return {
    difference: measure(spreads.difference, blocks),
    differenceSpread: spreads.difference,
    winRate: measure(spreads.winRate, plan.deals),
    ...ratings,
  };
}

/**
 * Returns the number of deals, at least ten blocks, after which the 95% interval for the difference of two entrants'
 * scores has the given half-width. Null if no two entrants meet.
 *
 * @example countDealsForPrecision(plan, simulatePrecision(plan), 0.05)
 */
export function countDealsForPrecision(
  plan: TournamentPlan,
  { differenceSpread }: Pick<TournamentPrecision, 'differenceSpread'>,
  halfWidth: number,
): number | null {
  if (differenceSpread === null) return null;
  return countDealsForHalfWidth(differenceSpread, halfWidth) * countBlockDeals(plan);
}

/**
 * Simulates blocks of the schedule. Returns the standard deviation of score differences between blocks, and of the
 * Werewolves' share of wins between deals.
 */
export function simulateSpreads(plan: TournamentPlan, assumption: OutcomeAssumption) {
  const size = countBlockDeals(plan);
  const perBlock = listTournamentMatches({ ...plan, deals: size }).length;
  const blocks = Math.max(2 * MIN_CLUSTERS, Math.min(simulated.blocks, Math.floor(simulated.matches / perBlock)));
  const matches = listTournamentMatches({ ...plan, deals: blocks * size });
  const winners = drawWinners(matches, assumption, 0);
  const byBlock = [...Map.groupBy(matches.keys(), (place) => matches[place]!.block).values()];
  const rated = byBlock.map((places) => places.map((place) => rateMatch(matches[place]!, winners[place]!)));
  const byDeal = [...Map.groupBy(matches.keys(), (place) => matches[place]!.deal).values()];
  const shares = byDeal.map((places) => mean(places.map((place) => (winners[place] === 'werewolves' ? 1 : 0)))!);
  return { difference: measurePairSpread(plan, rated), winRate: computeDeviation(shares) };
}

/**
 * Returns the standard deviation between blocks of the difference between two entrants' scores in one condition, over
 * all pairs. Null if no two entrants meet.
 *
 * @example measurePairSpread(plan, finishedBlocks)
 */
export function measurePairSpread(plan: TournamentPlan, blocks: readonly (readonly RatedMatch[])[]): number | null {
  const conditions = new Set(blocks.flat().map(readCondition));
  const side = findScoredSide(plan);
  const variances = [...conditions].flatMap((condition) => {
    const own = blocks.map((matches) => matches.filter((match) => readCondition(match) === condition));
    return listPairScores(own, listEntrantPairs(plan), side).flatMap(({ differences }) =>
      differences.length < 2 ? [] : [computeDeviation(differences.map((one) => one!)) ** 2],
    );
  });
  return variances.length === 0 ? null : Math.sqrt(mean(variances)!);
}

/** Lists all pairs of entrants, each once. */
export function listEntrantPairs({ entrants }: TournamentPlan): [string, string][] {
  const names = Object.keys(entrants);
  return names.flatMap((one, place) => names.slice(place + 1).map((other): [string, string] => [one, other]));
}

/**
 * Returns the score by which entrants are compared. If they differ in only one role, it is the score of that role's
 * side.
 */
export function findScoredSide({ role, boards, seed, ...plan }: TournamentPlan): keyof DealScore {
  if (role === undefined) return 'both';
  const [first] = listTournamentMatches({ ...plan, role, seed, boards: boards.slice(0, 1), deals: 1 });
  return first!.seats.find((seat) => seat.role === role)!.team;
}

function simulateRatings(
  plan: TournamentPlan,
  assumption: OutcomeAssumption,
): Pick<TournamentPrecision, 'score' | Team | 'strength' | 'refused'> {
  const matches = listTournamentMatches(plan);
  const resampling = createResampling(plan.deals, simulated.resamples, 1);
  const rated = Array.from({ length: simulated.tournaments }, (_, run) => {
    const winners = drawWinners(matches, assumption, run + 1);
    return rateEntrants(
      matches.map((match, place) => rateMatch(match, winners[place]!)),
      { resampling },
    );
  });
  const average = (choose: (entrant: (typeof rated)[number]['entrants'][number]) => RatingEstimate) =>
    mean(
      rated.flatMap(({ entrants }) =>
        entrants.flatMap((entrant) => {
          const { low, high } = choose(entrant);
          return !Object.hasOwn(plan.entrants, entrant.entrant) || low === null || high === null
            ? []
            : [(high - low) / 2];
        }),
      ),
    );
  return {
    score: average(({ score }) => score),
    werewolves: average(({ werewolves }) => werewolves),
    villagers: average(({ villagers }) => villagers),
    strength: average(({ strength }) => strength),
    refused: rated[0]!.refused,
  };
}

/** Returns a name that identifies a deal among the deals of all boards. */
export const nameDeal = ({ board, deal }: TournamentMatch) => `${board.name} ${deal}`;

/** Returns the probability for these log-odds (the logistic function). */
export const computeChance = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));

/** Draws the winner of each match between equally strong entrants. `run`: number of the simulation. */
export function drawWinners(
  matches: readonly TournamentMatch[],
  { share, dealSpread }: OutcomeAssumption,
  run: number,
): Team[] {
  const base = Math.log(share / (1 - share));
  const effects = new Map<string, number>();
  const chance = draw(run, 'simulated tournament');
  return matches.map((match) => {
    const key = nameDeal(match);
    const effect = effects.get(key) ?? dealSpread * drawNormal(chance);
    effects.set(key, effect);
    return chance.fraction() < computeChance(base + effect) ? 'werewolves' : 'villagers';
  });
}

/** Converts a scheduled match and its winner to the form that ratings read. */
export const rateMatch = (
  { board, seed, preset, condition, seats }: TournamentMatch,
  winner: Team | null,
): RatedMatch => ({
  ...{ deal: `${board.name}-${seed}`, context: JSON.stringify([board.name, preset, condition]), winner },
  seats,
});

/** Returns the rules part of the context, without the board. */
const readCondition = ({ context }: RatedMatch) => JSON.stringify((JSON.parse(context) as unknown[]).slice(1));

function computeDeviation(values: readonly number[]): number {
  const middle = mean(values)!;
  return Math.sqrt(values.reduce((total, value) => total + (value - middle) ** 2, 0) / (values.length - 1));
}
