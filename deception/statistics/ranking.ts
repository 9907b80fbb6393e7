// How well scores rank positive cases above negative ones.
import { barsOf, casesIn } from './histogram.ts';
import type { Figure } from './sums.ts';

/**
 * The area under the ROC curve, from the sums of `scoreKey`: the chance that a positive case has a higher score than
 * a negative one, ties counting half (Hanley & McNeil 1982). 0…1, ½ by chance; null without cases of both kinds.
 */
export const rocAuc: Figure = (sums) => {
  const bars = barsOf(sums);
  const { positives, negatives } = casesIn(bars);
  if (positives === 0 || negatives === 0) return null;
  let [below, wins] = [0, 0];
  for (const bar of bars) {
    wins += bar.positives * (below + bar.negatives / 2);
    below += bar.negatives;
  }
  return wins / (positives * negatives);
};

/**
 * Average precision, the step-wise area under the precision–recall curve, from the sums of `scoreKey`: the sum over
 * thresholds of the rise in recall times precision, tied cases passing the threshold together (as scikit-learn's
 * `average_precision_score`). Above 0, at most 1; by chance the share of positives. Null without positive cases.
 */
export const averagePrecision: Figure = (sums) => {
  const bars = barsOf(sums);
  const { positives } = casesIn(bars);
  if (positives === 0) return null;
  let [hits, flagged, area] = [0, 0, 0];
  for (const bar of bars.reverse()) {
    hits += bar.positives;
    flagged += bar.positives + bar.negatives;
    area += (bar.positives / positives) * (hits / flagged);
  }
  return area;
};
