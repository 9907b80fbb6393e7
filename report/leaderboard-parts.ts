// Parts of a leaderboard's page, and the formats of their figures.
import { roundOutward } from '../deception/statistics/round-outward.ts';
import type { Expense, RatedEntrant } from '../deception/ratings/leaderboard-schema.ts';
import { muchUnanswered } from '../deception/summary/match-conditions.ts';
import { formatDecimal, formatPercent, missingPlaceholder } from './format.ts';

/** Escapes names and quoted words for the page. Text between backquotes is code. */
export type EscapeText = (text: string) => string;

/** A part of the page, with texts already escaped. */
export type LeaderboardPart =
  | { type: 'heading'; level: 2 | 3; text: string }
  | { type: 'text'; text: string; lead?: string }
  | { type: 'list'; items: readonly string[] }
  /** Table. The first `texts` columns are not numbers. */
  | { type: 'table'; head: readonly string[]; rows: readonly (readonly string[])[]; texts: number }
  /** Intervals of entrants, drawn if the page can show drawings. */
  | { type: 'drawing'; title: string; unit: string; estimates: readonly DrawnEstimate[] };

/** An interval to draw. `entrant`: name, not escaped. */
export interface DrawnEstimate extends Pick<Estimate, 'value' | 'low' | 'high'> {
  entrant: string;
  chance: number | null;
}

/** Points on the Elo scale per unit of log-odds: 400 points are odds of 10. */
export const pointsPerLogit = 400 / Math.LN10;
export const LEADERBOARD_ALPHA = 0.05;

export type Estimate = RatedEntrant['score'];

export const tell = (text: string): LeaderboardPart => ({ type: 'text', text });

export const createPartTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  texts = 1,
): LeaderboardPart => ({
  type: 'table',
  head,
  rows,
  texts,
});

export const formatRanks = (ranks: RatedEntrant['ranks']) =>
  ranks === null ? missingPlaceholder : ranks[0] === ranks[1] ? String(ranks[0]) : `${ranks[0]}–${ranks[1]}`;

/** Formats an interval, e.g. "(0.54 to 0.68)". */
const formatBounds = (bounds: { low: number; high: number }, print: (value: number) => string = formatDecimal) => {
  const { low, high } = roundOutward(bounds, 2);
  return `(${print(low)} to ${print(high)})`;
};

/** Formats a difference with its interval, e.g. "+0.12 (-0.03 to +0.27)". */
export const formatSignedEstimate = (value: number, bounds: { low: number; high: number }) =>
  `${formatSigned(value)} ${formatBounds(bounds, formatSigned)}`;

/** Formats an estimate with its interval, e.g. "0.61 (0.54 to 0.68)". */
export const formatEstimate = ({ value, low, high }: Pick<Estimate, 'value' | 'low' | 'high'>) =>
  value === null || low === null || high === null
    ? missingPlaceholder
    : `${formatDecimal(value)} ${formatBounds({ low, high })}`;

export const formatSigned = (value: number) => `${value > 0 ? '+' : ''}${formatDecimal(value)}`;

export const formatLogits = ({ value, low, high }: Estimate) =>
  value === null ? missingPlaceholder : formatSignedEstimate(value, { low: low!, high: high! });

export const formatPoints = (strength: Estimate) => {
  const { value, low, high } = convertEstimate(strength, pointsPerLogit);
  const print = (one: number) => `${one > 0 ? '+' : ''}${one.toFixed(0)}`;
  if (value === null) return missingPlaceholder;
  const outward = roundOutward({ low: low!, high: high! }, 0);
  return `${print(value)} (${print(outward.low)} to ${print(outward.high)})`;
};

export const formatP = (p: number) => (p < 0.001 ? '<.001' : p.toFixed(3).replace(/^0/, ''));

export const formatCost = (spent: Expense | undefined) =>
  spent?.cost_per_match == null
    ? missingPlaceholder
    : `${spent.calls_with_unknown_cost > 0 ? 'at least ' : ''}${spent.cost_per_match.toFixed(spent.cost_per_match < 1 ? 4 : 2)}`;

export const formatRatio = (part: number | undefined, whole: number | undefined) =>
  part === undefined || !whole
    ? missingPlaceholder
    : `${formatPercent(part / whole)}${part / whole > muchUnanswered ? ' (!)' : ''}`;

export const convertEstimate = ({ value, low, high, reason }: Estimate, factor: number): Estimate => {
  const scale = (one: number | null) => (one === null ? null : one * factor);
  return { value: scale(value), low: scale(low), high: scale(high), reason };
};
