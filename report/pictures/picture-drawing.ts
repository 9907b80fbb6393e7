// Draws pictures as SVG without a browser. Observable Plot draws them on linkedom, the smallest document implementation
// on which Plot runs. No picture depends on color alone.
import { roundOutward } from '../../deception/statistics/round-outward.ts';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { ReportedFigure } from '../../deception/summary/report-schema.ts';
import { formatPercent, incomparableMark, narrowIntervalMark } from '../format.ts';
import { formatShareWithInterval } from '../report-findings.ts';
import { type ShortenName, truncateNames } from '../short-names.ts';

/** A picture with its data. */
export interface Picture<Name extends string = string> {
  /** Name of the picture's file, without extension. */
  name: Name;
  title: string;
  /** Text alternative of the picture, e.g. for screen readers. */
  description: string;
  /** Metrics that the picture shows, defined in docs/reference/metrics.md. */
  metrics: string[];
  svg: string;
  /** Table of the picture's numbers, as readers see them. The first row names the columns. */
  table: string[][];
  /** Unrounded numbers of the table. */
  data: PictureRow[];
}

/** Column → value; null if missing. */
export type PictureRow = Readonly<Record<string, string | number | boolean | null>>;

/** Maximum number of models in a picture, because more could not be distinguished. */
export const maxModels = 12;

export const pictureWidth = 560;

/** A value to draw, with its interval and its limitations. */
export interface Mark {
  /** Full name. Marks with the same label form one row. */
  label: string;
  value: number;
  low: number | null;
  high: number | null;
  chance: number | null;
  /** Reason why there is no interval, as in a report's figure. Absent if unknown. */
  reason?: ReportedFigure['reason'];
  covers?: number | null;
  comparable?: boolean;
}

export type KnownFigure = ReportedFigure & { value: number };

/** Returns whether the figure exists and has a value. */
export const isKnown = (figure: ReportedFigure | null | undefined): figure is KnownFigure =>
  figure !== null && figure !== undefined && figure.value !== null;

export const createMark = (
  label: string,
  { value, low, high, chance, reason, covers, comparable }: KnownFigure,
): Mark => ({ ...{ label, value, low, high, chance, reason, covers, comparable } });

/** Lists the columns of a mark in `data`. */
export const listMarkColumns = ({ value, low, high, chance, reason, covers, comparable }: Mark) => ({
  ...{ value, low, high, chance, reason: reason ?? null, covers: covers ?? null, comparable: comparable ?? null },
});

const isIncomparable = (marks: readonly Mark[]) => marks.some(({ comparable }) => comparable === false);
const hasInterval = ({ low, high }: Mark) => low !== null && high !== null;
const isNarrow = (mark: Mark) => hasInterval(mark) && mark.covers !== null && mark.covers !== undefined;

const isOfComparing = (sign: string) => sign.startsWith(incomparableMark);

/**
 * Lists the explanations of a picture's signs. They are part of the picture, because a picture may be shown without its
 * page.
 */
const listSigns = (marks: readonly Mark[]): string[] => [
  ...(isIncomparable(marks)
    ? [`${incomparableMark} Based on claims that no single judge extracted: do not compare models.`]
    : []),
  ...(marks.every(hasInterval)
    ? []
    : ['Hollow: no interval, mostly because of too few matches; the value may be far off.']),
  ...(marks.some(isNarrow)
    ? [
        `${narrowIntervalMark} The interval is too narrow: with so few matches it covers the true value in less than 93 % of studies.`,
      ]
    : []),
];

/**
 * Creates a picture of `marks`. Its title and description state the limits of the marks, e.g. † if the marks cannot be
 * compared between models. `draw`: draws the SVG under the given title.
 */
export function createPicture<Name extends string>({
  marks,
  draw,
  ...picture
}: Omit<Picture<Name>, 'svg'> & { marks: readonly Mark[]; draw: (title: string) => string }): Picture<Name> {
  const title = isIncomparable(marks) ? `${picture.title} ${incomparableMark}` : picture.title;
  return {
    ...picture,
    title,
    description: [picture.description, ...listSigns(marks).filter(isOfComparing)].join(' '),
    svg: draw(title),
  };
}

/**
 * Draws a row for each mark: its value, its interval, and chance as a vertical stroke. The value is hollow if it has no
 * interval.
 */
