// Builds the leaderboard of a set of matches: ratings by condition, figures of deception and detection, and each
// entrant's calls, tokens and cost.
import { createResampling, type Resampling } from '../statistics/bootstrap.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import { computePairedDifference } from '../statistics/paired-test.ts';
import { createRatio, mean } from '../statistics/sums.ts';
import type { MetricCell } from '../metrics/metric.ts';
import type { TournamentMatch } from '../tournament-plan/tournament-schedule.ts';
import { computeDealScores, type DealScore, listPairScores } from './deal-scores.ts';
import { isCrossed } from './seat-scores.ts';
import { findFinishedBlocks } from './finished-blocks.ts';
import { addCalls, type LeaderboardMatch } from './leaderboard-match.ts';
import {
  type Expense,
  type Leaderboard,
  leaderboardVersion,
  type RatedEntrant,
  type Rating,
} from './leaderboard-schema.ts';
import { computeRankRange, listPairs, type RatingDifference } from './rank-ranges.ts';
import { rateEntrants, type Ratings } from './rate-entrants.ts';
import { createMissingEstimate, type RatingEstimate } from './rating-estimates.ts';
import type { RatedMatch } from './rating-model.ts';
import { computeConfidenceSequence, evaluateStop, type StoppingRule } from './stopping-rule.ts';
import type { ReadingFinding } from '../metrics/comparability.ts';
import { buildTraitLeaderboards } from './trait-leaderboards.ts';

export interface LeaderboardOptions {
  readonly name: string | null;
  readonly resamples: number;
  readonly seed: number;
  /**
   * Rule by which the tournament may have stopped early; undefined if there is no such rule. With a rule, all intervals
   * are valid at any stopping time.
   */
  readonly stop?: (StoppingRule & { readonly pairs?: readonly (readonly [string, string])[] | undefined }) | undefined;
  /** Matches of the tournament's plan that were requested; null if the plan is unknown. */
  readonly schedule?: readonly TournamentMatch[] | null | undefined;
  /** Number of deals after which the stopping rule ended the tournament; null if the rule did not end it. */
  readonly decidedDeals?: number | null | undefined;
  /** Whether to add one rating over all conditions. */
  readonly isPooled?: boolean | undefined;
  /** Measured quality of the judge's reading, if one judge extracted all claims; null otherwise. */
  readonly reading?: ReadingFinding | null | undefined;
  /** Returns the chance baseline of a metric in a cell without an entrant; null if unknown. */
  readonly findChance?: ((metric: string, cell: MetricCell) => number | null) | undefined;
}

/**
 * Returns everything that the pages of a leaderboard show. Figures of calls cover all matches. All other figures cover
 * only the unbroken prefix of finished blocks, because short matches end first. Throws a RangeError if there are more
 * deals than the resampling was made for.
 *
 * @example buildLeaderboard(matches, { name: 'frontier', resamples: 2000, seed: 1 }).ratings[0]?.entrants[0]?.score
 */
export function buildLeaderboard(matches: readonly LeaderboardMatch[], options: LeaderboardOptions): Leaderboard {
  const {
    name,
    resamples,
    seed,
    schedule = null,
    decidedDeals,
    isPooled = false,
    findChance = () => null,
    reading = null,
  } = options;
  const { blocks, planned } = findFinishedBlocks(matches, schedule, decidedDeals);
  const over = blocks.flat();
  const found = [...new Set(matches.map(({ condition }) => condition))].sort((one, other) =>
    (one ?? '') < (other ?? '') ? -1 : 1,
  );
  const conditions = found.map((condition) => {
    const isOwn = (match: LeaderboardMatch) => match.condition === condition;
    const own = { matches: over.filter(isOwn), blocks: blocks.map((some) => some.filter(isOwn)) };
    return { condition, ...own, unfinished: matches.filter(isOwn).length - own.matches.length };
  });
  const resampling = createResampling(new Set(over.map(({ rated }) => rated.deal)).size, resamples, seed);
  const { stop } = options;
  const shared = stop && {
    ...stop,
    alpha: stop.alpha / new Set((schedule ?? matches).map((one) => one.condition)).size,
  };
  const ratings = conditions.map((own) => rateCondition(own, resampling, stop, shared));
  const all = { condition: null, matches: over, blocks, unfinished: matches.length - over.length };
  const pooled = isPooled && conditions.length > 1 ? rateCondition(all, resampling, stop, stop) : null;
  const entrants = [...new Set(matches.flatMap(({ rated }) => rated.seats.map(({ entrant }) => entrant)))].sort();
  const traits = conditions.map(({ condition, matches: own }) => ({
    condition,
    ...buildTraitLeaderboards(own, {
      ...{ entrants, resampling, findChance, reading, anyTimeAlpha: stop?.alpha ?? null },
      isCrossed: isCrossed(
        own.map(({ rated }) => rated),
        entrants,
      ),
    }),
  }));
  const refused = new Map(traits.flatMap((one) => one.refused.map((trait) => [trait.title, trait])));
  return {
    ...{
      leaderboard_version: leaderboardVersion,
      name,
      matches: matches.length,
      answers: [],
      planned,
      ratings,
      promised: null,
      pooled,
    },
    conditions: compareConditions(
      conditions.flatMap(({ condition, matches: own }) => (condition === null ? [] : [{ condition, matches: own }])),
      entrants,
      resampling,
      stop?.alpha ?? null,
    ),
    traits: traits.map(({ condition, boards }) => ({ condition, boards: boards.map(copyBoard) })),
    refused_traits: [...refused.values()],
    expenses: listExpenses(matches, entrants, pooled ?? (ratings.length === 1 ? ratings[0]! : null)),
    ...{ resamples, seed },
  };
}

