// Corrects rates that are computed from the labels of a fallible extractor, using the measured errors of that
// extractor.
import { correctByRoganGladen, type MeasuredShare } from '../statistics/misclassification.ts';
import type { CorrectedFigure, FoundFigure } from './report-schema.ts';

/** Accuracy of the labels that a rate is computed from, measured on labeled positive and negative cases. */
interface ErrorsOfLabels {
  sensitivity: MeasuredShare;
  specificity: MeasuredShare;
}

/** Name of a metric → errors of the labels that the metric is computed from. */
type MeasuredErrors = Readonly<Record<string, ErrorsOfLabels>>;

/**
 * Number of statements in which the extractor finds a claim (`drawn`), out of all lies and out of all truths by
 * people's labels (`of`).
 */
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
  /** Errors over the statements of all writers. */
  ofLabels: MeasuredErrors;
  reach: ExtractorReach;
  /** Errors over the statements of each writer, by the name of the writer's model. */
  byWriter?: Readonly<Record<string, MeasuredErrors>>;
}

/**
 * Corrects the figures that have an interval and known errors, by Rogan & Gladen's formula. A figure of a model is
 * corrected only by errors measured on this model's statements. Otherwise, a model that the extractor reads worse would
 * seem more honest.
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
