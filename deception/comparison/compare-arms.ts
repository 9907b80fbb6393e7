// Whether two arms differ, deal by deal: paired differences of all metrics, of conditions or of single models.
import { type CollectedCell, Collection } from '../metrics/collect.ts';
import { type Cell, getClosedRange, type Metric } from '../metrics/metric.ts';
import { adjustBenjaminiHochberg, adjustHolm, computePairedDifference } from '../statistics/paired-test.ts';
import type { Resampling } from '../statistics/resampling.ts';
import { sum, type Sums } from '../statistics/sums.ts';
import type { MatchRow, MatchTables } from '../tables/row-schemas.ts';
import { type Endpoint, isSameCell } from './analysis-plan.ts';
import { getDealKey } from './arms.ts';
import type { Difference } from './comparison-schema.ts';

// A metric narrowed to what it says of one model, so that cells do not name the model that is compared.

/** The same metric over what concerns `model` alone; null for one that says nothing of models. */
export function narrowToModel(metric: Metric, model: string): Metric | null {
  const { subject } = metric;
  if (subject === undefined) return null;
  return {
    ...removeDimensions(metric, [subject]),
    tallies: (match) =>
      metric
        .tallies(match)
        .filter(({ cell }) => cell[subject] === model)
        .map(({ cell, sums }) => ({ cell: dropCellDimension(cell, subject), sums })),
  };
}

/** The same metric with fewer dimensions; tables that then are the same are made once. */
export function removeDimensions(metric: Metric, dimensions: readonly string[]): Metric {
  const removeNames = (names: readonly string[]) => names.filter((name) => !dimensions.includes(name));
  const tables = [...new Set(metric.by.map((table) => JSON.stringify(removeNames(table))))];
  return {
    ...metric,
    apart: removeNames(metric.apart),
    by: tables.map((table) => JSON.parse(table) as string[]).filter((table) => table.length > 0),
  };
}

const dropCellDimension = (cell: Cell, dimension: string): Cell =>
  Object.fromEntries(Object.entries(cell).filter(([name]) => name !== dimension));

// Whether two arms differ, deal by deal: paired differences of all metrics, with what their number makes of them.

/** Adds up matches for both arms. The unit is the deal. */
export interface Sides {
  add(arm: 'a' | 'b', match: MatchTables): void;
  /** By metric, table and cell, what each paired deal has in either arm. */
  pairs(deals: readonly string[]): Paired[];
}

export interface Paired {
  metric: Metric;
  cell: Cell;
  pairs: readonly { a: Sums; b: Sums }[];
}

/** The matches of one condition against those of another. */
export function createConditionSides(metrics: readonly Metric[]): Sides {
  const arms = { a: new Collection(metrics), b: new Collection(metrics) };
  return {
    add: (arm, match) => arms[arm].add(match, getDealKey(match.match)),
    pairs: (deals) => listPairs(arms, deals),
  };
}

/** What one model did in the matches of both arms against what the other did: each deal has both on both sides. */
export function createModelSides(metrics: readonly Metric[], models: readonly [string, string]): Sides {
  const [one, other] = models.map((model) => metrics.flatMap((metric) => narrowToModel(metric, model) ?? []));
  const arms = { a: new Collection(one!), b: new Collection(other!) };
  return {
    add: (_, match) => {
      for (const collection of Object.values(arms)) collection.add(match, getDealKey(match.match));
    },
    pairs: (deals) => listPairs(arms, deals),
  };
}

function listPairs(arms: Readonly<Record<'a' | 'b', Collection>>, deals: readonly string[]): Paired[] {
  const others = new Map(arms.b.listCells().map((one) => [getCellName(one), one]));
  return arms.a.listCells().flatMap((one): Paired[] => {
    const other = others.get(getCellName(one));
    if (!other) return [];
    const [a, b] = [one, other].map(({ clusters }) => new Map(clusters.map(({ unit, sums }) => [unit, sums])));
    const pairs = deals.map((deal) => ({ a: a!.get(deal) ?? {}, b: b!.get(deal) ?? {} }));
    return [{ metric: one.metric, cell: one.cell, pairs }];
  });
}

const getCellName = ({ metric, cell }: CollectedCell) => JSON.stringify([metric.name, Object.entries(cell).sort()]);

/**
 * Differences of the primary endpoints, in the order of the plan and adjusted by Holm's procedure, and of all else, by
 * Benjamini and Hochberg's. An endpoint that neither arm has data for stands there without figures, and counts among
 * those that are adjusted for.
 */
export function computeDifferences(
  paired: readonly Paired[],
  endpoints: readonly Endpoint[],
  resampling: Resampling,
): { primary: Difference[]; secondary: Difference[] } {
  const isNamed = ({ metric, cell }: Paired) => endpoints.some((one) => isEndpoint(one, metric, cell));
  const computeFor = (one: Paired) => computeCellDifference(one, resampling);
  const primary = endpoints.map((endpoint) => {
    const found = paired.find(({ metric, cell }) => isEndpoint(endpoint, metric, cell));
    return found ? computeFor(found) : createNoData(endpoint);
  });
  const secondary = paired.filter((one) => !isNamed(one)).map(computeFor);
  return {
    primary: adjustDifferences(primary, adjustHolm),
    secondary: adjustDifferences(secondary, adjustBenjaminiHochberg),
  };
}

const isEndpoint = ({ metric: name, of }: Endpoint, metric: Metric, cell: Cell) =>
  metric.name === name && isSameCell(of, cell);

function computeCellDifference({ metric, cell, pairs }: Paired, resampling: Resampling): Difference {
  const { a, b, difference, p, detectable } = computePairedDifference(pairs, metric.value, {
    resampling,
    range: getClosedRange(metric.range),
  });
  const { estimate, low, high, method, reason, withData } = difference;
  const about = { metric: metric.name, of: cell, pairs: withData };
  return { ...about, a, b, difference: estimate, low, high, method, reason, p, p_adjusted: null, detectable };
}

const createNoData = ({ metric, of }: Endpoint): Difference => ({
  ...{ metric, of, a: null, b: null, difference: null, low: null, high: null, method: null, reason: 'no data' },
  ...{ pairs: 0, p: null, p_adjusted: null, detectable: null },
});

function adjustDifferences(rows: readonly Difference[], adjust: (p: readonly (number | null)[]) => (number | null)[]) {
  const values = adjust(rows.map(({ p }) => p));
  return rows.map((row, index) => ({ ...row, p_adjusted: values[index]! }));
}

/** How many seats of all matches no language model sat in. */
export const countBotSeats = (rows: readonly MatchRow[]) => sum(rows.map(({ bots }) => bots));
