// Adds up the tallies of matches by metric, cell and unit, and computes figures with intervals from the sums.
import {
  computeClusterInterval,
  countWithData,
  MIN_CLUSTERS,
  type Interval,
  type Resampling,
} from '../statistics/bootstrap.ts';
import { computeWilsonBounds } from '../statistics/proportion.ts';
import { addSums, getSum, mean, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { type MetricCell, getFiniteRange, getFigureKey, type Metric, type MetricTally } from './metric.ts';

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
  /**
   * Method of the interval. Null if there is no interval; `reason` then says why. With the reason `too few`, the value
   * may be missing as well.
   */
  method: Interval['method'] | 'wilson';
  reason: Interval['reason'];
  /** Number of matches that contribute to the figure. */
  matches: number;
  opportunities: number | null;
  /**
   * Mean of the figure's values in single matches, over the matches that have a value, and the number of these matches.
   */
  mean_of_matches: number | null;
  matches_with_value: number;
  /**
   * Smallest and largest possible figure, whatever the missing answers would have been; null if these bounds are
   * unknown.
   */
  lowest: number | null;
  highest: number | null;
}

/**
 * Adds up the sums of a sample of matches, one match at a time. Keeps nothing else of a match. Matches of the same unit
 * share one entry of sums.
 *
 * @example
 * const collection = new MetricCollection(metrics);
 * for (const tables of matches) collection.add(tables);
 * const figures = collection.listCells().map((cell) => computeFigure(cell, createResampling()));
 */
export class MetricCollection {
  readonly #metrics: readonly Metric[];
  /** Tables by the metric's `count` function. Metrics with the same `count` share tables. */
  readonly #tables: ReadonlyMap<Metric['count'], ReadonlyMap<string, MetricTable>>;
  readonly #units = new Set<string>();

  constructor(metrics: readonly Metric[]) {
    this.#metrics = metrics;
    this.#tables = new Map(
      [...Map.groupBy(metrics, ({ count }) => count)].map(([count, sharing]) => [
        count,
        new Map(sharing.flatMap(listTables).map((dimensions) => [dimensions.join(), new MetricTable(dimensions)])),
      ]),
    );
  }

  /** Number of units to which matches were added. */
  get size(): number {
    return this.#units.size;
  }

  add(match: MatchTables, unit = match.match.match_id) {
    this.#units.add(unit);
    const tally = createMatchTally(match);
    for (const [count, tables] of this.#tables) {
      const tallies = tally(count);
      for (const table of tables.values()) table.add(tallies, unit);
    }
  }

  /** Lists cells in the order of the register's metrics. Cells of one metric are sorted by table, then by cell. */
  listCells(): CollectedCell[] {
    return this.#metrics.flatMap((metric) => {
      const tables = this.#tables.get(metric.count)!;
      const names = new Set(listTables(metric).map((dimensions) => dimensions.join()));
      const cells = [...names].flatMap((name) => tables.get(name)!.listCells(metric.isPerMatch ?? false));
      return cells.map((one): CollectedCell => ({ metric, ...one })).sort(compareCells);
    });
  }

  /**
   * Maps the key of each figure to its cell, in the same order as `listCells`. A figure has the same key in all
   * collections.
   */
  indexCells(): Map<string, CollectedCell> {
    return new Map(this.listCells().map((one) => [getFigureKey({ metric: one.metric.name, cell: one.cell }), one]));
  }
}

/** Lists the tables of a metric by their dimensions. */
export const listTables = ({ strata, breakdowns }: Metric): string[][] =>
  [[], ...breakdowns].map((dimensions) => [...strata, ...dimensions]);

/**
 * Creates a function that returns a match's tallies for a `count`. Each `count` runs only once, however many
 * collections use the function.
 */
export function createMatchTally(match: MatchTables): (count: Metric['count']) => readonly MetricTally[] {
  const made = new Map<Metric['count'], readonly MetricTally[]>();
  return (count) => {
    const tallies = made.get(count) ?? count(match);
    made.set(count, tallies);
    return tallies;
  };
}

