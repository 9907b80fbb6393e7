// Figures and tables as CSV, for spreadsheets and plots.
import { type Options, stringify } from 'csv-stringify/sync';
import type { Comparison } from '../deception/comparison/comparison-schema.ts';
import type { Leaderboard } from '../deception/ratings/leaderboard-schema.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import { getColumns, type TableRow, type TableName } from '../deception/tables/match-tables.ts';
import { sanitizeText } from './format.ts';
import { convertEstimate, type Estimate, pointsPerLogit } from './leaderboard-parts.ts';

/** Renders the line of column names. */
export const renderCsvHead = (table: TableName): string => stringify([], { ...getCsvOptions(table), header: true });

/**
 * Renders one line for each row. Missing values are empty cells. Text is one line of visible characters. An apostrophe
 * precedes anything that a spreadsheet would read as a formula.
 */
export function renderCsvRows(table: TableName, rows: readonly TableRow[]): string {
  const names = getColumns(table).map(({ name }) => name);
  return rows.map((row) => `${names.map((name) => renderCsvCell(row[name])).join(',')}\n`).join('');
}

/**
 * Renders a whole table with its header.
 *
 * @example
 * renderTableCsv('claims', tables.claims);
 */
export const renderTableCsv = (table: TableName, rows: readonly TableRow[]): string =>
  renderCsvHead(table) + renderCsvRows(table, rows);

export const getCsvOptions = (table: TableName): Options => ({
  columns: getColumns(table).map(({ name }) => name),
  cast: { boolean: String, string: formatCsvCell },
  escape_formulas: true,
});

/**
 * Pattern of text that needs no sanitizing: ASCII words with single spaces. Most cells match, and skipping
 * `sanitizeText` for them saves time.
 */
const simple = /^[!-~]+(?: [!-~]+)*$/;
const formatCsvCell = (text: string) => escapeFormulas(simple.test(text) ? text : sanitizeText(text));

/**
 * Start of a possible formula after a semicolon. Some spreadsheets separate cells at semicolons, even within quotes.
 * ";-)" is not a formula.
 */
