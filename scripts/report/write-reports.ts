// The files of reports: of one match beside its record, of many matches in a folder of their own.
import { setImmediate as turn } from 'node:timers/promises';
import path from 'node:path';
import { metrics } from '../../deception/metrics/index.ts';
import { computeChances, listUsedBaselines, ModelSeatShares } from '../../deception/summary/report-chances.ts';
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { type MatchConditions } from '../../deception/summary/match-conditions.ts';
import { listSampleVariants } from '../../deception/summary/report-samples.ts';
import { compareDesigns, type DesignMatch } from '../../deception/comparison/design-effects.ts';
import type { ExampleGroup, FigureExample } from '../../deception/summary/figure-examples.ts';
import { type SampledExamples, ExampleSampler } from '../../deception/summary/example-sampler.ts';
import type { SeatedMatch } from '../../deception/summary/seat-bias.ts';
import { type FoundFigure, type LeftOut, Report, type ScoreCurve } from '../../deception/summary/report-schema.ts';
import { defaultSampling } from '../../deception/baseline/chance-baseline.ts';
import { buildReport } from '../../deception/summary/build-report.ts';
import type { KnownErrors } from '../../deception/summary/corrected-figures.ts';
import type { LeaderboardMatch } from '../../deception/ratings/leaderboard-match.ts';
import { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import {
  type AlikeCells,
  type CellSums,
  getCellKey,
  groupAlikeCells,
} from '../../deception/summary/sufficient-statistics.ts';
import { buildTables, groupRowsByTable, tableNames } from '../../deception/tables/match-tables.ts';
import { listPromptNotes } from '../../deception/summary/prompt-notes.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { findPromptsFault } from '../../models/record/stored-prompts.ts';
import { checkNoLink, RecordError } from '../../models/record/ndjson.ts';
import { replaceSummary } from '../../models/record/recorder.ts';
import { renderFiguresCsv, renderPictureCsv, renderTableCsv } from '../../report/csv.ts';
import { renderReportJson } from '../../report/format.ts';
import { renderSummary } from '../../report/match-summary-markdown.ts';
import { detailFiles, detailsFolder, renderReportDetails } from '../../report/report-details.ts';
import { renderReport } from '../../report/report-markdown.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, replaceFile } from '../command/command-line.ts';
import { findMatches, isMatch } from '../command/match-folder.ts';
import { type BaselineOptions, makeBaselines, readBaselines } from './baseline-cache.ts';
import { type CacheOptions, describeFiles, MeasurementCache } from './measurement-cache.ts';
import {
  nameExtractor,
  readFinishedRecord,
  readSources,
  takeInventory,
  type WantedMatches,
} from './match-inventory.ts';
import {
  chooseThreads,
  type GatheredMatches,
  type MadeFigures,
  type ReportJob,
  openWorkerPool,
  type ReportJobOutcome,
  type PooledWorker,
  shareWork,
  splitIntoGroups,
} from './report-worker.ts';
import {
  describeReportedTournament,
  explainUnrated,
  findTournament,
  findDecidedDeals,
  isOfOneTournament,
  listRatedExamples,
  makeLeaderboard,
  makeLeaderboardPages,
} from './leaderboard-files.ts';
import { readErrors } from './read-extractor-errors.ts';
import { addPageLinks, writeMatchPages } from './match-pages.ts';
import { listTableFiles, openTables, type TableFiles } from './table-files.ts';

/** Returns the paths of the files. Warns of prompts that are not as they were sealed. Throws RecordError for a record that cannot be read, or whose match is not over. */
export async function writeReport(folder: string, warn: (message: string) => void): Promise<string[]> {
  const record = readFinishedRecord(folder);
  listPromptNotes([findPromptsFault(folder, record)]).forEach(warn);
  const write = ([name, contents]: [string, string]) => replaceFile(path.join(folder, name), contents);
  const summary = summarizeMatch(record);
  const files = [replaceSummary(folder, summary, record.seal), write(['deception_summary.md', renderSummary(summary)])];
  return [
    ...files, // also where there can be no tables
    ...(await renderTableFiles(folder)).map(write),
  ];
}

/** The tables but that of matches, whose only row would repeat the manifest and the summary. */
async function renderTableFiles(folder: string): Promise<[string, string][]> {
  const rows = groupRowsByTable(await buildSoundTables(folder));
  return tableNames
    .filter((table) => table !== 'matches')
    .map((table) => [`${table}.csv`, renderTableCsv(table, rows[table])]);
}

async function buildSoundTables(folder: string) {
  const { record, sources } = await readSources(folder);
  try {
    return buildTables(record, sources);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new RecordError(`There are no tables of the match in ${folder}: ${error.message}`, { cause: error });
  }
}

export interface ReportOptions {
  /** Folders of matches, or folders that hold such. */
  folders: readonly string[];
  out: string;
  seed: number;
  resamples: number;
  isTabled: boolean;
  /** See `Wanted`; its claims must be kept. */
  judge?: WantedMatches['judge'];
  /** The file of measured errors; those of the rules, and none of a judge, unless told. */
  errors?: string | undefined;
  presupposed?: boolean | undefined;
  /** Null leaves out what chance gives. */
  baselines: BaselineOptions | null;
  /** Where it is kept what was measured and reported; null or absent: every record is read. */
  cache?: CacheOptions | null | undefined;
  /** How many share the work; what suits the machine unless told. The report is the same. */
  threads?: number;
  /** Stops the report, of which nothing is then left behind. */
  signal?: AbortSignal | undefined;
  /** In place of `signal`, for a process of its own: listens to signals while threads work, and else lets them kill. */
  signals?: Pick<CommandIO, 'listenToSignals' | 'releaseSignals'>;
  /** Whether models are rated; where the matches are all of one tournament unless told. */
  isRated?: boolean | undefined;
  /** Whether a leaderboard also rates all conditions together. */
  isPooled?: boolean | undefined;
  /** Whether each match that the report shows something of gets its page, `match.html`, beside its record. */
  hasMatchPages?: boolean | undefined;
}

/** So many matches, or cells, are handed to a thread at a time. */
const [matchesAtOnce, cellsAtOnce] = [8, 16];

/**
 * What is measured of the extractor's errors. Throws a UsageError for options that no report can be made with: asked before
 * a judge is, whose calls are paid for.
 *
 * @example checkReportOptions({ out: 'runs/report', errors: undefined, judge: undefined })?.reach.lies.drawn
 */
export function checkReportOptions({ out, errors, judge }: Pick<ReportOptions, 'out' | 'errors' | 'judge'>) {
  if (isMatch(out))
    throw new UsageError(`--out ${out} is the folder of a match, whose own files would be lost. Name another.`);
  return readErrors(errors, judge);
}

/**
 * Returns the report and the paths of the files; `errors` are what `checkReportOptions` has found. Throws a UsageError where
 * a folder is not there or holds no match, or for errors that are not of who draws the claims, a RecordError where no record
 * can be used or a file cannot be written, and the reason of an abort.
 */
export async function reportMany(
  options: ReportOptions,
  errors = checkReportOptions(options),
): Promise<{ report: Report; leaderboard: Leaderboard | null; files: string[] }> {
  const { out, isTabled, signal } = options;
  const folders = findMatches(options.folders);
  const { cache, key, kept } = findKeptReport(options, folders, errors);
  const isTheSame = kept && (!isTabled || kept.tables === describeFiles(listTableFiles(out)));
  const { pages, tables } = isTheSame
    ? { pages: kept.pages, tables: null }
    : await makeReport(options, folders, kept?.pages ?? null, errors);
  try {
    await turn(); // lets a signal take its turn
    signal?.throwIfAborted();
    const { pictureNames, picturesFolder } = await import('../../report/pictures/report-pictures.ts');
    makePageFolder(out, detailsFolder, detailFiles, pages);
    makePageFolder(
      out,
      picturesFolder,
      pictureNames.flatMap((name) => [`${name}.svg`, `${name}.csv`]),
      pages,
    );
    const files = Object.entries(pages).map(([name, text]) => replaceFile(path.join(out, name), text));
    tables?.close();
    if (isTabled) files.push(...listTableFiles(out));
    if (key !== null && !isTheSame && createReportKey(cache!, folders, options, errors) === key)
      cache!.keep(key, { pages, tables: isTabled ? describeFiles(listTableFiles(out)) : null } satisfies KeptReport);
    if (!isTheSame) cache?.trim();
    const rated = pages['leaderboard.json'];
    return {
      report: parseReport(pages),
      leaderboard: rated === undefined ? null : Leaderboard.parse(JSON.parse(rated)),
      files,
    };
  } catch (error) {
    tables?.discard();
    throw error;
  }
}

/**
 * The report alone, of which no file is written. Throws as `reportMany` does.
 *
 * @example (await readReport({ ...options, folders: ['runs/first'] })).metrics
 */
export async function readReport(options: ReportOptions, errors = checkReportOptions(options)): Promise<Report> {
  const folders = findMatches(options.folders);
  const { cache, key, kept } = findKeptReport(options, folders, errors);
  if (kept) return parseReport(kept.pages);
  const { pages } = await makeReport({ ...options, isTabled: false }, folders, null, errors);
  if (key !== null && createReportKey(cache!, folders, options, errors) === key)
    cache!.keep(key, { pages, tables: null } satisfies KeptReport);
  return parseReport(pages);
}

const parseReport = (pages: ReportPages): Report => Report.parse(JSON.parse(pages['report.json']));

/** The report of these folders as it was kept; null where it was not, or something has changed since. */
function findKeptReport(options: ReportOptions, folders: readonly string[], errors: KnownErrors | null) {
  const cache = options.cache ? new MeasurementCache(options.cache) : null;
  const key = cache && createReportKey(cache, folders, options, errors);
  const kept = key === null ? null : (cache!.read(key) as KeptReport | null);
  return { cache, key, kept };
}

/** Makes a folder of pages, and removes from it those `known` ones of an earlier report that the new one lacks. */
function makePageFolder(out: string, folder: string, known: readonly string[], pages: ReportPages): void {
  const disk = getDisk();
  checkNoLink(path.join(out, folder));
  disk.makeFolder(path.join(out, folder));
  for (const name of known)
    if (!(`${folder}/${name}` in pages) && disk.exists(path.join(out, folder, name)))
      disk.remove(path.join(out, folder, name));
}

/** File beside the others → its text. */
type ReportPages = Readonly<Record<'report.json' | 'report.md' | 'figures.csv', string> & Record<string, string>>;

interface KeptReport {
  pages: ReportPages;
  /** The state of the files of tables that were written with it; null without such. They are too large to be kept. */
  tables: string | null;
}

/** The key of a report: equal only where the same options are given for the same unchanged folders. */
function createReportKey(
  cache: MeasurementCache,
  folders: readonly string[],
  options: ReportOptions,
  errors: KnownErrors | null,
): string | null {
  const { out, seed, resamples, judge, presupposed, baselines, isRated, isPooled, hasMatchPages } = options;
  const states = folders.map((folder) => [folder, cache.describeFolder(folder)] as const);
  if (states.some(([, state]) => state === null)) return null;
  const effort = baselines && (baselines.effort ?? defaultSampling);
  const tournament = findTournament(options.folders, folders);
  const planned = tournament && [tournament.record.plan, tournament.schedule.length];
  const rating = [isRated ?? null, isPooled ?? false, planned, hasMatchPages ?? false];
  return cache.createKey('report', [
    ...[states, path.resolve(out), seed, resamples, judge ?? null, presupposed ?? false, errors, effort],
    rating,
  ]);
}

/** Reads all matches, writes their rows, and makes the pages unless they are `known`. Nothing is left behind of a failure. */
async function makeReport(
  options: ReportOptions,
  folders: readonly string[],
  known: ReportPages | null,
  errors: KnownErrors | null,
): Promise<{ pages: ReportPages; tables: TableFiles | null }> {
  const { out, seed, resamples, isTabled, judge, presupposed, baselines, signals, cache = null } = options;
  const stock = takeInventory(folders);
  const jobs = stock.matches.map((match, place): ReportJob => ({ ...match, place }));
  const boards = [...new Set(jobs.map(({ board }) => board))].sort();
  const tables = isTabled ? openTables(out) : null;
  const kept = baselines ? readBaselines(stock.grounds.keys(), baselines) : new Map<string, never>();
  const threads = options.threads ?? chooseThreads(jobs.length, baselines !== null && kept.size < stock.grounds.size);
  const isRated = options.isRated ?? isOfOneTournament(stock.tournaments);
  if (options.isPooled && !isRated)
    throw new UsageError(
      '--pooled is for a leaderboard, and these matches are not all of one tournament. Name the folder of one, or rate their models with --leaderboard.',
    );
  const settings = {
    ...{ boards, seed, resamples, isTabled, isDesigned: stock.isDesigned },
    ...{ isRated: isRated && known === null, isOfTournament: isOfOneTournament(stock.tournaments) },
    ...{ judge, presupposed, cache },
  };
  const signal = options.signal ?? (threads < 2 ? undefined : signals?.listenToSignals());
  const pool = openWorkerPool({ ...settings, isCounted: known === null }, threads);
  try {
    const { circumstances, ...measured } = await measureAll(pool.workers, jobs, tables, signal);
    if (known) return { pages: known, tables };
    const leftOut = [...stock.leftOut, ...measured.leftOut];
    if (circumstances.length === 0) throw createNoMatchError(leftOut);
    const { figures, curves, cells, matches, ...counted } = await computeFigures(
      ...([pool.workers, measured.deals, signal, seed] as const),
    );
    const ofMatches = new Map(measured.counted.map(({ place, ground }) => [place, ground]));
    const played = new Set(ofMatches.values());
    const needed = new Map([...stock.grounds].filter(([hash]) => played.has(hash)));
    const made = baselines ? await makeBaselines(needed, kept, pool.workers, { ...baselines, signal }) : kept;
    const chance = { baselineKeys: ofMatches, baselines: made, seating: measured.seating };
    const samples = listSampleVariants(metrics, boards);
    const chances = computeChances(metrics, cells, chance);
    const { designs, seated, rated } = measured;
    const tournament = isOfOneTournament(stock.tournaments) ? findTournament(options.folders, folders) : null;
    const decidedDeals = isRated && tournament ? findDecidedDeals(tournament, [...rated.keys()]) : null;
    const leaderboard = isRated
      ? makeLeaderboard([...rated.keys()], chances, tournament, {
          ...{ tournaments: stock.tournaments, seed, resamples, isPooled: options.isPooled, decidedDeals },
        })
      : null;
    const examples = [
      ...counted.examples,
      ...(isRated ? drawExamples(seed, listRatedExamples(rated, tournament, decidedDeals)) : []),
    ];
    const unrated = isRated || options.isRated === false ? null : explainUnrated(stock.tournaments);
    const report = buildReport({
      ...{ samples, matches, figures, chances, baselines: listUsedBaselines(chance) },
      ...{ circumstances, leftOut, seed, resamples, errors, curves, seated },
      designEffects: compareDesigns(designs, metrics, { seed, resamples }),
      otherNotes: unrated === null ? [] : [unrated],
      tournament: tournament && leaderboard && describeReportedTournament(tournament, leaderboard),
    });
    const { drawPictures, picturesFolder } = await import('../../report/pictures/report-pictures.ts'); // slow to load
    const { renderLeaderboardHtml } = await import('../../report/leaderboard-html.ts');
    const { renderSvgFile } = await import('../../report/pictures/picture-drawing.ts');
    const { renderReportHtml } = await import('../../report/report-html.ts');
    const pictures = drawPictures(report, leaderboard);
    if (options.hasMatchPages) await writeMatchPages(examples, options.folders, signal);
    const pages = {
      'report.json': renderReportJson(report),
      'report.md': renderReport(report, { hasLeaderboard: isRated }),
      'figures.csv': renderFiguresCsv(report),
      ...(leaderboard && makeLeaderboardPages(leaderboard)),
      ...(leaderboard && { 'leaderboard.html': renderLeaderboardHtml(leaderboard) }),
      'report.html': renderReportHtml(report, pictures, addPageLinks(examples, out), {
        hasLeaderboard: isRated,
        judge: judge || stock.isJudged ? nameExtractor(judge) : null,
      }),
      ...renderReportDetails(report),
      ...Object.fromEntries(
        pictures.flatMap(({ name, svg, data }) => [
          [`${picturesFolder}/${name}.svg`, renderSvgFile(svg)],
          [`${picturesFolder}/${name}.csv`, renderPictureCsv(data)],
        ]),
      ),
    };
    return { pages, tables };
  } catch (error) {
    tables?.discard();
    throw error;
  } finally {
    await pool.close();
    signals?.releaseSignals();
  }
}

/** Measures all matches; what is small of each is returned, their rows go into the tables in the order of the jobs. */
async function measureAll(
  workers: readonly PooledWorker[],
  jobs: readonly ReportJob[],
  tables: TableFiles | null,
  signal: AbortSignal | undefined,
) {
  const circumstances: MatchConditions[] = [];
  const counted: ReportJob[] = [];
  const deals = new Map<number, string>();
  const leftOut: LeftOut[] = [];
  const designs: DesignMatch[] = [];
  const seated: SeatedMatch[] = [];
  const rated = new Map<LeaderboardMatch, Pick<FigureExample, 'match' | 'folder'>>();
  const seating = new ModelSeatShares();
  let taken = 0;
  const take = (outcomes: readonly ReportJobOutcome[]) => {
    for (const outcome of outcomes) {
      const job = jobs[taken++]!;
      leftOut.push(...outcome.leftOut);
      if (outcome.circumstances) {
        circumstances.push(outcome.circumstances);
        counted.push(job);
        deals.set(job.place, outcome.deal!);
        seating.add(job.ground, outcome.seats);
      }
      if (outcome.tables) tables?.add(outcome.tables);
      if (outcome.design) designs.push(outcome.design);
      if (outcome.seated) seated.push(outcome.seated);
      if (outcome.rated) rated.set(outcome.rated, { match: job.id, folder: job.folders[0]! });
    }
  };
  await shareWork(
    workers,
    splitIntoGroups(jobs, matchesAtOnce),
    (worker, group) => worker.measure(group),
    take,
    signal,
  );
  return { circumstances, counted, deals, leftOut, seating, designs, seated, rated };
}

/** Brings together what the workers gathered, and has them make the figures. */
async function computeFigures(
  workers: readonly PooledWorker[],
  deals: ReadonlyMap<number, string>,
  signal: AbortSignal | undefined,
  seed: number,
) {
  const gathered = await Promise.all(workers.map(async (worker) => await worker.gather()));
  const cells = [
    ...Map.groupBy(
      gathered.flatMap((one) => one.cells),
      getCellKey,
    ).values(),
  ].sort((one, other) => countClusters(one) - countClusters(other)); // Draws for so many clusters are then made once.
  const [figures, curves]: [FoundFigure[], ScoreCurve[]] = [[], []];
  const work = (worker: PooledWorker, groups: AlikeCells[]) => worker.makeFigures(groups, deals);
  const take = (made: MadeFigures) => {
    figures.push(...made.figures);
    curves.push(...made.curves);
  };
  await shareWork(workers, splitIntoGroups(groupAlikeCells(cells), cellsAtOnce), work, take, signal);
  const sampler = new ExampleSampler(seed);
  for (const { examples } of gathered) sampler.merge(examples);
  return { figures, curves, cells, matches: countBySample(gathered), examples: sampler.list() };
}

function drawExamples(seed: number, groups: readonly ExampleGroup[]): SampledExamples[] {
  const sampler = new ExampleSampler(seed);
  sampler.add(groups);
  return sampler.list();
}

const countClusters = (parts: readonly CellSums[]) => parts.reduce((total, { unit }) => total + unit.length, 0);

function countBySample(gathered: readonly GatheredMatches[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const [sample, count] of gathered.flatMap(({ matches }) => Object.entries(matches)))
    totals[sample] = (totals[sample] ?? 0) + count;
  return totals;
}

function createNoMatchError(leftOut: readonly LeftOut[]): RecordError {
  const first = leftOut.slice(0, 5).map(({ folder, message }) => `  ${folder}: ${message}`);
  const more = leftOut.length > first.length ? [`  and ${leftOut.length - first.length} more`] : [];
  return new RecordError(['No match can be reported:', ...first, ...more].join('\n'));
}