/** Sums of one unit's matches in a cell. */
interface UnitSums {
  sums: Sums;
  matches: number;
}

/** A table of a metric: the cells that have the same dimensions. */
class MetricTable {
  readonly #grouping: (tallies: readonly MetricTally[]) => TallyGroup[];
  readonly #units = new Map<TallyCell, Map<string, UnitSums>>();

  constructor(dimensions: readonly string[]) {
    this.#grouping = createGrouping(dimensions);
  }

  add(tallies: readonly MetricTally[], unit: string) {
    for (const { of, sums } of this.#grouping(tallies)) {
      let units = this.#units.get(of);
      if (units === undefined) this.#units.set(of, (units = new Map<string, UnitSums>()));
      const before = units.get(unit);
      units.set(
        unit,
        before ? { sums: addSums([before.sums, sums]), matches: before.matches + 1 } : { sums, matches: 1 },
      );
    }
  }

  listCells(isPerMatch: boolean): Omit<CollectedCell, 'metric'>[] {
    return [...this.#units].map(([{ cell }, units]) => ({
      cell,
      clusters: [...units].map(([unit, { sums, matches }]) => ({
        unit,
        sums: isPerMatch ? { ...sums, matches } : sums,
      })),
    }));
  }
}

/** A cell of a table. Cells with equal values are the same object, so that they can be keys of a Map. */
export interface TallyCell {
  cell: MetricCell;
}

export interface TallyGroup {
  of: TallyCell;
  sums: Record<string, number>;
}

/** Index of cells: value of the first dimension → … → value of the last dimension → cell. */
type CellIndex = Map<string, CellIndex | TallyCell>;

/**
 * Creates a function that adds up tallies with equal values in these dimensions. Tallies without one of the dimensions
 * are left out. Values are looked up one after another: with millions of tallies, this takes a third of the time of
 * building string keys.
 */
export function createGrouping(dimensions: readonly string[]): (tallies: readonly MetricTally[]) => TallyGroup[] {
  const whole: TallyCell = { cell: {} };
  const index: CellIndex = new Map();
  const last = dimensions.length - 1;
  const findCell = (cell: MetricCell): TallyCell | undefined => {
    if (last < 0) return whole;
    let at = index;
    for (let place = 0; place < last; place++) {
      const value = cell[dimensions[place]!];
      if (value === undefined) return undefined;
      let next = at.get(value) as CellIndex | undefined;
      if (next === undefined) at.set(value, (next = new Map() as CellIndex));
      at = next;
    }
    const value = cell[dimensions[last]!];
    if (value === undefined) return undefined;
    let found = at.get(value) as TallyCell | undefined;
    if (found === undefined) at.set(value, (found = { cell: selectDimensions(dimensions, cell) }));
    return found;
  };
  return (tallies) => {
    const groups = new Map<TallyCell, TallyGroup>();
    for (const { cell, sums } of tallies) {
      const of = findCell(cell);
      if (of === undefined) continue;
      let group = groups.get(of);
      if (group === undefined) groups.set(of, (group = { of, sums: {} }));
      for (const name in sums) group.sums[name] = (group.sums[name] ?? 0) + sums[name]!;
    }
    return [...groups.values()];
  };
}

/** Adds up tallies with equal values in these dimensions. Tallies without one of the dimensions are left out. */
export const groupTallies = (tallies: readonly MetricTally[], dimensions: readonly string[]): MetricTally[] =>
  createGrouping(dimensions)(tallies).map(({ of, sums }) => ({ cell: of.cell, sums }));

const selectDimensions = (dimensions: readonly string[], cell: MetricCell): MetricCell =>
  Object.fromEntries(dimensions.map((dimension) => [dimension, cell[dimension]!]));

function compareCells({ cell: one }: CollectedCell, { cell: other }: CollectedCell): number {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const [a, b] = [JSON.stringify([names, Object.values(one)]), JSON.stringify([others, Object.values(other)])];
  return names.length - others.length || (a < b ? -1 : 1);
}

