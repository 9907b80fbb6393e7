// A rate that an imperfect instrument found, corrected for the instrument's measured errors.
/** What was right of so many hand-labelled cases. */
export interface MeasuredShare {
  readonly right: number;
  readonly of: number;
  /**
   * The interval of that share, at the level of the rate's. Cases that were labelled in few situations tell of fewer
   * than they are, so its unit is the situation.
   */
  readonly low: number;
  readonly high: number;
}

/** The rate found, with its interval over matches. */
export interface FoundRate {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export interface CorrectedRate extends FoundRate {
  /** Whether the correction led outside 0…1: fewer were found than the instrument's errors alone would give, or more. */
  readonly isClipped: boolean;
}

/**
 * The true prevalence behind a rate found with known sensitivity and specificity (Rogan & Gladen 1978):
 * (rate + specificity − 1) / (sensitivity + specificity − 1), clipped to 0…1. The interval joins the distances to the
 * bounds of the rate and of both accuracies, all as given, each by its slope, as Zou & Donner (2008) do for sums; it
 * keeps their skewness and lies within 0…1. Exploratory: it takes the errors to be alike everywhere.
 * Null where nothing was labelled of one kind, or where the instrument is no better than chance.
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
