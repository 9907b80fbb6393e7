// Prediction-powered inference estimates the rate of a whole sample from a reader's labels of all statements and human
// labels of a random part. The method is PPI++ (Angelopoulos, Duchi & Zrnic 2023) with inverse-probability weights and
// clusters.
import jstat from 'jstat';
import { sum } from './sums.ts';

/** A statement of the sample. */
export interface PredictedUnit {
  /** Key of the deal or other cluster. */
  cluster: string;
  /** The reader's label. */
  predicted: number;
  /** The human label, and the probability that it was asked for. Absent if no human label was asked for. */
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
 * × reader's label), each weighted by 1 / probability. λ minimizes the variance. The interval is Student's, by the
 * spread of clusters. Null without a human label.
 *
 * @example estimatePredictedRate([{ cluster: 'a', predicted: 1, gold: { label: 1, probability: 0.5 } }, { cluster: 'b', predicted: 0 }])
 */
export function estimatePredictedRate(units: readonly PredictedUnit[]): PredictedRate | null {
  const size = units.length;
  const labeled = units.filter(({ gold }) => gold !== undefined).length;
  if (labeled === 0) return null;
  const uncorrected = sum(units.map(({ predicted }) => predicted)) / size;
  const clusters = [...Map.groupBy(units, ({ cluster }) => cluster).values()].map(countCluster);
  const weights = sum(clusters.map(({ weight }) => weight));
  const means = {
    label: sum(clusters.map(({ label }) => label)) / weights,
    fitted: sum(clusters.map(({ fitted }) => fitted)) / weights,
  };
  // Influence of each cluster on the mean label, on the weighted mean prediction, and on the mean of all predictions.
  const pulls = clusters.map(({ units: count, predicted, weight, label, fitted }) => ({
    label: (label - means.label * weight) / weights,
    fitted: (predicted - uncorrected * count) / size - (fitted - means.fitted * weight) / weights,
  }));
  const spread = sum(pulls.map(({ fitted }) => fitted * fitted));
  const covariance = sum(pulls.map(({ label, fitted }) => label * fitted));
  const lambda = spread === 0 ? 0 : Math.min(1, Math.max(0, -covariance / spread));
  const value = means.label + lambda * (uncorrected - means.fitted);
  const withLabels = clusters.filter(({ weight }) => weight > 0).length;
  if (withLabels < 2) return { value: clamp(value), low: null, high: null, lambda, uncorrected, labeled };
  const variance = sum(pulls.map(({ label, fitted }) => (label + lambda * fitted) ** 2));
  // Two numbers are fitted: the mean and λ. Without this factor, intervals from a hundred labels cover in under 94%.
  const factor = clusters.length / Math.max(1, clusters.length - 2);
  const half = jstat.studentt.inv(0.975, withLabels - 1) * Math.sqrt(variance * factor);
  return { value: clamp(value), low: clamp(value - half), high: clamp(value + half), lambda, uncorrected, labeled };
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** Adds up the statements of a cluster: all statements, and the labeled ones by their weights. */
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
