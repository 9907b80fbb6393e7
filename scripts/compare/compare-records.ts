// Compares the records of two folders, or two annotators of one, by a plan if there is one, and writes what came of it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { AnalysisPlan, checkPlan } from '../../deception/comparison/analysis-plan.ts';
import { listContrasts } from '../../deception/comparison/arms.ts';
import { computeDifferences, countBotSeats } from '../../deception/comparison/compare-arms.ts';
import { type Comparison, comparisonVersion } from '../../deception/comparison/comparison-schema.ts';
import { metrics } from '../../deception/metrics/index.ts';
import type { Metric } from '../../deception/metrics/metric.ts';
import { createResampling } from '../../deception/statistics/resampling.ts';
import type { LeftOut } from '../../deception/summary/report-schema.ts';
import { renderComparison } from '../../report/comparison-page.ts';
import { UsageError } from '../../state/usage-error.ts';
import { writeFile } from '../command/write-file.ts';
import {
  betweenAnnotators,
  betweenFolders,
  type ComparisonSources,
  type Readable,
  readMatches,
} from './comparison-sources.ts';

interface Options {
  /** The file of an analysis plan. */
  plan?: string | undefined;
  judge?: string | undefined;
  out: string;
  seed: number;
  resamples: number;
}

/** Two folders of matches. */
export interface FolderOptions extends Options {
  folders: readonly [string, string];
  by?: 'condition' | 'model' | undefined;
}

/** Two that annotated the matches of one folder, by their model strings. */
export interface AnnotatorOptions extends Options {
  folder: string;
  annotators: readonly [string, string];
}

/**
 * Returns the paths of the files, and what was left out and why. Throws a UsageError for a plan that cannot be used and
 * where nothing is common to the arms, and a RecordError where no record can be used or a file cannot be written.
 */
export async function compareRecords(
  options: FolderOptions | AnnotatorOptions,
): Promise<{ files: string[]; warnings: string[] }> {
  const { sources, leftOut } = 'folders' in options ? await readFolders(options) : await readAnnotators(options);
  const comparison = compareSources(options, sources, leftOut);
  const files = {
    'comparison.md': renderComparison(comparison, metrics),
    'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
  };
  mkdirSync(options.out, { recursive: true });
  return {
    files: Object.entries(files).map(([name, text]) => writeFile(path.join(options.out, name), text)),
    warnings: leftOut.map(({ folder, message }) => `Left out: ${folder}: ${message}`),
  };
}

interface Prepared {
  sources: ComparisonSources;
  leftOut: readonly LeftOut[];
}

async function readFolders({ folders, by, judge }: FolderOptions): Promise<Prepared> {
  const a = await readMatches(folders[0], judge);
  const b = await readMatches(folders[1], judge);
  const tables = ({ matches }: Readable) => matches.map((match) => match.tables);
  const sources = betweenFolders(folders, { a: tables(a), b: tables(b) }, by);
  return { sources, leftOut: [...a.leftOut, ...b.leftOut] };
}

async function readAnnotators({ folder, annotators, judge }: AnnotatorOptions): Promise<Prepared> {
  const { matches, leftOut } = await readMatches(folder, judge);
  const sources = betweenAnnotators(folder, annotators, matches);
  return { sources, leftOut: [...leftOut, ...sources.leftOut] };
}

function compareSources(
  { plan: file, seed, resamples }: Options,
  sources: ComparisonSources,
  leftOut: readonly LeftOut[],
): Comparison {
  const { by, names, arms, deals, alone, judgements } = sources;
  const plan = file === undefined ? null : readPlan(file, sources.metrics);
  return {
    schema_version: comparisonVersion,
    by,
    a: { name: names[0], matches: arms.a.length },
    b: { name: names[1], matches: arms.b.length },
    deals: deals.length,
    unpaired: { a: [...alone.a], b: [...alone.b] },
    left_out: [...leftOut],
    judgements,
    contrasts: listContrasts(arms).map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
    plan: plan && { question: plan.question ?? null, sha256: plan.sha256, endpoints: plan.endpoints.length },
    bots: countBotSeats([...new Set([...arms.a, ...arms.b])]),
    resamples,
    seed,
    ...computeDifferences(sources.pairs(), plan?.endpoints ?? [], createResampling(deals.length, resamples, seed)),
  };
}

/** Throws a UsageError that names the file, the field and what was expected. */
export function readPlan(file: string, metrics: readonly Metric[]): AnalysisPlan & { sha256: string } {
  const text = contentsOf(file);
  const read = AnalysisPlan.safeParse(parsed(file, text.toString()));
  if (!read.success) throw new UsageError(`${file} is no analysis plan: ${z.prettifyError(read.error)}`);
  try {
    checkPlan(read.data, metrics);
  } catch (error) {
    throw new UsageError(`${file}, ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return { ...read.data, sha256: createHash('sha256').update(text).digest('hex') };
}

function contentsOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not YAML: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
