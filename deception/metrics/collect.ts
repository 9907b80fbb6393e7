// Adds up what matches give to metrics, cell by cell, and makes figures of it.
import { clusterInterval, type Interval } from '../statistics/cluster-interval.ts';
import { wilson } from '../statistics/proportion.ts';
import type { Resampling } from '../statistics/resampling.ts';
import { addSums, sumOf, type Sums } from '../statistics/sums.ts';
import { mean } from '../ratios.ts';
import type { Tables } from '../tables/rows.ts';
import { closedRange, type Cell, type Metric, type Tally } from './metric.ts';

/** What a unit of the sample, a match or all of a deal, has of a cell. */
export interface Cluster {
  unit: string;
  sums: Sums;
}

export interface Collected {
  metric: Metric;
  cell: Cell;
  clusters: readonly Cluster[];
}

export interface Figure {
  metric: string;
  cell: Cell;
  value: number | null;
  low: number | null;
  high: number | null;
  /** How the interval was made; null where there is none, and `reason` says why. */
  method: Interval['method'] | 'wilson';
  reason: Interval['reason'];
  /** Matches in which it is defined, or without which it is another. */
  matches: number;
  opportunities: number | null;
  /** The mean of the values of the matches that have one, and how many these are. */
  mean_of_matches: number | null;
  matches_with_value: number;
  /** The value had all that is missing come out as low, or as high, as it could; null where there are no such bounds. */
  lowest: number | null;
  highest: number | null;
}

/** Matches are added one at a time; nothing but sums is kept of them. What is of one unit is added up. */
export class Collection {
  readonly #metrics: readonly Metric[];
  readonly #cells = new Map<string, { metric: Metric; cell: Cell; clusters: Map<string, Sums> }>();
  readonly #units = new Set<string>();

  constructor(metrics: readonly Metric[]) {
    this.#metrics = metrics;
  }

  /** How many units there are. */
  get size(): number {
    return this.#units.size;
  }

  add(match: Tables, unit = match.match.match_id) {
    this.#units.add(unit);
    const group = grouping(match);
    for (const metric of this.#metrics) {
      for (const dimensions of [[], ...metric.by])
        for (const [key, tally] of group(metric.tallies, [...metric.apart, ...dimensions])) {
          const clusters = this.#clustersOf(metric, tally.cell, key);
          const before = clusters.get(unit);
          const sums = metric.isPerMatch ? { ...tally.sums, matches: 1 } : tally.sums;
          clusters.set(unit, before ? addSums([before, sums]) : sums);
        }
    }
  }

  /** By metric in the order of the register, by table, and then by cell. */
  collected(): Collected[] {
    const cells = [...this.#cells.values()].map(({ clusters, ...of }): Collected => ({
      ...of,
      clusters: [...clusters].map(([unit, sums]) => ({ unit, sums })),
    }));
    const byMetric = Map.groupBy(cells, ({ metric }) => metric);
    return this.#metrics.flatMap((metric) => (byMetric.get(metric) ?? []).sort(byCell));
  }

  #clustersOf(metric: Metric, cell: Cell, key: string): Map<string, Sums> {
    const name = `${metric.name} ${key}`;
    const known = this.#cells.get(name) ?? { metric, cell, clusters: new Map<string, Sums>() };
    this.#cells.set(name, known);
    return known.clusters;
  }
}

interface Group extends Tally {
  sums: Record<string, number>;
}

type Groups = ReadonlyMap<string, Group>;

/** Metrics of one family share their tallies, which are then made and grouped once a match. */
function grouping(match: Tables) {
  const made = new Map<Metric['tallies'], { tallies: Tally[]; groups: Map<string, Groups> }>();
  return (talliesOf: Metric['tallies'], dimensions: readonly string[]): Groups => {
    const own = made.get(talliesOf) ?? { tallies: talliesOf(match), groups: new Map<string, Groups>() };
    made.set(talliesOf, own);
    const table = dimensions.join();
    const groups = own.groups.get(table) ?? grouped(own.tallies, dimensions);
    own.groups.set(table, groups);
    return groups;
  };
}

/** Tallies of the same values in these dimensions added up. A tally without one of them has no part in it. */
export function grouped(tallies: readonly Tally[], dimensions: readonly string[]): Groups {
  const groups = new Map<string, Group>();
  for (const { cell, sums } of tallies) {
    const values = dimensions.map((dimension) => cell[dimension]);
    if (values.includes(undefined)) continue;
    const key = [...dimensions, ...values].join('\n');
    const group: Group = groups.get(key) ?? { cell: only(dimensions, cell), sums: {} };
    groups.set(key, group);
    for (const [name, amount] of Object.entries(sums)) group.sums[name] = (group.sums[name] ?? 0) + amount;
  }
  return groups;
}

const only = (dimensions: readonly string[], cell: Cell): Cell =>
  Object.fromEntries(dimensions.map((dimension) => [dimension, cell[dimension]!]));

function byCell({ cell: one }: Collected, { cell: other }: Collected): number {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const [a, b] = [JSON.stringify([names, Object.values(one)]), JSON.stringify([others, Object.values(other)])];
  return names.length - others.length || (a < b ? -1 : 1);
}

/** The figure of a cell over all its matches. */
export function figureOf({ metric, cell, clusters }: Collected, resampling: Resampling): Figure {
  const sums = clusters.map((cluster) => cluster.sums);
  const total = addSums(sums);
  const values = sums.flatMap((one) => metric.value(one) ?? []);
  const { withData, ...interval } = intervalOf(metric, sums, total, resampling);
  const [lowest, highest] = metric.bounds?.(total, cell) ?? [null, null];
  return {
    metric: metric.name,
    cell,
    ...interval,
    matches: withData,
    opportunities: metric.opportunities(total),
    mean_of_matches: mean(values),
    matches_with_value: values.length,
    lowest,
    highest,
  };
}

function intervalOf(metric: Metric, clusters: readonly Sums[], total: Sums, resampling: Resampling) {
  if (metric.isOfMatches) {
    const successes = sumOf(total, 'for');
    const bounds = wilson(successes, successes + sumOf(total, 'against'));
    const [low, high] = bounds ?? [null, null];
    const method = bounds && ('wilson' as const);
    const withData = clusters.filter((one) => sumOf(one, 'for') + sumOf(one, 'against') > 0).length;
    return { value: metric.value(total), low, high, method, reason: bounds ? null : ('no data' as const), withData };
  }
  const { estimate, low, high, method, reason, withData } = clusterInterval(clusters, metric.value, {
    resampling,
    range: closedRange(metric.range),
  });
  return { value: estimate, low: low === null ? null : Math.max(low, metric.range[0]), high, method, reason, withData };
}
