// Figures and tidy tables as CSV for people with spreadsheets.
import { type Options, stringify } from 'csv-stringify/sync';
import type { Report } from '../deception/summary/report-schema.ts';
import { getColumns, type Row, type TableName } from '../deception/tables/row-schemas.ts';
import { sanitizeText } from './format.ts';

/** The line of column names. */
export const renderCsvHead = (table: TableName): string => stringify([], { ...getCsvOptions(table), header: true });

/**
 * One line a row. What is missing is an empty cell; text is one visible line, with an apostrophe before what a
 * spreadsheet would take for a formula.
 */
export const renderCsvRows = (table: TableName, rows: readonly Row[]): string =>
  rows.length === 0 ? '' : stringify([...rows], getCsvOptions(table));

/** The whole table. */
export const renderTableCsv = (table: TableName, rows: readonly Row[]): string =>
  renderCsvHead(table) + renderCsvRows(table, rows);

const getCsvOptions = (table: TableName): Options => ({
  columns: getColumns(table).map(({ name }) => name),
  cast: { boolean: String, string: formatCsvCell },
  escape_formulas: true,
});

/** Most cells are words of ASCII with a space between them, which stay as they are: millions of them need no more. */
const simple = /^[!-~]+(?: [!-~]+)*$/;
const formatCsvCell = (text: string) => escapeFormulas(simple.test(text) ? text : sanitizeText(text));

/**
 * Where a semicolon parts cells, text after one begins a cell; quotes do not help, since a cell of ours does not begin
 * one there. ";-)" is no formula.
 */
const afterSemicolon = /(;[\s"]*)(?=[=+\-@＝＋－＠])(?!-\))/g;
const escapeFormulas = (text: string) => (text.includes(';') ? text.replace(afterSemicolon, "$1'") : text);

// Every figure of a report as one CSV table, for plots and spreadsheets.

/**
 * One row a figure, unrounded, with the fields of `report.json`. `sample` is `all`, or the part or variant that a
 * headline is of; `cell` reads `team=werewolves; round=2`. What is missing is an empty cell.
 */
export function renderFiguresCsv({ metrics, samples }: Report): string {
  const whole = metrics.flatMap(({ name, figures }) => figures.map((figure) => ({ metric: name, ...figure })));
  const rows = [
    ...whole.map((figure) => ({ sample: 'all', ...figure })),
    ...samples.slice(1).flatMap(({ name, figures }) => figures.map((figure) => ({ sample: name, ...figure }))),
  ];
  return stringify(
    rows.map(({ sample, metric, cell, ...figure }) => ({ sample, metric, cell: formatCellName(cell), ...figure })),
    { header: true, cast: { boolean: String, string: sanitizeText }, escape_formulas: true },
  );
}

const formatCellName = (cell: Readonly<Record<string, string>>) =>
  Object.entries(cell)
    .map(([dimension, value]) => `${dimension}=${value}`)
    .join('; ');
