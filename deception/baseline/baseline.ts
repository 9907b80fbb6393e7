// What every metric of the game comes to in matches played by chance: sums in batches, so that their error is known.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Manifest } from '../../state/record.ts';
import type { Rules } from '../../state/rules/options.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { rulebook, withDefaults } from '../../state/rules/rules.ts';
import { groupTallies } from '../metrics/collect.ts';
import { type Cell, type Metric, type Tally, whoPlayed } from '../metrics/metric.ts';
import { type Ground, type RandomMatch, randomMatches, withoutAnalyses } from '../simulation/random-matches.ts';
import { addSums, sum, type Sums } from '../statistics/sums.ts';
import { buildGameTables } from '../tables/game-tables.ts';
import { buildMatchRow } from '../tables/match-tables.ts';
import type { MatchTables } from '../tables/row-schemas.ts';
import { buildBeliefRows } from '../tables/statement-tables.ts';

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
    for (const family of families) for (const tally of family.count(tables)) addTo(family, tally);
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
export function listMetricTables({ strata, breakdowns }: Metric): string[][] {
  const tables = [[], ...breakdowns].map((table) => table.filter((dimension) => !whoPlayed.has(dimension)));
  const different = new Map(tables.map((table) => [table.join(), table]));
  return [...different.values()].map((table) => [...strata, ...table]);
}

/** Metrics that count the same things, and what these add up to in the finest cells that any of them tells apart. */
interface MetricFamily {
  count: Metric['count'];
  metrics: readonly Metric[];
  dimensions: readonly string[];
  cells: Map<string, { cell: Cell; sums: Record<string, number> }>;
}

const groupFamilies = (metrics: readonly Metric[]): MetricFamily[] =>
  [...Map.groupBy(metrics, ({ count }) => count)].map(([count, of]) => ({
    count,
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

// What decides how matches go that are played by chance: the board and the rules, without what is mere wording.

interface Played {
  board: { roles: Readonly<Record<string, number>> };
  rules: RuleValues;
}

/** The same for all set-ups that are the same by chance, whatever their board is called. */
export function createBaselineKey({ board, rules }: Played): Ground {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const played = withoutAnalyses(withDefaults(rules));
  const settled = Object.entries(rulebook).map(([name, { isOfWordsAlone, default: usual }]) => [
    name,
    isOfWordsAlone ? usual : played[name]!,
  ]);
  return {
    board: { name: 'by-chance', roles: Object.fromEntries(dealt.sort(compareNames)) },
    rules: Object.fromEntries(settled.sort(compareNames)) as Rules,
  };
}

const compareNames = ([one]: readonly unknown[], [other]: readonly unknown[]) => (one! < other! ? -1 : 1);

/** Sha-256 in hexadecimal: equal where chance plays alike. */
export const hashBaselineKey = (played: Played): string =>
  createHash('sha256')
    .update(JSON.stringify(createBaselineKey(played)))
    .digest('hex');

// What a figure would be had all matches behind it been played by chance.

/** A baseline, and how many of the matches it stands for; part of one where a share of its seats is meant. */
export interface BaselineShare {
  baseline: Baseline;
  matches: number;
  /** Of this part of the cell alone, as of one side. */
  within?: Cell;
}

export interface Chance {
  value: number;
  /** Its standard error. */
  se: number;
}

/** A cell that was met less often by chance has no figure: its error would show. */
export const fewestMet = 1000;

type Batched = Baseline['cells'][number]['sums'];

/** Finds the sums of a cell, whoever played in it. */
class BaselineIndex {
  readonly #cells: ReadonlyMap<string, Batched>;

  constructor({ cells }: Baseline) {
    this.#cells = new Map(cells.map(({ metric, cell, sums }) => [getIndexKey(metric, cell), sums]));
  }

  find(metric: string, cell: Cell): Batched {
    return this.#cells.get(getIndexKey(metric, cell)) ?? {};
  }
}

const getIndexKey = (metric: string, cell: Cell) =>
  JSON.stringify([
    metric,
    ...Object.entries(cell)
      .filter(([dimension]) => !whoPlayed.has(dimension))
      .sort(),
  ]);

/**
 * Finds what chance gives. Where boards or rules differ between matches, each adds the sums that a match on it has by
 * chance as often as there are such matches, as it does to the figure itself: it is the figure of the same mixture.
 * The standard error is the jackknife's over batches of games (Miller 1974). Null where the metric has no baseline, or
 * the cell was hardly met by chance.
 */
export function createChanceFinder() {
  const indices = new Map<Baseline, BaselineIndex>();
  const getIndex = (baseline: Baseline) => {
    const index = indices.get(baseline) ?? new BaselineIndex(baseline);
    indices.set(baseline, index);
    return index;
  };
  return (metric: Metric, cell: Cell, shares: readonly BaselineShare[]): Chance | null => {
    if (!metric.hasBaseline) return null;
    const parts = shares.map(({ baseline, matches, within }) => ({
      sums: getIndex(baseline).find(metric.name, { ...cell, ...within }),
      weight: matches / baseline.games,
    }));
    const met = metric.opportunities(addSums(parts.map(({ sums }) => sumBatches(sums))));
    return met === null || met < fewestMet ? null : computeJackknifedChance(metric, parts);
  };
}

const sumBatches = (sums: Batched): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, of]) => [name, sum(of)]));

function computeJackknifedChance(
  { value }: Metric,
  parts: readonly { sums: Batched; weight: number }[],
): Chance | null {
  const names = [...new Set(parts.flatMap(({ sums }) => Object.keys(sums)))];
  const pooled = names.map((name) => {
    const sumBatchOver = (batch: number) => sum(parts.map(({ sums, weight }) => (sums[name]?.[batch] ?? 0) * weight));
    return { name, byBatch: Array.from({ length: batches }, (_, batch) => sumBatchOver(batch)) };
  });
  const totals = pooled.map(({ name, byBatch }) => ({ name, byBatch, total: sum(byBatch) }));
  const all = value(Object.fromEntries(totals.map(({ name, total }) => [name, total])));
  const without = Array.from({ length: batches }, (_, batch) =>
    value(Object.fromEntries(totals.map(({ name, byBatch, total }) => [name, total - byBatch[batch]!]))),
  );
  if (all === null || !without.every((one) => one !== null)) return null;
  const middle = sum(without) / batches;
  const spread = sum(without.map((one) => (one - middle) ** 2));
  return { value: all, se: Math.sqrt((spread * (batches - 1)) / batches) };
}
