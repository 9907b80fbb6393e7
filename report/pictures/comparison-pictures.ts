// The pictures of a comparison: both arms' values side by side, and paired differences with intervals. There is one
// picture for each unit, because figures of different units share no axis.
import * as Plot from '@observablehq/plot';
import type { Comparison, Difference } from '../../deception/comparison/comparison-schema.ts';
import type { Metric } from '../../deception/metrics/metric.ts';
import { adjustmentNote, listFoundDifferences, listWithBeside, nameArms, nameEffect } from '../comparison-findings.ts';
import { formatCell, formatFigure, formatInterval, narrowIntervalMark } from '../format.ts';
import { escapeHtml } from '../html-page.ts';
import {
  createPicture,
  createScale,
  createShareScale,
  drawDots,
  drawNarrowIntervalMarks,
  drawSvg,
  type Mark,
  type Picture,
} from './picture-drawing.ts';
import { truncateNames } from '../short-names.ts';

/** Maximum number of rows in a picture. The tables have all. */
const mostRows = 24;

/** Names of all pictures that a comparison may have, depending on its data. */
export const comparisonPictureNames = Array.from({ length: 8 }, (_, place) => `differences-${place + 1}`);

type ComparedRow = Difference & { a: number; b: number; difference: number };

/**
 * Draws the pictures. Endpoints and headlines are included whether they are significant or not; then come other
 * significant differences, largest first.
 *
 * @example drawComparison(comparison, metrics)[0]?.svg
 */
export function drawComparison(comparison: Comparison, metrics: readonly Metric[]): Picture[] {
  const known = new Map(metrics.map((metric) => [metric.name, metric]));
  const chosen = listDrawnRows(comparison, metrics);
  const byUnit = [...Map.groupBy(chosen, ({ metric }) => nameUnit(known.get(metric)?.unit ?? ''))];
  return byUnit
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, comparisonPictureNames.length)
    .map(([unit, rows], place) => drawUnit(comparisonPictureNames[place]!, unit, rows, known));
}

/** Lists the rows to draw, with their companions, if both arms have a value. */
export const listDrawnRows = (comparison: Comparison, metrics: readonly Metric[]): ComparedRow[] =>
  [...new Set(listWithBeside(chooseRows(comparison), comparison, metrics))].filter(isDrawable);

const isDrawable = (row: Difference): row is ComparedRow => row.a !== null && row.b !== null && row.difference !== null;

/** Returns the name of the unit's axis. All shares have the same axis. */
const nameUnit = (unit: string) => (/^share\b/.test(unit) ? 'share' : unit);

/** Chooses the rows to draw, each once: endpoints and significant differences first, then all other headlines. */
function chooseRows(comparison: Comparison): Difference[] {
  const own = comparison.secondary.filter(({ joint }) => !joint);
  const headlines = own.filter(({ tier }) => tier === 'headline');
  return [...new Set([...comparison.primary, ...listFoundDifferences(comparison), ...headlines])];
}

function drawUnit(
  name: string,
  unit: string,
  rows: readonly ComparedRow[],
  known: ReadonlyMap<string, Metric>,
): Picture {
  const shown = rows.slice(0, mostRows).sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const [left, right, both] = nameArms(shown);
  const isShare = unit === 'share';
  const titles = shown.map((row) => describeFigure(row, known));
  const marks = shown.map(({ difference, low, high, covers }, place): Mark => ({
    ...{ label: String(place), value: difference, low, high, covers, chance: null },
  }));
  const more = rows.length > shown.length ? ` ${rows.length - shown.length} further rows are in the tables.` : '';
  return createPicture({
    marks,
    ...{ name, title: `${left} and ${right}, and how they differ: ${isShare ? 'shares' : unit}` },
    description: `Endpoints, headlines and significant differences, largest difference first. Left: the values of ${left} (above the line) and ${right} (below it). Right: ${both} over paired deals with its 95 % interval; the line at 0 means no difference. ${adjustmentNote}${more}`,
    metrics: [...new Set(shown.map(({ metric }) => metric))],
    draw: (title) => drawPanels(title, { shown, marks, titles, arms: [left, right, both], unit, isShare }),
    table: [
      ['Figure', 'Of', left, right, both, '95 % interval', 'p (adjusted)'],
      ...shown.map((row, place) => [
        ...[titles[place]!.title, titles[place]!.of],
        ...[row.a, row.b, row.difference].map(formatFigure),
        row.low === null ? (row.reason ?? '–') : formatInterval(row),
        row.p_adjusted === null ? '–' : row.p_adjusted < 0.001 ? '< .001' : row.p_adjusted.toFixed(3),
      ]),
    ],
    data: shown.map(({ metric, part, a, b, difference, low, high, covers, reason, p_adjusted: adjusted }, place) => ({
      ...{ metric, of: titles[place]!.of, part: part?.name ?? null, a, b, difference, low, high, covers, reason },
      p_adjusted: adjusted,
    })),
  });
}

function describeFigure({ metric, of, part }: Difference, known: ReadonlyMap<string, Metric>) {
  const cell = formatCell(of, (text) => text);
  const whose = part === null ? [] : [`${nameEffect(part)}, ${part.models.join(' − ')}`];
  return { title: known.get(metric)?.title ?? metric, of: [cell, ...whose].join('; ') };
}