export function drawIntervals(
  title: string,
  marks: readonly Mark[],
  scale: Plot.ScaleOptions = createShareScale('%', marks),
  shorten: ShortenName = truncateNames(marks.map(({ label }) => label)),
): string {
  const labels = [...new Set(marks.map(({ label }) => label))];
  const lines = Math.max(...labels.map((label) => shorten(label).split('\n').length));
  return drawSvg(
    title,
    {
      ...{ width: pictureWidth, height: 60 + (12 + 14 * lines) * labels.length },
      ...{ marginLeft: measureNames(labels.map(shorten)), marginRight: 24, marginBottom: 36 },
      x: scale,
      y: { label: null, type: 'band', domain: labels, tickFormat: shorten, tickSize: 0 },
      marks: [
        Plot.ruleY(marks.filter(hasInterval), { y: 'label', x1: 'low', x2: 'high', strokeWidth: 2 }),
        ...drawDots(marks, { x: 'value', y: 'label' }),
        ...drawNarrowIntervalMarks(marks, { x: 'high', y: 'label', dx: 7 }),
        Plot.tickX(
          marks.filter(({ chance }) => chance !== null),
          { x: 'chance', y: 'label', strokeDasharray: '3,2', strokeWidth: 1.5 },
        ),
      ],
    },
    marks,
  );
}

/** Draws dots. A dot without an interval is hollow, so that its value does not look exact. */
export const drawDots = <Place extends Mark>(
  marks: readonly Place[],
  channels: Pick<Plot.DotOptions, 'x' | 'y' | 'symbol' | 'fx' | 'fy'>,
) => [
  Plot.dot(marks.filter(hasInterval), { ...channels, r: 4, fill: 'currentColor' }),
  Plot.dot(
    marks.filter((mark) => !hasInterval(mark)),
    { ...channels, r: 4, stroke: 'currentColor', fill: 'var(--paper, Canvas)' },
  ),
];

/** Draws ‡ beside intervals that are too narrow. */
export const drawNarrowIntervalMarks = (
  marks: readonly Mark[],
  place: Pick<Plot.TextOptions, 'x' | 'y' | 'dx' | 'dy'>,
) => [Plot.text(marks.filter(isNarrow), { ...place, text: () => narrowIntervalMark, fontSize: 12 })];

/** A point of a line: `at` is horizontal, the value vertical. */
export interface LinePoint extends Mark {
  at: number;
}

/**
 * Draws a line for each label. Lines are shifted slightly, so that their intervals do not overlap. A known chance
 * baseline is dashed. `more`: marks drawn on top.
 *
 * @example drawLines('Statements with a lie, by round', points, { across: 'Round', up: createShareScale('% of statements', points) })
 */
export function drawLines(
  title: string,
  points: readonly LinePoint[],
  {
    across,
    up,
    shorten,
    more = [],
  }: { across: string; up: Plot.ScaleOptions; shorten?: ShortenName; more?: readonly Plot.Markish[] },
): string {
  const labels = [...new Set(points.map(({ label }) => label))];
  const nameShort = shorten ?? truncateNames(labels);
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
  return drawSvg(
    title,
    {
      ...{ width: pictureWidth, height: 300, marginLeft: 48, marginBottom: 40 },
      marginRight: 24 + measureNames(labels.map(nameShort)),
      x: { label: across, ticks: listTicks(points), tickFormat: 'd', labelArrow: 'none' },
      y: up,
      marks: [
        Plot.line(
          placed.filter(({ chance }) => chance !== null),
          { x: 'at', y: 'chance', z: 'label', strokeDasharray: '3,3', strokeOpacity: 0.6 },
        ),
        Plot.ruleX(placed.filter(hasInterval), { x: 'place', y1: 'low', y2: 'high', strokeOpacity: 0.5 }),
        Plot.line(placed, { ...place, z: 'label' }),
        ...drawDots(placed, { ...place, symbol: 'label' }),
        ...drawNarrowIntervalMarks(placed, { x: 'place', y: 'high', dy: -8 }),
        ...more,
        Plot.text(ends, {
          ...{ x: 'place', y: 'height', text: ({ label }: Mark) => nameShort(label), dx: 8 },
          ...{ textAnchor: 'start', fontSize: 12, fill: 'currentColor' },
          ...{ stroke: 'var(--paper, Canvas)', strokeWidth: 4 }, // legible over lines
        }),
      ],
      symbol: { domain: labels, range: lineSymbols },
    },
    points,
  );
}

/** Symbols that distinguish lines, in addition to the labels at the ends of the lines. */
const lineSymbols = ['circle', 'triangle', 'square', 'diamond', 'star', 'cross', 'wye'] as const;

/** Lists at most a dozen ticks for numbers on the horizontal axis. */
function listTicks(points: readonly LinePoint[]): number[] {
  const all = [...new Set(points.map(({ at }) => at))].sort((one, other) => one - other);
  const step = Math.ceil(all.length / 12);
  return all.filter((_, place) => place % step === 0);
}

