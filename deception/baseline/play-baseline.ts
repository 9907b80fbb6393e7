// What every metric of the game comes to in matches played by chance: sums in batches, so that their error is known.
import { z } from 'zod';
import type { Manifest } from '../../state/record.ts';
import { groupTallies } from '../metrics/collect.ts';
import { type Cell, type Metric, type Tally, whoPlayed } from '../metrics/metric.ts';
import { type Ground, type RandomMatch, randomMatches } from '../simulation/random-matches.ts';
import type { Sums } from '../statistics/sums.ts';
import { buildBeliefRows } from '../tables/belief-rows.ts';
import { buildGameTables } from '../tables/game-tables.ts';
import { buildMatchRow } from '../tables/match-tables.ts';
import type { MatchTables } from '../tables/row-schemas.ts';

// What some matches played by chance add up to, metric by metric and cell by cell.

/** The sums of a cell. Cells do not say who played. */
export interface CellTotal {
  /** By name. */
  metric: string;
  cell: Cell;
  sums: Sums;
}

/** Beliefs are drawn by the hundred in every match, and what players could know takes long to find out: one in ten will do. */
const beliefsEvery = 10;

/** Of the matches from number `from` on, as `randomMatches` has them; of all metrics that have a baseline. */
export function sumBatch(
  metrics: readonly Metric[],
  ground: Ground,
  { from, games, seed }: { from: number; games: number; seed: number },
): CellTotal[] {
  const families = groupFamilies(metrics);
  let number = from;
  for (const match of randomMatches(ground, games, seed, from)) {
    const tables = buildRandomTables(match, number++);
    for (const family of families) for (const tally of family.talliesOf(tables)) addTo(family, tally);
  }
  return families.flatMap(({ metrics: of, cells }) => {
    const tallies = [...cells.values()];
    return of.flatMap((metric) =>
      listMetricTables(metric).flatMap((dimensions) =>
        [...groupTallies(tallies, dimensions).values()].map(({ cell, sums }) => ({ metric: metric.name, cell, sums })),
      ),
    );
  });
}

/** The dimensions of each table of a metric that does not tell who played, the whole first. */
export function listMetricTables({ apart, by }: Metric): string[][] {
  const tables = [[], ...by].map((table) => table.filter((dimension) => !whoPlayed.has(dimension)));
  const different = new Map(tables.map((table) => [table.join(), table]));
  return [...different.values()].map((table) => [...apart, ...table]);
}

/** Metrics that count the same things, and what these add up to in the finest cells that any of them tells apart. */
interface MetricFamily {
  talliesOf: Metric['tallies'];
  metrics: readonly Metric[];
  dimensions: readonly string[];
  cells: Map<string, { cell: Cell; sums: Record<string, number> }>;
}

const groupFamilies = (metrics: readonly Metric[]): MetricFamily[] =>
  [...Map.groupBy(metrics, ({ tallies }) => tallies)].map(([talliesOf, of]) => ({
    talliesOf,
    metrics: of,
    dimensions: [...new Set(of.flatMap((metric) => listMetricTables(metric).flat()))],
    cells: new Map(),
  }));

function addTo({ dimensions, cells }: MetricFamily, { cell, sums }: Tally): void {
  const key = dimensions.map((dimension) => cell[dimension] ?? '').join('\n');
  let known = cells.get(key);
  if (!known) {
    const named = dimensions.flatMap((dimension) => {
      const value = cell[dimension];
      return value === undefined ? [] : [[dimension, value] as const];
    });
    known = { cell: Object.fromEntries(named), sums: {} };
    cells.set(key, known);
  }
  for (const name in sums) known.sums[name] = (known.sums[name] ?? 0) + sums[name]!;
}

/** Nobody spoke in earnest, so there are no statements, claims and analyses, and no calls. */
function buildRandomTables({ setup, events }: RandomMatch, number: number): MatchTables {
  const record = { manifest: { ...unmade, id: String(number), setup: { ...setup, ...unsaid } }, events, answers: [] };
  return {
    match: buildMatchRow(record, 'rules'),
    ...{ statements: [], claims: [], analyses: [], calls: [] },
    beliefs: number % beliefsEvery === 0 ? buildBeliefRows(record) : [],
    ...buildGameTables(record),
  };
}

const unsaid = { honesty_sentence: null, models: {}, bots: [] };

const unmade: Omit<Manifest, 'id' | 'setup'> = {
  schema_version: 1,
  made_by: { wolfgraph: '', node: '', packages: {}, commit: null, templates_sha256: '', prices: {}, created_at: '' },
};

// What every metric of the game comes to in matches played by chance: sums in batches, so that their error is known.

/** Raised when files of before can no longer be read. */
export const baselineVersion = 1;

/** So many games give shares with a standard error of at most 0.003. They are counted in batches of equal size. */
export const usualEffort: BaselineEffort = { games: 30_000, seed: 1 };
export const batches = 40;

export interface BaselineEffort {
  /** A multiple of `batches`. */
  games: number;
  seed: number;
}

export const Baseline = z.strictObject({
  schema_version: z.literal(baselineVersion),
  games: z.number().int().min(batches),
  seed: z.number().int(),
  /** What is absent was not met. */
  cells: z.array(
    z.strictObject({
      metric: z.string(),
      cell: z.record(z.string(), z.string()),
      /** The sum by name, batch by batch. */
      sums: z.record(z.string(), z.array(z.number()).length(batches)),
    }),
  ),
});
export type Baseline = z.infer<typeof Baseline>;

export const selectWithBaseline = (metrics: readonly Metric[]) => metrics.filter(({ hasBaseline }) => hasBaseline);

/** Which matches a batch is made of. Throws a RangeError where batches would not be of one size. */
export function getBatchRange(batch: number, { games, seed }: BaselineEffort) {
  const size = games / batches;
  if (!Number.isInteger(size) || size < 1)
    throw new RangeError(`A baseline of ${games} games cannot be made: it takes a multiple of ${batches}.`);
  return { from: batch * size, games: size, seed };
}

/** Puts all batches together, in their order. */
export function createBaseline(found: readonly (readonly CellTotal[])[], { games, seed }: BaselineEffort): Baseline {
  const cells = new Map<string, Baseline['cells'][number]>();
  for (const [batch, totals] of found.entries())
    for (const { metric, cell, sums } of totals) {
      const key = JSON.stringify([metric, cell]);
      const known = cells.get(key) ?? { metric, cell, sums: {} };
      cells.set(key, known);
      for (const [name, amount] of Object.entries(sums))
        (known.sums[name] ??= Array<number>(batches).fill(0))[batch] = amount;
    }
  return { schema_version: baselineVersion, games, seed, cells: [...cells.values()] };
}
