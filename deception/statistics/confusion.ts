// Figures of a two-by-two table: what was flagged against what was so.
import { type Figure, sumOf, type Sums } from './sums.ts';

/** Hits, false alarms, misses and correct rejections; each a figure of the sums `tp`, `fp`, `fn`, `tn`. */
const table = (sums: Sums) => ({
  tp: sumOf(sums, 'tp'),
  fp: sumOf(sums, 'fp'),
  fn: sumOf(sums, 'fn'),
  tn: sumOf(sums, 'tn'),
});

const over = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The share of cases that are so, (TP + FN) / all: 0…1, null without cases. */
export const prevalence: Figure = (sums) => {
  const { tp, fp, fn, tn } = table(sums);
  return over(tp + fn, tp + fp + fn + tn);
};

/** The share of cases flagged, (TP + FP) / all: 0…1, null without cases. */
export const flagged: Figure = (sums) => {
  const { tp, fp, fn, tn } = table(sums);
  return over(tp + fp, tp + fp + fn + tn);
};

/** (TP + TN) / all: 0…1, null without cases. */
export const accuracy: Figure = (sums) => {
  const { tp, fp, fn, tn } = table(sums);
  return over(tp + tn, tp + fp + fn + tn);
};

/** TP / (TP + FP), the positive predictive value: 0…1, null when nothing was flagged. */
export const precision: Figure = (sums) => {
  const { tp, fp } = table(sums);
  return over(tp, tp + fp);
};

/** TP / (TP + FN), the sensitivity: 0…1, null without positive cases. */
export const recall: Figure = (sums) => {
  const { tp, fn } = table(sums);
  return over(tp, tp + fn);
};

/** TN / (TN + FP): 0…1, null without negative cases. */
export const specificity: Figure = (sums) => {
  const { tn, fp } = table(sums);
  return over(tn, tn + fp);
};

/** 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979): 0…1, null when nothing was positive and nothing flagged. */
export const f1: Figure = (sums) => {
  const { tp, fp, fn } = table(sums);
  return over(2 * tp, 2 * tp + fp + fn);
};

/** The mean of recall and specificity (Brodersen et al. 2010): 0…1, ½ by chance; null where either is. */
export const balancedAccuracy: Figure = (sums) => {
  const [sensitivity, rejection] = [recall(sums), specificity(sums)];
  return sensitivity === null || rejection === null ? null : (sensitivity + rejection) / 2;
};

/**
 * Matthews correlation coefficient (Matthews 1975), the correlation of flag and truth: -1…1, 0 by chance.
 * Null where a row or column of the table is empty: then there is nothing to correlate.
 */
export const mcc: Figure = (sums) => {
  const { tp, fp, fn, tn } = table(sums);
  const spread = Math.sqrt(tp + fp) * Math.sqrt(tp + fn) * Math.sqrt(tn + fp) * Math.sqrt(tn + fn);
  return over(tp * tn - fp * fn, spread);
};
