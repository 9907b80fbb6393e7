// Validates one cell of the grid: plays its pool, then draws samples from it.
import { Collection } from '../../deception/metrics/collect.ts';
import { closedRange, type Cell, type Metric } from '../../deception/metrics/metric.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { isSameCell } from '../../deception/comparison/analysis-plan.ts';
import { coverageOf, rejectionsOf } from '../../deception/validation/coverage.ts';
import { endpoints, type Finding, type PoolFinding } from '../../deception/validation/validation.ts';
import { clusterInterval } from '../../deception/statistics/cluster-interval.ts';
import type { Pair } from '../../deception/statistics/paired.ts';
import { resampling } from '../../deception/statistics/resampling.ts';
import type { Sums } from '../../deception/statistics/sums.ts';
import { playCalibrated } from './pool.ts';
import type { Effort, GridCell } from './grid.ts';

export interface CellFindings {
  pools: PoolFinding[];
  samples: Finding[];
}

/** Throws a TypeError where an endpoint is no metric. `onMatch` is called after each match. */
export async function validateCell(
  { name, planted }: GridCell,
  { deals, sizes, repetitions, resamples, seed }: Effort,
  onMatch: () => void,
): Promise<CellFindings> {
  const wanted = metrics.filter(({ name: metric }) => endpoints.some((endpoint) => endpoint.metric === metric));
  const arms = [new Collection(wanted), new Collection(wanted)];
  const named: string[] = [];
  for (let deal = 0; deal < deals; deal++) {
    named.push(String(deal));
    for (const [arm, collection] of arms.entries()) {
      collection.add(await playCalibrated(planted, seed + deal, arm), String(deal));
      onMatch();
    }
  }
  const found = endpoints.map(({ metric: metricName, of, planted: rate }) => {
    const metric = wanted.find((one) => one.name === metricName);
    if (!metric) throw new TypeError(`${metricName} is no metric.`);
    const [a, b] = arms.map((collection) => sumsOf(collection, metric, of, named)) as [Sums[], Sums[]];
    const pool = [...a, ...b];
    const pairs = a.map((sums, place): Pair => ({ a: sums, b: b[place]! }));
    const about = { cell: name, metric: metricName, planted: planted[rate] };
    const range = closedRange(metric.range);
    const whole = clusterInterval(pool, metric.value, { resampling: resampling(pool.length, resamples, seed), range });
    const samples = sizes.map((size): Finding => {
      const trial = { figure: metric.value, range, size, repetitions, resamples, seed };
      return { ...about, size, coverage: coverageOf(pool, trial), rejections: rejectionsOf(pairs, trial) };
    });
    return { pool: { ...about, matches: pool.length, found: whole.estimate, se: whole.se }, samples };
  });
  return { pools: found.map(({ pool }) => pool), samples: found.flatMap(({ samples }) => samples) };
}

function sumsOf(collection: Collection, metric: Metric, of: Cell, units: readonly string[]): Sums[] {
  const found = collection.collected().find((one) => one.metric === metric && isSameCell(one.cell, of));
  const sums = new Map(found?.clusters.map((cluster) => [cluster.unit, cluster.sums]));
  return units.map((unit) => sums.get(unit) ?? {});
}