/**
 * Computes a cell's figure over all its matches, with its interval. `getDeal` returns the deal of a unit. Matches of
 * one deal are alike, so they form one cluster. Without `getDeal` each unit is a cluster.
 */
export const computeFigure = (
  { metric, cell, clusters }: CollectedCell,
  resampling: Resampling,
  getDeal?: (unit: string) => string | number,
): MetricFigure => computeFigures({ metric, cells: [cell], units: addUpUnits(clusters, getDeal) }, resampling)[0]!;

/**
 * Sums of a cell by unit and by deal. They do not depend on the metric's formula, so several metrics can share them.
 */
interface CellUnits {
  readonly sums: readonly Sums[];
  readonly total: Sums;
  /**
   * Sums of each deal (`deals`), and sums of each match, listed deal by deal (`matches`). Null if no deal is repeated.
   */
  readonly repeated: { readonly deals: readonly Sums[]; readonly matches: readonly Sums[] } | null;
}

/** Adds up the clusters of a cell for `computeFigures`. `getDeal`: see `computeFigure`. */
export function addUpUnits(
  clusters: readonly ClusterSums[],
  getDeal: (unit: string) => string | number = (unit) => unit,
): CellUnits {
  const sums = clusters.map((cluster) => cluster.sums);
  const byDeal = [...Map.groupBy(clusters, ({ unit }) => getDeal(unit)).values()];
  const total = addSums(sums);
  if (byDeal.length === clusters.length) return { sums, total, repeated: null };
  const matches = byDeal.flat().map((cluster) => cluster.sums);
  return { sums, total, repeated: { deals: byDeal.map(sumClusters), matches } };
}

/**
 * Computes the same figures as `computeFigure`, for several cells of a metric that have equal sums in every unit. The
 * interval is computed only once for all these cells. Calls with the same `units` object share the work on resamples.
 */
export function computeFigures(
  { metric, cells, units }: { metric: Metric; cells: readonly MetricCell[]; units: CellUnits },
  resampling: Resampling,
): MetricFigure[] {
  const { sums, total, repeated } = units;
  const values = sums.flatMap((one) => metric.value(one) ?? []);
  const missing = findMissingGroups(metric, repeated?.deals ?? sums);
  const { withData, ...interval } =
    missing ??
    (repeated ? computeDealInterval(metric, repeated, resampling) : computeInterval(metric, sums, total, resampling));
  return cells.map((cell) => {
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
  });
}

type ComparedGroups = { readonly comparedGroups?: Metric['comparedGroups'] | undefined };

/**
 * Returns the missing figure, with its reason, if a compared group occurs in too few matches; null if every group
 * occurs in enough matches.
 */
export function findMissingGroups({ comparedGroups = [] }: ComparedGroups, clusters: readonly Sums[]) {
  const found = comparedGroups.map((count) => clusters.filter((sums) => count(sums) > 0));
  if (found.every((having) => having.length >= MIN_CLUSTERS)) return null;
  const withData = new Set(found.flat()).size;
  const reason = withData === 0 ? ('no data' as const) : ('too few' as const);
  return { value: null, low: null, high: null, method: null, reason, withData };
}

const sumClusters = (same: readonly ClusterSums[]) => addSums(same.map((cluster) => cluster.sums));

/**
 * Computes the interval of a figure whose deals are repeated. Does not use Wilson's interval, which would treat the
 * matches of a deal as independent.
 */
function computeDealInterval(
  metric: Metric,
  { deals, matches }: NonNullable<CellUnits['repeated']>,
  resampling: Resampling,
) {
  const ofDeals = computeInterval({ ...metric, isOfMatches: false }, deals, addSums(deals), resampling);
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
    range: getFiniteRange(metric.range),
  });
  return { value: estimate, low: low === null ? null : Math.max(low, metric.range[0]), high, method, reason, withData };
}
