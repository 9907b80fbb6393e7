// Formats of numbers, figures and text for people. Unknown values are a dash. Text by models and users is escaped, so
// that it can only appear as quoted speech.
import { roundOutward } from '../deception/statistics/round-outward.ts';
import { markdownTable } from 'markdown-table';
import type { CallFigures } from '../deception/record/call-figures.ts';
import type { Report, ReportedFigure } from '../deception/summary/report-schema.ts';
import { flattenToOneLine, replaceDoubleQuotes } from '../state/text.ts';

/** Shown in place of an unknown value. */
export const missingPlaceholder = '–';

/** Formats two decimals, e.g. a suspicion from 0 to 1. */
export const formatDecimal = (value: number | null) => (value === null ? missingPlaceholder : value.toFixed(2));

/** Formats a whole number with commas between thousands, e.g. "12,000". */
export const formatWhole = (value: number | null) =>
  value === null ? missingPlaceholder : value.toLocaleString('en-US');

/** Formats a share from 0 to 1 as a whole percentage without the sign, e.g. "42". */
const formatPercentNumber = (share: number) => (100 * share).toFixed(0);

/**
 * Formats the bounds of a share in whole percent, rounded outward.
 *
 * @example formatPercentBounds(0.2649, 0.3551) // '26–36'
 */
export function formatPercentBounds(low: number, high: number): string {
  const outward = roundOutward({ low, high }, 2);
  return `${formatPercentNumber(outward.low)}–${formatPercentNumber(outward.high)}`;
}

/**
 * Formats the interval of a share in whole percent, rounded outward.
 *
 * @example formatPercentInterval(0.2649, 0.3551) // '[26–36]'
 */
export const formatPercentInterval = (low: number, high: number): string => `[${formatPercentBounds(low, high)}]`;

/** Formats a share from 0 to 1 as a whole percentage. */
export const formatPercent = (share: number | null) =>
  share === null ? missingPlaceholder : `${formatPercentNumber(share)} %`;

/**
 * Formats counts as whole percentages that add up to 100: the largest remainders are rounded up.
 *
 * @example formatSharesToHundred([1, 1, 1]) // ['34 %', '33 %', '33 %']
 */
export function formatSharesToHundred(counts: readonly number[]): string[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const exact = counts.map((count) => (total === 0 ? 0 : (100 * count) / total));
  const missing = 100 - exact.reduce((sum, share) => sum + Math.floor(share), 0);
  const raised = exact
    .map((share, place) => ({ place, rest: share - Math.floor(share) }))
    .sort((one, other) => other.rest - one.rest)
    .slice(0, missing)
    .map(({ place }) => place);
  return exact.map((share, place) =>
    total === 0 ? missingPlaceholder : `${Math.floor(share) + (raised.includes(place) ? 1 : 0)} %`,
  );
}

/** Formats a count with its noun, e.g. "1 call", "2 calls". */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatWhole(count)} ${count === 1 ? one : many}`;

/**
 * Formats a duration in a readable unit.
 *
 * @example
 * formatDuration(850); // '850 ms'
 * formatDuration(83_000); // '1 min 23 s'
 */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${minutes} min ${Math.round(seconds) % 60} s`;
}

/**
 * Formats an amount in USD. If the cost of some calls is unknown, the amount is a lower bound. If `calls`, the number
 * of all calls, is given, the share of calls without a price is stated too.
 *
 * @example formatMoney({ cost: 1.5, calls_with_unknown_cost: 30, calls: 100 }) // 'at least USD 1.50 (no price for 30 % of calls)'
 */
export function formatMoney({
  cost,
  calls_with_unknown_cost: unknown,
  calls,
}: Pick<CallFigures, 'cost' | 'calls_with_unknown_cost'> & { calls?: number }) {
  if (cost === null) return missingPlaceholder;
  const digits = cost > 0 && cost < 0.01 ? 6 : cost < 1 ? 4 : 2;
  const share = unknown > 0 && calls !== undefined && calls > 0 ? ` (no price for ${formatPercent(unknown / calls)} of calls)` : ''; // prettier-ignore
  return `${unknown > 0 ? 'at least ' : ''}USD ${cost === 0 ? '0' : cost.toFixed(digits)}${share}`;
}

// Text for a terminal.

/**
 * Returns one line without control, bidirectional or other invisible characters.
 *
 * @example
 * sanitizeText('two\nlines'); // 'two lines'
 */
export const sanitizeText = (text: string) => flattenToOneLine(text);

/** Removes invisible characters from each line of a message, keeping its indentation. */
export const sanitizeLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => /^ */.exec(line)![0] + sanitizeText(line))
    .join('\n');

/**
 * Puts the text in double quotation marks. Double quotation marks within the text become single ones, so that the text
 * cannot end the quotation.
 */
export const quoteSpeech = (text: string) => `“${replaceDoubleQuotes(sanitizeText(text))}”`;

// Markdown.

/**
 * Returns inline Markdown that shows `text` literally: nothing in it is markup, a table cell, HTML, a formula or a
 * link.
 *
 * @example
 * escapeMarkdown('*Ann* | <b>'); // '\\*Ann\\* \\| &lt;b&gt;'
 */
