// Adds up the tallies of matches by metric, cell and unit, and computes figures with intervals from the sums.
import {
  computeClusterInterval,
  countWithData,
  FEWEST_CLUSTERS,
  type Interval,
  type Resampling,
} from '../statistics/bootstrap.ts';
import { computeWilsonBounds } from '../statistics/proportion.ts';
import { addSums, getSum, mean, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/row-schemas.ts';
import { type MetricCell, getClosedRange, type Metric, type MetricTally } from './metric.ts';

/** The sums of one cell in one unit of the sample: a match, or all matches of a deal. */
export interface ClusterSums {
  unit: string;
  sums: Sums;
}

export interface CollectedCell {
  metric: Metric;
  cell: MetricCell;
  clusters: readonly ClusterSums[];
}

export interface MetricFigure {
  metric: string;
  cell: MetricCell;
  value: number | null;
  low: number | null;
  high: number | null;
  /** How the interval was made; null where there is none, and `reason` says why; for `too few` there may be no value. */
  method: Interval['method'] | 'wilson';
  reason: Interval['reason'];
  /** Matches that have a part in the figure. */
  matches: number;
  opportunities: number | null;
  /** The mean of the values of the matches that have one, and how many these are. */
  mean_of_matches: number | null;
  matches_with_value: number;
  /** The value had all missing answers made it as low, or as high, as they could; null where such bounds are not known. */
  lowest: number | null;
  highest: number | null;
}

/**
 * The sums of a sample of matches, which are added one at a time; nothing else is kept of them. Matches of the same unit
 * are added up.
 * @example
 * const collection = new Collection(metrics);
 * for (const tables of matches) collection.add(tables);
 * const figures = collection.listCells().map((cell) => computeFigure(cell, createResampling()));
 */
export class MetricCollection {
  readonly #metrics: readonly Metric[];
  readonly #cells = new Map<string, { metric: Metric; cell: MetricCell; clusters: Map<string, Sums> }>();
  readonly #units = new Set<string>();

  constructor(metrics: readonly Metric[]) {
    this.#metrics = metrics;
  }

  /** How many units there are. */
  get size(): number {
    return this.#units.size;
  }

  add(match: MatchTables, unit = match.match.match_id) {
    this.#units.add(unit);
    const group = createGrouping(match);
    for (const metric of this.#metrics) {
      for (const dimensions of [[], ...metric.breakdowns])
        for (const [key, tally] of group(metric.count, [...metric.strata, ...dimensions])) {
          const clusters = this.#listClusters(metric, tally.cell, key);
          const before = clusters.get(unit);
          const sums = metric.isPerMatch ? { ...tally.sums, matches: 1 } : tally.sums;
          clusters.set(unit, before ? addSums([before, sums]) : sums);
        }
    }
  }

  /** By metric in the order of the register, by table, and then by cell. */
  listCells(): CollectedCell[] {
    const cells = [...this.#cells.values()].map(({ clusters, ...of }): CollectedCell => ({
      ...of,
      clusters: [...clusters].map(([unit, sums]) => ({ unit, sums })),
    }));
    const byMetric = Map.groupBy(cells, ({ metric }) => metric);
    return this.#metrics.flatMap((metric) => (byMetric.get(metric) ?? []).sort(compareCells));
  }

  #listClusters(metric: Metric, cell: MetricCell, key: string): Map<string, Sums> {
    const name = `${metric.name} ${key}`;
    const known = this.#cells.get(name) ?? { metric, cell, clusters: new Map<string, Sums>() };
    this.#cells.set(name, known);
    return known.clusters;
  }
}

interface TallyGroup extends MetricTally {
  sums: Record<string, number>;
}

type TallyGroups = ReadonlyMap<string, TallyGroup>;

/** Metrics that share a `count` share its tallies, which are made and grouped once a match. */
function createGrouping(match: MatchTables) {
  const made = new Map<Metric['count'], { tallies: MetricTally[]; groups: Map<string, TallyGroups> }>();
  return (count: Metric['count'], dimensions: readonly string[]): TallyGroups => {
    const own = made.get(count) ?? { tallies: count(match), groups: new Map<string, TallyGroups>() };
    made.set(count, own);
    const table = dimensions.join();
    const groups = own.groups.get(table) ?? groupTallies(own.tallies, dimensions);
    own.groups.set(table, groups);
    return groups;
  };
}

