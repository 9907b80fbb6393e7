// What some matches played by chance add up to, metric by metric and cell by cell.
import { grouped } from '../metrics/collect.ts';
import { whoPlayed, type Cell, type Metric, type Tally } from '../metrics/metric.ts';
import type { Sums } from '../statistics/sums.ts';
import type { Manifest } from '../../state/record.ts';
import { randomMatches, type Ground, type RandomMatch } from '../simulation/random-matches.ts';
import { beliefRows } from '../tables/belief-rows.ts';
import { gameTablesOf } from '../tables/game-tables-of.ts';
import { matchRow } from '../tables/match-row.ts';
import type { Tables } from '../tables/rows.ts';

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
export function batchOf(
  metrics: readonly Metric[],
  ground: Ground,
  { from, games, seed }: { from: number; games: number; seed: number },
): CellTotal[] {
  const families = familiesOf(metrics);
  let number = from;
  for (const match of randomMatches(ground, games, seed, from)) {
    const tables = tablesOfRandom(match, number++);
    for (const family of families) for (const tally of family.talliesOf(tables)) addTo(family, tally);
  }
  return families.flatMap(({ metrics: of, cells }) => {
    const tallies = [...cells.values()];
    return of.flatMap((metric) =>
      tablesIn(metric).flatMap((dimensions) =>
        [...grouped(tallies, dimensions).values()].map(({ cell, sums }) => ({ metric: metric.name, cell, sums })),
      ),
    );
  });
}

/** The dimensions of each table of a metric that does not tell who played, the whole first. */
export function tablesIn({ apart, by }: Metric): string[][] {
  const tables = [[], ...by].map((table) => table.filter((dimension) => !whoPlayed.has(dimension)));
  const different = new Map(tables.map((table) => [table.join(), table]));
  return [...different.values()].map((table) => [...apart, ...table]);
}

/** Metrics that count the same things, and what these add up to in the finest cells that any of them tells apart. */
interface Family {
  talliesOf: Metric['tallies'];
  metrics: readonly Metric[];
  dimensions: readonly string[];
  cells: Map<string, { cell: Cell; sums: Record<string, number> }>;
}

const familiesOf = (metrics: readonly Metric[]): Family[] =>
  [...Map.groupBy(metrics, ({ tallies }) => tallies)].map(([talliesOf, of]) => ({
    talliesOf,
    metrics: of,
    dimensions: [...new Set(of.flatMap((metric) => tablesIn(metric).flat()))],
    cells: new Map(),
  }));

function addTo({ dimensions, cells }: Family, { cell, sums }: Tally): void {
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
function tablesOfRandom({ setup, events }: RandomMatch, number: number): Tables {
  const record = { manifest: { ...unmade, id: String(number), setup: { ...setup, ...unsaid } }, events, answers: [] };
  return {
    match: matchRow(record, 'rules'),
    ...{ statements: [], claims: [], analyses: [], calls: [] },
    beliefs: number % beliefsEvery === 0 ? beliefRows(record) : [],
    ...gameTablesOf(record),
  };
}

const unsaid = { honesty_sentence: null, models: {}, bots: [] };

const unmade: Omit<Manifest, 'id' | 'setup'> = {
  schema_version: 1,
  made_by: { wolfgraph: '', node: '', packages: {}, commit: null, templates_sha256: '', prices: {}, created_at: '' },
};
