// Corrects a rate for the measured errors of the instrument that found the rate. Such an instrument is, for example, a
// claim extractor.

import { boundToShare } from './proportion.ts';

/** Share of labeled cases that the instrument classified correctly: `right` out of `of`. */
export interface MeasuredShare {
  readonly right: number;
  readonly of: number;
  /**
   * Interval of the share, at the same level as the interval of the rate. The units of this interval must be
   * situations, not cases, because the cases of a situation are similar.
   */
  readonly low: number;
  readonly high: number;
}

/** The rate that the instrument found, with its interval over matches. */
export interface FoundRate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export interface CorrectedRate extends FoundRate {
  /**
   * Whether the corrected rate was clipped because it was outside 0 to 1. If so, the found rate is lower or higher than
   * the instrument's errors alone explain.
   */
  readonly isClipped: boolean;
}

/**
 * Computes the true prevalence from a found rate and the instrument's sensitivity and specificity (Rogan & Gladen
 * 1978): (rate + specificity − 1) / (sensitivity + specificity − 1), clipped to 0 to 1. The interval combines the
 * distances from the estimate to the bounds of the rate and of both accuracies, each weighted by its slope, as Zou &
 * Donner (2008) do for sums. This method preserves the skewness of the three intervals.
 *
 * The result is exploratory, because it assumes that the errors are equal everywhere. Null without a labeled positive
 * or negative case, or if the instrument is no better than chance.
 *
 * @example
 * const rate = { estimate: 0.3, low: 0.25, high: 0.35 };
 * const accuracy = { right: 90, of: 100, low: 0.83, high: 0.94 };
 * correctByRoganGladen(rate, accuracy, accuracy)?.estimate; // about 0.25
 */
export function correctByRoganGladen(
  rate: FoundRate,
  sensitivity: MeasuredShare,
  specificity: MeasuredShare,
): CorrectedRate | null {
  if (sensitivity.of === 0 || specificity.of === 0) return null;
  const [sens, spec] = [sensitivity.right / sensitivity.of, specificity.right / specificity.of];
  const skill = sens + spec - 1;
  if (skill <= 0) return null;
  const corrected = (rate.estimate + spec - 1) / skill;
  const computeReach = (found: number, sensitive: number, specific: number) =>
    Math.hypot(found - rate.estimate, corrected * (sensitive - sens), (1 - corrected) * (specific - spec)) / skill;
  return {
    estimate: boundToShare(corrected),
    low: boundToShare(corrected - computeReach(rate.low, sensitivity.high, specificity.low)),
    high: boundToShare(corrected + computeReach(rate.high, sensitivity.low, specificity.high)),
    isClipped: corrected < 0 || corrected > 1,
  };
}
