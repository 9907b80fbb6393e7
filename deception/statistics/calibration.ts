// Whether probabilities given are as often right as they say.
import { type Bar, barsOf, casesIn } from './histogram.ts';
import type { Figure, Sums } from './sums.ts';

/** Fewer cases than this show no calibration error: most of it would be chance. */
export const FEWEST_PAIRS = 200;
const BINS = 10;

/** The probabilities in the sums of `scoreKey`. Throws a RangeError for one outside 0…1. */
function probabilities(sums: Sums): Bar[] {
  const bars = barsOf(sums);
  const outside = [bars[0], bars.at(-1)].find((bar) => bar !== undefined && !(bar.score >= 0 && bar.score <= 1));
  if (outside !== undefined) throw new RangeError(`The probability is ${outside.score}; it must lie in 0…1.`);
  return bars;
}

/**
 * The Brier score (Brier 1950, for two outcomes): the mean square of probability minus outcome, from the sums of
 * `scoreKey`. 0…1, 0 is best, ¼ for always ½; null without cases.
 */
export const brier: Figure = (sums) => {
  const bars = probabilities(sums);
  const { positives, negatives } = casesIn(bars);
  if (positives + negatives === 0) return null;
  let squares = 0;
  for (const { score, ...bar } of bars) squares += bar.positives * (1 - score) ** 2 + bar.negatives * score ** 2;
  return squares / (positives + negatives);
};

export interface ReliabilityBin {
  readonly cases: number;
  /** The mean probability given. */
  readonly given: number;
  /** The share of cases that are so. */
  readonly observed: number;
}

/**
 * Cases in at most ten bins of as nearly equal number as ties allow, by rising probability: cases with the same
 * probability stay together, in the bin that their middle falls into.
 */
export function reliabilityBins(sums: Sums): ReliabilityBin[] {
  const bars = probabilities(sums);
  const { positives, negatives } = casesIn(bars);
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
 * The expected calibration error over ten equal-mass bins (Naeini et al. 2015; equal mass: Nixon et al. 2019): the
 * mean over cases of |mean probability − share that is so| in their bin. 0…1, 0 is best; null under 200 cases.
 */
export const calibrationError: Figure = (sums) => {
  const { positives, negatives } = casesIn(barsOf(sums));
  if (positives + negatives < FEWEST_PAIRS) return null;
  let error = 0;
  for (const { cases, given, observed } of reliabilityBins(sums)) error += cases * Math.abs(given - observed);
  return error / (positives + negatives);
};
