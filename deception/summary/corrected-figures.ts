// Rates of labels by a fallible extractor, corrected for its measured errors.
import { correctByRoganGladen, type MeasuredShare } from '../statistics/misclassification.ts';
import type { CorrectedFigure, FoundFigure } from './report-schema.ts';

/** How often the labels behind a rate are right, measured on labelled positive and negative cases. */
interface ErrorsOfLabels {
  sensitivity: MeasuredShare;
  specificity: MeasuredShare;
}

/** By the name of the metric that is computed from the labels. */
type MeasuredErrors = Readonly<Record<string, ErrorsOfLabels>>;

/** Of the lies and truths that readers labelled, how many the extractor finds any claim in. */
interface ExtractorReach {
  lies: DrawnShare;
  truths: DrawnShare;
}

interface DrawnShare {
  drawn: number;
  of: number;
}

/** The measured errors of the extractor. */
export interface KnownErrors {
  ofLabels: MeasuredErrors;
  reach: ExtractorReach;
  /** The writers of the statements on which the errors were measured. */
  writers?: readonly string[];
}

/**
 * The figures that have an interval and known errors, corrected by Rogan & Gladen's formula.
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
