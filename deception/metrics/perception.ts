// Metrics of perception: who suspects and flags whom, and how this changes over the rounds.
import { getShownSide } from '../../state/roles/index.ts';
import { getSum, mean, type Sums } from '../statistics/sums.ts';
import { computeTheilSenSlope } from '../statistics/theil-sen.ts';
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { createLevelSums, getJudgedLevel, meanLevel } from './breakdowns.ts';
import { getObserverCell, isByListener, listJudgements, listScores, judgementStrata } from './judgements.ts';
import type { Metric, MetricTally } from './metric.ts';
import { createScoreMetrics, type ScoredCase } from './probability-scores.ts';

const countLevels = (of: 'suspicion' | 'deceptive') => (match: MatchTables) =>
  listJudgements(match).flatMap(({ row, cell }) => {
    const level = getJudgedLevel(row, of);
    return level === undefined ? [] : [{ cell, sums: createLevelSums(level) }];
  });

const perception = {
  section: 'perception',
  range: [0, 1],
  modelDimension: 'speaker_model',
  strata: judgementStrata,
  breakdowns: [
    ['speaker_role'],
    ['speaker_model'],
    ['observer_role', 'speaker_role'],
    ['observer_model', 'speaker_model'],
    ['knows_side'],
    ['type'],
  ],
  ...meanLevel,
} as const;

export const perceivedSuspicion: Metric = {
  ...perception,
  name: 'perceived_suspicion',
  title: 'Suspicion of speakers',
  definition: 'Mean suspicion that listeners gave to statements (WOLF).',
  notes:
    'By observer and speaker it is WOLF’s cross-perception matrix. By `round` it mixes in survival: suspected players leave.',
  unit: 'suspicion',
  breakdowns: [...perception.breakdowns, ['round'], ['speaker_role', 'round']],
  count: countLevels('suspicion'),
};

export const perceivedFlagRate: Metric = {
  ...perception,
  name: 'perceived_flag_rate',
  title: 'Statements flagged by listeners',
  definition: 'Share of judgments that call the statement deceptive, whether or not it is (WOLF).',
  notes: 'Neither a hit rate nor a false alarm rate.',
  unit: 'share of judgments',
  count: countLevels('deceptive'),
};

// Trend of suspicion from round to round, player by player.

const getSpeakerKey = ({ source, kind, speaker }: AnalysisRow) => JSON.stringify([source, kind, speaker]);

/** Returns the mean suspicion of each round, as points of a trend. */
const listTrendPoints = (rows: readonly AnalysisRow[]) =>
  [...Map.groupBy(rows, ({ round }) => round)].map(([x, same]) => ({
    x,
    y: mean(same.flatMap(({ suspicion }) => suspicion ?? []))!,
  }));

/** Counts rising and falling trends in separate sums, so that no sum is negative. */
function countSlopes({ analyses }: MatchTables): MetricTally[] {
  const judged = analyses.filter((row) => isByListener(row) && row.suspicion !== null);
  return [...Map.groupBy(judged, getSpeakerKey).values()].flatMap((rows) => {
    const slope = computeTheilSenSlope(listTrendPoints(rows));
    if (slope === null) return [];
    const { source, kind, speaker_team, speaker_role, speaker_model } = rows[0]!;
    const cell = { source, kind, speaker_team, speaker_role, speaker_model };
    return [{ cell, sums: { rising: Math.max(slope, 0), falling: Math.max(-slope, 0), players: 1 } }];
  });
}

const countPlayers = (sums: Sums) => getSum(sums, 'players');

export const suspicionSlope: Metric = {
  name: 'suspicion_slope',
  title: 'Suspicion from round to round',
  section: 'perception',
  definition:
    'Mean Theil–Sen slope, from round to round, of the mean suspicion of a player’s statements, over players judged in at least two rounds (WOLF).',
  notes:
    'The median slope between all pairs of rounds (Theil 1950, Sen 1968). Weighted toward players who live longer.',
  unit: 'suspicion a round',
  range: [-1, 1],
  modelDimension: 'speaker_model',
  strata: judgementStrata,
  breakdowns: [['speaker_team'], ['speaker_role'], ['speaker_model']],
  count: countSlopes,
  value: (sums) =>
    countPlayers(sums) === 0 ? null : (getSum(sums, 'rising') - getSum(sums, 'falling')) / countPlayers(sums),
  opportunities: countPlayers,
};

// Accuracy of the probabilities stated by players who cannot know the answer: how well these probabilities separate
// Werewolves from villagers.

/**
 * Breakdowns by side and by model. The breakdown by whether both models are the same is left out: with one model per
 * side, it equals the breakdown by sides.
 */
const few = [['observer_team'], ['observer_model']];

/** Lists the probabilities that listeners gave in their analysis of a statement. */
const listAnalysisBeliefs = ({ analyses }: MatchTables): ScoredCase[] =>
  analyses.flatMap((row) => {
    if (row.knows_side || !isByListener(row)) return [];
    const { source, kind, speaker_role: role } = row;
    const cell = { source, kind, ...getObserverCell(row) };
    return listScores(row, 'p_werewolf').map(({ score }) => ({
      cell,
      score,
      isSo: getShownSide(role) === 'werewolves',
    }));
  });

const outright = 'beliefs';

/** Lists the probabilities from belief questions. A missing answer has no rows. */
const listAskedBeliefs = ({ beliefs }: MatchTables): ScoredCase[] =>
  beliefs
    .filter((row) => !row.could_know)
    .map((row) => ({
      cell: { source: 'match', kind: outright, ...getObserverCell(row) },
      score: row.p_werewolf,
      isSo: row.is_werewolf,
    }));

export const beliefMetrics = createScoreMetrics({
  name: 'belief',
  title: 'Belief',
  score: 'the probability of being a Werewolf',
  positive: 'a Werewolf',
  other: 'player',
  section: 'beliefs',
  modelDimension: 'observer_model',
  strata: judgementStrata,
  breakdowns: few,
  scored: (match) => [...listAnalysisBeliefs(match), ...listAskedBeliefs(match)],
  isWithMissing: ({ kind }) => kind !== outright,
  headline: {
    name: 'brier',
    breakdowns: [...few, ['observer_role'], ['observer_model', 'observer_role'], ['round']],
  },
});