/** Separates labels at the ends of lines, so that none covers another. A label needs a sixteenth of the height. */
function spreadLabels<Point extends Mark>(points: readonly Point[], [least, most]: readonly [number, number]) {
  const apart = (most - least) / 16;
  const sorted = [...points].sort((one, other) => one.value - other.value);
  const heights: number[] = [];
  for (const { value } of sorted) heights.push(Math.max(value, (heights.at(-1) ?? -Infinity) + apart));
  const over = Math.max(0, (heights.at(-1) ?? 0) - most);
  return sorted.map((point, place) => ({ ...point, height: heights[place]! - over }));
}

/** Creates a scale from 0 to the next tenth above the largest value. */
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

/** Creates a scale from 0, or from the smallest value if that is negative, to the largest value. */
export function createScale(label: string, marks: readonly Mark[]): Plot.ScaleOptions {
  const values = marks.flatMap(({ value, low, high, chance }) => [value, low ?? value, high ?? value, chance ?? value]);
  const most = Math.max(...values);
  return {
    ...{ label, grid: true, labelArrow: 'none', ticks: 6, nice: true },
    domain: [Math.min(0, ...values), most === 0 ? 1 : most],
  };
}

/** Estimates the width, in pixels, that names next to a picture need, from their longest line. */
export const measureNames = (names: readonly string[]) =>
  24 + 6.6 * Math.max(0, ...names.flatMap((name) => name.split('\n')).map(({ length }) => length));

/** Formats a share, followed by its interval or by the reason why it has no interval. */
export const formatShareMark = (mark: Mark) =>
  mark.reason === undefined && !hasInterval(mark)
    ? `${formatPercent(mark.value)} (no interval)`
    : formatShareWithInterval({ reason: null, covers: null, ...mark });

const formatMarkBounds = (bounds: { low: number; high: number }) => {
  const { low, high } = roundOutward(bounds, 2);
  return `[${low.toFixed(2)}–${high.toFixed(2)}]`;
};

/** Formats a value that is not a share, followed by its interval or by the reason why it has no interval. */
export const formatNumber = (mark: Mark) =>
  hasInterval(mark)
    ? `${mark.value.toFixed(2)} ${formatMarkBounds({ low: mark.low!, high: mark.high! })}${isNarrow(mark) ? ` ${narrowIntervalMark}` : ''}`
    : `${mark.value.toFixed(2)} (no interval${mark.reason ? `: ${mark.reason}` : ''})`;

/**
 * Renders the picture as a file of its own. White replaces the page's background color, which other programs do not
 * know.
 *
 * @example writeFileSync('lies-told.svg', renderSvgFile(picture.svg));
 */
export const renderSvgFile = (svg: string): string => `${svg.replaceAll('var(--paper, Canvas)', 'white')}\n`;

/** Height, in pixels, of one row of the legend of symbols. */
const signHeight = 16;

interface SvgElement {
  outerHTML: string;
  querySelector(selector: string): { remove(): void } | null;
  querySelectorAll(selector: string): Iterable<SvgElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

/**
 * Draws the picture as one SVG element without a style sheet. The picture has the color of the text around it. Names of
 * models are plain text. A legend below the picture explains the symbols of `marks`.
 */
export function drawSvg(title: string, options: Plot.PlotOptions, marks: readonly Mark[] = []): string {
  const { document } = parseHTML('<html><body></body></html>') as unknown as { document: never }; // the type that Plot expects
  const signs = listSigns(marks);
  const { height = 400, marginBottom = 30, marginLeft = 40 } = options;
  const room = marginBottom + signHeight * signs.length;
  const told = signs.map((sign, place) =>
    Plot.text([sign], {
      ...{ frameAnchor: 'bottom-left', textAnchor: 'start', lineAnchor: 'bottom', fontSize: 11 },
      facet: 'super',
      ...{ dx: 4 - marginLeft, dy: marginBottom + signHeight * (place + 1) - 5 },
    }),
  );
  const svg = Plot.plot({
    ...{ ...options, document, ariaLabel: title },
    x: { labelOffset: marginBottom - 3, ...options.x }, // above the signs
    ...{ height: height + signHeight * signs.length, marginBottom: room, marks: [...(options.marks ?? []), ...told] },
  }) as unknown as SvgElement;
  svg.querySelector('style')?.remove(); // forbidden by a strict content security policy
  for (const one of [svg, ...svg.querySelectorAll('[style]')]) one.removeAttribute('style');
  for (const part of svg.querySelectorAll('g[aria-label]')) {
    part.setAttribute('class', part.getAttribute('aria-label') ?? ''); // a group may not have its own label
    part.removeAttribute('aria-label');
  }
  svg.removeAttribute('class');
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('font-size', '12');
  return svg.outerHTML;
}
