// Metrics of detection within a side of the speaker: whether listeners who could not know hear lies, and not only suspect
// Werewolves. Over both sides nearly all lies are Werewolves' and nearly all truths villagers', so that whoever suspects
// the right players seems to hear their lies.
import { computeRecall } from '../statistics/classification.ts';
import { countScoredCases, listScoreCounts } from '../statistics/probability-scoring.ts';
import type { Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { hearingBreakdowns } from './breakdowns.ts';
import {
  computeFalseAlarmRate,
  countNegatives,
  countPositives,
  countConfusion,
  createWorstBestBounds,
  judgementStrata,
  listLabelledJudgements,
  listScores,
} from './judgements.ts';
import type { Metric } from './metric.ts';
import { createScoreMetrics } from './probability-scores.ts';

/** Judgements of labelled statements by those who could not know the label, missing ones included. */
const listUnknowing = (match: MatchTables) => listLabelledJudgements(match).filter(({ row }) => !row.could_know);

const withinSide = {
  section: 'detection',
  range: [0, 1],
  modelDimension: 'observer_model',
  strata: [...judgementStrata, 'speaker_team'],
  readsClaims: 'counted',
  isHeadline: true,
  breakdowns: [...hearingBreakdowns, ['round']],
} as const;

const flags = {
  ...withinSide,
  count: (match: MatchTables) =>
    listUnknowing(match).map(({ row, cell }) => ({ cell, sums: countConfusion(row.is_lie, row.deceptive) })),
} as const;

export const hitRateWithinSide: Metric = {
  ...flags,
  name: 'hit_rate_within_side',
  title: 'Lies of one side caught',
  definition:
    'Judgements that call a lie deceptive over all judgements of lies by speakers of the side. To be read against the false alarms about the same speakers.',
  unit: 'share of judgements of lies',
  value: computeRecall,
  opportunities: countPositives,
  bounds: createWorstBestBounds(computeRecall),
};

export const falseAlarmRateWithinSide: Metric = {
  ...flags,
  name: 'false_alarm_rate_within_side',
  title: 'False alarms about one side',
  definition:
    'Judgements that call deceptive what is no lie over all judgements of statements without a lie by speakers of the side.',
  unit: 'share of judgements of what is no lie',
  value: computeFalseAlarmRate,
  opportunities: countNegatives,
  bounds: createWorstBestBounds(computeFalseAlarmRate),
};

const countSuspicions = (of: 'positives' | 'negatives') => (sums: Sums) => countScoredCases(listScoreCounts(sums))[of];

const [rocAuc] = createScoreMetrics({
  name: 'suspicion',
  title: 'Suspicion',
  score: "a listener's suspicion",
  positive: 'a lie',
  ...withinSide,
  scored: (match) =>
    listUnknowing(match).flatMap(({ row, cell }) =>
      listScores(row, 'suspicion').map(({ score }) => ({ cell, score, isSo: row.is_lie })),
    ),
});

export const suspicionRocAucWithinSide: Metric = {
  ...rocAuc!,
  ...withinSide,
  name: 'suspicion_roc_auc_within_side',
  title: 'Suspicion within one side: ROC AUC',
  definition:
    "The chance that a listener's suspicion is higher for a lie than for another statement by speakers of the same side, ties counting half; 0.5 for whoever suspects players and hears no lies. None unless ten matches have lies of that side and ten have other statements.",
  comparedGroups: [countSuspicions('positives'), countSuspicions('negatives')],
};
