// What is compared: the sums of a cell in all arms, deal by deal.
import type { MetricCell, Metric } from '../metrics/metric.ts';
import type { Contrast } from '../statistics/paired-test.ts';
import type { Sums } from '../statistics/sums.ts';
import type { EffectPart } from './comparison-schema.ts';

/** The sums of a cell in all arms, deal by deal, and which difference of the arms is asked for. */
export interface ContrastedFigure {
  metric: Metric;
  cell: MetricCell;
  /** For each deal, the sums of each arm. */
  deals: readonly (readonly Sums[])[];
  contrast: Contrast;
  /** Whether a difference may be the opponent's doing as well as the model's. */
  isJoint: boolean;
  /** Whose part it is, in a crossed design. */
  part: EffectPart | null;
}
