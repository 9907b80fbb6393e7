// How pictures are drawn: as SVG, without a browser, by Observable Plot, the library that draws intervals, dots and cells with
// the fewest words, on linkedom, the smallest of the documents it runs on. No picture tells anything by colour alone.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { ReportedFigure } from '../deception/summary/report-schema.ts';
import { sanitizeText } from './format.ts';

/** A picture with what it is made of. */
export interface Picture<Name extends string = string> {
  /** Of its file, without ending. */
  name: Name;
  title: string;
  /** What is seen, for whoever does not see it. */
  description: string;
  /** Metrics it shows, which docs/metrics.md defines. */
  metrics: string[];
  svg: string;
  /** The numbers in it as they are read: the first row names the columns. */
  table: string[][];
  /** The same, unrounded. */
  data: PictureRow[];
}

/** Column → what stands in it; null where it is missing. */
export type PictureRow = Readonly<Record<string, string | number | null>>;

/** More models than these would not be told apart. */
export const mostModels = 12;

export const pictureWidth = 680;

/** A value with its interval, if there is one. */
export interface Mark {
  label: string;
  value: number;
  low: number | null;
  high: number | null;
  chance: number | null;
}

export type KnownFigure = ReportedFigure & { value: number };

/** Whether the figure is there, and has a value. */
export const isKnown = (figure: ReportedFigure | null | undefined): figure is KnownFigure =>
  figure !== null && figure !== undefined && figure.value !== null;

export const createMark = (label: string, { value, low, high, chance }: KnownFigure): Mark => ({
  ...{ label, value, low, high, chance },
});

/** The columns of a mark in `data`. */
export const listMarkColumns = ({ value, low, high, chance }: Mark) => ({ value, low, high, chance });

/** A row for each mark: value, interval, and chance as an upright stroke. */
export const drawIntervals = (
  title: string,
  marks: readonly Mark[],
  scale: Plot.ScaleOptions = createShareScale('%', marks),
): string =>
  drawSvg(title, {
    ...{
      width: pictureWidth,
      height: 60 + 26 * marks.length,
      marginLeft: measureLabels(marks),
      marginRight: 24,
      marginBottom: 36,
    },
    x: scale,
    y: { label: null, domain: marks.map(({ label }) => truncateName(label)), tickSize: 0 },
    marks: [
      Plot.ruleY(marks, {
        ...{ y: ({ label }: Mark) => truncateName(label), x1: ({ low, value }: Mark) => low ?? value },
        ...{ x2: ({ high, value }: Mark) => high ?? value, strokeWidth: 2 },
      }),
      Plot.dot(marks, { x: 'value', y: ({ label }: Mark) => truncateName(label), r: 4, fill: 'currentColor' }),
      Plot.tickX(
        marks.filter(({ chance }) => chance !== null),
        { x: 'chance', y: ({ label }: Mark) => truncateName(label), strokeDasharray: '3,2', strokeWidth: 1.5 },
      ),
    ],
  });

/** A point of a line: `at` across, the value up. */
export interface LinePoint extends Mark {
  at: number;
}

/**
 * A line for each label, with the intervals of its points side by side and what chance gives as a dashed line where it is
 * known.
 *
 * @example drawLines('Turns with a lie, by round', points, { across: 'Round', up: createShareScale('% of turns', points) })
 */
export function drawLines(
  title: string,
  points: readonly LinePoint[],
  { across, up }: { across: string; up: Plot.ScaleOptions },
): string {
  const labels = [...new Set(points.map(({ label }) => label))];
  const reach = Math.max(...points.map(({ at }) => at)) - Math.min(...points.map(({ at }) => at));
  const placed = points.map((point) => ({
    ...point,
    place: point.at + 0.008 * reach * (labels.indexOf(point.label) - (labels.length - 1) / 2),
  }));
  const ends = spreadLabels(
    [...Map.groupBy(placed, ({ label }) => label).values()].map((own) => own.at(-1)!),
    up.domain as readonly [number, number],
  );
  const place = { x: 'place', y: 'value' } as const;
  return drawSvg(title, {
    ...{ width: pictureWidth, height: 300, marginLeft: 48, marginRight: 24 + measureLabels(points), marginBottom: 40 },
    x: { label: across, ticks: listTicks(points), tickFormat: 'd', labelArrow: 'none' },
    y: up,
    marks: [
      Plot.line(
        placed.filter(({ chance }) => chance !== null),
        { x: 'at', y: 'chance', z: 'label', strokeDasharray: '3,3', strokeOpacity: 0.6 },
      ),
      Plot.ruleX(
        placed.filter(({ low }) => low !== null),
        { x: 'place', y1: 'low', y2: 'high', strokeOpacity: 0.5 },
      ),
      Plot.line(placed, { ...place, z: 'label' }),
      Plot.dot(
        placed.filter(({ low }) => low !== null),
        { ...place, symbol: 'label', r: 4, fill: 'currentColor' },
      ),
      Plot.dot(
        placed.filter(({ low }) => low === null),
        { ...place, symbol: 'label', r: 3, stroke: 'currentColor', fill: 'var(--paper, Canvas)' },
      ),
      Plot.text(ends, {
        ...{ x: 'place', y: 'height', text: ({ label }: Mark) => truncateName(label), dx: 8 },
        ...{ textAnchor: 'start', fontSize: 12, fill: 'currentColor' },
        ...{ stroke: 'var(--paper, Canvas)', strokeWidth: 4 }, // legible over lines
      }),
    ],
    symbol: { domain: labels, range: lineSymbols },
  });
}

