// Figures of a two-by-two table: what was flagged against what was so.
import { type Statistic, getSum, type Sums } from './sums.ts';

/** Hits, false alarms, misses and correct rejections; each a figure of the sums `tp`, `fp`, `fn`, `tn`. */
const getConfusionTable = (sums: Sums) => ({
  tp: getSum(sums, 'tp'),
  fp: getSum(sums, 'fp'),
  fn: getSum(sums, 'fn'),
  tn: getSum(sums, 'tn'),
});

const divide = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The share of cases that are so, (TP + FN) / all: 0…1, null without cases. */
export const computePrevalence: Statistic = (sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  return divide(tp + fn, tp + fp + fn + tn);
};

/** The share of cases flagged, (TP + FP) / all: 0…1, null without cases. */
export const computeFlaggedShare: Statistic = (sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  return divide(tp + fp, tp + fp + fn + tn);
};

/** (TP + TN) / all: 0…1, null without cases. */
export const computeAccuracy: Statistic = (sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  return divide(tp + tn, tp + fp + fn + tn);
};

/** TP / (TP + FP), the positive predictive value: 0…1, null when nothing was flagged. */
export const computePrecision: Statistic = (sums) => {
  const { tp, fp } = getConfusionTable(sums);
  return divide(tp, tp + fp);
};

/** TP / (TP + FN), the sensitivity: 0…1, null without positive cases. */
export const computeRecall: Statistic = (sums) => {
  const { tp, fn } = getConfusionTable(sums);
  return divide(tp, tp + fn);
};

/** TN / (TN + FP): 0…1, null without negative cases. */
export const computeSpecificity: Statistic = (sums) => {
  const { tn, fp } = getConfusionTable(sums);
  return divide(tn, tn + fp);
};

/** 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979): 0…1, null when nothing was positive and nothing flagged. */
export const computeF1: Statistic = (sums) => {
  const { tp, fp, fn } = getConfusionTable(sums);
  return divide(2 * tp, 2 * tp + fp + fn);
};

/** The mean of recall and specificity (Brodersen et al. 2010): 0…1, ½ by chance; null where either is. */
export const computeBalancedAccuracy: Statistic = (sums) => {
  const [sensitivity, rejection] = [computeRecall(sums), computeSpecificity(sums)];
  return sensitivity === null || rejection === null ? null : (sensitivity + rejection) / 2;
};

/**
 * Matthews correlation coefficient (Matthews 1975), the correlation of flag and truth: -1…1, 0 by chance.
 * Null where a row or column of the table is empty: then there is nothing to correlate.
 */
export const computeMcc: Statistic = (sums) => {
  const { tp, fp, fn, tn } = getConfusionTable(sums);
  const spread = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn);
  return divide(tp * tn - fp * fn, spread);
};