/** Adds up tallies that have the same values in these dimensions. A tally that lacks one of them is left out. */
export function groupTallies(tallies: readonly MetricTally[], dimensions: readonly string[]): TallyGroups {
  const groups = new Map<string, TallyGroup>();
  for (const { cell, sums } of tallies) {
    const values = dimensions.map((dimension) => cell[dimension]);
    if (values.includes(undefined)) continue;
    const key = [...dimensions, ...values].join('\n');
    const group: TallyGroup = groups.get(key) ?? { cell: selectDimensions(dimensions, cell), sums: {} };
    groups.set(key, group);
    for (const [name, amount] of Object.entries(sums)) group.sums[name] = (group.sums[name] ?? 0) + amount;
  }
  return groups;
}

const selectDimensions = (dimensions: readonly string[], cell: MetricCell): MetricCell =>
  Object.fromEntries(dimensions.map((dimension) => [dimension, cell[dimension]!]));

function compareCells({ cell: one }: CollectedCell, { cell: other }: CollectedCell): number {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const [a, b] = [JSON.stringify([names, Object.values(one)]), JSON.stringify([others, Object.values(other)])];
  return names.length - others.length || (a < b ? -1 : 1);
}

/**
 * The figure of a cell over all its matches, with its interval. `getDeal` gives the deal of a unit: matches of the same deal
 * are alike, so that the interval takes them together as one cluster. Without it each is a cluster of its own.
 */
export function computeFigure(
  { metric, cell, clusters }: CollectedCell,
  resampling: Resampling,
  getDeal: (unit: string) => string | number = (unit) => unit,
): MetricFigure {
  const sums = clusters.map((cluster) => cluster.sums);
  const total = addSums(sums);
  const values = sums.flatMap((one) => metric.value(one) ?? []);
  const byDeal = [...Map.groupBy(clusters, ({ unit }) => getDeal(unit)).values()];
  const isRepeated = byDeal.length < clusters.length;
  const missing = findMissingGroups(metric, isRepeated ? byDeal.map(sumClusters) : sums);
  const { withData, ...interval } =
    missing ??
    (isRepeated ? computeDealInterval(metric, byDeal, resampling) : computeInterval(metric, sums, total, resampling));
  const [lowest, highest] = (missing ? undefined : metric.bounds?.(total, cell)) ?? [null, null];
  return {
    metric: metric.name,
    cell,
    ...interval,
    matches: withData,
    opportunities: metric.opportunities(total),
    mean_of_matches: missing ? null : mean(values),
    matches_with_value: values.length,
    lowest,
    highest,
  };
}

type ComparedGroups = { readonly comparedGroups?: Metric['comparedGroups'] | undefined };

/** Stands in place of a figure that compares groups of which one is in too few matches; null where all are in enough. */
export function findMissingGroups({ comparedGroups = [] }: ComparedGroups, clusters: readonly Sums[]) {
  const found = comparedGroups.map((count) => clusters.filter((sums) => count(sums) > 0));
  if (found.every((having) => having.length >= FEWEST_CLUSTERS)) return null;
  const withData = new Set(found.flat()).size;
  const reason = withData === 0 ? ('no data' as const) : ('too few' as const);
  return { value: null, low: null, high: null, method: null, reason, withData };
}

const sumClusters = (same: readonly ClusterSums[]) => addSums(same.map((cluster) => cluster.sums));

/** With deals that were played more than once; Wilson's interval would take the matches as independent. */
function computeDealInterval(metric: Metric, byDeal: readonly (readonly ClusterSums[])[], resampling: Resampling) {
  const sums = byDeal.map(sumClusters);
  const matches = byDeal.flat().map((cluster) => cluster.sums);
  const ofDeals = computeInterval({ ...metric, isOfMatches: false }, sums, addSums(sums), resampling);
  return { ...ofDeals, withData: countWithData(matches, metric.value) };
}

function computeInterval(metric: Metric, clusters: readonly Sums[], total: Sums, resampling: Resampling) {
  if (metric.isOfMatches) {
    const successes = getSum(total, 'for');
    const bounds = computeWilsonBounds(successes, successes + getSum(total, 'against'));
    const [low, high] = bounds ?? [null, null];
    const method = bounds && ('wilson' as const);
    const withData = clusters.filter((one) => getSum(one, 'for') + getSum(one, 'against') > 0).length;
    return { value: metric.value(total), low, high, method, reason: bounds ? null : ('no data' as const), withData };
  }
  const { estimate, low, high, method, reason, withData } = computeClusterInterval(clusters, metric.value, {
    resampling,
    range: getClosedRange(metric.range),
  });
  return { value: estimate, low: low === null ? null : Math.max(low, metric.range[0]), high, method, reason, withData };
}
