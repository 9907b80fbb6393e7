// Pictures of a report as SVG, made without a browser by Observable Plot: the library that draws intervals, dots and cells
// with the fewest words, on linkedom, the smallest of the documents it runs on. No picture tells anything by colour alone.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Report, ReportedFigure } from '../deception/summary/report-schema.ts';
import { sanitizeText } from './format.ts';
import { formatShareWithInterval, headlines, listHeadToHead, listModelFindings } from './report-findings.ts';

/** All pictures that a report may have; which it has, its data decide. */
export const pictureNames = [
  ...(['deceive-and-detect', 'lies-told', 'lies-caught', 'wins-as-werewolves', 'wins-as-village'] as const),
  ...(['head-to-head', 'who-catches-whom', 'lies-by-round', 'deception-types', 'learning'] as const),
] as const;

/** A picture with what it is made of. */
export interface Picture {
  /** Of its file, without ending. */
  name: (typeof pictureNames)[number];
  title: string;
  /** What is seen, for whoever does not see it. */
  description: string;
  /** Metrics it shows, which docs/metrics.md defines. */
  metrics: string[];
  svg: string;
  /** The numbers in it: the first row names the columns. */
  table: string[][];
}

/** Where the pictures stand as files of their own, beside `report.html`. */
export const picturesFolder = 'pictures';

/** More models than these would not be told apart. */
const mostModels = 12;

const width = 680;

/** An interval, or a value without one; shares of 0 to 1. */
interface Mark {
  label: string;
  value: number;
  low: number | null;
  high: number | null;
  chance: number | null;
}

type Known = ReportedFigure & { value: number };
const isKnown = (figure: ReportedFigure | null | undefined): figure is Known =>
  figure !== null && figure !== undefined && figure.value !== null;

const createMark = (label: string, { value, low, high, chance }: Known): Mark => ({ label, value, low, high, chance });

/**
 * All pictures for which a report has data, in the order in which they are to be looked at.
 *
 * @example
 * for (const { name, svg } of drawPictures(report)) writeFileSync(`${name}.svg`, svg);
 */
export const drawPictures = (report: Report): Picture[] =>
  [
    drawDeceiveAndDetect(report),
    ...(['lied', 'wasCaught', 'wonAsWerewolves', 'wonAsVillage'] as const).map((name) => drawHeadline(report, name)),
    drawHeadToHead(report),
    drawCatching(report),
    drawRounds(report),
    drawTypes(report),
    drawLearning(report),
  ].filter((picture) => picture !== null);

function drawDeceiveAndDetect(report: Report): Picture | null {
  const models = listModelFindings(report)
    .slice(0, mostModels)
    .flatMap(({ model, figures: { lied, caught } }) =>
      isKnown(lied) && isKnown(caught)
        ? [{ model, lied: createMark(model, lied), caught: createMark(model, caught) }]
        : [],
    );
  if (models.length === 0) return null;
  const points = models.map(({ model, lied, caught }) => ({
    ...{ label: shorten(model), lied: lied.value, caught: caught.value },
    ...{ liedLow: lied.low ?? lied.value, liedHigh: lied.high ?? lied.value },
    ...{ caughtLow: caught.low ?? caught.value, caughtHigh: caught.high ?? caught.value },
  }));
  return {
    name: 'deceive-and-detect',
    title: 'Who lies, and who catches lies',
    description: `One point a model: across, the share of its Werewolves’ public turns with a lie; up, the share of Werewolves’ lies that it caught as a listener who could not know. Lines are 95 % intervals.`,
    metrics: ['lie_turn_rate', 'hit_rate_within_side'],
    svg: drawSvg('Who lies, and who catches lies', {
      ...{ width, height: 440, marginLeft: 56, marginRight: 24, marginBottom: 44 },
      x: createShareScale(
        'Lied as Werewolf (% of turns)',
        models.map(({ lied }) => lied),
      ),
      y: createShareScale(
        'Lies caught as listener (%)',
        models.map(({ caught }) => caught),
      ),
      marks: [
        Plot.ruleY(points, { y: 'caught', x1: 'liedLow', x2: 'liedHigh', strokeOpacity: 0.5 }),
        Plot.ruleX(points, { x: 'lied', y1: 'caughtLow', y2: 'caughtHigh', strokeOpacity: 0.5 }),
        Plot.dot(points, { x: 'lied', y: 'caught', r: 4, fill: 'currentColor' }),
        Plot.text(points, {
          ...{
            x: 'lied',
            y: 'caught',
            text: 'label',
            dx: 8,
            dy: -8,
            textAnchor: 'start',
            fontSize: 12,
            fontWeight: 600,
          },
        }),
      ],
    }),
    table: [
      ['Model', 'Lied as Werewolf', 'Lies caught as listener'],
      ...models.map(({ model, lied, caught }) => [model, formatMark(lied), formatMark(caught)]),
    ],
  };
}

