// The chance baseline of a board under its rules: sums of every game metric over many random matches, and the figures
// expected by chance. The sums are kept in batches, which give the standard error.
import { z } from 'zod';
import { type Manifest, schemaVersion } from '../../state/record.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { rulebook, fillRecordedRules } from '../../state/rulebook.ts';
import { groupTallies } from '../metrics/metric-collection.ts';
import { type MetricCell, type Metric, type MetricTally, playerDimensions } from '../metrics/metric.ts';
import { type BoardAndRules, type RandomMatch, playRandomMatches, disableAnalyses } from '../play/random-matches.ts';
import { addSums, sum, type Sums } from '../statistics/sums.ts';
import { buildBeliefRows } from '../tables/analysis-rows.ts';
import { buildGameTables } from '../tables/game-rows.ts';
import { buildMatchRow, type MatchTables } from '../tables/match-tables.ts';
import { hashText } from '../../state/hash-text.ts';

// Sums of one batch of random matches.

/** The sums of a metric in one cell. No dimension of the cell names the model of a player. */
export interface CellTotal {
  /** The name of a metric. */
  metric: string;
  cell: MetricCell;
  sums: Sums;
}

/**
 * Beliefs are counted only in every tenth match, because a match has hundreds of beliefs, and it takes long to compute
 * what players could know.
 */
const beliefsEvery = 10;

/**
 * Sums up the random matches with the numbers `from` to `from + games - 1` (see `playRandomMatches`), for all cells of
 * the metrics.
 */
export function sumBatch(
  metrics: readonly Metric[],
  ground: BoardAndRules,
  { from, games, seed }: { from: number; games: number; seed: number },
): CellTotal[] {
  const families = groupFamilies(metrics);
  let number = from;
  for (const match of playRandomMatches(ground, games, seed, from)) {
    const tables = buildRandomTables(match, number++);
    for (const family of families) for (const tally of family.count(tables)) addTo(family, tally);
  }
  return families.flatMap(({ metrics: of, cells }) => {
    const tallies = [...cells.values()];
    return of.flatMap((metric) =>
      listMetricTables(metric).flatMap((dimensions) =>
        groupTallies(tallies, dimensions).map(({ cell, sums }) => ({ metric: metric.name, cell, sums })),
      ),
    );
  });
}

/**
 * Lists the dimensions of each of the metric's tables, the table without dimensions first. Omits dimensions that
 * describe who played, such as the model.
 */
function listMetricTables({ strata, breakdowns }: Metric): string[][] {
  const tables = [[], ...breakdowns].map((table) => table.filter((dimension) => !playerDimensions.has(dimension)));
  const different = new Map(tables.map((table) => [table.join(), table]));
  return [...different.values()].map((table) => [...strata, ...table]);
}

/**
 * Metrics with the same `count` function. The tallies of all these metrics are counted once, in the finest cells that
 * any of them needs.
 */
interface MetricFamily {
  count: Metric['count'];
  metrics: readonly Metric[];
  dimensions: readonly string[];
  cells: Map<string, { cell: MetricCell; sums: Record<string, number> }>;
}

const groupFamilies = (metrics: readonly Metric[]): MetricFamily[] =>
  [...Map.groupBy(metrics, ({ count }) => count)].map(([count, of]) => ({
    count,
    metrics: of,
    dimensions: [...new Set(of.flatMap((metric) => listMetricTables(metric).flat()))],
    cells: new Map(),
  }));

