// Tidy tables as CSV for people with spreadsheets. Columns are defined in docs/data.md.
import { stringify, type Options } from 'csv-stringify/sync';
import { columnsOf, type Row, type TableName } from '../deception/tables/columns.ts';
import { plain } from './plain-text.ts';

/** The line of column names. */
export const csvHead = (table: TableName): string => stringify([], { ...format(table), header: true });

/**
 * One line a row. What is missing is an empty cell; text is one visible line, with an apostrophe before what a
 * spreadsheet would take for a formula.
 */
export const csvRows = (table: TableName, rows: readonly Row[]): string =>
  rows.length === 0 ? '' : stringify([...rows], format(table));

/** The whole table. */
export const tableCsv = (table: TableName, rows: readonly Row[]): string => csvHead(table) + csvRows(table, rows);

const format = (table: TableName): Options => ({
  columns: columnsOf(table).map(({ name }) => name),
  cast: { boolean: String, string: cellOf },
  escape_formulas: true,
});

/** Most cells are words of ASCII with a space between them, which stay as they are: millions of them need no more. */
const simple = /^[!-~]+(?: [!-~]+)*$/;
const cellOf = (text: string) => safeInside(simple.test(text) ? text : plain(text));

/**
 * Where a semicolon parts cells, text after one begins a cell; quotes do not help, since a cell of ours does not begin
 * one there. ";-)" is no formula.
 */
const afterSemicolon = /(;[\s"]*)(?=[=+\-@＝＋－＠])(?!-\))/g;
const safeInside = (text: string) => (text.includes(';') ? text.replace(afterSemicolon, "$1'") : text);
