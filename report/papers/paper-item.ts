// Items of a paper: numbered tables, figures and algorithms, with the data that each item needs and the function that
// makes it from a study.
import type { MatchRecord } from '../../deception/record/match-record.ts';
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import type { Manifest } from '../../state/record.ts';
import { escapeMarkdown, formatBriefFigure, incomparableMark, missingPlaceholder } from '../format.ts';
import type { Picture } from '../pictures/picture-drawing.ts';
import { createFigureFinder, type FigureKey } from '../report-findings.ts';

export const paperNames = { arena: 'Werewolf Arena', wolf: 'WOLF', plus: 'WereWolf-Plus' } as const;
export type PaperName = keyof typeof paperNames;

/** Contents of an item, made from a study. Cells are Markdown. */
export interface PaperContent {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Number of text columns. The others are numbers. */
  texts?: number;
  /** Parts of the paper's item that are missing here, with what a study needs for them. */
  missing: readonly string[];
  /** Notes to read first. */
  notes?: readonly string[];
  /** The picture, if the paper's item is one. */
  picture?: Picture | null;
}

/** Selects the matches of a study from which an item, or a part of an item, is made. */
export interface PaperSample {
  /** Description that follows "matches", e.g. "without a Sheriff". */
  about: string;
  includes: (setup: Pick<Manifest['setup'], 'rules' | 'experience'>) => boolean;
}

/** One match with everything known about it. */
export interface PaperMatch {
  record: MatchRecord;
  tables: MatchTables;
}

interface ItemBase {
  /** Id, as given to `report --table`. */
  id: string;
  paper: PaperName;
  /** Number as in the paper, e.g. "Table 2". */
  number: string;
  title: string;
  /** Plans of studies in docs/evidence/papers whose matches have the data for the item. */
  plans: readonly string[];
  /** Requirements for a study, in words that follow "needs". */
  needs: string;
  /** Commands to run before the plans, as Markdown. */
  first?: string;
  /** Files and columns of a report that contain the item, as Markdown. */
  where: string;
  /** Differences from the paper and their reasons, as Markdown. */
  differs: string;
}

/**
 * An item made from the figures of reports. `make` gets one report for each sample; null for a sample without matches.
 */
export interface FiguresItem extends ItemBase {
  source: 'figures';
  samples: readonly PaperSample[];
  make: (reports: readonly (Report | null)[]) => PaperContent;
}

/**
 * An item made from one match of the study: the first with the highest rank. `rank` returns null for a match without
 * data.
 */
export interface MatchItem extends ItemBase {
  source: 'match';
  /** How the match is chosen, in words that follow "shows". */
  choice: string;
  rank: (match: PaperMatch) => number | null;
  make: (match: PaperMatch) => PaperContent;
}

/** An item that needs no study. */
export interface FixedItem extends ItemBase {
  source: 'nothing';
  make: () => PaperContent;
}

export type PaperItem = FiguresItem | MatchItem | FixedItem;

/** All matches of a study. */
export const everyMatch: PaperSample = { about: 'of the study', includes: () => true };

// Tables of figures.

/** A column of figures. `needs`: what a study needs for the column. */
export interface FigureColumn<Row> {
  title: string;
  needs: string;
  of: (row: Row) => FigureKey;
  /** Index of the sample, among the samples of the item, from which the column takes its figures. Default: 0. */
  sample?: number;
}

/** Formats a figure for tables of papers: with its interval, and † if it cannot be compared between models. */
export function formatPaperFigure(figure: ReportedFigure | null | undefined): string {
  if (figure === null || figure === undefined) return missingPlaceholder;
  const mark = figure.comparable || figure.value === null ? '' : ` ${incomparableMark}`;
  return `${formatBriefFigure(figure)}${mark}`;
}

/** Makes rows of figures under their columns. A column without any value is reported as missing. */
export function makeFigureTable<Row>(
  labels: readonly string[],
  rows: readonly { labels: readonly string[]; row: Row }[],
  columns: readonly FigureColumn<Row>[],
  reports: readonly (Report | null)[],
): PaperContent {
  const finders = reports.map((report) => (report === null ? () => null : createFigureFinder(report)));
  const find = ({ of, sample = 0 }: FigureColumn<Row>, row: Row) => finders[sample]?.(of(row)) ?? null;
  return {
    head: [...labels, ...columns.map(({ title }) => title)],
    rows: rows.map(({ labels: own, row }) => [
      ...own.map(escapeMarkdown),
      ...columns.map((column) => formatPaperFigure(find(column, row))),
    ]),
    texts: labels.length,
    missing: columns
      .filter((column) => rows.every(({ row }) => (find(column, row)?.value ?? null) === null))
      .map(({ title, needs }) => `${title}: needs ${needs}`),
  };
}

/** A model, and its opponent: the model in all seats of the other side. */
export interface Meeting {
  model: string;
  opponent: string;
}

/** Lists the pairs that met, each followed by its reverse. Models that met themselves come last. */
export function listMeetings(reports: readonly (Report | null)[]): Meeting[] {
  const met = reports.flatMap((report) =>
    (report?.metrics.find(({ name }) => name === 'win_rate')?.figures ?? []).flatMap(({ cell }) => {
      const { model, opponent } = cell;
      return model === undefined || opponent === undefined ? [] : [{ model, opponent }];
    }),
  );
  const pairs = new Map(
    met.flatMap(({ model, opponent }) => [
      [JSON.stringify([model, opponent]), { model, opponent }] as const,
      [JSON.stringify([opponent, model]), { model: opponent, opponent: model }] as const,
    ]),
  );
  const getOrder = ({ model, opponent }: Meeting) =>
    JSON.stringify([model === opponent, [model, opponent].sort(), model]);
  return [...pairs.values()].sort((one, other) => (getOrder(one) < getOrder(other) ? -1 : 1));
}

interface PictureItem extends ItemBase {
  samples: readonly PaperSample[];
  /** Draws the figures of the first sample; null if the report lacks what the item needs. */
  draw: (report: Report) => Picture | null;
  /** Number of text columns of the picture's table. */
  texts: number;
}

/** Creates an item that is a picture, with the picture's table as Markdown. */
export const createPictureItem = ({ draw, texts, ...item }: PictureItem): FiguresItem => ({
  ...item,
  source: 'figures',
  make: ([report]) => {
    const picture = report ? draw(report) : null;
    if (picture === null) return { head: [], rows: [], missing: [`needs ${item.needs}`], picture };
    const [head, ...rows] = picture.table.map((cells) => cells.map(escapeMarkdown));
    return { head: head!, rows, texts, missing: [], notes: [picture.description], picture };
  },
});
