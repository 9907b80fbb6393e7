// A rate found by an imperfect instrument (e.g. a claim extractor), corrected for the instrument's measured errors.

/** How many of the labelled cases the instrument got right. */
export interface MeasuredShare {
  readonly right: number;
  readonly of: number;
  /**
   * The interval of that share, at the level of the rate's interval. Cases of one situation are alike, so it must be an
   * interval over situations, not over cases.
   */
  readonly low: number;
  readonly high: number;
}

/** The rate as found, with its interval over matches. */
interface FoundRate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

interface CorrectedRate extends FoundRate {
  /** Whether the corrected rate was outside 0…1: less (or more) was found than the instrument's errors alone explain. */
  readonly isClipped: boolean;
}

/**
 * The true prevalence behind a rate found with known sensitivity and specificity (Rogan & Gladen 1978):
 * (rate + specificity − 1) / (sensitivity + specificity − 1), clipped to 0…1. The interval joins the distances to the
 * bounds of the rate and of both accuracies, each weighted by its slope, as Zou & Donner (2008) do for sums; it keeps
 * their skewness and lies within 0…1. Exploratory: it assumes that the errors are the same everywhere.
 * Null where no positive or no negative case was labelled, or where the instrument is no better than chance.
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
  const clipToShare = (value: number) => Math.min(1, Math.max(0, value));
  return {
    estimate: clipToShare(corrected),
    low: clipToShare(corrected - computeReach(rate.low, sensitivity.high, specificity.low)),
    high: clipToShare(corrected + computeReach(rate.high, sensitivity.low, specificity.high)),
    isClipped: corrected < 0 || corrected > 1,
  };
}
