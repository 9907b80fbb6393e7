// Statistics of a two-by-two table that compares flags with positive cases. All are functions of four sums: `tp`
// (hits), `fp` (false alarms), `fn` (misses) and `tn` (correct rejections).
import { computeRatio, createShare, getSum, type Statistic, type Sums } from './sums.ts';

const getConfusionTable = (sums: Sums) => ({
  tp: getSum(sums, 'tp'),
  fp: getSum(sums, 'fp'),
  fn: getSum(sums, 'fn'),
  tn: getSum(sums, 'tn'),
});

/**
 * Computes the share of positive cases, (TP + FN) / all: 0 to 1, null without cases.
 *
 * @example
 * computePrevalence({ tp: 3, fn: 1, tn: 12 }); // 0.25
 */
export const computePrevalence: Statistic = createShare((sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  return [tp + fn, tp + fp + fn + tn];
});

/**
 * Computes the share of correctly classified cases, (TP + TN) / all: 0 to 1, null without cases.
 *
 * @example
 * computeAccuracy({ tp: 3, fp: 1, fn: 1, tn: 5 }); // 0.8
 */
export const computeAccuracy: Statistic = createShare((sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  return [tp + tn, tp + fp + fn + tn];
});

/**
 * Computes TP / (TP + FP), the positive predictive value: 0 to 1, null if nothing was flagged.
 *
 * @example
 * computePrecision({ tp: 3, fp: 1 }); // 0.75
 */
export const computePrecision: Statistic = createShare((sums) => {
  const { tp, fp } = getConfusionTable(sums);
  return [tp, tp + fp];
});

/**
 * Computes TP / (TP + FN), the sensitivity: 0 to 1, null without positive cases.
 *
 * @example
 * computeRecall({ tp: 3, fn: 2 }); // 0.6
 */
export const computeRecall: Statistic = createShare((sums) => {
  const { tp, fn } = getConfusionTable(sums);
  return [tp, tp + fn];
});

/**
 * Computes TN / (TN + FP), the share of negative cases that were not flagged: 0 to 1, null without negative cases.
 *
 * @example
 * computeSpecificity({ tn: 9, fp: 1 }); // 0.9
 */
export const computeSpecificity: Statistic = createShare((sums) => {
  const { fp, tn } = getConfusionTable(sums);
  return [tn, tn + fp];
});

/**
 * Computes the harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979): 0 to 1, null if
 * nothing was positive and nothing flagged.
 *
 * @example
 * computeF1({ tp: 3, fp: 1, fn: 1 }); // 0.75
 */
export const computeF1: Statistic = (sums) => {
  const { tp, fp, fn } = getConfusionTable(sums);
  return computeRatio(2 * tp, 2 * tp + fp + fn);
};

/**
 * Computes the mean of recall and specificity (Brodersen et al. 2010): 0 to 1, ½ by chance; null if either is null.
 *
 * @example
 * computeBalancedAccuracy({ tp: 3, fn: 1, tn: 5, fp: 5 }); // 0.625
 */
export const computeBalancedAccuracy: Statistic = (sums) => {
  const [sensitivity, rejection] = [computeRecall(sums), computeSpecificity(sums)];
  return sensitivity === null || rejection === null ? null : (sensitivity + rejection) / 2;
};

/**
 * Computes the Matthews correlation coefficient (Matthews 1975), the correlation of flag and truth: −1 to 1, 0 by
 * chance. Null if a row or column of the table is empty.
 *
 * @example
 * computeMcc({ tp: 4, tn: 4 }); // 1
 * computeMcc({ tp: 2, fp: 2, fn: 2, tn: 2 }); // 0
 */
export const computeMcc: Statistic = (sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  const spread = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn);
  return computeRatio(tp * tn - fp * fn, spread);
};
