// Writes reports. The report of one match is written beside its record, the report of many matches into its own folder.
import { setImmediate as turn } from 'node:timers/promises';
import path from 'node:path';
import { defaultSampling } from '../../deception/baseline/chance-baseline.ts';
import { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import type { KnownErrors } from '../../deception/summary/corrected-figures.ts';
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { listPromptNotes } from '../../deception/summary/prompt-notes.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { buildTables, groupRowsByTable, tableNames } from '../../deception/tables/match-tables.ts';
import { checkNoLink, RecordError } from '../../models/record/ndjson.ts';
import { replaceSummary } from '../../models/record/recorder.ts';
import { findPromptsFault } from '../../models/record/stored-prompts.ts';
import { renderTableCsv } from '../../report/csv.ts';
import type { CsvForm } from '../../report/csv-form.ts';
import { type ProgressPage, renderProgressHtml, renderProgressMarkdown } from '../../report/progress-page.ts';
import { renderSummary } from '../../report/match-summary-markdown.ts';
import { detailFiles, detailsFolder } from '../../report/report-details.ts';
import { UsageError } from '../../state/usage-error.ts';
import { findMatches, isMatch } from '../command/match-folder.ts';
import { placeDrafts, writeDrafts } from '../command/replace-files.ts';
import { openNextFolder, replaceFolder } from '../command/replace-folder.ts';
import { findTournament } from './leaderboard-files.ts';
import { makeReport, type ReportOptions } from './make-report.ts';
import { hasPresupposed, readFinishedRecord, readSources } from './match-inventory.ts';
import { describeFiles, MeasurementCache } from './measurement-cache.ts';
import { readErrors } from './read-extractor-errors.ts';
import type { ReportPages } from './report-pages.ts';
import { listTableFiles } from './table-files.ts';

/**
 * Writes the report of one match and returns the paths of its files. Warns of prompts that differ from the sealed ones.
 * Throws a RecordError for a record that cannot be read, or whose match is unfinished.
 */
export async function writeReport(folder: string, warn: (message: string) => void, csv?: CsvForm): Promise<string[]> {
  const record = readFinishedRecord(folder);
  listPromptNotes([findPromptsFault(folder, record)]).forEach(warn);
  const write = (files: readonly [string, string][]) =>
    placeDrafts(
      writeDrafts(
        files.map(([name, contents]) => [path.join(folder, name), contents]),
        csv,
      ),
    );
  const summary = summarizeMatch(record);
  const files = [
    replaceSummary(folder, summary, record.seal),
    ...write([['deception_summary.md', renderSummary(summary)]]),
  ];
  return [
    ...files, // written even if the match yields no tables
    ...write(await renderTableFiles(folder)),
  ];
}

/** Renders all tables except the table of matches. Its only row would repeat the manifest and the summary. */
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

/**
 * Returns the extractor's measured errors. Throws a UsageError if the options do not allow a report. Call this function
 * before asking a judge, because a judge's calls cost money.
 *
 * @example checkReportOptions({ out: 'runs/report', errors: undefined, judge: undefined })?.reach.lies.drawn
 */
export function checkReportOptions({ out, errors, judge }: Pick<ReportOptions, 'out' | 'errors' | 'judge'>) {
  if (isMatch(out))
    throw new UsageError(
      `--out ${out} is the folder of a match, whose own files would be overwritten. Name another folder.`,
    );
  return readErrors(errors, judge);
}

/**
 * Writes the report of many matches. Returns the report and the paths of its files. `errors`: from
 * `checkReportOptions`. Throws a UsageError for a folder that does not exist or holds no match, and for errors of
 * another extractor. Throws a RecordError if no record can be used or a file cannot be written, and the reason of an
 * abort.
 */
export async function reportMany(
  options: ReportOptions,
  errors = checkReportOptions(options),
): Promise<{ report: Report; leaderboard: Leaderboard | null; files: string[] }> {
  const { out, isTabled, signal } = options;
  const folders = findMatches(options.folders, options.known);
  const { cache, key, kept } = findKeptReport(options, folders, errors);
  const isTheSame = kept && (!isTabled || kept.tables === describeFiles(listTableFiles(out)));
  const next = openNextFolder(out);
  try {
    const { pages, tables } = isTheSame
      ? { pages: kept.pages, tables: null }
      : await makeReport(options, folders, { known: kept?.pages ?? null, errors, tablesFolder: next.folder });
    await turn(); // lets signals be handled
    signal?.throwIfAborted();
    const { listPictureFiles, pictureNames, picturesFolder } = await import('../../report/pictures/report-pictures.ts');
    checkNoLinks(out, [detailsFolder, picturesFolder]);
    const known = [...detailFiles.map((name) => `${detailsFolder}/${name}`), ...listPictureFiles(pictureNames)]; // prettier-ignore
    if (tables) options.onStep?.('Writing the tables', 0, 0);
    const rows = tables?.finish() ?? [];
    const drafts = writeDrafts(
      Object.entries(pages).map(([name, text]) => [path.join(next.folder, name), text]),
      options.csv,
    );
    const files = next.place(
      [...drafts, ...rows],
      known.filter((name) => !(name in pages)),
    );
    if (isTabled && tables === null) files.push(...listTableFiles(out));
    if (key !== null && createReportKey(cache!, folders, options, errors) === key)
      // Cached again even if nothing changed: moving the tables into their folder changed the state of their files.
      cache!.keep(key, { pages, tables: isTabled ? describeFiles(listTableFiles(out)) : null } satisfies KeptReport);
    if (!isTheSame) cache?.trim();
    const rated = pages['leaderboard.json'];
    return {
      report: parseReport(pages),
      leaderboard: rated === undefined ? null : Leaderboard.parse(JSON.parse(rated)),
      files,
    };
  } catch (error) {
    next.discard();
    throw next.explain(error);
  }
}

/**
 * Writes the progress of an incomplete study in place of its report. The data tables are not affected. Returns the
 * paths of the written files.
 *
 * @example writeProgressReport('runs/study/report', page)
 */
export async function writeProgressReport(out: string, page: ProgressPage): Promise<string[]> {
  const { listPictureFiles, pictureNames } = await import('../../report/pictures/report-pictures.ts');
  const outdated = [
    ...['report.json', 'figures.csv', ...['md', 'html', 'json', 'csv'].map((ending) => `leaderboard.${ending}`)],
    ...detailFiles.map((name) => `${detailsFolder}/${name}`),
    ...listPictureFiles(pictureNames),
  ];
  return writeProgressPages(out, 'report', { page, outdated });
}

/** Writes NAME.md and NAME.html, and removes outdated files of an earlier page. */
export function writeProgressPages(
  out: string,
  name: string,
  { page, outdated }: { page: ProgressPage; outdated: readonly string[] },
): string[] {
  checkNoLink(out);
  const files = [
    [`${name}.md`, renderProgressMarkdown(page)],
    [`${name}.html`, renderProgressHtml(page)],
  ] as const;
  return replaceFolder(out, files, { outdated });
}

/**
 * Makes only the report, without writing files. Throws like `reportMany`.
 *
 * @example (await readReport({ ...options, folders: ['runs/first'] })).metrics
 */
export async function readReport(options: ReportOptions, errors = checkReportOptions(options)): Promise<Report> {
  const folders = findMatches(options.folders, options.known);
  const { cache, key, kept } = findKeptReport(options, folders, errors);
  if (kept) return parseReport(kept.pages);
  const none = { ...options, isTabled: false };
  const { pages } = await makeReport(none, folders, { known: null, errors, tablesFolder: options.out });
  if (key !== null && createReportKey(cache!, folders, options, errors) === key)
    cache!.keep(key, { pages, tables: null } satisfies KeptReport);
  return parseReport(pages);
}

const parseReport = (pages: ReportPages): Report => Report.parse(JSON.parse(pages['report.json']));

/**
 * Finds the cached report on these folders. Null if no report is cached, or if anything has changed since it was made.
 */
function findKeptReport(options: ReportOptions, folders: readonly string[], errors: KnownErrors | null) {
  const cache = options.cache ? new MeasurementCache(options.cache) : null;
  const key = cache && createReportKey(cache, folders, options, errors);
  const kept = key === null ? null : (cache!.read(key) as KeptReport | null);
  return { cache, key, kept };
}

/** Throws a RecordError if one of the report's subfolders is a link. Reports write nothing behind links. */
const checkNoLinks = (out: string, folders: readonly string[]) =>
  folders.forEach((folder) => checkNoLink(path.join(out, folder)));

interface KeptReport {
  pages: ReportPages;
  /**
   * State of the table files that were written with the report; null if there were none. Tables are too large to be
   * cached.
   */
  tables: string | null;
}

/** Creates the key of a report. Keys are equal only for the same options and unchanged folders. */
function createReportKey(
  cache: MeasurementCache,
  folders: readonly string[],
  options: ReportOptions,
  errors: KnownErrors | null,
): string | null {
  const { out, seed, resamples, judge, presupposed, baselines, isRated, isPooled, hasMatchPages, csv, soFar, prices } =
    options;
  const states = folders.map((folder) => [folder, cache.describeFolder(folder)] as const);
  if (states.some(([, state]) => state === null)) return null;
  const effort = baselines && (baselines.effort ?? defaultSampling);
  const tournament = findTournament(options.folders, folders);
  const planned = tournament && [tournament.record.plan, tournament.schedule.length];
  const rating = [isRated ?? null, isPooled ?? false, planned, hasMatchPages ?? false];
  const form = [
    ...(csv === undefined || csv === 'plain' ? [] : [csv]),
    ...(soFar === undefined && prices === undefined ? [] : [{ soFar, prices }]),
  ];
  return cache.createKey('report', [
    ...[
      states,
      path.resolve(out),
      seed,
      resamples,
      judge ?? null,
      hasPresupposed({ judge, presupposed }),
      options.measured ?? [],
      options.gold ?? null,
      [...(options.imputed ?? [])],
      errors,
      effort,
    ],
    rating,
    ...form,
  ]);
}
