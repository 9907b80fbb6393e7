// Compares the records of two folders, or two annotators of one, and writes what came of it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { contrastsOf } from '../../deception/comparison/arms.ts';
import { botSeats, differencesOf } from '../../deception/comparison/compare.ts';
import { comparisonVersion, type Comparison } from '../../deception/comparison/comparison-schema.ts';
import { metrics } from '../../deception/metrics/index.ts';
import type { LeftOut } from '../../deception/report/report-schema.ts';
import { resampling } from '../../deception/statistics/resampling.ts';
import { comparisonMarkdown } from '../../report/comparison-markdown.ts';
import { writeFile } from '../command/write-file.ts';
import { betweenAnnotators, betweenFolders, type Contest } from './contest.ts';
import { readMatches, type Found } from './read-matches.ts';
import { readPlan } from './read-plan.ts';

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
  const { contest, leftOut } = 'folders' in options ? await ofFolders(options) : await ofAnnotators(options);
  const comparison = compared(options, contest, leftOut);
  const files = {
    'comparison.md': comparisonMarkdown(comparison, metrics),
    'comparison.json': `${JSON.stringify(comparison, null, 2)}\n`,
  };
  mkdirSync(options.out, { recursive: true });
  return {
    files: Object.entries(files).map(([name, text]) => writeFile(path.join(options.out, name), text)),
    warnings: leftOut.map(({ folder, message }) => `Left out: ${folder}: ${message}`),
  };
}

interface Prepared {
  contest: Contest;
  leftOut: readonly LeftOut[];
}

async function ofFolders({ folders, by, judge }: FolderOptions): Promise<Prepared> {
  const a = await readMatches(folders[0], judge);
  const b = await readMatches(folders[1], judge);
  const tables = ({ matches }: Found) => matches.map((match) => match.tables);
  const contest = betweenFolders(folders, { a: tables(a), b: tables(b) }, by);
  return { contest, leftOut: [...a.leftOut, ...b.leftOut] };
}

async function ofAnnotators({ folder, annotators, judge }: AnnotatorOptions): Promise<Prepared> {
  const { matches, leftOut } = await readMatches(folder, judge);
  const contest = betweenAnnotators(folder, annotators, matches);
  return { contest, leftOut: [...leftOut, ...contest.leftOut] };
}

function compared({ plan: file, seed, resamples }: Options, contest: Contest, leftOut: readonly LeftOut[]): Comparison {
  const { by, names, arms, deals, alone, judgements } = contest;
  const plan = file === undefined ? null : readPlan(file, contest.metrics);
  return {
    schema_version: comparisonVersion,
    by,
    a: { name: names[0], matches: arms.a.length },
    b: { name: names[1], matches: arms.b.length },
    deals: deals.length,
    unpaired: { a: [...alone.a], b: [...alone.b] },
    left_out: [...leftOut],
    judgements,
    contrasts: contrastsOf(arms).map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
    plan: plan && { question: plan.question ?? null, sha256: plan.sha256, endpoints: plan.endpoints.length },
    bots: botSeats([...new Set([...arms.a, ...arms.b])]),
    resamples,
    seed,
    ...differencesOf(contest.pairs(), plan?.endpoints ?? [], resampling(deals.length, resamples, seed)),
  };
}