type BuiltBoard = ReturnType<typeof buildTraitLeaderboards>['boards'][number];

const copyBoard = (board: BuiltBoard) => ({
  ...board,
  rows: board.rows.map((row) => ({ ...row, ranks: row.ranks && ([...row.ranks] as [number, number]) })),
});

// Ratings.

/** The matches of a condition that count. */
interface CountedMatches {
  readonly condition: string | null;
  readonly matches: readonly LeaderboardMatch[];
  /** The matches by block, in the order of the schedule. */
  readonly blocks: readonly (readonly LeaderboardMatch[])[];
  /** Number of matches that were played but do not count. */
  readonly unfinished: number;
}

function rateCondition(
  { condition, matches, blocks, unfinished }: CountedMatches,
  resampling: Resampling,
  stop: LeaderboardOptions['stop'],
  shared: LeaderboardOptions['stop'],
): Rating {
  const rated = matches.map(({ rated: one, block, board }) =>
    block === null ? one : { ...one, unit: JSON.stringify([board, block]) },
  );
  const found = rateEntrants(rated, { resampling });
  const boards = new Map(matches.map(({ rated: { context }, board }) => [context, board]));
  const fixed: Rating = {
    ...{ condition, interval: 'fixed', matches: rated.length, deals: found.deals, unfinished },
    entrants: found.entrants.map(createEntrantRow),
    differences: found.differences.map((one) => ({ ...createDifferenceRow(one), evidence: null })),
    role_differences: found.roleDifferences.map((one) => ({ role: one.role, ...createDifferenceRow(one) })),
    roles: found.roles.map(({ score, strength, ranks, ...role }) => ({
      ...{ ...role, ranks: copyRanks(ranks), score: pickEstimate(score), strength: pickEstimate(strength) },
    })),
    pairings: found.pairings.map(
      ({ context, werewolves, villagers, matches: played, found: score, fitted, adjusted }) => ({
        ...{ board: boards.get(context)!, werewolves: werewolves!, villagers: villagers!, matches: played },
        ...{ found: score, fitted, p_adjusted: adjusted },
      }),
    ),
    advantage: pickEstimate(found.advantage),
    lack_of_fit: found.lackOfFit,
    refused: [...found.refused],
  };
  const joined = blocks.map((own) => own.map(joinDeals));
  return sortEntrants(stop === undefined ? fixed : makeAnyTime(fixed, joined, stop, shared!.alpha));
}

/** Gives all matches of a block the same deal, so that the block becomes one deal: the unit of a sequential test. */
const joinDeals = ({ rated }: LeaderboardMatch): RatedMatch => ({ ...rated, deal: '' });

const pickEstimate = ({ value, low, high, reason }: RatingEstimate) => ({ value, low, high, reason });
const copyRanks = (ranks: Ratings['entrants'][number]['ranks']) => ranks && ([...ranks] as [number, number]);

