// `report --table`: makes one table or figure of a paper from the matches of a study. Prints it, and writes pictures to
// a file.
import path from 'node:path';
import type { Report } from '../../deception/summary/report-schema.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { checkNoLink, RecordError } from '../../models/record/ndjson.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { renderPictureCsv } from '../../report/csv.ts';
import { escapeMarkdown, pluralize, sanitizeText } from '../../report/format.ts';
import type { FiguresItem, MatchItem, PaperContent, PaperItem, PaperMatch } from '../../report/papers/paper-item.ts';
import { describeSampleSize, nameItem, paperItems, renderPaperItem } from '../../report/papers/paper-register.ts';
import { renderSvgFile } from '../../report/pictures/picture-drawing.ts';
import { renderReportNotice } from '../../report/report-markdown.ts';
import { recordFiles } from '../../state/record.ts';
import { describeNearName, UsageError } from '../../state/usage-error.ts';
import type { CommandIO } from '../command/command-line.ts';
import { placeDrafts, writeDrafts } from '../command/replace-files.ts';
import { findMatches } from '../command/match-folder.ts';
import { explainUnusable, readSources, takeInventory } from './match-inventory.ts';
import type { ReportOptions } from './make-report.ts';
import { readReport } from './write-reports.ts';

/** Name of the folder in a report's folder that holds pictures of papers. */
const papersFolder = 'papers';

/** Finds the item with this id. Throws a UsageError for an unknown id. */
export function findPaperItem(id: string): PaperItem {
  const found = paperItems.find((item) => item.id === id);
  if (found) return found;
  const ids = paperItems.map((item) => item.id);
  throw new UsageError(`--table ${id}: no table has this name. ${describeNearName(id, ids)}Tables: ${ids.join(', ')}.`);
}

/**
 * Prints an item, writes its picture, and says what is missing. Throws a RecordError if the study has no data for it,
 * and a UsageError without matches.
 */
export async function printPaperItem(item: PaperItem, options: ReportOptions, io: CommandIO): Promise<void> {
  const { content, madeOf } = await makeContent(item, options, io);
  if (content.rows.length === 0)
    throw new RecordError(
      `${nameItem(item)} cannot be made from ${sanitizeText(madeOf ?? 'nothing')}. It needs ${item.needs}.`,
    );
  io.stdout.write(renderPaperItem(item, content, madeOf === null ? 'It needs no matches.' : `Made from ${madeOf}.`));
  for (const file of writePicture(item, content, options)) io.stdout.write(`\n${file}\n`);
}

interface MadeContent {
  content: PaperContent;
  /** Description of the matches, which follows the words "Made from"; null for an item that is not made of matches. */
  madeOf: string | null;
}

function makeContent(item: PaperItem, options: ReportOptions, io: CommandIO): Promise<MadeContent> {
  if (item.source === 'nothing') return Promise.resolve({ content: item.make(), madeOf: null });
  return item.source === 'figures' ? makeOfFigures(item, options, io) : makeOfMatch(item, options, io);
}

/** Makes one report per sample of the item, each as if no other matches existed. */
async function makeOfFigures(item: FiguresItem, options: ReportOptions, io: CommandIO): Promise<MadeContent> {
  const folders = findMatches(options.folders, options.known);
  const samples = item.samples.map((sample) => ({
    sample,
    own: folders.filter((folder) => {
      const setup = readSetup(folder);
      return setup === null || sample.includes(setup);
    }),
  }));
  const reports: (Report | null)[] = [];
  for (const { own } of samples)
    reports.push(
      own.every((folder) => readSetup(folder) === null)
        ? null
        : await readReport({ ...options, folders: own, isRated: false, isPooled: false, hasMatchPages: false }),
    );
  const first = reports.find((report) => report !== null);
  if (first) io.stderr.write(renderReportNotice(first));
  const sizes = samples.map(({ sample }, at) => describeSampleSize(reports[at]?.matches ?? 0, sample.about));
  return { content: item.make(reports), madeOf: sizes.join('; ') };
}

/** Reads the set-up of a match; null for an unreadable record, which a report lists. */
function readSetup(folder: string) {
  try {
    return readManifest(path.join(folder, recordFiles.manifest)).setup;
  } catch (error) {
    explainUnusable(folder, error); // rethrows errors that are not the record's fault
    return null;
  }
}

/** Makes an item that shows a single match: the match with the highest rank, and the first by id among equals. */
async function makeOfMatch(item: MatchItem, options: ReportOptions, io: CommandIO): Promise<MadeContent> {
  const { judge, presupposed } = options;
  const { matches, leftOut } = takeInventory(findMatches(options.folders, options.known), options.known);
  let best: { match: PaperMatch; id: string; rank: number } | null = null;
  let read = 0;
  for (const { id, folders } of matches) {
    const match = await readPaperMatch(folders[0]!, { judge, presupposed }, io);
    if (match === null) continue;
    read++;
    const rank = item.rank(match);
    if (rank !== null && rank > (best?.rank ?? -Infinity)) best = { match, id, rank };
  }
  for (const { folder, message } of leftOut) io.stderr.write(`${sanitizeText(`${folder} is left out: ${message}`)}\n`);
  const of = pluralize(read, 'match', 'matches');
  return best === null
    ? { content: { head: [], rows: [], missing: [] }, madeOf: of }
    : {
        content: item.make(best.match),
        madeOf: `match ${escapeMarkdown(best.id)}${read === 1 ? '' : `: ${item.choice}, of ${of}`}`,
      };
}

/** Reads a match for a paper's figure; null for an unfinished or unusable match, which is reported. */
async function readPaperMatch(
  folder: string,
  wanted: Pick<ReportOptions, 'judge' | 'presupposed'>,
  io: CommandIO,
): Promise<PaperMatch | null> {
  try {
    const { record, sources } = await readSources(folder, wanted);
    if (record.isFinished) return { record, tables: buildTables(record, sources) };
    io.stderr.write(`${sanitizeText(`${folder} is left out: the match was not played to its end.`)}\n`);
  } catch (error) {
    io.stderr.write(`${sanitizeText(`${folder} is left out: ${explainUnusable(folder, error).message}`)}\n`);
  }
  return null;
}

/** Writes the picture and the file of its numbers, and returns both paths. */
function writePicture(
  { id }: PaperItem,
  { picture }: PaperContent,
  { out, csv }: Pick<ReportOptions, 'out' | 'csv'>,
): string[] {
  if (!picture) return [];
  const folder = path.join(out, papersFolder);
  checkNoLink(folder);
  getDisk().makeFolder(folder);
  return placeDrafts(
    writeDrafts(
      [
        [path.join(folder, `${id}.svg`), renderSvgFile(picture.svg)],
        [path.join(folder, `${id}.csv`), renderPictureCsv(picture.data)],
      ],
      csv,
    ),
  );
}
