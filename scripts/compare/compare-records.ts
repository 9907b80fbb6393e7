// Compares the records of two folders and writes what came of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contrastsOf, pairingOf, swappedModels, type Arms } from '../../deception/comparison/arms.ts';
import { byCondition, byModel, botSeats, differencesOf, type Sides } from '../../deception/comparison/compare.ts';
import { comparisonVersion, type Comparison } from '../../deception/comparison/comparison-schema.ts';
import { ofModel } from '../../deception/comparison/of-model.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { resampling } from '../../deception/statistics/resampling.ts';
import type { MatchRow, Tables } from '../../deception/tables/rows.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import { RecordError, unwritten } from '../../models/record/record-error.ts';
import { comparisonMarkdown } from '../../report/comparison-markdown.ts';
import { findMatches } from '../report/find-matches.ts';
import { readSources } from '../report/sources.ts';
import { takeStock, unusable } from '../report/stock.ts';
import { readPlan } from './read-plan.ts';

export interface CompareOptions {
  /** Folders of matches. */
  a: string;
  b: string;
  /** The file of an analysis plan. */
  plan?: string | undefined;
  by?: Comparison['by'] | undefined;
  judge?: string | undefined;
  out: string;
  seed: number;
  resamples: number;
}

/** What the models cost and left unanswered stands in reports: as endpoints they would only add to what is adjusted for. */
const endpoints = metrics.filter(({ section }) => section !== 'reliability');

/**
 * Returns the paths of the files, and what was left out and why. Throws a RangeError for a plan that cannot be used and
 * where the folders share no deal, and a RecordError where no record can be used or a file cannot be written.
 */
export async function compareRecords(options: CompareOptions): Promise<{ files: string[]; warnings: string[] }> {
  const warnings: string[] = [];
  const a = await read(options.a, options.judge, warnings);
  const b = await read(options.b, options.judge, warnings);
  const arms: Arms = { a: a.map(({ match }) => match), b: b.map(({ match }) => match) };
  const comparison = compared(options, arms, { a, b });
  const files = {
    'comparison.md': comparisonMarkdown(comparison, metrics),
    'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
  };
  mkdirSync(options.out, { recursive: true });
  return { files: Object.entries(files).map(([name, text]) => write(path.join(options.out, name), text)), warnings };
}

function compared(options: CompareOptions, arms: Arms, matches: Record<'a' | 'b', readonly Tables[]>): Comparison {
  const { seed, resamples } = options;
  const { deals, alone } = pairingOf(arms);
  if (deals.length === 0)
    throw new RangeError(
      `${options.a} and ${options.b} share no deal: no two matches have the same board, names, seats and roles. Play both with the same --board and --seed.`,
    );
  const { by, sides, names } = setUp(options, arms);
  const known = by === 'model' ? endpoints.flatMap((metric) => ofModel(metric, names[0]) ?? []) : endpoints;
  const plan = options.plan === undefined ? null : readPlan(options.plan, known);
  for (const arm of ['a', 'b'] as const) for (const match of matches[arm]) sides.add(arm, match);
  return {
    schema_version: comparisonVersion,
    by,
    a: { name: names[0], matches: arms.a.length },
    b: { name: names[1], matches: arms.b.length },
    deals: deals.length,
    unpaired: { a: [...alone.a], b: [...alone.b] },
    contrasts: contrastsOf(arms).map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
    plan: plan && { question: plan.question ?? null, sha256: plan.sha256, endpoints: plan.endpoints.length },
    bots: botSeats([...arms.a, ...arms.b]),
    resamples,
    seed,
    ...differencesOf(sides.pairs(deals), plan?.endpoints ?? [], resampling(deals.length, resamples, seed)),
  };
}

/** What is set against what. Throws a RangeError where models are wanted that did not change sides. */
function setUp(
  { a, b, by }: CompareOptions,
  arms: Arms,
): { by: Comparison['by']; sides: Sides; names: [string, string] } {
  const models = swappedModels(arms);
  if (by === 'model' && !models)
    throw new RangeError(
      `--by model compares two models that changed sides: all matches of ${a} with X as village and Y as Werewolves, all of ${b} the other way round. Here are: ${[...sidesIn(arms.a), ...sidesIn(arms.b)].join('; ')}.`,
    );
  if (models && by !== 'condition') return { by: 'model', sides: byModel(endpoints, models), names: models };
  return { by: 'condition', sides: byCondition(endpoints), names: [a, b] };
}

const sidesIn = (rows: readonly MatchRow[]) => [
  ...new Set(rows.map((row) => `${row.villagers_model ?? 'several'} against ${row.werewolves_model ?? 'several'}`)),
];

async function read(folder: string, judge: string | undefined, warnings: string[]): Promise<Tables[]> {
  const stock = takeStock(findMatches([folder]));
  const leftOut = [...stock.leftOut];
  const tables: Tables[] = [];
  for (const { folders } of stock.matches) {
    const first = folders[0]!;
    try {
      const { record, sources } = await readSources(first, { judge });
      if (record.isFinished) tables.push(tablesOf(record, sources));
      else leftOut.push({ folder: first, reason: 'not over', message: 'The match was not played to its end.' });
    } catch (error) {
      leftOut.push(unusable(first, error));
    }
  }
  warnings.push(...leftOut.map((one) => `Left out: ${one.folder}: ${one.message}`));
  if (tables.length === 0) throw new RecordError(`No match in ${folder} can be compared. ${leftOut[0]?.message ?? ''}`);
  return tables;
}

function write(file: string, text: string): string {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw unwritten(file, error);
  }
  return file;
}
