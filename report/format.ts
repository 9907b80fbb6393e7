// How numbers and text of players are written for people: what is not known is a dash, and whatever a text holds, it
// stays quoted speech.
import type { CallFigures } from '../deception/summary/match-summary-schema.ts';
import { flattenToOneLine, replaceDoubleQuotes } from '../state/text.ts';

export const unknown = '–';

/** Two decimals, e.g. a suspicion of 0…1. */
export const formatDecimal = (value: number | null) => (value === null ? unknown : value.toFixed(2));

/** With thousands set apart. */
export const formatWhole = (value: number | null) => (value === null ? unknown : value.toLocaleString('en-US'));

export const formatPercent = (value: number | null) => (value === null ? unknown : `${(value * 100).toFixed(0)} %`);

/** "1 call", "2 calls". */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatWhole(count)} ${count === 1 ? one : many}`;

/** Milliseconds in the unit that fits. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${minutes} min ${Math.round(seconds) % 60} s`;
}

/** USD; a lower bound where the cost of some calls is not known. */
export function formatMoney({ cost, calls_with_unknown_cost }: Pick<CallFigures, 'cost' | 'calls_with_unknown_cost'>) {
  if (cost === null) return unknown;
  const digits = cost > 0 && cost < 0.01 ? 6 : cost < 1 ? 4 : 2;
  return `${calls_with_unknown_cost > 0 ? 'at least ' : ''}USD ${cost === 0 ? '0' : cost.toFixed(digits)}`;
}

// Text of models and people on its way to a terminal: whatever it holds, it stays quoted speech.

/** One line without control, bidirectional or other invisible characters. */
export const sanitizeText = (text: string) => flattenToOneLine(text);

/** The same for each line of a message, with its indentation. */
export const sanitizeLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => /^ */.exec(line)![0] + sanitizeText(line))
    .join('\n');

/** In quotation marks that the text cannot close: those within it become single ones. */
export const quoteSpeech = (text: string) => `“${replaceDoubleQuotes(sanitizeText(text))}”`;
