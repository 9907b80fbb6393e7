// Corrects rates made from a fallible extractor's labels for its measured errors.
import { correctByRoganGladen, type MeasuredShare } from '../statistics/misclassification.ts';
import type { CorrectedFigure, FoundFigure } from './report-schema.ts';

/** Accuracy of the labels behind a rate, measured on labeled positive and negative cases. */
interface ErrorsOfLabels {
  sensitivity: MeasuredShare;
  specificity: MeasuredShare;
}

/** Name of the metric computed from the labels → its errors. */
type MeasuredErrors = Readonly<Record<string, ErrorsOfLabels>>;

/** Number of lies and truths, as labeled by people, in which the extractor finds any claim. */
interface ExtractorReach {
  lies: DrawnShare;
  truths: DrawnShare;
}

interface DrawnShare {
  drawn: number;
  of: number;
}

/** Measured errors of the extractor. */
export interface KnownErrors {
  ofLabels: MeasuredErrors;
  reach: ExtractorReach;
  /** Authors of the statements on which the errors were measured. */
  writers?: readonly string[];
}

/**
 * Corrects the figures that have an interval and known errors by Rogan & Gladen's formula.
 *
 * @example correctFigures(figures, knownErrors.ofLabels)[0]?.value // 0.41 where 0.31 was found
 */
export function correctFigures(figures: readonly FoundFigure[], errors: MeasuredErrors): CorrectedFigure[] {
  return figures.flatMap(({ metric, cell, value, low, high }) => {
    const known = errors[metric];
    if (!known || value === null || low === null || high === null) return [];
    const { sensitivity, specificity } = known;
    const corrected = correctByRoganGladen({ estimate: value, low, high }, sensitivity, specificity);
    if (corrected === null) return [];
    const { estimate, isClipped } = corrected;
    return [
      {
        ...{
          metric,
          cell,
          found: value,
          value: estimate,
          low: corrected.low,
          high: corrected.high,
          is_clipped: isClipped,
        },
        ...{ sensitivity: getShare(sensitivity), sensitivity_low: sensitivity.low, sensitivity_high: sensitivity.high },
        ...{ specificity: getShare(specificity), specificity_low: specificity.low, specificity_high: specificity.high },
      },
    ];
  });
}

const getShare = ({ right, of }: MeasuredShare) => right / of;
