// Prediction-powered inference estimates rates from a reader's labels of all statements and human labels of a random
// part. The method is PPI++ (Angelopoulos, Duchi & Zrnic 2023) with inverse-probability weights and clusters.
import jstat from 'jstat';
import { boundToShare } from './proportion.ts';
import { addSums, getSum, sum, type Sums } from './sums.ts';

/** A statement of the sample. */
export interface PredictedUnit {
  /** Key of the deal or other cluster. */
  cluster: string;
  /** The reader's label, 0 or 1. */
  predicted: number;
  /** The human label, 0 or 1, and the probability that it was asked for. Absent if no human label was asked for. */
  gold?: { label: number; probability: number } | undefined;
}

export interface PredictedRate {
  value: number;
  /** The 95% interval; null if fewer than two clusters have human labels. */
  low: number | null;
  high: number | null;
  /** Weight of the reader's labels, from 0 to 1. It is 0 if they say nothing about the human labels. */
  lambda: number;
  /** The rate according to the reader's labels alone. */
  uncorrected: number;
  labeled: number;
}

/**
 * Estimates the rate of human labels as λ × (mean of the reader's labels) + mean over labeled statements of (label − λ
 * × reader's label), each weighted by 1 / probability. λ minimizes the variance. The interval is that of
 * `estimateCorrected`. Null without a human label.
 *
 * @example estimatePredictedRate([{ cluster: 'a', predicted: 1, gold: { label: 1, probability: 0.5 } }, { cluster: 'b', predicted: 0 }])
 */
export function estimatePredictedRate(units: readonly PredictedUnit[]): PredictedRate | null {
  const imputed = computeCorrectedSums(units);
  if (imputed === null) return null;
  const byCluster = Map.groupBy(
    units.map(({ cluster }, place) => ({ cluster, sums: imputed.sums[place] ?? {} })),
    ({ cluster }) => cluster,
  );
  const clusters = [...byCluster.values()].map((own) => [addSums(own.map(({ sums }) => sums))]);
  const found = estimateCorrected(clusters, [1]);
  const { estimate = 0, low = null, high = null } = found ?? {};
  return {
    ...{ value: boundToShare(estimate), low: boundToShare(low), high: boundToShare(high) },
    ...{ lambda: imputed.lambda, uncorrected: imputed.uncorrected },
    labeled: units.filter(({ gold }) => gold !== undefined).length,
  };
}

/**
 * Returns sums for each statement, from which `estimateCorrected` estimates the rate of human labels in any part of the
 * statements. `corrected` adds up three terms: λ × the reader's label; the mean of (human label − λ × reader's label)
 * over labeled statements; and, for a labeled statement, the weighted deviation of its own difference from this mean.
 * Over all statements, the mean of `corrected` is the rate of PPI++. `correctable`: 1. `labeled`: 1 for a labeled
 * statement. `hidden`: the variance that the labels may hide, which is the same for each statement. Null without a
 * human label.
 *
 * @example computeCorrectedSums([{ cluster: 'a', predicted: 1, gold: { label: 1, probability: 1 } }])?.sums[0]?.corrected // 1
 */
export function computeCorrectedSums(
  units: readonly PredictedUnit[],
): { sums: Sums[]; lambda: number; uncorrected: number } | null {
  const asked = units.flatMap(({ predicted, gold }) =>
    gold ? [{ predicted, label: gold.label, weight: 1 / gold.probability }] : [],
  );
  if (asked.length === 0) return null;
  const size = units.length;
  const uncorrected = sum(units.map(({ predicted }) => predicted)) / size;
  const weights = sum(asked.map(({ weight }) => weight));
  const lambda = chooseLambda(units, uncorrected);
  const shift = sum(asked.map(({ predicted, label, weight }) => weight * (label - lambda * predicted))) / weights;
  const hidden = measureHiddenVariance(units);
  const sums = units.map(({ predicted, gold }): Sums => {
    const rest = gold ? ((gold.label - lambda * predicted - shift) * size) / (gold.probability * weights) : 0;
    return { corrected: lambda * predicted + shift + rest, correctable: 1, labeled: gold ? 1 : 0, hidden };
  });
  return { sums, lambda, uncorrected };
}

/** Chooses the weight of the reader's labels that minimizes the variance between clusters. */
function chooseLambda(units: readonly PredictedUnit[], uncorrected: number): number {
  const clusters = [...Map.groupBy(units, ({ cluster }) => cluster).values()].map(countCluster);
  const weights = sum(clusters.map(({ weight }) => weight));
  const means = {
    label: sum(clusters.map(({ label }) => label)) / weights,
    fitted: sum(clusters.map(({ fitted }) => fitted)) / weights,
  };
  // Influence of each cluster on the mean label, on the weighted mean prediction, and on the mean of all predictions.
  const pulls = clusters.map(({ units: count, predicted, weight, label, fitted }) => ({
    label: (label - means.label * weight) / weights,
    fitted: (predicted - uncorrected * count) / units.length - (fitted - means.fitted * weight) / weights,
  }));
  const spread = sum(pulls.map(({ fitted }) => fitted * fitted));
  const covariance = sum(pulls.map(({ label, fitted }) => label * fitted));
  return spread === 0 ? 0 : Math.min(1, Math.max(0, -covariance / spread));
}

/**
 * Adds up the reader's labels over all statements of a cluster, and both kinds of labels over its labeled statements,
 * weighted by 1 / probability.
 */
function countCluster(units: readonly PredictedUnit[]) {
  const asked = units.flatMap(({ predicted, gold }) => (gold ? [{ predicted, ...gold }] : []));
  return {
    units: units.length,
    predicted: sum(units.map(({ predicted }) => predicted)),
    weight: sum(asked.map(({ probability }) => 1 / probability)),
    label: sum(asked.map(({ label, probability }) => label / probability)),
    fitted: sum(asked.map(({ predicted, probability }) => predicted / probability)),
  };
}

