// The pictures of a report, each with its numbers: who lies and who catches lies, wins, who catches whom, types, ratings.
// What goes over rounds, blocks and scores is in curve-pictures.ts, debates are in debate-pictures.ts.
import * as Plot from '@observablehq/plot';
import type { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { drawCalibration, drawLearning, drawLiesByRound, drawRoc, drawSuspicionByRound } from './curve-pictures.ts';
import { drawBidDensity, drawBids, drawBidShares, drawEntropy } from './debate-pictures.ts';
import { findLabelPlaces } from './label-placing.ts';
import {
  createMark,
  createPicture,
  createScale,
  createShareScale,
  drawDots,
  drawIntervals,
  drawNarrowIntervalMarks,
  drawSvg,
  formatShareMark,
  formatNumber,
  isKnown,
  type KnownFigure,
  listMarkColumns,
  type Mark,
  measureNames,
  maxModels,
  type Picture,
  pictureWidth,
} from './picture-drawing.ts';
import { formatPercent, narrowIntervalMark } from '../format.ts';
import { formatShareWithInterval, headlines, listHeadToHead, listModelFindings } from '../report-findings.ts';
import { type ShortenName, truncateNames } from '../short-names.ts';

/** All pictures that a report may have; which it has, its data decide. */
export const pictureNames = [
  ...(['deceive-and-detect', 'lies-told', 'lies-caught', 'wins-as-werewolves', 'wins-as-village', 'ratings'] as const),
  ...(['head-to-head', 'who-catches-whom', 'lies-by-round', 'suspicion-by-round', 'deception-types'] as const),
  ...(['roc', 'calibration-of-suspicion', 'calibration-of-beliefs'] as const),
  ...(['bids', 'bid-shares', 'bid-shares-mentioned', 'bid-density', 'turns', 'voting-entropy', 'learning'] as const),
] as const;

type ReportPicture = Picture<(typeof pictureNames)[number]>;

export { picturesFolder } from './picture-html.ts';

/**
 * All pictures for which a report, and the leaderboard of its matches if there is one, have data, in the order in which they
 * are to be looked at.
 *
 * @example
 * for (const { name, svg } of drawPictures(report)) writeFileSync(`${name}.svg`, svg);
 */
export function drawPictures(report: Report, leaderboard: Leaderboard | null = null): ReportPicture[] {
  const shorten = truncateNames(listNames(report, leaderboard)); // a model has one short name in all pictures
  return [
    drawDeceiveAndDetect(report, shorten),
    ...(['wonAsWerewolves', 'wonAsVillage'] as const).map((name) => drawHeadline(report, name, shorten)),
    drawHeadToHead(report, shorten),
    drawRatings(leaderboard, shorten),
    ...(['lied', 'wasCaught'] as const).map((name) => drawHeadline(report, name, shorten)),
    drawCatching(report, shorten),
    drawLiesByRound(report),
    drawSuspicionByRound(report),
    drawTypes(report),
    drawRoc(report, shorten),
    drawCalibration(report, 'suspicion_roc_auc', shorten),
    drawCalibration(report, 'belief_roc_auc', shorten),
    drawBids(report),
    drawBidShares(report, 'bid-shares'),
    drawBidShares(report, 'bid-shares-mentioned'),
    drawBidDensity(report, shorten),
    drawTurns(report, shorten),
    drawEntropy(report),
    drawLearning(report),
  ].filter((picture) => picture !== null);
}

/** The names of all models and entrants. */
function listNames({ metrics, curves }: Report, leaderboard: Leaderboard | null): string[] {
  const cells = [...metrics.flatMap(({ figures }) => figures), ...curves].map(({ cell }) => cell);
  const models = cells.flatMap((cell) =>
    Object.entries(cell).flatMap(([dimension, value]) => (isOfModels(dimension) ? [value] : [])),
  );
  return [...models, ...(leaderboard?.ratings ?? []).flatMap(({ entrants }) => entrants.map(({ entrant }) => entrant))];
}

const isOfModels = (dimension: string) => /^(?:model|opponent|(?:speaker|observer)_model)$/.test(dimension);

function drawDeceiveAndDetect(report: Report, shorten: ShortenName): ReportPicture | null {
  const models = listModelFindings(report)
    .slice(0, maxModels)
    .flatMap(({ model, figures: { lied, caught } }) =>
      isKnown(lied) && isKnown(caught)
        ? [{ model, lied: createMark(model, lied), caught: createMark(model, caught) }]
        : [],
    );
  if (models.length === 0) return null;
  const marks = models.flatMap(({ lied, caught }) => [lied, caught]);
  return createPicture({
    marks,
    ...{ name: 'deceive-and-detect', title: 'Who lies, and who catches lies' },
    description: `One point a model: across, the share of its Werewolves’ public turns with a lie; up, the share of Werewolves’ lies that it caught as a listener who could not know. Lines are 95 % intervals.`,
    metrics: ['lie_turn_rate', 'hit_rate_within_side'],
    draw: (title) => drawPlane(title, models, marks, shorten),
    table: [
      ['Model', 'Lied as Werewolf', 'Lies caught as listener'],
      ...models.map(({ model, lied, caught }) => [model, formatShareMark(lied), formatShareMark(caught)]),
    ],
    data: models.map(({ model, lied, caught }) => ({
      model,
      ...prefixColumns('lied', listMarkColumns(lied)),
      ...prefixColumns('caught', listMarkColumns(caught)),
    })),
  });
}

/** What is of one of two figures: `lied`, `lied_low` and so on. */
const prefixColumns = (
  prefix: string,
  { value, low, high, reason, covers, comparable }: ReturnType<typeof listMarkColumns>,
) => ({
  ...{ [prefix]: value, [`${prefix}_low`]: low, [`${prefix}_high`]: high },
  ...{ [`${prefix}_reason`]: reason, [`${prefix}_covers`]: covers, [`${prefix}_comparable`]: comparable },
});

/** A point for each model, with the intervals of both its figures, and its name where there is room for it. */
function drawPlane(
  title: string,
  models: readonly { model: string; lied: Mark; caught: Mark }[],
  marks: readonly Mark[],
  shorten: ShortenName,
): string {
  const [width, height, left, right, top, bottom] = [pictureWidth, 420, 56, 24, 30, 44];
  const x = createShareScale(
    'Lied as Werewolf (% of turns)',
    models.map(({ lied }) => lied),
  );
  const y = createShareScale(
    'Lies caught as listener (%)',
    models.map(({ caught }) => caught),
  );
  const area = { left: left + 4, right: width - 4, top: top + 4, bottom: height - bottom - 4 };
  const points = models.map(({ model, lied, caught }) => ({
    ...{ label: model, value: caught.value, at: lied.value, chance: null, reason: null },
    // Full only where both are known to be near.
    low: lied.low === null ? null : caught.low,
    high: lied.low === null ? null : caught.high,
    covers: lied.covers ?? caught.covers ?? null,
  }));
  const [mostAcross, mostUp] = [x, y].map(({ domain }) => [...domain!].at(-1) as number) as [number, number];
  const [inX, inY] = [(width - left - right) / mostAcross, (height - top - bottom) / mostUp];
  const names = findLabelPlaces(
    points.map(({ label, at, value }) => ({
      ...{ text: shorten(label), x: left + at * inX, y: height - bottom - value * inY },
    })),
    area,
  ).map(({ text, anchor, isFar, ...placed }) => ({
    ...{ text, anchor, isFar },
    ...{ at: (placed.x - left) / inX, up: (height - bottom - placed.y) / inY },
    ...{ nameAt: (placed.labelX - left) / inX, nameUp: (height - bottom - placed.labelY) / inY },
  }));
  const lies = models.map(({ lied, caught }) => ({ at: caught.value, low: lied.low, high: lied.high }));
  const hits = models.map(({ lied, caught }) => ({ at: lied.value, low: caught.low, high: caught.high }));
  const isBounded = ({ low }: { low: number | null }) => low !== null;
  return drawSvg(
    title,
    {
      ...{ width, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom },
      ...{ x, y },
      marks: [
        Plot.ruleY(lies.filter(isBounded), { y: 'at', x1: 'low', x2: 'high', strokeOpacity: 0.5 }),
        Plot.ruleX(hits.filter(isBounded), { x: 'at', y1: 'low', y2: 'high', strokeOpacity: 0.5 }),
        ...drawDots(points, { x: 'at', y: 'value' }),
        Plot.link(
          names.filter(({ isFar }) => isFar),
          { x1: 'at', y1: 'up', x2: 'nameAt', y2: 'nameUp', strokeOpacity: 0.5 },
        ),
        ...(['start', 'end'] as const).map((textAnchor) =>
          Plot.text(
            names.filter(({ anchor }) => anchor === textAnchor),
            {
              ...{ x: 'nameAt', y: 'nameUp', text: 'text', textAnchor, fontSize: 12, fontWeight: 600 },
              ...{ fill: 'currentColor', stroke: 'var(--paper, Canvas)', strokeWidth: 4 }, // legible over lines
            },
          ),
        ),
        ...drawNarrowIntervalMarks(points, { x: 'at', y: 'high', dx: 8 }),
      ],
    },
    marks,
  );
}

function drawHeadline(
  report: Report,
  name: 'lied' | 'wasCaught' | 'wonAsWerewolves' | 'wonAsVillage',
  shorten: ShortenName,
): ReportPicture | null {
  const { title, of } = headlines[name];
  const marks = listModelFindings(report)
    .slice(0, maxModels)
    .flatMap(({ model, figures }) => (isKnown(figures[name]) ? [createMark(model, figures[name])] : []));
  if (marks.length === 0) return null;
  const { metric } = of('');
  return createPicture({
    marks,
    ...{ name: fileNames[name], title, metrics: [metric] },
    description: `${title}, a row for each model: the value with its 95 % interval, and as an upright stroke what chance gives where that is known.`,
    draw: (marked) => drawIntervals(marked, marks, undefined, shorten),
    table: [
      ['Model', title, 'By chance'],
      ...marks.map((mark) => [
        mark.label,
        formatShareMark(mark),
        mark.chance === null ? '–' : formatPercent(mark.chance),
      ]),
    ],
    data: marks.map((mark) => ({ model: mark.label, ...listMarkColumns(mark) })),
  });
}

const fileNames = {
  lied: 'lies-told',
  wasCaught: 'lies-caught',
  wonAsWerewolves: 'wins-as-werewolves',
  wonAsVillage: 'wins-as-village',
} as const;

function drawHeadToHead(report: Report, shorten: ShortenName): ReportPicture | null {
  const found = listHeadToHead(report);
  if (found === null || found.models.length > maxModels) return null;
  const cells = found.rows.flatMap(({ model, cells: row }) =>
    row.flatMap((figure, at) => (isKnown(figure) ? [{ row: model, column: found.models[at]!, figure }] : [])),
  );
  return createPicture({
    marks: cells.map(({ figure }) => createMark('', figure)),
    ...{ name: 'head-to-head', title: 'Wins of the Werewolves, by who played whom', metrics: ['win_rate'] },
    description:
      'A row for each model as Werewolves, a column for each as village; in each cell the share of matches that the Werewolves won, and its 95 % interval.',
    draw: (title) => drawMatrix(title, cells, { across: 'Village', down: 'Werewolves', shorten }),
    table: listMatrixRows(cells, 'Werewolves', 'Village', 'Wins of the Werewolves'),
    data: listMatrixData(cells, 'werewolves', 'village'),
  });
}

/** How often the village won, by who played whom: a model against itself too. */
export function drawVillageWins(report: Report, shorten?: ShortenName): Picture<'village-wins'> | null {
  const figures = report.metrics.find(({ name }) => name === 'win_rate')?.figures ?? [];
  const cells = figures.flatMap((figure) => {
    const { team, model: row, opponent: column } = figure.cell;
    const isWanted = team === 'villagers' && row !== undefined && column !== undefined && isKnown(figure);
    return isWanted ? [{ row, column, figure }] : [];
  });
  const models = new Set(cells.flatMap(({ row, column }) => [row, column]));
  if (cells.length === 0 || models.size > maxModels) return null;
  return createPicture({
    marks: cells.map(({ figure }) => createMark('', figure)),
    ...{ name: 'village-wins', title: 'Wins of the village, by who played whom', metrics: ['win_rate'] },
    description:
      'A row for each model as village, a column for each as Werewolves; in each cell the share of matches that the village won, and its 95 % interval.',
    draw: (title) =>
      drawMatrix(title, cells, {
        across: 'Werewolves',
        down: 'Village',
        shorten: shorten ?? truncateNames([...models]),
      }),
    table: listMatrixRows(cells, 'Village', 'Werewolves', 'Wins of the village'),
    data: listMatrixData(cells, 'village', 'werewolves'),
  });
}

/** Who catches whom: speakers × listeners. */
function drawCatching({ metrics }: Report, shorten: ShortenName): ReportPicture | null {
  const figures = metrics.find(({ name }) => name === 'hit_rate_within_side')?.figures ?? [];
  const cells = figures.flatMap((figure) => {
    const { source, kind, speaker_team: team, observer_model: row, speaker_model: column, ...others } = figure.cell;
    const isWanted =
      source === 'match' && kind === 'debate' && team === 'werewolves' && Object.keys(others).length === 0;
    return isWanted && row !== undefined && column !== undefined && isKnown(figure) ? [{ row, column, figure }] : [];
  });
  if (new Set(cells.map(({ column }) => column)).size < 2) return null;
  return createPicture({
    marks: cells.map(({ figure }) => createMark('', figure)),
    ...{ name: 'who-catches-whom', title: 'Who catches whom', metrics: ['hit_rate_within_side'] },
    description:
      'A row for each listening model, a column for each speaking one; in each cell the share of the speaker’s lies as Werewolf that the listener, who could not know, called deceptive, and its 95 % interval.',
    draw: (title) => drawMatrix(title, cells, { across: 'Speaker', down: 'Listener', shorten }),
    table: listMatrixRows(cells, 'Listener', 'Speaker', 'Lies caught'),
    data: listMatrixData(cells, 'listener', 'speaker'),
  });
}

interface MatrixCell {
  row: string;
  column: string;
  figure: KnownFigure;
}

function drawMatrix(
  title: string,
  cells: readonly MatrixCell[],
  { across, down, shorten }: { across: string; down: string; shorten: ShortenName },
): string {
  const rows = [...new Set(cells.map(({ row }) => row))].sort();
  const columns = [...new Set(cells.map(({ column }) => column))].sort();
  const left = measureNames(rows.map(shorten));
  const head = measureNames(columns.map(shorten)) - 24;
  const cellWidth = Math.max(66, Math.min(120, (pictureWidth - left - 24) / columns.length));
  // Names that are wider than their column stand aslant, and reach over the edge of the last one.
  const isAslant = head > cellWidth - 6;
  const [top, right] = isAslant ? [64 + 0.5 * head, 24 + 0.8 * head] : [60, 24];
  return drawSvg(
    title,
    {
      ...{ width: left + right + cellWidth * columns.length, height: top + 12 + 44 * rows.length },
      ...{ marginLeft: left, marginRight: right, marginTop: top, marginBottom: 12, padding: 0.04 },
      x: { axis: null, domain: columns, type: 'band' },
      y: { axis: null, domain: rows, type: 'band' },
      marks: [
        Plot.axisX({
          ...{ anchor: 'top', tickSize: 0, tickFormat: shorten, labelAnchor: 'left', labelArrow: 'none' },
          ...{
            label: `${down} (down), ${across.toLowerCase()} (across)`,
            labelOffset: top - 12,
            ...(isAslant && { tickRotate: -30, textAnchor: 'start', lineAnchor: 'bottom' }),
          },
        }),
        Plot.axisY({ tickSize: 0, tickFormat: shorten, label: null }),
        Plot.cell(cells, {
          ...{ x: 'column', y: 'row', fill: 'currentColor', stroke: 'currentColor', strokeOpacity: 0.3 },
          fillOpacity: ({ figure }: MatrixCell) => 0.3 * figure.value,
        }),
        Plot.text(cells, {
          ...{ x: 'column', y: 'row', fontSize: 13, dy: -7 },
          text: ({ figure }: MatrixCell) => formatPercent(figure.value),
        }),
        Plot.text(cells, {
          x: 'column',
          y: 'row',
          fontSize: 11,
          dy: 9,
          text: ({ figure }: MatrixCell) => formatBounds(figure),
        }),
      ],
      opacity: { type: 'identity' },
    },
    // A cell without an interval says so in words.
    cells.map(({ figure: { low, high, covers, ...figure } }) => ({
      ...createMark('', { ...figure, low: low ?? 0, high: high ?? 0, covers: low === null ? null : covers }),
    })),
  );
}

/** The interval alone, or that there is none. */
const formatBounds = ({ low, high, covers, reason }: KnownFigure) =>
  low === null || high === null
    ? (reason ?? 'no interval')
    : `[${(100 * low).toFixed(0)}–${(100 * high).toFixed(0)}]${covers === null ? '' : ` ${narrowIntervalMark}`}`;

const listMatrixRows = (cells: readonly MatrixCell[], row: string, column: string, value: string): string[][] => [
  [row, column, value],
  ...cells.map((cell) => [cell.row, cell.column, formatShareWithInterval(cell.figure)]),
];

const listMatrixData = (cells: readonly MatrixCell[], down: string, across: string) =>
  cells.map(({ row, column, figure }) => ({
    ...{ [down]: row, [across]: column },
    ...listMarkColumns(createMark('', figure)),
  }));

/** Types of deception that Werewolves report of their own statements. */
function drawTypes({ metrics }: Report): ReportPicture | null {
  const figures = metrics.find(({ name }) => name === 'self_type_share')?.figures ?? [];
  const marks = figures.flatMap((figure) => {
    const { kind, type, team, ...others } = figure.cell;
    const isWanted = kind === 'debate' && team === 'werewolves' && Object.keys(others).length === 0;
    return isWanted && type !== undefined && isKnown(figure) ? [createMark(type, figure)] : [];
  });
  if (marks.length === 0) return null;
  const title = 'Types of deception by self-report';
  return createPicture({
    marks,
    ...{ name: 'deception-types', title, metrics: ['self_type_share'] },
    description:
      'A row for each type of deception: its share of the Werewolves’ debate statements, as they themselves reported.',
    draw: (marked) => drawIntervals(marked, marks),
    table: [['Type', 'Share'], ...marks.map((mark) => [mark.label, formatShareMark(mark)])],
    data: marks.map((mark) => ({ type: mark.label, ...listMarkColumns(mark) })),
  });
}

/** Turns a round of a player of each model, by side. */
function drawTurns({ metrics }: Report, shorten: ShortenName): ReportPicture | null {
  const figures = metrics.find(({ name }) => name === 'turns_per_round')?.figures ?? [];
  const rows = figures.flatMap((figure) => {
    const { model, team, ...others } = figure.cell;
    if (model === undefined || team === undefined || Object.keys(others).length > 0 || !isKnown(figure)) return [];
    const side = team === 'werewolves' ? 'Werewolves' : 'village';
    return [{ model, team, short: `${shorten(model)},\n${side}`, mark: createMark(`${model}, ${side}`, figure) }];
  });
  if (rows.length === 0 || rows.length > 2 * maxModels) return null;
  rows.sort((one, other) => (one.mark.label < other.mark.label ? -1 : 1));
  const marks = rows.map(({ mark }) => mark);
  const names = new Map(rows.map(({ mark, short }) => [mark.label, short]));
  return createPicture({
    marks,
    ...{ name: 'turns', title: 'Turns of a player, by model and side', metrics: ['turns_per_round'] },
    description:
      'A row for each model and side: how often a player of it speaks in a round’s debate, with 95 % intervals.',
    draw: (title) =>
      drawIntervals(title, marks, createScale('turns a round', marks), (label) => names.get(label) ?? label),
    table: [['Model and side', 'Turns a round'], ...marks.map((mark) => [mark.label, formatNumber(mark)])],
    data: rows.map(({ model, team, mark }) => ({ model, side: team, ...listMarkColumns(mark) })),
  });
}

/** What entrants of a tournament score against the others, condition by condition. */
function drawRatings(leaderboard: Leaderboard | null, shorten: ShortenName): ReportPicture | null {
  const ratings = leaderboard?.ratings ?? [];
  const shortenCondition = truncateNames(ratings.flatMap(({ condition }) => condition ?? []));
  const rows = ratings.flatMap(({ condition, entrants }) =>
    entrants.flatMap(({ entrant, score: { value, low, high } }) => {
      const [label, short] =
        condition === null
          ? [entrant, shorten(entrant)]
          : [`${entrant} (${condition})`, `${shorten(entrant)}\n(${shortenCondition(condition)})`];
      return value === null ? [] : [{ entrant, condition, short, mark: { label, value, low, high, chance: null } }];
    }),
  );
  if (rows.length === 0 || rows.length > 4 * maxModels) return null;
  const marks: Mark[] = rows.map(({ mark }) => mark);
  const names = new Map(rows.map(({ mark, short }) => [mark.label, short]));
  return createPicture({
    marks,
    ...{ name: 'ratings', title: 'Scores of the tournament', metrics: [] },
    description:
      'A row for each entrant: its expected score against the others of its group, half as Werewolves and half as village, with its interval. 50 % is the mean of its opponents. Defined in docs/ratings.md.',
    draw: (title) => drawIntervals(title, marks, undefined, (label) => names.get(label) ?? label),
    table: [['Entrant', 'Score'], ...marks.map((mark) => [mark.label, formatShareMark(mark)])],
    data: rows.map(({ entrant, condition, mark }) => ({ entrant, condition, ...listMarkColumns(mark) })),
  });
}
