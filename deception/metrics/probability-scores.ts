// Accuracy of scores from 0 to 1, in five figures: suspicions are compared with lies, and beliefs with sides.
import {
  computeAveragePrecision,
  computeCalibrationError,
  computeRocAuc,
  countScoredCases,
  getScoreKey,
  listScoreCounts,
} from '../statistics/probability-scoring.ts';
import { addSums, createRatio, getSum, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { MetricCell, Metric } from './metric.ts';

/** A score, and whether its case is positive. */
export interface ScoredCase {
  cell: MetricCell;
  /** Score of the case; null if the answer is missing. */
  score: number | null;
  isSo: boolean;
}

/** Counts cases by score, with one sum for each score. Figures that need only totals have separate sums. */
const countBars =
  (scored: ScoreFamily['scored']): Metric['count'] =>
  (match) =>
    scored(match).map(({ cell, score, isSo }) => ({
      cell,
      sums: { [score === null ? getMissingKey(isSo) : getScoreKey(isSo, score)]: 1 },
    }));

const countScoreSums =
  (scored: ScoreFamily['scored']): Metric['count'] =>
  (match) =>
    scored(match).map(({ cell, score, isSo }) => ({
      cell,
      sums:
        score === null
          ? { missing: 1 }
          : { squares: (score - (isSo ? 1 : 0)) ** 2, positives: isSo ? 1 : 0, scores: 1 },
    }));

type BoundsOf = NonNullable<Metric['bounds']>;

const getMissingKey = (isSo: boolean) => (isSo ? 'missing_positive' : 'missing_negative');

/**
 * Computes the lower and the upper bound. For the upper bound, every missing score is best: 1 for positive cases, 0 for
 * negative cases. For the lower bound, every missing score is worst.
 */
const boundAuc = (sums: Sums) => {
  const { missing_positive: so = 0, missing_negative: not = 0 } = sums;
  const computeFilledAuc = (positive: number, negative: number) =>
    computeRocAuc(addSums([sums, { [getScoreKey(true, positive)]: so, [getScoreKey(false, negative)]: not }]));
  return [computeFilledAuc(0, 1), computeFilledAuc(1, 0)] as const;
};

/**
 * Computes the lower and the upper bound. For the lower bound, every missing score counts as certain and right; for the
 * upper bound, as certain and wrong.
 */
const boundBrier = ({ squares = 0, scores = 0, missing = 0 }: Sums) => {
  const all = scores + missing;
  return all === 0 ? ([null, null] as const) : ([squares / all, (squares + missing) / all] as const);
};

interface ScoreFamily extends Pick<Metric, 'section' | 'modelDimension' | 'strata' | 'breakdowns' | 'readsClaims'> {
  /** First part of the name of each metric in the family, in snake_case. */
  name: string;
  title: string;
  /** Description of the score and of the labels that it is compared with. */
  score: string;
  positive: string;
  /** Noun for a case without the label, used after “another”, e.g. “statement” in “another statement”. */
  other: string;
  scored: (match: MatchTables) => ScoredCase[];
  /**
   * Returns whether missing scores are counted in a cell, so that the figure has bounds; true for all cells by default.
   */
  isWithMissing?: (cell: MetricCell) => boolean;
  /** Name and tables of the headline figure; absent if no figure is a headline. */
  headline?: { name: 'roc_auc' | 'brier'; breakdowns: Metric['breakdowns'] };
}

export function createScoreMetrics(family: ScoreFamily): Metric[] {
  const { name, title, score, positive, other, scored, isWithMissing = () => true, headline, ...rest } = family;
  const createBounds =
    (bounds: (sums: Sums) => ReturnType<BoundsOf>): BoundsOf =>
    (sums, cell) =>
      isWithMissing(cell) ? bounds(sums) : [null, null];
  const one = {
    ...rest,
    range: [0, 1],
    count: countBars(scored),
    opportunities: (sums: Sums) => {
      const { positives, negatives } = countScoredCases(listScoreCounts(sums));
      return positives + negatives;
    },
  } as const;
  const small = { ...one, count: countScoreSums(scored), opportunities: (sums: Sums) => getSum(sums, 'scores') };
  const all: Metric[] = [
    {
      ...one,
      name: `${name}_roc_auc`,
      title: `${title}: ROC AUC`,
      definition: `Chance that ${score} is higher for ${positive} than for another ${other}; ties count half (Hanley & McNeil 1982). 0.5 by chance.`,
      notes:
        'Over all matches and observers, so differences in observers’ levels lower it. Bounds: missing scores were all 1 for positives and 0 for others, or the reverse.',
      unit: 'probability',
      value: computeRocAuc,
      bounds: createBounds(boundAuc),
    },
    {
      ...one,
      name: `${name}_auprc`,
      title: `${title}: AUPRC`,
      definition: `Average precision of ${score} in finding ${positive}: the area under the precision–recall curve in steps. By chance the base rate.`,
      notes: 'Davis & Goadrich 2006.',
      unit: 'share',
      value: computeAveragePrecision,
    },
    {
      ...small,
      name: `${name}_base_rate`,
      title: `${title}: base rate`,
      definition: `Share of all cases of ${score} that concern ${positive}.`,
      unit: 'share',
      value: createRatio('positives', 'scores'),
    },
    {
      ...small,
      name: `${name}_brier`,
      title: `${title}: Brier score`,
      definition: `Mean squared difference between ${score} and 1 for ${positive}, 0 for another ${other} (Brier 1950). 0 is best; always saying 0.5 gives 0.25.`,
      notes: 'Always saying the base rate b gives b (1 − b). Bounds: missing scores had an error of 0, or of 1.',
      unit: 'mean square',
      value: createRatio('squares', 'scores'),
      bounds: createBounds(boundBrier),
    },
    {
      ...one,
      name: `${name}_ece`,
      title: `${title}: calibration error`,
      definition: `Expected calibration error of ${score}: mean difference between the score and the share of cases that concern ${positive}, over ten bins of equal size (Nixon et al. 2019). 0 is best. Hidden under 200 scores.`,
      notes: 'Biased upward in small samples. After Naeini et al. 2015.',
      unit: 'mean difference',
      value: computeCalibrationError,
    },
  ];
  return all.map((metric) =>
    headline && metric.name === `${name}_${headline.name}`
      ? {
          ...metric,
          isHeadline: true,
          filledBy: '`beliefs=each-round` or `each-statement`',
          breakdowns: headline.breakdowns,
        }
      : metric,
  );
}