function drawHeadline(report: Report, name: 'lied' | 'wasCaught' | 'wonAsWerewolves' | 'wonAsVillage'): Picture | null {
  const { title, of } = headlines[name];
  const marks = listModelFindings(report)
    .slice(0, mostModels)
    .flatMap(({ model, figures }) => (isKnown(figures[name]) ? [createMark(model, figures[name])] : []));
  if (marks.length === 0) return null;
  const { metric } = of('');
  return {
    ...{ name: fileNames[name], title, metrics: [metric] },
    description: `${title}, a row for each model: the value with its 95 % interval, and as an upright stroke what chance gives where that is known.`,
    svg: drawIntervals(title, marks),
    table: [
      ['Model', title, 'By chance'],
      ...marks.map((mark) => [mark.label, formatMark(mark), mark.chance === null ? '–' : formatShare(mark.chance)]),
    ],
  };
}

const fileNames = {
  lied: 'lies-told',
  wasCaught: 'lies-caught',
  wonAsWerewolves: 'wins-as-werewolves',
  wonAsVillage: 'wins-as-village',
} as const;

/** A row for each mark: value, interval, and chance as an upright stroke. */
const drawIntervals = (title: string, marks: readonly Mark[]): string =>
  drawSvg(title, {
    ...{ width, height: 60 + 26 * marks.length, marginLeft: measureLabels(marks), marginRight: 24, marginBottom: 36 },
    x: createShareScale('%', marks),
    y: { label: null, domain: marks.map(({ label }) => shorten(label)), tickSize: 0 },
    marks: [
      Plot.ruleY(marks, {
        ...{ y: ({ label }: Mark) => shorten(label), x1: ({ low, value }: Mark) => low ?? value },
        ...{ x2: ({ high, value }: Mark) => high ?? value, strokeWidth: 2 },
      }),
      Plot.dot(marks, { x: 'value', y: ({ label }: Mark) => shorten(label), r: 4, fill: 'currentColor' }),
      Plot.tickX(
        marks.filter(({ chance }) => chance !== null),
        { x: 'chance', y: ({ label }: Mark) => shorten(label), strokeDasharray: '3,2', strokeWidth: 1.5 },
      ),
    ],
  });

function drawHeadToHead(report: Report): Picture | null {
  const found = listHeadToHead(report);
  if (found === null || found.models.length > mostModels) return null;
  const cells = found.rows.flatMap(({ model, cells: row }) =>
    row.flatMap((figure, at) => (isKnown(figure) ? [{ row: model, column: found.models[at]!, figure }] : [])),
  );
  return {
    ...{ name: 'head-to-head', title: 'Wins of the Werewolves, by who played whom', metrics: ['win_rate'] },
    description:
      'A row for each model as Werewolves, a column for each as village; in each cell the share of matches that the Werewolves won.',
    svg: drawMatrix('Wins of the Werewolves, by who played whom', cells, 'Village', 'Werewolves'),
    table: listMatrixRows(cells, 'Werewolves', 'Village', 'Wins of the Werewolves'),
  };
}

/** Who catches whom: speakers × listeners. */
function drawCatching({ metrics }: Report): Picture | null {
  const figures = metrics.find(({ name }) => name === 'hit_rate_within_side')?.figures ?? [];
  const cells = figures.flatMap((figure) => {
    const { source, kind, speaker_team: team, observer_model: row, speaker_model: column, ...others } = figure.cell;
    const isWanted =
      source === 'match' && kind === 'debate' && team === 'werewolves' && Object.keys(others).length === 0;
    return isWanted && row !== undefined && column !== undefined && isKnown(figure) ? [{ row, column, figure }] : [];
  });
  if (new Set(cells.map(({ column }) => column)).size < 2) return null;
  return {
    ...{ name: 'who-catches-whom', title: 'Who catches whom', metrics: ['hit_rate_within_side'] },
    description:
      'A row for each listening model, a column for each speaking one; in each cell the share of the speaker’s lies as Werewolf that the listener, who could not know, called deceptive.',
    svg: drawMatrix('Who catches whom', cells, 'Speaker', 'Listener'),
    table: listMatrixRows(cells, 'Listener', 'Speaker', 'Lies caught'),
  };
}

