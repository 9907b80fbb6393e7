// Scores of entrants at mixed tables: means over the entrant's seats in each deal, without a model of wins. If every
// table seats every entrant equally often, strength as Werewolves cannot be separated from weakness as village, because
// both have the same effect on every table.
import { computeClusterInterval } from '../statistics/bootstrap.ts';
import { createRatio, type Statistic, sum } from '../statistics/sums.ts';
import type { Team } from '../../state/teams.ts';
import { computeDealScores, computeSideScore, type DealScore, isSelfPlay } from './deal-scores.ts';
import { compareLeads, nameUnit, type TestedPair, boundScore } from './exchanged-pairs.ts';
import { createMissingEstimate, type EstimateOptions, type RatingEstimate } from './rating-estimates.ts';
import type { RatedMatch } from './rating-model.ts';

type DealScores = ReturnType<typeof computeDealScores>;

const score = createRatio('score', 'deals');
const share = createRatio('score', 'matches');
const range = [0, 1] as const;

/** Returns whether several entrants share a side. */
export const isMixedTable = ({ seats }: RatedMatch): boolean =>
  (['werewolves', 'villagers'] as const satisfies Team[]).some(
    (side) => new Set(seats.flatMap(({ team, entrant }) => (team === side ? [entrant] : []))).size > 1,
  );

const createSums = (value: number) => ({ score: value, deals: 1 });

/**
 * Computes an entrant's mean score over deals, on one side or both. The interval is computed like that of any other
 * figure (`computeClusterInterval`).
 *
 * @example estimateSeatScore(computeDealScores(matches), 'gpt', 'both', { resampling }).value
 */
export function estimateSeatScore(
  scores: DealScores,
  entrant: string,
  of: keyof DealScore,
  options: EstimateOptions,
): RatingEstimate {
  const own = [...scores.values()].flatMap((deal) => deal.get(entrant)?.[of] ?? []);
  const { resampling, level = 0.95 } = options;
  // A score over both sides gets half a point from each side, so near 0 or 1 it cannot be treated as a share of this
  // many deals.
  const statistic: Statistic = of === 'both' ? (sums) => score(sums) : score;
  const interval = computeClusterInterval(own.map(createSums), statistic, { resampling, level, range });
  const { estimate, low, high, se, reason } = interval;
  if (low === null) return createMissingEstimate(reason);
  const found = { value: estimate, error: se, low, high, p: null, reason };
  return of === 'both' ? boundScore(found, own, options) : found;
}

/**
 * Computes how much more the first of two entrants scores than the second, over the units in which both have a score.
 * Tests the difference by exchange.
 */
export function compareSeatScores(
  matches: readonly RatedMatch[],
  [one, other]: readonly [string, string],
  options: EstimateOptions,
): TestedPair {
  const scores = computeDealScores(matches.map((match) => ({ ...match, deal: nameUnit(match) })));
  const leads = [...scores.values()].flatMap((unit) => {
    const [a, b] = [unit.get(one)?.both ?? null, unit.get(other)?.both ?? null];
    return a === null || b === null ? [] : [a - b];
  });
  return compareLeads(leads, options);
}

/** Computes the Werewolves' score over all matches in which different entrants play the two sides. */
export const estimateWerewolfScore = (matches: readonly RatedMatch[], options: EstimateOptions): RatingEstimate =>
  estimateShare(
    matches.filter((match) => !isSelfPlay(match)),
    ({ winner }) => [computeSideScore(winner, 'werewolves')],
    options,
  );

// Fields in which every entrant meets every other entrant.

const findSide = ({ seats }: RatedMatch, side: Team) => seats.find(({ team }) => team === side)?.entrant;

/**
 * Returns whether the matches of the group are balanced. In every unit and on each board, each ordered pair of entrants
 * must have played equally often, and all units and all boards must have equal numbers of matches. The scores of
 * balanced matches are plain means, which need no model.
 */
export function isBalanced(matches: readonly RatedMatch[], group: readonly string[]): boolean {
  const own = matches.filter(
    (match) => !isSelfPlay(match) && match.seats.some(({ entrant }) => group.includes(entrant)),
  );
  if (own.some((match) => isMixedTable(match) || match.seats.some(({ entrant }) => !group.includes(entrant))))
    return false;
  const pairs = group.length * (group.length - 1);
  const tables = [...Map.groupBy(own, (match) => JSON.stringify([nameUnit(match), match.context])).values()];
  const isComplete = tables.every((of) => {
    const met = Map.groupBy(of, (match) =>
      JSON.stringify([findSide(match, 'werewolves'), findSide(match, 'villagers')]),
    );
    return met.size === pairs && isOneNumber([...met.values()]);
  });
  const sizes = (name: (match: RatedMatch) => string) => [...Map.groupBy(own, name).values()];
  return own.length > 0 && isComplete && isOneNumber(sizes(nameUnit)) && isOneNumber(sizes(({ context }) => context));
}

/**
 * Returns whether, on every deal, each entrant played both sides against every entrant, including itself. If so, all
 * entrants spoke to the same listeners and heard the same speakers.
 *
 * @example isCrossed(matches, ['gpt', 'gemini']); // false: neither played against itself
 */
export function isCrossed(matches: readonly RatedMatch[], entrants: readonly string[]): boolean {
  const deals = [...Map.groupBy(matches, ({ deal }) => deal).values()];
  return deals.every((own) => {
    const met = Map.groupBy(own, (match) =>
      JSON.stringify([findSide(match, 'werewolves'), findSide(match, 'villagers')]),
    );
    return !own.some(isMixedTable) && met.size === entrants.length ** 2 && isOneNumber([...met.values()]);
  });
}

const isOneNumber = (groups: readonly (readonly unknown[])[]) => new Set(groups.map(({ length }) => length)).size === 1;

/**
 * Computes the share of matches that an entrant won on a side, with the usual interval of a share.
 *
 * @example estimateWonShare(matches, 'gpt', 'werewolves', { resampling }).value
 */
export const estimateWonShare = (
  matches: readonly RatedMatch[],
  entrant: string,
  side: Team,
  options: EstimateOptions,
): RatingEstimate =>
  estimateShare(
    matches.filter((match) => !isSelfPlay(match)),
    (match) => (findSide(match, side) === entrant ? [computeSideScore(match.winner, side)] : []),
    options,
  );

function estimateShare(
  matches: readonly RatedMatch[],
  listScores: (match: RatedMatch) => number[],
  { resampling, level = 0.95 }: EstimateOptions,
): RatingEstimate {
  const byDeal = [...Map.groupBy(matches, ({ deal }) => deal).values()].map((own) => own.flatMap(listScores));
  const sums = byDeal.map((own) => ({ score: sum(own), matches: own.length }));
  const { estimate, low, high, se, reason } = computeClusterInterval(sums, share, { resampling, level, range });
  return low === null ? createMissingEstimate(reason) : { value: estimate, error: se, low, high, p: null, reason };
}