/** Maximum number of characters of a line beside the panels. */
const longestLine = 64;

/** Widths in pixels of row names, of the arms' values, and of their differences. */
const [nameWidth, armsWidth, differenceWidth] = [420, 380, 400];

interface Panels {
  shown: readonly ComparedRow[];
  marks: readonly Mark[];
  titles: readonly { title: string; of: string }[];
  arms: readonly [string, string, string];
  unit: string;
  isShare: boolean;
}

/** Draws the two panels in one picture. The panels share their rows, and each panel has an axis. */
function drawPanels(title: string, { shown, marks, titles, arms: [left, right, both], unit, isShare }: Panels): string {
  const labels = marks.map(({ label }) => label);
  // Shortens titles so that they remain distinct.
  const shortenTitle = truncateNames(
    titles.map((row) => row.title),
    longestLine,
  );
  const shortenOf = truncateNames(
    titles.map(({ of }) => of),
    longestLine,
  );
  const lines = titles.map((row) => ({ title: shortenTitle(row.title), of: shortenOf(row.of) }));
  const height = 64 + 36 * labels.length;
  const rows = { domain: labels, type: 'band', label: null, tickSize: 0 } as const;
  const sizes = { height, marginTop: 12, marginBottom: 44 };
  const points = shown.map(({ a, b }, place) => ({ label: String(place), a, b }));
  const ofArms = points.flatMap(({ label, a, b }) =>
    [a, b].map((value): Mark => ({ label, value, low: null, high: null, chance: null })),
  );
  const arms = drawSvg(title, {
    ...{ ...sizes, width: nameWidth + armsWidth, marginLeft: nameWidth, marginRight: 24 },
    x: isShare
      ? createShareScale(`${left} and ${right} (%)`, ofArms)
      : createScale(`${left} and ${right} (${unit})`, ofArms),
    y: { ...rows, axis: null },
    marks: [
      Plot.link(points, { x1: 'a', x2: 'b', y1: 'label', y2: 'label', strokeOpacity: 0.5 }),
      Plot.dot(points, { x: 'a', y: 'label', r: 2.5, fill: 'currentColor' }),
      Plot.dot(points, { x: 'b', y: 'label', r: 2.5, fill: 'currentColor' }),
      Plot.text(points, { x: 'a', y: 'label', text: () => left, dy: -9, fontSize: 11, fontWeight: 600 }),
      Plot.text(points, { x: 'b', y: 'label', text: () => right, dy: 10, fontSize: 11, fontWeight: 600 }),
      ...[{ line: 'title', dy: -7, fontSize: 12 } as const, { line: 'of', dy: 8, fontSize: 11 } as const].map(
        ({ line, dy, fontSize }) =>
          Plot.text(labels, {
            ...{ y: (label: string) => label, text: (label: string) => lines[Number(label)]![line] },
            ...{ frameAnchor: 'left', textAnchor: 'end', dx: -10, dy, fontSize },
          }),
      ),
    ],
  });
  const scale = createScale(isShare ? `${both} (percentage points)` : `${both} (${unit})`, marks);
  const differences = drawSvg(title, {
    ...{ ...sizes, width: differenceWidth, marginLeft: 20, marginRight: 24 },
    x: { ...scale, ...(isShare && { tickFormat: (share: number) => (100 * share).toFixed(0) }) },
    y: { ...rows, axis: null },
    marks: [
      Plot.ruleX([0], { strokeOpacity: 0.6 }),
      Plot.ruleY(
        marks.filter(({ low }) => low !== null),
        { y: 'label', x1: 'low', x2: 'high', strokeWidth: 2 },
      ),
      ...drawDots(marks, { x: 'value', y: 'label' }),
      ...drawNarrowIntervalMarks(marks, { x: 'high', y: 'label', dx: 7 }),
    ],
  });
  return placeBeside(title, arms, differences, {
    left: nameWidth + armsWidth,
    right: differenceWidth,
    height,
    signs: listNotes(marks),
  });
}

/** Lists the explanations of the signs, which are below the two panels. */
const listNotes = (marks: readonly Mark[]) => [
  ...(marks.some(({ low }) => low === null)
    ? ['Hollow: no interval, mostly because of too few deals; the value may be far off.']
    : []),
  ...(marks.some(({ low, covers }) => low !== null && covers)
    ? [
        `${narrowIntervalMark} The interval is too narrow: with so few deals it covers the true value in less than 93 % of studies.`,
      ]
    : []),
];

function placeBeside(
  title: string,
  one: string,
  other: string,
  { left, right, height, signs }: { left: number; right: number; height: number; signs: readonly string[] },
): string {
  const within = (svg: string, x: number) =>
    svg.replace('<svg ', `<svg x="${x}" `).replaceAll(/ (?:role|aria-label)="[^"]*"/g, '');
  const whole = height + signHeight * signs.length;
  const told = signs.map(
    (sign, place) => `<text x="4" y="${height + signHeight * (place + 1) - 5}">${escapeHtml(sign)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(title)}" width="${left + right}" height="${whole}" viewBox="0 0 ${left + right} ${whole}" fill="currentColor" font-family="system-ui, sans-serif" font-size="11">${within(one, 0)}${within(other, left)}${told.join('')}</svg>`;
}

/** Height, in pixels, of a line that explains a sign. */
const signHeight = 16;