/** Of lines, which are told apart by more than where they end. */
export const lineSymbols = ['circle', 'triangle', 'square', 'diamond', 'star', 'cross', 'wye'] as const;

/** Numbers across, not more than a dozen of them. */
function listTicks(points: readonly LinePoint[]): number[] {
  const all = [...new Set(points.map(({ at }) => at))].sort((one, other) => one - other);
  const step = Math.ceil(all.length / 12);
  return all.filter((_, place) => place % step === 0);
}

/** Moves names at the ends of lines apart, so that none lies upon another: a name needs a sixteenth of the height. */
function spreadLabels<Point extends Mark>(points: readonly Point[], [least, most]: readonly [number, number]) {
  const apart = (most - least) / 16;
  const sorted = [...points].sort((one, other) => one.value - other.value);
  const heights: number[] = [];
  for (const { value } of sorted) heights.push(Math.max(value, (heights.at(-1) ?? -Infinity) + apart));
  const over = Math.max(0, (heights.at(-1) ?? 0) - most);
  return sorted.map((point, place) => ({ ...point, height: heights[place]! - over }));
}

/** From 0 to the next tenth above what is shown. */
export function createShareScale(label: string, marks: readonly Mark[]): Plot.ScaleOptions {
  const highest = Math.max(...marks.map(({ value, high, chance }) => Math.max(value, high ?? 0, chance ?? 0)));
  return {
    label,
    domain: [0, Math.min(1, Math.max(0.1, Math.ceil(10 * highest) / 10))],
    grid: true,
    tickFormat: (share: number) => (100 * share).toFixed(0),
    labelArrow: 'none',
    ticks: 6,
  };
}

/** From 0, or the least where that is lower, to the greatest of what is shown. */
export function createScale(label: string, marks: readonly Mark[]): Plot.ScaleOptions {
  const values = marks.flatMap(({ value, low, high, chance }) => [value, low ?? value, high ?? value, chance ?? value]);
  const most = Math.max(...values);
  return {
    ...{ label, grid: true, labelArrow: 'none', ticks: 6, nice: true },
    domain: [Math.min(0, ...values), most === 0 ? 1 : most],
  };
}

const longestLabel = 26;

/** Long names of models keep their beginning and their end, where they differ. */
export function truncateName(label: string): string {
  const text = sanitizeText(label);
  return text.length <= longestLabel ? text : `${text.slice(0, 15)}…${text.slice(-(longestLabel - 16))}`;
}

export const measureLabels = (marks: readonly Pick<Mark, 'label'>[]) =>
  24 + 6.6 * Math.max(...marks.map(({ label }) => truncateName(label).length));

export const formatShare = (share: number) => `${(100 * share).toFixed(0)} %`;

export const formatMark = ({ value, low, high }: Mark) =>
  low === null || high === null
    ? formatShare(value)
    : `${formatShare(value)} [${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}]`;

/** A value that is no share, with its interval. */
export const formatNumber = ({ value, low, high }: Mark) =>
  low === null || high === null ? value.toFixed(2) : `${value.toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`;

interface SvgElement {
  outerHTML: string;
  querySelector(selector: string): { remove(): void } | null;
  querySelectorAll(selector: string): Iterable<SvgElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

/**
 * The picture as one SVG element that needs no style sheet: it takes its colour from the text around it. Names of models
 * stand in it as text, whatever they are.
 */
export function drawSvg(title: string, options: Plot.PlotOptions): string {
  const { document } = parseHTML('<html><body></body></html>') as unknown as { document: never }; // as Plot wants it
  const svg = Plot.plot({ ...options, document, ariaLabel: title }) as unknown as SvgElement;
  svg.querySelector('style')?.remove(); // a strict policy of contents forbids it
  for (const one of [svg, ...svg.querySelectorAll('[style]')]) one.removeAttribute('style');
  for (const part of svg.querySelectorAll('g[aria-label]')) {
    part.setAttribute('class', part.getAttribute('aria-label') ?? ''); // a group may have no label of its own
    part.removeAttribute('aria-label');
  }
  svg.removeAttribute('class');
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('font-size', '12');
  return svg.outerHTML;
}