/**
 * Measures the variance that a small number of labels may hide. If the reader is rarely wrong, the labeled statements
 * may contain few or none of its errors, and then show too little variance. The variance is therefore computed again
 * after adding half a label 0 and half a label 1, separately for the statements with each label of the reader. Returns
 * the increase, as a variance of the rate of all these statements.
 */
function measureHiddenVariance(units: readonly PredictedUnit[]): number {
  return sum(
    [0, 1].map((predicted) => {
      const own = units.filter((unit) => unit.predicted === predicted);
      const asked = own.flatMap(({ gold }) => (gold ? [{ label: gold.label, weight: 1 / gold.probability }] : []));
      if (asked.length === 0) return 0;
      const weights = sum(asked.map(({ weight }) => weight));
      const effective = (weights * weights) / sum(asked.map(({ weight }) => weight * weight)); // Kish's size
      const share = sum(asked.map(({ label, weight }) => label * weight)) / weights;
      const careful = (share * effective + 0.5) / (effective + 1);
      const more = (careful * (1 - careful) - share * (1 - share)) / effective;
      return (own.length / units.length) ** 2 * Math.max(0, 1 - asked.length / own.length) * Math.max(0, more);
    }),
  );
}

/** A corrected rate, or a contrast of corrected rates. */
export interface CorrectedContrast {
  estimate: number;
  /** The interval; null if fewer than two clusters have human labels. */
  low: number | null;
  high: number | null;
  /**
   * Two-sided p of the hypothesis that the estimate is 0. p is above .05 exactly if the 95% interval contains 0. Null
   * without an interval.
   */
  p: number | null;
  /** Standard error; null without an interval. */
  error: number | null;
}

/**
 * Estimates the weighted sum of corrected rates. `clusters`: one row per cluster, with each arm's sums as
 * `computeCorrectedSums` returns them. `level`: level of the interval, .95 by default. The interval is Student's; its
 * standard error reflects the spread of clusters and the variance that the labels may hide. Null if an arm has no
 * statement that can be corrected.
 *
 * @example estimateCorrected(deals.map(({ x, y }) => [x, y]), [1, -1]) // the difference of two models
 */
export function estimateCorrected(
  clusters: readonly (readonly Sums[])[],
  weights: readonly number[],
  level = 0.95,
): CorrectedContrast | null {
  const arms = weights.map((weight, place) => {
    const total = addSums(clusters.map((arm) => arm[place] ?? {}));
    const size = getSum(total, 'correctable');
    const read = (name: string) => getSum(total, name) / size;
    const value = read('corrected');
    const ofErrors = value ** 2 * read('hidden_if_lie') + (1 - value) ** 2 * read('hidden_if_not');
    return { weight, size, value, hidden: read('hidden') + ofErrors };
  });
  const used = arms.map((arm, place) => ({ ...arm, place })).filter(({ weight }) => weight !== 0);
  if (used.some(({ size }) => size === 0)) return null;
  const estimate = sum(used.map(({ weight, value }) => weight * value));
  const pulls = clusters.map((arm) =>
    sum(
      used.map(({ weight, size, value, place }) => {
        const own = arm[place] ?? {};
        return (weight * (getSum(own, 'corrected') - value * getSum(own, 'correctable'))) / size;
      }),
    ),
  );
  const withLabels = clusters.filter((arm) => used.some(({ place }) => getSum(arm[place] ?? {}, 'labeled') > 0)).length;
  if (withLabels < 2) return { estimate, low: null, high: null, p: null, error: null };
  // Two numbers are fitted: the mean and λ. Without this factor, intervals from a hundred labels contain the true rate
  // in less than 94% of samples.
  const factor = clusters.length / Math.max(1, clusters.length - 2);
  // Arms of one model share the model's labels. The variance that these labels hide is common to the arms, so its roots
  // are added before they are squared.
  const hidden = [1, -1].map((sign) =>
    sum(used.map((arm) => (Math.sign(arm.weight) === sign ? Math.abs(arm.weight) * Math.sqrt(arm.hidden) : 0))),
  );
  const error = Math.hypot(Math.sqrt(factor * sum(pulls.map((pull) => pull * pull))), ...hidden);
  const reach = jstat.studentt.inv((1 + level) / 2, withLabels - 1) * error;
  const tail = 1 - jstat.studentt.cdf(Math.abs(estimate) / error, withLabels - 1);
  const p = error === 0 ? null : Math.min(1, 2 * tail); // rounding may lift it above 1
  return { estimate, low: estimate - reach, high: estimate + reach, p, error };
}

/** Whether these sums can be corrected: the errors on all statements are known. */
export function isCorrectable(sums: readonly Sums[]): boolean {
  const { correctable = 0, uncorrectable = 0 } = addSums(sums);
  return correctable > 0 && uncorrectable === 0;
}

/**
 * Estimates a weighted sum of the arms' corrected shares. Null if an arm has no statements, or has a statement that
 * cannot be corrected. `level`: level of the interval.
 *
 * @example computeCorrected(deals.map(({ x, y }) => [x, y]), [1, -1])?.p
 */
export function computeCorrected(
  deals: readonly (readonly Sums[])[],
  weights: readonly number[],
  level = 0.95,
): CorrectedContrast | null {
  const isKnown = weights.every((weight, arm) => weight === 0 || isCorrectable(deals.map((sums) => sums[arm] ?? {})));
  return isKnown ? estimateCorrected(deals, weights, level) : null;
}