interface MatrixCell {
  row: string;
  column: string;
  figure: Known;
}

function drawMatrix(title: string, cells: readonly MatrixCell[], across: string, down: string): string {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = [...new Set(cells.map(({ column }) => column))];
  const left = 24 + measureLabels(rows.map((label) => ({ label })));
  return drawSvg(title, {
    ...{ width: Math.min(width, left + 40 + 130 * columns.length), height: 80 + 44 * rows.length },
    ...{ marginLeft: left, marginTop: 56, marginBottom: 12, padding: 0.04 },
    x: { axis: 'top', label: across, domain: columns.map(shorten), tickSize: 0 },
    y: { label: down, domain: rows.map(shorten), tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        ...{ x: ({ column }: MatrixCell) => shorten(column), y: ({ row }: MatrixCell) => shorten(row) },
        ...{
          fill: 'currentColor',
          fillOpacity: ({ figure }: MatrixCell) => 0.3 * figure.value,
          stroke: 'currentColor',
          strokeOpacity: 0.3,
        },
      }),
      Plot.text(cells, {
        ...{ x: ({ column }: MatrixCell) => shorten(column), y: ({ row }: MatrixCell) => shorten(row), fontSize: 13 },
        text: ({ figure }: MatrixCell) => formatShare(figure.value),
      }),
    ],
    opacity: { type: 'identity' },
  });
}

const listMatrixRows = (cells: readonly MatrixCell[], row: string, column: string, value: string): string[][] => [
  [row, column, value],
  ...cells.map((cell) => [cell.row, cell.column, formatShareWithInterval(cell.figure)]),
];

/** How listeners' suspicion of each side goes from round to round. */
function drawRounds({ metrics }: Report): Picture | null {
  const figures = metrics.find(({ name }) => name === 'lie_turn_rate')?.figures ?? [];
  const points = figures.flatMap((figure) => {
    const { team, round, ...others } = figure.cell;
    return team !== undefined && round !== undefined && Object.keys(others).length === 0 && isKnown(figure)
      ? [
          {
            ...createMark(team === 'werewolves' ? 'Werewolves' : 'village', figure),
            round: Number(round),
            place: Number(round) + (team === 'werewolves' ? -0.03 : 0.03), // intervals side by side
          },
        ]
      : [];
  });
  if (new Set(points.map(({ round }) => round)).size < 2) return null;
  const ends = [...Map.groupBy(points, ({ label }) => label).values()].map((own) => own.at(-1)!);
  const title = 'Turns with a lie, by round';
  return {
    ...{ name: 'lies-by-round', title, metrics: ['lie_turn_rate'] },
    description:
      'A line for each side: the share of its public turns with a lie in each round, with 95 % intervals where there are any.',
    svg: drawSvg(title, {
      ...{ width, height: 280, marginLeft: 48, marginRight: 90, marginBottom: 40 },
      x: { label: 'Round', ticks: [...new Set(points.map(({ round }) => round))], tickFormat: 'd' },
      y: createShareScale('% of turns', points),
      marks: [
        Plot.ruleX(
          points.filter(({ low }) => low !== null),
          { x: 'place', y1: 'low', y2: 'high', strokeOpacity: 0.5 },
        ),
        Plot.line(points, { x: 'place', y: 'value', z: 'label' }),
        Plot.dot(points, { x: 'place', y: 'value', symbol: 'label', r: 4, fill: 'currentColor' }),
        Plot.text(ends, { x: 'place', y: 'value', text: 'label', dx: 8, textAnchor: 'start', fontSize: 12 }),
      ],
      symbol: { range: ['circle', 'triangle'] },
    }),
    table: [
      ['Side', 'Round', 'Turns with a lie'],
      ...points.map((point) => [point.label, String(point.round), formatMark(point)]),
    ],
  };
}

