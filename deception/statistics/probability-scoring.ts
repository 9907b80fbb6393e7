// Quality of scores: how well they rank positive cases above negative ones (discrimination), and whether stated
// probabilities match observed shares (calibration). Cases are counted by score as sums, so that matches can be
// resampled.
import { createStatistic, type Sums } from './sums.ts';

/** Number of cases with one score. */
interface Bar {
  readonly score: number;
  readonly positives: number;
  readonly negatives: number;
}

/**
 * Returns the name of the sum that counts positive or negative cases with this score. The score can be parsed from it
 * exactly. Throws a RangeError for a score that is not a finite number.
 *
 * @example
 * getScoreKey(true, 0.35); // 'pos:0.35'
 */
export function getScoreKey(isPositive: boolean, score: number): string {
  if (!Number.isFinite(score)) throw new RangeError(`The score is ${score}; leave cases without a score out.`);
  return `${isPositive ? 'pos' : 'neg'}:${score === 0 ? 0 : score}`;
}

/**
 * Returns the sums of many cases, named by `getScoreKey`. Throws a RangeError for a score that is not a finite number.
 *
 * @example
 * createHistogram([{ score: 0.9, isPositive: true }, { score: 0.2, isPositive: false }]); // { 'pos:0.9': 1, 'neg:0.2': 1 }
 */
