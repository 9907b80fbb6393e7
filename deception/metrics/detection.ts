// Metrics of detection over all statements: whether listeners who could not know the truth call lies deceptive. Nearly
// all lies are by Werewolves and nearly all truths by villagers. A listener that only suspects the right players
// therefore appears to detect lies; paired-detection.ts separates the two abilities.
import {
  computeBalancedAccuracy,
  computeMcc,
  computePrecision,
  computePrevalence,
} from '../statistics/classification.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import {
  countCases,
  countFlags,
  countConfusion,
  createWorstBestBounds,
  listLabelledJudgements,
  listScores,
  judgementStrata,
} from './judgements.ts';
import type { Metric } from './metric.ts';
import { createScoreMetrics } from './probability-scores.ts';

const few = [['observer_team'], ['observer_model'], ['observer_model', 'speaker_model'], ['is_same_model']];

const detection = {
  section: 'detection',
  range: [0, 1],
  modelDimension: 'observer_model',
  strata: [...judgementStrata, 'could_know'],
  readsClaims: 'counted',
  breakdowns: few,
  count: (match: MatchTables) =>
    listLabelledJudgements(match).map(({ row, cell }) => ({ cell, sums: countConfusion(row.is_lie, row.deceptive) })),
} as const;

export const detectionBalancedAccuracy: Metric = {
  ...detection,
  name: 'detection_balanced_accuracy',
  title: 'Balanced accuracy, joint with the side',
  definition:
    'Mean of the hit rate and 1 − the false alarm rate of judgments against lies (Brodersen et al. 2010). 0.5 by chance.',
  notes: '0.5 by chance however rare lies are.',
  unit: 'share',
  value: computeBalancedAccuracy,
  opportunities: countCases,
  bounds: createWorstBestBounds(computeBalancedAccuracy),
};

export const detectionMcc: Metric = {
  ...detection,
  name: 'detection_mcc',
  title: 'Correlation of flags with verdicts, joint with the side',
  definition: 'Matthews correlation between being called deceptive and being a lie (Matthews 1975). 0 by chance.',
  unit: 'correlation',
  range: [-1, 1],
  value: computeMcc,
  opportunities: countCases,
  bounds: createWorstBestBounds(computeMcc),
};

export const detectionPrecision: Metric = {
  ...detection,
  name: 'detection_precision',
  title: 'Precision of flags, joint with the side',
  definition: 'Share of lies among labeled statements that a listener calls deceptive.',
  notes: 'Rises with the prevalence of lies.',
  unit: 'share of judgments that flag',
  value: computePrecision,
  opportunities: countFlags,
  bounds: createWorstBestBounds(computePrecision),
};

export const detectionPrevalence: Metric = {
  ...detection,
  name: 'detection_prevalence',
  title: 'Lies among what was judged',
  definition: 'Share of lies among all judgments of labeled statements: the precision of flagging at random.',
  unit: 'share of judgments',
  value: computePrevalence,
  opportunities: countCases,
};

// Accuracy of listeners' suspicions in separating lies from other statements.

export const suspicionMetrics = createScoreMetrics({
  name: 'suspicion',
  title: 'Suspicion, joint with the side',
  score: "a listener's suspicion",
  positive: 'a lie',
  other: 'statement',
  section: 'detection',
  modelDimension: 'observer_model',
  strata: [...judgementStrata, 'could_know'],
  readsClaims: 'counted',
  breakdowns: few,
  scored: (match) =>
    listLabelledJudgements(match).flatMap(({ row, cell }) =>
      listScores(row, 'suspicion').map(({ score }) => ({ cell, score, isSo: row.is_lie })),
    ),
});
