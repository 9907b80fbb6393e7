// Reports any number of matches: figures, a page to read, and the tidy tables.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { errorsOfRules, reachOfRules } from '../../deception/claims/measured-errors.ts';
import { keyOf, type CellSums } from '../../deception/report/cell-sums.ts';
import { baselinesUsed, chancesOf } from '../../deception/report/chances.ts';
import type { Circumstances } from '../../deception/report/conditions.ts';
import { reportOf } from '../../deception/report/report-of.ts';
import type { FoundFigure, LeftOut, Report } from '../../deception/report/report-schema.ts';
import { samplesOf } from '../../deception/report/samples.ts';
import { Seating } from '../../deception/report/seating.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { RecordError } from '../../models/record/record-error.ts';
import { figuresCsv } from '../../report/many/figures-csv.ts';
import { reportJson } from '../../report/many/json.ts';
import { reportMarkdown } from '../../report/many/page.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openTables, type TableFiles } from '../tables/open-tables.ts';
import { isMatch } from '../command/match-folder.ts';
import { writeFile } from '../command/write-file.ts';
import { engageCrew, threadsFor, type Member } from './crew.ts';
import { findMatches } from './find-matches.ts';
import { keptBaselines, makeBaselines, type BaselineOptions } from './make-baselines.ts';
import type { Gathered, Job, Outcome } from './measurer.ts';
import { inGroups, shareOut } from './shared-work.ts';
import { takeStock } from './stock.ts';

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
  const stock = takeStock(findMatches(options.folders));
  const jobs = stock.matches.map((match, place): Job => ({ ...match, place }));
  const boards = [...new Set(jobs.map(({ board }) => board))].sort();
  const tables = isTabled ? openTables(out) : null;
  const kept = baselines ? keptBaselines(stock.grounds.keys(), baselines) : new Map<string, never>();
  const threads = options.threads ?? threadsFor(jobs.length, baselines !== null && kept.size < stock.grounds.size);
  const crew = engageCrew({ boards, seed, resamples, isTabled, judge }, threads);
  try {
    const { circumstances, ...measured } = await measureAll(crew.members, jobs, tables);
    const leftOut = [...stock.leftOut, ...measured.leftOut];
    if (circumstances.length === 0) throw nothingSound(leftOut);
    const { figures, cells, matches } = await figuresOf(crew.members, circumstances.length);
    const ofMatches = new Map(measured.counted.map(({ place, ground }) => [place, ground]));
    const played = new Set(ofMatches.values());
    const needed = new Map([...stock.grounds].filter(([hash]) => played.has(hash)));
    const made = baselines ? await makeBaselines(needed, kept, crew.members, baselines) : kept;
    const chance = { ofMatches, baselines: made, seating: measured.seating };
    const samples = samplesOf(metrics, boards);
    const errors = judge === undefined ? { ofLabels: errorsOfRules, reach: reachOfRules } : null;
    const chances = chancesOf(metrics, cells, chance);
    const about = { circumstances, leftOut, seed, resamples, errors };
    const report = reportOf({ samples, matches, figures, chances, baselines: baselinesUsed(chance), ...about });
    const pages = {
      'report.json': reportJson(report),
      'report.md': reportMarkdown(report),
      'figures.csv': figuresCsv(report),
    };
    mkdirSync(out, { recursive: true });
    const files = Object.entries(pages).map(([name, text]) => writeFile(path.join(out, name), text));
    return { report, files: [...files, ...(tables?.close() ?? [])] };
  } catch (error) {
    tables?.discard();
    throw error;
  } finally {
    await crew.dismiss();
  }
}

/** Measures all matches; what is small of each is returned, their rows go into the tables in the order of the jobs. */
async function measureAll(members: readonly Member[], jobs: readonly Job[], tables: TableFiles | null) {
  const circumstances: Circumstances[] = [];
  const counted: Job[] = [];
  const leftOut: LeftOut[] = [];
  const seating = new Seating();
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
  await shareOut(members, inGroups(jobs, matchesAtOnce), (member, group) => member.measure(group), take);
  return { circumstances, counted, leftOut, seating };
}

/** Brings together what the members gathered, and has them make the figures. */
async function figuresOf(members: readonly Member[], matches: number) {
  const gathered = await Promise.all(members.map((member) => member.gathered()));
  const cells = [
    ...Map.groupBy(
      gathered.flatMap((one) => one.cells),
      keyOf,
    ).values(),
  ];
  const figures: FoundFigure[] = [];
  const work = (member: Member, group: CellSums[][]) => member.figures(group, matches);
  await shareOut(members, inGroups(cells, cellsAtOnce), work, (some) => void figures.push(...some));
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
