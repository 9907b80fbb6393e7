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
  /** Over the statements of all writers. */
  ofLabels: MeasuredErrors;
  reach: ExtractorReach;
  /** Over the statements of each writer, by the name of its model. */
  byWriter?: Readonly<Record<string, MeasuredErrors>>;
}

/**
 * Corrects the figures that have an interval and known errors by Rogan & Gladen's formula. Figures of a model need errors
 * measured on its own statements: an extractor that reads one model worse would otherwise make it look more honest.
 *
 * @example correctFigures(figures, knownErrors)[0]?.value // 0.41 where 0.31 was found
 */
export function correctFigures(
  figures: readonly FoundFigure[],
  { ofLabels, byWriter = {} }: Pick<KnownErrors, 'ofLabels' | 'byWriter'>,
): CorrectedFigure[] {
  return figures.flatMap(({ metric, cell, value, low, high }) => {
    const writer = cell['model'];
    const known = (writer === undefined ? ofLabels : byWriter[writer])?.[metric];
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
