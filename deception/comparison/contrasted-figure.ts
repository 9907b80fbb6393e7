// The data of a comparison: the sums of a cell in all arms, deal by deal.
import type { MetricCell, Metric } from '../metrics/metric.ts';
import type { Contrast } from '../statistics/paired-test.ts';
import type { Sums } from '../statistics/sums.ts';
import type { EffectPart } from './comparison-schema.ts';

/** The sums of a cell in all arms, deal by deal, and the contrast of arms to compute from these sums. */
export interface ContrastedFigure {
  metric: Metric;
  cell: MetricCell;
  /** The sums of each arm, for each deal. */
  deals: readonly (readonly Sums[])[];
  contrast: Contrast;
  /** Whether the opponents of the compared models differ too, so that they may cause a difference. */
  isJoint: boolean;
  /** In a crossed design, the part (such as the speaker's effect) that the contrast measures; null otherwise. */
  part: EffectPart | null;
}