function addTo({ dimensions, cells }: MetricFamily, { cell, sums }: MetricTally): void {
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

/**
 * Builds the tables of a random match. Speech in random matches means nothing, so the tables have no statements,
 * claims, analyses or calls.
 */
function buildRandomTables({ setup, events }: RandomMatch, number: number): MatchTables {
  const record = {
    manifest: { ...emptyManifest, id: String(number), setup: { ...setup, ...setupDefaults } },
    events,
    answers: [],
  };
  return {
    match: buildMatchRow(record, 'rules'),
    ...{ statements: [], silences: [], claims: [], analyses: [], codings: [], calls: [] },
    beliefs: number % beliefsEvery === 0 ? buildBeliefRows(record) : [],
    ...buildGameTables(record),
  };
}

const setupDefaults = { honesty_sentence: null, models: {}, bots: [] };

const emptyManifest: Omit<Manifest, 'id' | 'setup'> = {
  schema_version: schemaVersion,
  made_by: { wolfgraph: '', node: '', packages: {}, commit: null, templates_sha256: '', prices: {}, created_at: '' },
};

// The stored baseline, which holds the sums of all batches.

/** Version of the format. Increase it when a change makes older files unreadable. */
const baselineVersion = 1;

/**
 * Default number of games and seed. With 5,000 games, a share has a standard error of at most 0.0071, far below the
 * standard error in any study. Playing the games takes seconds.
 */
export const defaultSampling: BaselineSampling = { games: 5000, seed: 1 };
/** Number of batches. All batches have the same size. */
export const batchCount = 40;

export interface BaselineSampling {
  /** Number of games; a multiple of `batchCount`. */
  games: number;
  seed: number;
}

export const ChanceBaseline = z.strictObject({
  schema_version: z.literal(baselineVersion),
  games: z.number().int().min(batchCount),
  seed: z.number().int(),
  /** Cells that never occurred are absent. */
  cells: z.array(
    z.strictObject({
      metric: z.string(),
      cell: z.record(z.string(), z.string()),
      /** Name of a sum → its value in each batch. */
      sums: z.record(z.string(), z.array(z.number()).length(batchCount)),
    }),
  ),
});
export type ChanceBaseline = z.infer<typeof ChanceBaseline>;

/** Selects the metrics that have a chance baseline. */
export const selectWithBaseline = (metrics: readonly Metric[]) => metrics.filter(({ hasBaseline }) => hasBaseline);

/**
 * Returns the numbers of a batch's matches. Throws a RangeError if the number of games is not a multiple of
 * `batchCount`.
 *
 * @example
 * getBatchRange(2, { games: 400, seed: 1 }); // { from: 20, games: 10, seed: 1 }
 */
export function getBatchRange(batch: number, { games, seed }: BaselineSampling) {
  const size = games / batchCount;
  if (!Number.isInteger(size) || size < 1)
    throw new RangeError(
      `A baseline of ${games} games cannot be made: the number of games must be a multiple of ${batchCount}.`,
    );
  return { from: batch * size, games: size, seed };
}

/**
 * Joins all batches in their order.
 *
 * @example
 * const effort = { games: 400, seed: 1 };
 * const sums = Array.from({ length: batches }, (_, batch) => sumBatch(metrics, ground, getBatchRange(batch, effort)));
 * const baseline = createBaseline(sums, effort);
 */
export function createBaseline(
  totalsByBatch: readonly (readonly CellTotal[])[],
  { games, seed }: BaselineSampling,
): ChanceBaseline {
  const cells = new Map<string, ChanceBaseline['cells'][number]>();
  for (const [batch, totals] of totalsByBatch.entries())
    for (const { metric, cell, sums } of totals) {
      const key = JSON.stringify([metric, cell]);
      const known = cells.get(key) ?? { metric, cell, sums: {} };
      cells.set(key, known);
      for (const [name, amount] of Object.entries(sums))
        (known.sums[name] ??= Array<number>(batchCount).fill(0))[batch] = amount;
    }
  return { schema_version: baselineVersion, games, seed, cells: [...cells.values()] };
}

// The key of a baseline: everything in the board and the rules that influences random matches.

/** A board and its rules, as written in a manifest. */
interface PlayedGround {
  board: { roles: Readonly<Record<string, number>> };
  rules: RuleValues;
}

/**
 * Returns the parts of board and rules that can influence random matches. Drops the board's name and the rules that
 * change only wording.
 */
export function createBaselineKey({ board, rules }: PlayedGround): BoardAndRules {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const played = disableAnalyses(fillRecordedRules(rules));
  const effective = Object.entries(rulebook).map(([name, { isOfWordsAlone, default: usual }]) => [
    name,
    isOfWordsAlone ? usual : played[name]!,
  ]);
  return {
    board: { name: 'by-chance', roles: Object.fromEntries(dealt.sort(compareNames)) },
    rules: Object.fromEntries(effective.sort(compareNames)) as Rules,
  };
}

const compareNames = ([one]: readonly unknown[], [other]: readonly unknown[]) => (one! < other! ? -1 : 1);

/** Returns the SHA-256 of `createBaselineKey` in hexadecimal. Set-ups with the same hash share a baseline. */
export const hashBaselineKey = (played: PlayedGround): string => hashText(JSON.stringify(createBaselineKey(played)));

// Figures expected by chance.

/**
 * A baseline and the number of matches that use it. The number can be a fraction, if it stands for a share of seats.
 */
export interface BaselineShare {
  baseline: ChanceBaseline;
  matches: number;
  /** Dimensions to add to the cell before its sums are looked up in this baseline, e.g. one side of the game. */
  within?: MetricCell;
}

/** A figure expected by chance, with its standard error. */
export interface ChanceFigure {
  value: number;
  se: number;
}

/**
 * Minimum number of opportunities in the random matches. A cell with fewer has no chance figure, because its error
 * would be too large.
 */
const fewestOpportunities = 500;

type BatchedSums = ChanceBaseline['cells'][number]['sums'];

/** Finds the sums of a cell. Ignores dimensions of the cell that describe who played, such as the model. */
class BaselineIndex {
  readonly #cells: ReadonlyMap<string, BatchedSums>;

  constructor({ cells }: ChanceBaseline) {
    this.#cells = new Map(cells.map(({ metric, cell, sums }) => [getIndexKey(metric, cell), sums]));
  }

  find(metric: string, cell: MetricCell): BatchedSums {
    return this.#cells.get(getIndexKey(metric, cell)) ?? {};
  }
}

const getIndexKey = (metric: string, cell: MetricCell) =>
  JSON.stringify([
    metric,
    ...Object.entries(cell)
      .filter(([dimension]) => !playerDimensions.has(dimension))
      .sort(),
  ]);

/**
 * Creates the function that computes the figure expected by chance. If boards or rules differ between matches, each
 * baseline is weighted by its number of matches, because the compared figure covers these matches in the same
 * proportions. The standard error is the jackknife over batches of games (Miller 1974). The function returns null if
 * the metric has no baseline, or if the cell has too few opportunities in the random matches.
 *
 * @example
 * const findChance = createChanceFinder();
 * findChance(metric, { team: 'villagers' }, [{ baseline, matches: 40 }]); // e.g. { value: 0.21, se: 0.002 }
 */
export function createChanceFinder() {
  const indices = new Map<ChanceBaseline, BaselineIndex>();
  const getIndex = (baseline: ChanceBaseline) => {
    const index = indices.get(baseline) ?? new BaselineIndex(baseline);
    indices.set(baseline, index);
    return index;
  };
  return (metric: Metric, cell: MetricCell, shares: readonly BaselineShare[]): ChanceFigure | null => {
    if (!metric.hasBaseline) return null;
    const parts = shares.map(({ baseline, matches, within }) => ({
      sums: getIndex(baseline).find(metric.name, { ...cell, ...within }),
      weight: matches / baseline.games,
    }));
    const opportunities = metric.opportunities(addSums(parts.map(({ sums }) => sumBatches(sums))));
    return opportunities === null || opportunities < fewestOpportunities
      ? null
      : computeJackknifedChance(metric, parts);
  };
}

const sumBatches = (sums: BatchedSums): Sums =>
  Object.fromEntries(Object.entries(sums).map(([name, of]) => [name, sum(of)]));

function computeJackknifedChance(
  { value }: Metric,
  parts: readonly { sums: BatchedSums; weight: number }[],
): ChanceFigure | null {
  const names = [...new Set(parts.flatMap(({ sums }) => Object.keys(sums)))];
  const pooled = names.map((name) => {
    const sumBatchOver = (batch: number) => sum(parts.map(({ sums, weight }) => (sums[name]?.[batch] ?? 0) * weight));
    return { name, byBatch: Array.from({ length: batchCount }, (_, batch) => sumBatchOver(batch)) };
  });
  const totals = pooled.map(({ name, byBatch }) => ({ name, byBatch, total: sum(byBatch) }));
  const whole = value(Object.fromEntries(totals.map(({ name, total }) => [name, total])));
  const without = Array.from({ length: batchCount }, (_, batch) =>
    value(Object.fromEntries(totals.map(({ name, byBatch, total }) => [name, total - byBatch[batch]!]))),
  );
  if (whole === null || !without.every((one) => one !== null)) return null;
  const centre = sum(without) / batchCount;
  const spread = sum(without.map((one) => (one - centre) ** 2));
  return { value: whole, se: Math.sqrt((spread * (batchCount - 1)) / batchCount) };
}
