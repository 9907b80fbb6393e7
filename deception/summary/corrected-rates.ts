// Rates of labels that a fallible extractor gave, corrected for how often it is known to err.
import { correctByRoganGladen, type MeasuredShare } from '../statistics/misclassification.ts';
import type { Corrected, FoundFigure } from './report-schema.ts';

/** How often the labels behind a rate are right, as measured by hand: of what is so, and of what is not. */
export interface ErrorsOfLabels {
  sensitivity: MeasuredShare;
  specificity: MeasuredShare;
}

/** By name of the metric that is made of the labels. */
export type MeasuredErrors = Readonly<Record<string, ErrorsOfLabels>>;

/** How many of the claims about the speaker that a reader labels are drawn at all, of lies and of truths. */
export interface ExtractorReach {
  lies: DrawnShare;
  truths: DrawnShare;
}

interface DrawnShare {
  drawn: number;
  of: number;
}

/** What is known of whatever drew the claims. */
export interface KnownErrors {
  ofLabels: MeasuredErrors;
  reach: ExtractorReach;
}

/** Those of the figures that have an interval and whose errors are known, as Rogan and Gladen correct them. */
export function correctFigures(figures: readonly FoundFigure[], errors: MeasuredErrors): Corrected[] {
  return figures.flatMap(({ metric, cell, value, low, high }) => {
    const known = errors[metric];
    if (!known || value === null || low === null || high === null) return [];
    const { sensitivity, specificity } = known;
    const found = correctByRoganGladen({ estimate: value, low, high }, sensitivity, specificity);
    if (found === null) return [];
    const { estimate, isClipped } = found;
    return [
      {
        ...{ metric, cell, found: value, value: estimate, low: found.low, high: found.high, is_clipped: isClipped },
        ...{ sensitivity: getShare(sensitivity), sensitivity_low: sensitivity.low, sensitivity_high: sensitivity.high },
        ...{ specificity: getShare(specificity), specificity_low: specificity.low, specificity_high: specificity.high },
      },
    ];
  });
}

const getShare = ({ right, of }: MeasuredShare) => right / of;
