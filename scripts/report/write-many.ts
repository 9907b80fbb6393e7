// Reports any number of matches: figures, a page to read, and the tidy tables.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { errorsOfRules, reachOfRules } from '../../deception/claims/extract-by-rules.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { computeChances, listUsedBaselines, SeatShares } from '../../deception/summary/chance-baseline.ts';
import { listSampleVariants, type MatchConditions } from '../../deception/summary/report-samples.ts';
import type { FoundFigure, LeftOut, Report } from '../../deception/summary/report-schema.ts';
import { buildReport } from '../../deception/summary/report.ts';
import { type CellSums, getCellKey } from '../../deception/summary/sufficient-statistics.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { renderFiguresCsv } from '../../report/csv.ts';
import { renderReportJson } from '../../report/format.ts';
import { renderReport } from '../../report/report-page.ts';
import { UsageError } from '../../state/usage-error.ts';
import { writeFile } from '../command/command-line.ts';
import { findMatches, isMatch } from '../command/match-folder.ts';
import { openTables, type TableFiles } from '../tables/table-files.ts';
import { type BaselineOptions, makeBaselines, readBaselines } from './baselines.ts';
import { takeInventory } from './match-inventory.ts';
import type { Gathered, Job, Outcome } from './report-worker.ts';
import { chooseThreads, openWorkerPool, type PooledWorker, shareWork, splitIntoGroups } from './worker-pool.ts';

export interface ReportOptions {
  /** Folders of matches, or folders that hold such. */
  folders: readonly string[];
  out: string;
  seed: number;
  resamples: number;
  isTabled: boolean;
  /** See `Wanted`; its claims must be kept. */
  judge?: string | undefined;
  /** Null leaves out what chance gives. */
  baselines: BaselineOptions | null;
  /** How many share the work; what suits the machine unless told. The report is the same. */
  threads?: number;
}

/** So many matches, or cells, are handed to a thread at a time. */
const [matchesAtOnce, cellsAtOnce] = [8, 16];

/**
 * Returns the report and the paths of the files. Throws a UsageError where a folder is not there or holds no match, and
 * a RecordError where no record can be used or a file cannot be written.
 */
export async function reportMany(options: ReportOptions): Promise<{ report: Report; files: string[] }> {
  const { out, seed, resamples, isTabled, judge, baselines } = options;
  if (isMatch(out))
    throw new UsageError(`--out ${out} is the folder of a match, whose own files would be lost. Name another.`);
  const stock = takeInventory(findMatches(options.folders));
  const jobs = stock.matches.map((match, place): Job => ({ ...match, place }));
  const boards = [...new Set(jobs.map(({ board }) => board))].sort();
  const tables = isTabled ? openTables(out) : null;
  const kept = baselines ? readBaselines(stock.grounds.keys(), baselines) : new Map<string, never>();
  const threads = options.threads ?? chooseThreads(jobs.length, baselines !== null && kept.size < stock.grounds.size);
  const pool = openWorkerPool({ boards, seed, resamples, isTabled, judge }, threads);
  try {
    const { circumstances, ...measured } = await measureAll(pool.workers, jobs, tables);
    const leftOut = [...stock.leftOut, ...measured.leftOut];
    if (circumstances.length === 0) throw nothingSound(leftOut);
    const { figures, cells, matches } = await figuresOf(pool.workers, circumstances.length);
    const ofMatches = new Map(measured.counted.map(({ place, ground }) => [place, ground]));
    const played = new Set(ofMatches.values());
    const needed = new Map([...stock.grounds].filter(([hash]) => played.has(hash)));
    const made = baselines ? await makeBaselines(needed, kept, pool.workers, baselines) : kept;
    const chance = { ofMatches, baselines: made, seating: measured.seating };
    const samples = listSampleVariants(metrics, boards);
    const errors = judge === undefined ? { ofLabels: errorsOfRules, reach: reachOfRules } : null;
    const chances = computeChances(metrics, cells, chance);
    const about = { circumstances, leftOut, seed, resamples, errors };
    const report = buildReport({ samples, matches, figures, chances, baselines: listUsedBaselines(chance), ...about });
    const pages = {
      'report.json': renderReportJson(report),
      'report.md': renderReport(report),
      'figures.csv': renderFiguresCsv(report),
    };
    mkdirSync(out, { recursive: true });
    const files = Object.entries(pages).map(([name, text]) => writeFile(path.join(out, name), text));
    return { report, files: [...files, ...(tables?.close() ?? [])] };
  } catch (error) {
    tables?.discard();
    throw error;
  } finally {
    await pool.close();
  }
}

/** Measures all matches; what is small of each is returned, their rows go into the tables in the order of the jobs. */
async function measureAll(workers: readonly PooledWorker[], jobs: readonly Job[], tables: TableFiles | null) {
  const circumstances: MatchConditions[] = [];
  const counted: Job[] = [];
  const leftOut: LeftOut[] = [];
  const seating = new SeatShares();
  let taken = 0;
  const take = (outcomes: readonly Outcome[]) => {
    for (const outcome of outcomes) {
      const job = jobs[taken++]!;
      leftOut.push(...outcome.leftOut);
      if (outcome.circumstances) {
        circumstances.push(outcome.circumstances);
        counted.push(job);
        seating.add(job.ground, outcome.seats);
      }
      if (outcome.tables) tables?.add(outcome.tables);
    }
  };
  await shareWork(workers, splitIntoGroups(jobs, matchesAtOnce), (worker, group) => worker.measure(group), take);
  return { circumstances, counted, leftOut, seating };
}

/** Brings together what the workers gathered, and has them make the figures. */
async function figuresOf(workers: readonly PooledWorker[], matches: number) {
  const gathered = await Promise.all(workers.map(async (worker) => await worker.gather()));
  const cells = [
    ...Map.groupBy(
      gathered.flatMap((one) => one.cells),
      getCellKey,
    ).values(),
  ];
  const figures: FoundFigure[] = [];
  const work = (worker: PooledWorker, group: CellSums[][]) => worker.makeFigures(group, matches);
  await shareWork(workers, splitIntoGroups(cells, cellsAtOnce), work, (some) => void figures.push(...some));
  return { figures, cells, matches: matchesBySample(gathered) };
}

function matchesBySample(gathered: readonly Gathered[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const [sample, count] of gathered.flatMap(({ matches }) => Object.entries(matches)))
    totals[sample] = (totals[sample] ?? 0) + count;
  return totals;
}

function nothingSound(leftOut: readonly LeftOut[]): RecordError {
  const first = leftOut.slice(0, 5).map(({ folder, message }) => `  ${folder}: ${message}`);
  const more = leftOut.length > first.length ? [`  and ${leftOut.length - first.length} more`] : [];
  return new RecordError(['No match can be reported:', ...first, ...more].join('\n'));
}
