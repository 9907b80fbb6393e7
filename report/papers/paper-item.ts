// What an item of a paper is: a numbered table, figure or algorithm, the data it needs, and how it is made of a study.
import type { MatchRecord } from '../../deception/record/match-record.ts';
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import type { Manifest } from '../../state/record.ts';
import { escapeMarkdown, formatBriefFigure, incomparableMark, missingPlaceholder } from '../format.ts';
import type { Picture } from '../pictures/picture-drawing.ts';
import { createFigureFinder, type FigureKey } from '../report-findings.ts';

export const paperNames = { arena: 'Werewolf Arena', wolf: 'WOLF', plus: 'WereWolf-Plus' } as const;
export type PaperName = keyof typeof paperNames;

/** What an item shows, made of a study. Cells are Markdown. */
export interface PaperContent {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Columns that are text; the others are numbers. */
  texts?: number;
  /** What the paper's item has and this one lacks, with what a study needs for it. */
  missing: readonly string[];
  /** What to know before reading it. */
  notes?: readonly string[];
  /** Where the paper's item is a picture. */
  picture?: Picture | null;
}

/** The matches of a study that an item, or a part of it, is made of. */
export interface PaperSample {
  /** In words that follow "matches", e.g. "without a Sheriff". */
  about: string;
  includes: (setup: Pick<Manifest['setup'], 'rules' | 'experience'>) => boolean;
}

/** One match with all that is known of it. */
export interface PaperMatch {
  record: MatchRecord;
  tables: MatchTables;
}

interface ItemBase {
  /** What `report --table` takes. */
  id: string;
  paper: PaperName;
  /** As in the paper, e.g. "Table 2". */
  number: string;
  title: string;
  /** Files in docs/evidence/papers whose matches have the data. */
  plans: readonly string[];
  /** What a study must have, in words that follow "needs". */
  needs: string;
  /** What to run before, beside the plans, as Markdown. */
  first?: string;
  /** Files and columns of a report in which it stands, as Markdown. */
  where: string;
  /** What differs from the paper, and why, as Markdown. */
  differs: string;
}

/** Made of the figures of a report over each of its samples; null for a sample without matches. */
export interface FiguresItem extends ItemBase {
  source: 'figures';
  samples: readonly PaperSample[];
  make: (reports: readonly (Report | null)[]) => PaperContent;
}

/** Made of the match of the study that ranks highest, of equals the first; `rank` is null where a match has no data. */
export interface MatchItem extends ItemBase {
  source: 'match';
  /** How the match is chosen, in words that follow "shows". */
  choice: string;
  rank: (match: PaperMatch) => number | null;
  make: (match: PaperMatch) => PaperContent;
}

/** Needs no study. */
export interface FixedItem extends ItemBase {
  source: 'nothing';
  make: () => PaperContent;
}

export type PaperItem = FiguresItem | MatchItem | FixedItem;

/** All matches of a study. */
export const everyMatch: PaperSample = { about: 'of the study', includes: () => true };

// Tables of figures.

/** A column of figures, with what a study needs to have it. */
export interface FigureColumn<Row> {
  title: string;
  needs: string;
  of: (row: Row) => FigureKey;
  /** Which of the item's samples; the first unless told. */
  sample?: number;
}

/** A figure as the tables of papers print it: with its interval, and † where it compares no models. */
export function formatPaperFigure(figure: ReportedFigure | null | undefined): string {
  if (figure === null || figure === undefined) return missingPlaceholder;
  const mark = figure.comparable || figure.value === null ? '' : ` ${incomparableMark}`;
  return `${formatBriefFigure(figure)}${mark}`;
}

/** Rows of figures under their columns; a column that no row has a value of is missing. */
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

/** A model and the one in all seats of the other side. */
export interface Meeting {
  model: string;
  opponent: string;
}

/** Who met whom, each pair with its reverse after it, and what met itself last. */
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
  /** Made of the figures over the first sample; null where they lack what the item needs. */
  draw: (report: Report) => Picture | null;
  /** Columns of its table that are text. */
  texts: number;
}

/** An item that is a picture, with the picture's own table beside it, as Markdown. */
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