/** Converts a difference to the row format of leaderboard files. */
export const createDifferenceRow = ({ pair, difference, adjusted, informative, isTestable }: RatingDifference) => ({
  ...{ pair: [...pair] as [string, string], difference: difference.value, low: difference.low, high: difference.high },
  ...{ p: difference.p, p_adjusted: adjusted, informative },
  reason: difference.reason ?? (isTestable ? null : 'too few'),
});

const createEntrantRow = (one: Ratings['entrants'][number]): RatedEntrant => ({
  ...{ entrant: one.entrant, group: one.group, ranks: copyRanks(one.ranks), deals: one.deals, matches: one.matches },
  ...{
    score: pickEstimate(one.score),
    werewolves: pickEstimate(one.werewolves),
    villagers: pickEstimate(one.villagers),
  },
  strength: pickEstimate(one.strength),
  strength_as_werewolves: pickEstimate(one.strengthAsWerewolves),
  strength_as_village: pickEstimate(one.strengthAsVillage),
});

const sortEntrants = (rating: Rating): Rating => ({
  ...rating,
  entrants: rating.entrants.toSorted(
    (one, other) =>
      one.group - other.group ||
      (other.score.value ?? -1) - (one.score.value ?? -1) ||
      (one.entrant < other.entrant ? -1 : 1),
  ),
});

/**
 * Converts ratings to ratings of a tournament that may stop early. Scores become means over deals, and every interval
 * becomes a confidence sequence. For each score alone, the error probability of its interval is at most α. For the
 * intervals of all differences together, it is at most `sharedAlpha`, which is divided among the pairs. Log-odds,
 * ratings of roles and the test of fit are left out, because they have no confidence sequence.
 */
function makeAnyTime(
  fixed: Rating,
  blocks: readonly (readonly RatedMatch[])[],
  { alpha, pairs: named }: NonNullable<LeaderboardOptions['stop']>,
  sharedAlpha: number,
): Rating {
  const names = fixed.entrants.map(({ entrant }) => entrant);
  const wanted = named ?? listPairs(names);
  const scores = [
    ...computeDealScores(
      blocks.flatMap((own, index) => own.map((match) => ({ ...match, deal: String(index) }))),
    ).values(),
  ];
  const of = findScoredSide(scores);
  const { pairs } = evaluateStop(listPairScores(blocks, wanted, of), { alpha: sharedAlpha });
  const none = { value: null, low: null, high: null, reason: 'any time' };
  const follow = (entrant: string, of: keyof DealScore) => {
    const own = scores.flatMap((deal) => deal.get(entrant)?.[of] ?? []);
    if (own.length === 0) return none;
    const [low, high] = computeConfidenceSequence(own, alpha);
    return { value: own.reduce((sum, one) => sum + one, 0) / own.length, low, high, reason: null };
  };
  const differences = pairs.map(({ pair: [one, other], difference, low, high, evidence, deals }) => ({
    ...{ pair: [one, other] as [string, string], difference, low, high, reason: deals === 0 ? 'no data' : null },
    ...{
      informative: null,
      p: null,
      p_adjusted: low > 0 || high < 0 ? alpha : null,
      evidence: Number.isFinite(evidence) ? evidence : null,
    },
  }));
  const ranked = differences.map(({ pair, difference, p_adjusted: adjusted }) => ({
    // `adjusted` is 0 if the two entrants differ significantly at the plan's level, and null if not.
    ...{
      pair,
      difference: { ...createMissingEstimate(null), value: difference },
      ...{ informative: null, isTestable: difference !== null },
      adjusted: adjusted === null ? null : 0,
    },
  }));
  return {
    ...fixed,
    interval: 'any time',
    entrants: fixed.entrants.map((one) => ({
      ...one,
      ranks: copyRanks(computeRankRange(one.entrant, names, ranked)),
      ...{ score: follow(one.entrant, of), strength: none },
      werewolves: one.werewolves.reason === 'not identified' ? one.werewolves : follow(one.entrant, 'werewolves'),
      villagers: one.villagers.reason === 'not identified' ? one.villagers : follow(one.entrant, 'villagers'),
      ...{ strength_as_werewolves: none, strength_as_village: none },
    })),
    differences,
    ...{ roles: [], role_differences: [], advantage: none, lack_of_fit: null },
    pairings: fixed.pairings.map((pairing) => ({ ...pairing, p_adjusted: null })),
  };
}

/**
 * Returns the score by which entrants are compared: `both` if entrants have scores on both sides; otherwise the side on
 * which they have scores.
 */
