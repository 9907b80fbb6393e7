// The data of a comparison: the sums of a cell in all arms, deal by deal.
import type { MetricCell, Metric } from '../metrics/metric.ts';
import type { Contrast } from '../statistics/paired-test.ts';
import type { Sums } from '../statistics/sums.ts';
import type { EffectPart } from './comparison-schema.ts';

/** The sums of a cell in all arms, deal by deal, and the contrast of arms to compute from these sums. */
export interface ContrastedFigure {
  metric: Metric;
  cell: MetricCell;
  /** For each deal, the sums of each arm. */
  deals: readonly (readonly Sums[])[];
  contrast: Contrast;
  /** Whether the opponent may have caused a difference as much as the model. */
  isJoint: boolean;
  /** Part of the model that the figure measures, in a crossed design; null otherwise. */
  part: EffectPart | null;
}