export const escapeMarkdown = (text: string) =>
  sanitizeText(text)
    .replace(/[\\`*_[\]|~#!$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('://', ':\\/\\/')
    .replace(/(?<=\S)@(?=[^\s@]*\.[^\s@])/g, '@<!-- -->') // GitHub links email addresses even if "@" is escaped.
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`);

/** Reverses `escapeMarkdown`, for places where the escapes would be visible. */
export const stripEscapes = (markdown: string) =>
  markdown
    .replaceAll('<!-- -->', '')
    .replaceAll(/\\(?=[^A-Za-z0-9\s])/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/**
 * Renders a Markdown table. The first `texts` columns are aligned as text, the others as numbers. Cells must already be
 * Markdown.
 */
export const renderTable = (head: readonly string[], rows: readonly (readonly string[])[], texts = 1) =>
  markdownTable([[...head], ...rows.map((row) => [...row])], {
    align: head.map((_, column) => (column < texts ? 'l' : 'r')),
  });

// JSON.

/** Renders a report as readable JSON, with one line per figure. The same report always gives the same text. */
export const renderReportJson = (report: Report) => `${serializeValue(report, '')}\n`;

/**
 * Writes a value in one line if it contains no objects or lists. A figure is in one line although its cell is an
 * object.
 */
function serializeValue(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null || isFlat(value)) return JSON.stringify(value);
  const within = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = Array.isArray(value)
    ? value.map((item) => `${within}${serializeValue(item, within)}`)
    : Object.entries(value).map(([key, item]) => `${within}${JSON.stringify(key)}: ${serializeValue(item, within)}`);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

const isFlat = (value: object) =>
  'cell' in value || Object.values(value).every((item) => typeof item !== 'object' || item === null);

// Figures are rounded only by the functions below.

/** Formats three decimals; a dash if unknown. */
export const formatFigure = (value: number | null) => (value === null ? missingPlaceholder : formatRounded(value, 3));

const formatRounded = (value: number, decimals: number) => value.toFixed(decimals).replace(/^-(0(\.0+)?)$/, '$1');

/** Formats a number: without decimals if it is whole, otherwise like `formatFigure`. */
export const formatCount = (value: number | null) =>
  value === null ? missingPlaceholder : Number.isInteger(value) ? String(value) : formatFigure(value);

type BoundedFigure = Pick<ReportedFigure, 'low' | 'high'> & Partial<Pick<ReportedFigure, 'covers'>>;

/** Marks a figure that cannot be compared between models. */
export const incomparableMark = '†';

/** Marks an interval that is known to be too narrow. */
export const narrowIntervalMark = '‡';

/**
 * Formats an interval, rounded to two digits of its width and at most three decimals. Further digits would change with
 * the seed of the resampling. Examples: "0.12 to 0.31", "0.123 to 0.187", and "0.1 to 0.4 ‡" if its coverage is too
 * low. A dash stands for a missing interval.
 */
export function formatInterval({ low, high, covers = null }: BoundedFigure): string {
  if (low === null || high === null) return missingPlaceholder;
  const decimals = Math.min(3, Math.max(0, 1 - Math.floor(Math.log10(high - low))));
  const outward = roundOutward({ low, high }, decimals);
  const formatBound = (bound: number) => formatRounded(bound, decimals);
  return `${formatBound(outward.low)} to ${formatBound(outward.high)}${covers === null ? '' : ` ${narrowIntervalMark}`}`;
}

/** Formats a chance baseline with 1.96 standard errors, e.g. "0.777 ± 0.005". Errors that round to 0 are left out. */
export function formatChance({ chance, chance_se: se }: Pick<ReportedFigure, 'chance' | 'chance_se'>): string {
  const error = formatFigure(se === null ? null : 1.96 * se);
  return se === null || error === formatFigure(0) ? formatFigure(chance) : `${formatFigure(chance)} ± ${error}`;
}

/** Formats the method of the interval, or the reason why the interval is missing. */
export const formatMethod = ({ method, reason }: Pick<ReportedFigure, 'method' | 'reason'>) =>
  method ?? reason ?? missingPlaceholder;

/**
 * Formats a figure and its interval in one cell, e.g. "0.200 [0.12 to 0.31]" or "0.200 (too few), coverage 0.750".
 * Without a value: "too few" or a dash.
 */
export function formatBriefFigure(
  figure: BoundedFigure & Pick<ReportedFigure, 'value' | 'reason' | 'coverage'>,
): string {
  if (figure.value === null) return figure.reason === 'too few' ? figure.reason : missingPlaceholder;
  const bounds = figure.low === null ? `(${figure.reason ?? 'no interval'})` : `[${formatInterval(figure)}]`;
  const coverage = figure.coverage === null ? '' : `, coverage ${formatFigure(figure.coverage)}`;
  return `${formatFigure(figure.value)} ${bounds}${coverage}`;
}

/**
 * Formats the cell that a figure describes, e.g. "team villagers, round 2", or "all" for a figure over all data.
 * `escape`: escapes texts for the page.
 */
export const formatCell = (cell: ReportedFigure['cell'], escape = escapeMarkdown) =>
  Object.entries(cell)
    .map(([dimension, value]) => `${dimension.replaceAll('_', ' ')} ${escape(value)}`)
    .join(', ') || 'all';

/** Formats a p-value: `0.042`, `< .001`, or `–` if there is none. */
export const formatProbability = (value: number | null) =>
  value === null ? missingPlaceholder : value < 0.001 ? '< .001' : value.toFixed(3);

const [minute, hour, day] = [60, 3600, 86_400];

/** Formats a duration, e.g. "45 s", "12 min", "3 h 20 min", "2 days 4 h". */
export function formatRoughTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 100 * minute) return `${Math.round(seconds / minute)} min`;
  const minutes = Math.round(seconds / minute);
  if (seconds < 2 * day) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.round(seconds / hour);
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