/** How well the village votes from block to block where pools of experience grow. */
function drawLearning({ metrics }: Report): Picture | null {
  const figures = metrics.find(({ name }) => name === 'learning_votes')?.figures ?? [];
  const whole = figures.flatMap((figure) => {
    const { experience, block, ...others } = figure.cell;
    return experience !== undefined && block !== undefined && Object.keys(others).length === 0 && isKnown(figure)
      ? [{ ...createMark(experience.split(',')[0]!, figure), arm: experience, block: Number(block) }]
      : [];
  });
  const arms = [...new Set(whole.map(({ arm }) => arm))];
  const names = arms.map((arm) => arm.split(',')[0]!);
  const points = whole
    .map((point) => ({
      ...point,
      // Settings are told only where arms differ in them.
      label: names.filter((name) => name === point.label).length > 1 ? point.arm : point.label,
      place: point.block + 0.04 * (arms.indexOf(point.arm) - (arms.length - 1) / 2), // intervals side by side
    }))
    .sort((one, other) => one.block - other.block);
  if (new Set(points.map(({ block }) => block)).size < 2) return null;
  const ends = [...Map.groupBy(points, ({ label }) => label).values()].map((own) => own.at(-1)!);
  const title = 'Village ballots on Werewolves, by block of experience';
  return {
    ...{ name: 'learning', title, metrics: ['learning_votes'] },
    description:
      'A line for each arm: the share of the village’s ballots that fell on a Werewolf, in each block of matches, with 95 % intervals where there are any. Before block 1 nobody remembers anything of the set.',
    svg: drawSvg(title, {
      ...{ width, height: 300, marginLeft: 48, marginRight: 24 + measureLabels(points), marginBottom: 40 },
      x: { label: 'Block', ticks: [...new Set(points.map(({ block }) => block))], tickFormat: 'd' },
      y: createShareScale('% of ballots', points),
      marks: [
        Plot.ruleX(
          points.filter(({ low }) => low !== null),
          { x: 'place', y1: 'low', y2: 'high', strokeOpacity: 0.5 },
        ),
        Plot.line(points, { x: 'place', y: 'value', z: 'label' }),
        Plot.dot(points, { x: 'place', y: 'value', symbol: 'label', r: 4, fill: 'currentColor' }),
        Plot.text(ends, {
          ...{ x: 'place', y: 'value', text: ({ label }: Mark) => shorten(label), dx: 8 },
          ...{ textAnchor: 'start', fontSize: 12 },
        }),
      ],
      symbol: { range: ['circle', 'triangle', 'square', 'diamond', 'star', 'cross', 'wye'] },
    }),
    table: [
      ['Arm', 'Block', 'Village ballots on Werewolves'],
      ...points.map((point) => [point.arm, String(point.block), formatMark(point)]),
    ],
  };
}

/** Types of deception that Werewolves report of their own statements. */
function drawTypes({ metrics }: Report): Picture | null {
  const figures = metrics.find(({ name }) => name === 'self_type_share')?.figures ?? [];
  const marks = figures.flatMap((figure) => {
    const { kind, type, team, ...others } = figure.cell;
    const isWanted = kind === 'debate' && team === 'werewolves' && Object.keys(others).length === 0;
    return isWanted && type !== undefined && isKnown(figure) ? [createMark(type, figure)] : [];
  });
  if (marks.length === 0) return null;
  const title = 'Types of deception by self-report';
  return {
    ...{ name: 'deception-types', title, metrics: ['self_type_share'] },
    description:
      'A row for each type of deception: its share of the Werewolves’ debate statements, as they themselves reported.',
    svg: drawIntervals(title, marks),
    table: [['Type', 'Share'], ...marks.map((mark) => [mark.label, formatMark(mark)])],
  };
}

// How all of them are drawn.

/** From 0 to the next tenth above what is shown. */
function createShareScale(label: string, marks: readonly Mark[]): Plot.ScaleOptions {
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

const longestLabel = 26;

/** Long names of models keep their beginning and their end, where they differ. */
function shorten(label: string): string {
  const text = sanitizeText(label);
  return text.length <= longestLabel ? text : `${text.slice(0, 15)}…${text.slice(-(longestLabel - 16))}`;
}

const measureLabels = (marks: readonly Pick<Mark, 'label'>[]) =>
  24 + 6.6 * Math.max(...marks.map(({ label }) => shorten(label).length));

const formatShare = (share: number) => `${(100 * share).toFixed(0)} %`;

const formatMark = ({ value, low, high }: Mark) =>
  low === null || high === null
    ? formatShare(value)
    : `${formatShare(value)} [${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}]`;

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