const afterSemicolon = /(;[\s"]*)(?=[=+\-@＝＋－＠])(?!-\))/g;
const escapeFormulas = (text: string) => (text.includes(';') ? text.replace(afterSemicolon, "$1'") : text);

/** Pattern of text that is written unchanged: `simple` text that has no separator or quote and is not a formula. */
const unchanged = /^(?![-=+@])[!#-+\--:<-~]+(?: [!#-+\--:<-~]+)*$/;
/** Start of a cell that csv-stringify takes for a formula. */
const formulaStart = /^[-=+@\t\r＝＋－＠]/;
/** Characters that make csv-stringify put a cell in quotation marks. */
const quotedCharacter = /[",\n\r]/;

/**
 * Renders a cell exactly as csv-stringify does with the options of `getCsvOptions`, in a quarter of the time. A report
 * of a thousand matches has millions of cells.
 */
function renderCsvCell(value: TableRow[string] | undefined): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  if (unchanged.test(value)) return value;
  const text = formatCsvCell(value);
  const escaped = formulaStart.test(text) ? `'${text}` : text;
  return quotedCharacter.test(text) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

/** Renders the numbers of a picture, one row each, unrounded. Missing values are empty cells. */
export const renderPictureCsv = (rows: readonly Readonly<Record<string, string | number | boolean | null>>[]): string =>
  stringify([...rows], {
    columns: [...new Set(rows.flatMap((row) => Object.keys(row)))],
    header: true,
    cast: { string: formatCsvCell },
    escape_formulas: true,
  });

/**
 * Renders every figure of a report, one row each, unrounded, with the fields of `report.json`. `sample` is `all` or the
 * name of a headline figure's sample. A `cell` looks like `team=werewolves; round=2`. After all fields, each dimension
 * has a column, e.g. `of_team` and `of_round`. Missing values are empty cells.
 */
export function renderFiguresCsv({ metrics, samples }: Report): string {
  const isOwn = new Map(metrics.map(({ name, is_own_deed: own }) => [name, own]));
  const whole = metrics.flatMap(({ name, figures }) => figures.map((figure) => ({ metric: name, ...figure })));
  const rows = [
    ...whole.map((figure) => ({ sample: 'all', ...figure })),
    ...samples.slice(1).flatMap(({ name, figures }) => figures.map((figure) => ({ sample: name, ...figure }))),
  ];
  const dimensions = [...new Set(rows.flatMap(({ cell }) => Object.keys(cell)))].sort();
  return stringify(
    rows.map(({ sample, metric, cell, ...figure }) => ({
      ...{ sample, metric, own_deed: isOwn.get(metric) ?? null, cell: formatCellName(cell), ...figure },
      ...Object.fromEntries(dimensions.map((dimension) => [`of_${dimension}`, cell[dimension] ?? null])),
    })),
    { header: true, cast: { boolean: String, string: formatCsvCell }, escape_formulas: true },
  );
}

/**
 * Renders every difference of a comparison, one row each, unrounded, with the fields of `comparison.json`, endpoints
 * first. After the column `of`, each dimension has a column. The columns `part`, `side`, `x`, `y` and `opponents` are
 * for parts of a crossed design.
 */
export function renderComparisonCsv({ primary, secondary }: Pick<Comparison, 'primary' | 'secondary'>): string {
  const rows = [
    ...primary.map((row) => ({ endpoint: true, ...row })),
    ...secondary.map((row) => ({ endpoint: false, ...row })),
  ];
  const dimensions = [...new Set(rows.flatMap(({ of }) => Object.keys(of)))].sort();
  return stringify(
    rows.map(({ endpoint, metric, of, part, also, as_found: asFound, ...figure }) => ({
      ...{ endpoint, metric, of: formatCellName(of), ...figure },
      ...{ a_as_found: asFound?.a ?? null, b_as_found: asFound?.b ?? null },
      difference_as_found: asFound?.difference ?? null,
      also: also.map((one) => `${one.is_complement ? '1 - ' : ''}${one.metric} ${formatCellName(one.of)}`).join(' | '),
      ...{ part: part?.name ?? null, side: part?.side ?? null, x: part?.models[0] ?? null, y: part?.models[1] ?? null },
      opponents: part?.opponents.join(' | ') ?? null,
      ...Object.fromEntries(dimensions.map((dimension) => [`of_${dimension}`, of[dimension] ?? null])),
    })),
    { header: true, cast: { boolean: String, string: formatCsvCell }, escape_formulas: true },
  );
}

/**
 * Renders one row for each entrant and condition, unrounded. Missing values are empty cells.
 *
 * @example
 * await writeFile('leaderboard.csv', renderLeaderboardCsv(leaderboard));
 */
export function renderLeaderboardCsv({ ratings, pooled, expenses }: Leaderboard): string {
  const rows = [...ratings, ...(pooled ? [{ ...pooled, condition: 'pooled' }] : [])].flatMap((rating) =>
    rating.entrants.map((one) => {
      const spent = expenses.find(({ entrant }) => entrant === one.entrant);
      return {
        ...{ condition: rating.condition, interval: rating.interval, entrant: one.entrant, group: one.group },
        ...{ best_rank: one.ranks?.[0] ?? null, worst_rank: one.ranks?.[1] ?? null },
        ...{ matches: one.matches, deals: one.deals },
        ...spreadEstimate('score', one.score),
        ...spreadEstimate('werewolves', one.werewolves),
        ...spreadEstimate('villagers', one.villagers),
        ...spreadEstimate('strength', one.strength),
        ...spreadEstimate('strength_as_werewolves', one.strength_as_werewolves),
        ...spreadEstimate('strength_as_village', one.strength_as_village),
        ...spreadEstimate('points', convertEstimate(one.strength, pointsPerLogit)),
        ...{ cost_per_match: spent?.cost_per_match ?? null, calls: spent?.calls ?? null },
        ...{ questions: spent?.questions ?? null, fallbacks: spent?.fallbacks ?? null },
        ...{ missing: spent?.missing ?? null, refusals: spent?.refusals ?? null },
      };
    }),
  );
  return stringify(rows, { header: true, cast: { string: formatCsvCell }, escape_formulas: true });
}

const spreadEstimate = (name: string, { value, low, high }: Estimate) => ({
  ...{ [name]: value, [`${name}_low`]: low, [`${name}_high`]: high },
});

const formatCellName = (cell: Readonly<Record<string, string>>) =>
  Object.entries(cell)
    .map(([dimension, value]) => `${dimension}=${value}`)
    .join('; ');