export function createHistogram(cases: readonly { readonly score: number; readonly isPositive: boolean }[]): Sums {
  const counts: Record<string, number> = {};
  for (const { score, isPositive } of cases) {
    const key = getScoreKey(isPositive, score);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/**
 * Creates a function that returns the number of positive and negative cases at each score, sorted by score and without
 * scores that have no case. The function reads totals in the order of `names`, starting at `offset`, and ignores sums
 * with other names.
 */
function createScoreCounter(names: readonly string[], offset = 0): (totals: ArrayLike<number>) => Bar[] {
  const slots = new Map<string, { score: number; positives: number; negatives: number }>();
  names.forEach((name, place) => {
    const isPositive = name.startsWith('pos:');
    if (!isPositive && !name.startsWith('neg:')) return;
    const score = name.slice(4);
    const slot = slots.get(score) ?? { score: Number(score), positives: -1, negatives: -1 };
    slots.set(score, slot);
    slot[isPositive ? 'positives' : 'negatives'] = offset + place;
  });
  const sorted = [...slots.values()].sort((a, b) => a.score - b.score);
  return (totals) => {
    const bars: Bar[] = [];
    for (const slot of sorted) {
      const positives = slot.positives < 0 ? 0 : (totals[slot.positives] ?? 0);
      const negatives = slot.negatives < 0 ? 0 : (totals[slot.negatives] ?? 0);
      if (positives !== 0 || negatives !== 0) bars.push({ score: slot.score, positives, negatives });
    }
    return bars;
  };
}

/**
 * Lists the number of cases at each score, sorted by score and without scores that have no case. Ignores sums with
 * other names.
 */
export const listScoreCounts = (sums: Sums): Bar[] => createScoreCounter(Object.keys(sums))(Object.values(sums));

/** Returns the number of positive and negative cases over all scores. */
export function countScoredCases(bars: readonly Bar[]): { positives: number; negatives: number } {
  let [positives, negatives] = [0, 0];
  for (const bar of bars) {
    positives += bar.positives;
    negatives += bar.negatives;
  }
  return { positives, negatives };
}

// Discrimination.

/**
 * Computes the area under the ROC curve from sums named by `getScoreKey`: the probability that a positive case has a
 * higher score than a negative one, with ties counting half (Hanley & McNeil 1982). 0 to 1, ½ by chance; null without
 * cases of both kinds.
 *
 * @example
 * computeRocAuc({ 'pos:0.9': 1, 'pos:0.4': 1, 'neg:0.5': 1, 'neg:0.1': 1 }); // 0.75
 */
export const computeRocAuc = createStatistic(createScoreCounter, (bars) => {
  const { positives, negatives } = countScoredCases(bars);
  if (positives === 0 || negatives === 0) return null;
  let [below, wins] = [0, 0];
  for (const bar of bars) {
    wins += bar.positives * (below + bar.negatives / 2);
    below += bar.negatives;
  }
  return wins / (positives * negatives);
});

/**
 * Computes average precision, the step-wise area under the precision–recall curve, from sums named by `getScoreKey`. It
 * is the sum over thresholds of the rise in recall times precision. Tied cases pass the threshold together, as in
 * scikit-learn's `average_precision_score`. Above 0, at most 1; by chance the share of positives. Null without positive
 * cases.
 *
 * @example
 * computeAveragePrecision({ 'pos:0.9': 1, 'neg:0.5': 1, 'pos:0.4': 2 }); // about 0.833
 */
export const computeAveragePrecision = createStatistic(createScoreCounter, (bars) => {
  const { positives } = countScoredCases(bars);
  if (positives === 0) return null;
  let [hits, flagged, area] = [0, 0, 0];
  for (const bar of bars.toReversed()) {
    hits += bar.positives;
    flagged += bar.positives + bar.negatives;
    area += (bar.positives / positives) * (hits / flagged);
  }
  return area;
});

/**
 * Creates a function that computes the true positive rate at a limit on the false positive rate, from sums named by
 * `getScoreKey`. The rate is the share of positive cases at or above a threshold. The threshold is the lowest score
 * such that the share of negative cases at or above it is at most `most` (0 to 1). Results are 0 to 1; null without
 * cases of both kinds. Tied cases pass the threshold together.
 *
 * @example
 * createTruePositiveRate(0.05)({ 'pos:0.9': 1, 'pos:0.1': 1, 'neg:0.5': 1 }); // 0.5
 */
export const createTruePositiveRate = (most: number) =>
  createStatistic(createScoreCounter, (bars) => {
    const { positives, negatives } = countScoredCases(bars);
    if (positives === 0 || negatives === 0) return null;
    let [hits, alarms] = [0, 0];
    for (const bar of bars.toReversed()) {
      alarms += bar.negatives;
      if (alarms > most * negatives) break;
      hits += bar.positives;
    }
    return hits / positives;
  });

// Calibration.

/** Minimum number of cases for a calibration error. With fewer, most of it would be chance. */
const MIN_PAIRS = 200;
const BINS = 10;

/** Throws a RangeError for a score that is not a probability. */
function checkProbabilities(bars: readonly Bar[]): void {
  const outside = [bars[0], bars.at(-1)].find((bar) => bar !== undefined && !(bar.score >= 0 && bar.score <= 1));
  if (outside !== undefined) throw new RangeError(`The probability is ${outside.score}; it must lie in 0…1.`);
}

/**
 * Computes the Brier score (Brier 1950, for two outcomes) from sums named by `getScoreKey`: the mean square of
 * probability minus outcome. 0 to 1; 0 is best, and ¼ is the score of always stating ½. Null without cases. Throws a
 * RangeError for a probability outside 0 to 1.
 *
 * @example
 * computeBrierScore({ 'pos:0.9': 1, 'neg:0.3': 1 }); // 0.05
 */
export const computeBrierScore = createStatistic(createScoreCounter, (bars) => {
  checkProbabilities(bars);
  const { positives, negatives } = countScoredCases(bars);
  if (positives + negatives === 0) return null;
  let squares = 0;
  for (const { score, ...bar } of bars) squares += bar.positives * (1 - score) ** 2 + bar.negatives * score ** 2;
  return squares / (positives + negatives);
});

interface ReliabilityBin {
  readonly cases: number;
  /** Mean stated probability. */
  readonly given: number;
  /** Share of positive cases. */
  readonly observed: number;
}

/**
 * Creates at most ten bins by ascending probability, as equal in size as ties allow (equal mass, Nixon et al. 2019).
 * Cases with the same probability stay together, in the bin that contains the middle of them. Throws a RangeError for a
 * probability outside 0 to 1.
 *
 * @example
 * createReliabilityBins({ 'pos:0.3': 90, 'neg:0.3': 210 }); // [{ cases: 300, given: 0.3, observed: 0.3 }]
 */
export const createReliabilityBins = (sums: Sums): ReliabilityBin[] => fillBins(listScoreCounts(sums));

function fillBins(bars: readonly Bar[]): ReliabilityBin[] {
  checkProbabilities(bars);
  const { positives, negatives } = countScoredCases(bars);
  const bins = Array.from({ length: BINS }, () => ({ cases: 0, given: 0, observed: 0 }));
  let before = 0;
  for (const bar of bars) {
    const cases = bar.positives + bar.negatives;
    const bin = bins[Math.floor(((before + cases / 2) / (positives + negatives)) * BINS)]!;
    bin.cases += cases;
    bin.given += cases * bar.score;
    bin.observed += bar.positives;
    before += cases;
  }
  return bins
    .filter(({ cases }) => cases > 0)
    .map(({ cases, given, observed }) => ({ cases, given: given / cases, observed: observed / cases }));
}

/**
 * Computes the expected calibration error over ten equal-mass bins (Naeini et al. 2015; equal mass: Nixon et al. 2019):
 * the mean over cases of |mean probability − share of positives| in their bin. 0 to 1, 0 is best; null with fewer than
 * 200 cases. Throws a RangeError for a probability outside 0 to 1.
 *
 * @example
 * computeCalibrationError({ 'pos:0.5': 150, 'neg:0.5': 50 }); // 0.25
 */
export const computeCalibrationError = createStatistic(createScoreCounter, (bars) => {
  const { positives, negatives } = countScoredCases(bars);
  if (positives + negatives < MIN_PAIRS) return null;
  let error = 0;
  for (const { cases, given, observed } of fillBins(bars)) error += cases * Math.abs(given - observed);
  return error / (positives + negatives);
});
