// Curves behind the figures of scores. A ROC curve shows the shares of positive and of negative cases that reach each
// score; a calibration curve shows how often the scored event is true. Both are computed from the figures' sums,
// without reading matches again.
import { computeFigure } from '../metrics/metric-collection.ts';
import type { ClusterSums } from '../metrics/metric-collection.ts';
import { createRatioFigure, type MetricCell, type Metric } from '../metrics/metric.ts';
import type { Resampling } from '../statistics/bootstrap.ts';
import { countScoredCases, listScoreCounts } from '../statistics/probability-scoring.ts';
import { addSums, type Sums } from '../statistics/sums.ts';
import { wholeSampleName } from './report-samples.ts';
import type { ScoreCurve } from './report-schema.ts';
import type { CellSums } from './sufficient-statistics.ts';

/** Metrics that have curves. The sums of these metrics count cases by score. */
export const curveMetrics = ['suspicion_roc_auc', 'belief_roc_auc'] as const;

/**
 * Values that a cell must have to get curves: the match's own listeners, who could not know the answer. The cell may
 * also name the model that gave the scores.
 */
const fixed: MetricCell = { source: 'match', could_know: 'false' };

/**
 * Returns whether the report has curves for the cell. The cell must cover all matches and must have the values in
 * `fixed`, if it has these dimensions. It may also name a kind (debate or belief questions) and the observer's model.
 */
export const hasCurve = ({ sample, metric, cell }: Pick<CellSums, 'sample' | 'metric' | 'cell'>): boolean =>
  sample === wholeSampleName &&
  curveMetrics.some((name) => name === metric) &&
  Object.entries(cell).every(
    ([dimension, value]) =>
      dimension === 'observer_model' ||
      (dimension === 'kind' ? value === 'debate' || value === 'beliefs' : fixed[dimension] === value),
  );

const bins = 10;

/**
 * Returns the bin of a score from 0 to 1. Each bin is a tenth wide and excludes its upper end; the last bin includes 1.
 */
export const findBin = (score: number) => Math.min(bins - 1, Math.floor(score * bins + 1e-9));

/** Number of points of a curve per unit of score. Scores that are closer together become one point. */
const finest = 100;

/**
 * Computes the curves of a cell. `clusters`: the cell's sums in each match, named by `getScoreKey`. `getDeal`: as in
 * `computeFigure`. Bins without a case, and thresholds that no score reaches, are left out.
 *
 * @example computeCurve({ metric: 'belief_roc_auc', cell, clusters }, createResampling(clusters.length, 2000, 1))
 */
export function computeCurve(
  { metric, cell, clusters }: { metric: string; cell: MetricCell; clusters: readonly ClusterSums[] },
  resampling: Resampling,
  getDeal?: (unit: string) => string | number,
): ScoreCurve {
  const bars = listScoreCounts(addSums(clusters.map(({ sums }) => sums)));
  const barsOfUnits = clusters.map(({ unit, sums }) => ({ unit, bars: listScoreCounts(sums) }));
  return {
    ...{ metric, cell, roc: listRocPoints(bars) },
    bins: Array.from({ length: bins }, (_, bin) => {
      const inBin = barsOfUnits.flatMap(({ unit, bars }) => {
        const own = sumBin(bars, bin);
        return own === null ? [] : [{ unit, sums: own }];
      });
      const { scores = 0, cases = 0 } = addSums(inBin.map(({ sums }) => sums));
      const { value, low, high, matches } = computeFigure(
        { metric: shareInBin, cell, clusters: inBin },
        resampling,
        getDeal,
      );
      const given = cases === 0 ? null : scores / cases;
      return { from: bin / bins, to: (bin + 1) / bins, cases, matches, mean_score: given, share: value, low, high };
    }).filter(({ cases }) => cases > 0),
  };
}

const shareInBin: Metric = {
  ...{ name: 'share_in_bin', title: 'Share in a bin of scores', section: 'detection', unit: 'share' },
  ...{ definition: 'Cases that are so over all of a bin.', range: [0, 1], strata: [], breakdowns: [], count: () => [] },
  ...createRatioFigure('positives', 'cases'),
};

function sumBin(bars: ReturnType<typeof listScoreCounts>, bin: number): Sums | null {
  let [positives, cases, scores] = [0, 0, 0];
  for (const bar of bars) {
    if (findBin(bar.score) !== bin) continue;
    positives += bar.positives;
    cases += bar.positives + bar.negatives;
    scores += bar.score * (bar.positives + bar.negatives);
  }
  return cases === 0 ? null : { positives, cases, scores };
}

/**
 * Lists points from the highest threshold, which no case reaches, to the lowest threshold, which all cases reach. The
 * list is empty unless there are both positive and negative cases.
 */
function listRocPoints(bars: ReturnType<typeof listScoreCounts>): ScoreCurve['roc'] {
  const { positives, negatives } = countScoredCases(bars);
  if (positives === 0 || negatives === 0) return [];
  const byThreshold = Map.groupBy(bars, ({ score }) => Math.round(score * finest) / finest);
  let [hits, falseAlarms] = [0, 0];
  const points = [...byThreshold].reverse().map(([threshold, same]) => {
    const found = countScoredCases(same);
    hits += found.positives;
    falseAlarms += found.negatives;
    return { threshold, hit_rate: hits / positives, false_alarm_rate: falseAlarms / negatives };
  });
  return [{ threshold: null, hit_rate: 0, false_alarm_rate: 0 }, ...points];
}
