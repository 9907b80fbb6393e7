// Whether two arms differ, deal by deal: paired differences of all metrics, with what their number makes of them.
import { Collection, type Collected } from '../metrics/collect.ts';
import { closedRange, type Cell, type Metric } from '../metrics/metric.ts';
import { sum } from '../ratios.ts';
import { benjaminiHochberg, holm } from '../statistics/multiplicity.ts';
import { pairedDifference } from '../statistics/paired.ts';
import type { Resampling } from '../statistics/resampling.ts';
import type { Sums } from '../statistics/sums.ts';
import type { MatchRow, Tables } from '../tables/rows.ts';
import { isSameCell, type Endpoint } from './analysis-plan.ts';
import { dealOf } from './arms.ts';
import type { Difference } from './comparison-schema.ts';
import { ofModel } from './of-model.ts';

/** Adds up matches for both arms. The unit is the deal. */
export interface Sides {
  add(arm: 'a' | 'b', match: Tables): void;
  /** By metric, table and cell, what each paired deal has in either arm. */
  pairs(deals: readonly string[]): Paired[];
}

export interface Paired {
  metric: Metric;
  cell: Cell;
  pairs: readonly { a: Sums; b: Sums }[];
}

/** The matches of one condition against those of another. */
export function byCondition(metrics: readonly Metric[]): Sides {
  const arms = { a: new Collection(metrics), b: new Collection(metrics) };
  return {
    add: (arm, match) => arms[arm].add(match, dealOf(match.match)),
    pairs: (deals) => pairsOf(arms, deals),
  };
}

/** What one model did in the matches of both arms against what the other did: each deal has both on both sides. */
export function byModel(metrics: readonly Metric[], models: readonly [string, string]): Sides {
  const [one, other] = models.map((model) => metrics.flatMap((metric) => ofModel(metric, model) ?? []));
  const arms = { a: new Collection(one!), b: new Collection(other!) };
  return {
    add: (_, match) => {
      for (const collection of Object.values(arms)) collection.add(match, dealOf(match.match));
    },
    pairs: (deals) => pairsOf(arms, deals),
  };
}

function pairsOf(arms: Readonly<Record<'a' | 'b', Collection>>, deals: readonly string[]): Paired[] {
  const others = new Map(arms.b.collected().map((one) => [nameOf(one), one]));
  return arms.a.collected().flatMap((one): Paired[] => {
    const other = others.get(nameOf(one));
    if (!other) return [];
    const [a, b] = [one, other].map(({ clusters }) => new Map(clusters.map(({ unit, sums }) => [unit, sums])));
    const pairs = deals.map((deal) => ({ a: a!.get(deal) ?? {}, b: b!.get(deal) ?? {} }));
    return [{ metric: one.metric, cell: one.cell, pairs }];
  });
}

const nameOf = ({ metric, cell }: Collected) => JSON.stringify([metric.name, Object.entries(cell).sort()]);

/**
 * Differences of the primary endpoints, in the order of the plan and adjusted by Holm's procedure, and of all else, by
 * Benjamini and Hochberg's. An endpoint that neither arm has data for stands there without figures, and counts among
 * those that are adjusted for.
 */
export function differencesOf(
  paired: readonly Paired[],
  endpoints: readonly Endpoint[],
  resampling: Resampling,
): { primary: Difference[]; secondary: Difference[] } {
  const isNamed = ({ metric, cell }: Paired) => endpoints.some((one) => isIt(one, metric, cell));
  const differ = (one: Paired) => differenceOf(one, resampling);
  const primary = endpoints.map((endpoint) => {
    const found = paired.find(({ metric, cell }) => isIt(endpoint, metric, cell));
    return found ? differ(found) : noData(endpoint);
  });
  const secondary = paired.filter((one) => !isNamed(one)).map(differ);
  return { primary: adjusted(primary, holm), secondary: adjusted(secondary, benjaminiHochberg) };
}

const isIt = ({ metric: name, of }: Endpoint, metric: Metric, cell: Cell) =>
  metric.name === name && isSameCell(of, cell);

function differenceOf({ metric, cell, pairs }: Paired, resampling: Resampling): Difference {
  const { a, b, difference, p, detectable } = pairedDifference(pairs, metric.value, {
    resampling,
    range: closedRange(metric.range),
  });
  const { estimate, low, high, method, reason, withData } = difference;
  const about = { metric: metric.name, of: cell, pairs: withData };
  return { ...about, a, b, difference: estimate, low, high, method, reason, p, p_adjusted: null, detectable };
}

const noData = ({ metric, of }: Endpoint): Difference => ({
  ...{ metric, of, a: null, b: null, difference: null, low: null, high: null, method: null, reason: 'no data' },
  ...{ pairs: 0, p: null, p_adjusted: null, detectable: null },
});

function adjusted(rows: readonly Difference[], adjust: (p: readonly (number | null)[]) => (number | null)[]) {
  const values = adjust(rows.map(({ p }) => p));
  return rows.map((row, index) => ({ ...row, p_adjusted: values[index]! }));
}

/** How many seats of all matches no language model sat in. */
export const botSeats = (rows: readonly MatchRow[]) => sum(rows.map(({ bots }) => bots));