const findScoredSide = (scores: readonly ReadonlyMap<string, DealScore>[]): keyof DealScore =>
  (['both', 'werewolves', 'villagers'] as const).find((of) =>
    scores.some((deal) => [...deal.values()].filter((own) => own[of] !== null).length > 1),
  ) ?? 'both';

// Conditions.

interface ConditionMatches {
  readonly condition: string;
  readonly matches: readonly LeaderboardMatch[];
}

const scoreRatio = createRatio('score', 'deals');

/**
 * Compares each pair of conditions: computes how much more each entrant scores under the first condition than under the
 * second, over deals that were played under both. `alpha`: joint level of the confidence sequences of a tournament that
 * may stop early; null for a tournament of fixed size.
 */
function compareConditions(
  conditions: readonly ConditionMatches[],
  entrants: readonly string[],
  resampling: Resampling,
  alpha: number | null,
): Leaderboard['conditions'] {
  const scored = conditions.map(({ condition, matches }) => ({
    condition,
    scores: computeDealScores(matches.map(({ rated }) => rated)),
  }));
  const rowCount = (conditions.length * (conditions.length - 1) * entrants.length) / 2;
  const rows = scored.flatMap((a, place) =>
    scored.slice(place + 1).flatMap((b) =>
      entrants.flatMap((entrant) => {
        const pairs = [...a.scores].flatMap(([deal, own]) => {
          const [one, other] = [own.get(entrant)?.both ?? null, b.scores.get(deal)?.get(entrant)?.both ?? null];
          return one === null || other === null ? [] : [{ a: { score: one, deals: 1 }, b: { score: other, deals: 1 } }];
        });
        if (pairs.length === 0) return [];
        const about = { a: a.condition, b: b.condition, entrant, deals: pairs.length };
        if (alpha !== null) {
          const differences = pairs.map((pair) => pair.a.score - pair.b.score);
          return [{ ...about, ...followDifference(differences, alpha / rowCount), p: null }];
        }
        const { difference, p } = computePairedDifference(pairs, scoreRatio, { resampling, range: [0, 1] });
        const { estimate, low, high, reason } = difference;
        const isKnown = low !== null;
        return [
          {
            ...{ ...about, low, high, reason },
            ...{ difference: isKnown ? estimate : null, p: isKnown ? p : null },
          },
        ];
      }),
    ),
  );
  const adjusted = adjustHolm(rows.map(({ p }) => p));
  const isOutside = ({ low, high }: (typeof rows)[number]) => low !== null && (low > 0 || high! < 0);
  return rows.map((row, place) => ({
    ...row,
    p_adjusted: alpha === null ? adjusted[place]! : isOutside(row) ? alpha : null,
  }));
}

/** Returns the mean of differences from −1 to 1, with its confidence sequence. */
function followDifference(differences: readonly number[], alpha: number) {
  const [low, high] = computeConfidenceSequence(
    differences.map((one) => (1 + one) / 2),
    alpha,
  );
  return { difference: mean(differences), low: 2 * low - 1, high: 2 * high - 1, reason: null };
}

// Expenses.

function listExpenses(
  matches: readonly LeaderboardMatch[],
  entrants: readonly string[],
  rating: Rating | null,
): Expense[] {
  const rows = entrants.map((entrant) => {
    const own = matches.flatMap(({ spent }) => spent.get(entrant) ?? []);
    const played = matches.filter(({ rated }) => rated.seats.some((seat) => seat.entrant === entrant)).length;
    const { ms, ...all } = addCalls(own);
    return {
      ...{ entrant, is_bot: matches.some(({ bots }) => bots.includes(entrant)), matches: played, ...all },
      cost_per_match: all.cost === null || played === 0 ? null : all.cost / played,
      seconds_per_call: all.calls === 0 ? null : ms / 1000 / all.calls,
    };
  });
  const findScore = (name: string) => rating?.entrants.find(({ entrant }) => entrant === name)?.score.value ?? null;
  const placed = rows.map((row) => ({ ...row, score: findScore(row.entrant) }));
  return placed.map(({ score, ...row }) => ({
    ...row,
    is_efficient:
      score === null || row.cost_per_match === null
        ? null
        : !placed.some(
            (other) =>
              other.score !== null &&
              other.cost_per_match !== null &&
              other.score >= score &&
              other.cost_per_match <= row.cost_per_match! &&
              (other.score > score || other.cost_per_match < row.cost_per_match!),
          ),
  }));
}
