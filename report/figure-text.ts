// How a figure is written on a page: every number is rounded here and nowhere else.
import type { ReportedFigure } from '../deception/summary/report-schema.ts';
import { unknown } from './format.ts';
import { escapeMarkdown } from './markdown.ts';

/** Three decimals; a dash for what is not known. */
export const formatFigure = (value: number | null) =>
  value === null ? unknown : value.toFixed(3).replace(/^-(0\.0+)$/, '$1');

/** Counts as they are; what is no whole number as any other figure. */
export const formatCount = (value: number | null) =>
  value === null ? unknown : Number.isInteger(value) ? String(value) : formatFigure(value);

type BoundedFigure = Pick<ReportedFigure, 'low' | 'high'>;

/** E.g. "0.120 to 0.310"; a dash where there is none. */
export const formatInterval = ({ low, high }: BoundedFigure) =>
  low === null || high === null ? unknown : `${formatFigure(low)} to ${formatFigure(high)}`;

/** E.g. "0.777 ± 0.005", with the bounds of its own error at 95 %, where that shows. */
export function formatChance({ chance, chance_se: se }: Pick<ReportedFigure, 'chance' | 'chance_se'>): string {
  const error = formatFigure(se === null ? null : 1.96 * se);
  return se === null || error === formatFigure(0) ? formatFigure(chance) : `${formatFigure(chance)} ± ${error}`;
}

/** How the interval was made, or why there is none. */
export const formatMethod = ({ method, reason }: Pick<ReportedFigure, 'method' | 'reason'>) =>
  method ?? reason ?? unknown;

/** A figure and its interval in one cell, e.g. "0.200 [0.120 to 0.310]" or "0.200 (too few), coverage 0.750". */
export function formatBriefFigure(
  figure: BoundedFigure & Pick<ReportedFigure, 'value' | 'reason' | 'coverage'>,
): string {
  if (figure.value === null) return unknown;
  const bounds = figure.low === null ? `(${figure.reason ?? 'no interval'})` : `[${formatInterval(figure)}]`;
  const coverage = figure.coverage === null ? '' : `, coverage ${formatFigure(figure.coverage)}`;
  return `${formatFigure(figure.value)} ${bounds}${coverage}`;
}

/** What a figure is of, e.g. "team villagers, round 2"; "all" for the whole. */
export const formatCell = (cell: ReportedFigure['cell']) =>
  Object.entries(cell)
    .map(([dimension, value]) => `${dimension.replaceAll('_', ' ')} ${escapeMarkdown(value)}`)
    .join(', ') || 'all';
