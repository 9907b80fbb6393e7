// The pictures of a report, each with its numbers: lies, wins, how each model judges each model's lies, types of
// deception, and ratings. Pictures over rounds, blocks and scores are in curve-pictures.ts, and pictures of debates are
// in debate-pictures.ts.
import * as Plot from '@observablehq/plot';
import type { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { drawCalibration, drawLearning, drawLiesByRound, drawSuspicionByRound } from './curve-pictures.ts';
import { drawBidDensity, drawBids, drawBidShares, drawEntropy } from './debate-pictures.ts';
import {
  createMark,
  createPicture,
  createScale,
  drawIntervals,
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
import { formatPercentInterval, formatPercent, narrowIntervalMark } from '../format.ts';
import {
  formatCalled,
  formatShareWithInterval,
  headlines,
  listHeadToHead,
  listHeard,
  listModelFindings,
} from '../report-findings.ts';
import { type ShortenName, truncateNames } from '../short-names.ts';

/** Names of all pictures that a report may have, depending on its data. */
export const pictureNames = [
  ...(['lies-told', 'ratings'] as const),
  ...(['head-to-head', 'who-hears-whom', 'lies-by-round', 'suspicion-by-round', 'deception-types'] as const),
  ...(['calibration-of-suspicion', 'calibration-of-beliefs'] as const),
  ...(['bids', 'bid-shares', 'bid-shares-mentioned', 'bid-density', 'turns', 'voting-entropy', 'learning'] as const),
] as const;

type ReportPicture = Picture<(typeof pictureNames)[number]>;

export { listPictureFiles, picturesFolder } from './picture-html.ts';

/**
 * Draws all pictures that the report's and the leaderboard's data allow, in reading order.
 *
 * @example
 * for (const { name, svg } of drawPictures(report)) writeFileSync(`${name}.svg`, svg);
 */
export function drawPictures(report: Report, leaderboard: Leaderboard | null = null): ReportPicture[] {
  const shorten = truncateNames(listNames(report, leaderboard)); // a model has the same short name in all pictures
  return [
    drawLies(report, shorten),
    drawHeadToHead(report, shorten),
    drawRatings(leaderboard, shorten),
    drawHearing(report, shorten),
    drawLiesByRound(report),
    drawSuspicionByRound(report),
    drawTypes(report),
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

/** Lists the names of all models and entrants. */
function listNames({ metrics, curves }: Report, leaderboard: Leaderboard | null): string[] {
  const cells = [...metrics.flatMap(({ figures }) => figures), ...curves].map(({ cell }) => cell);
  const models = cells.flatMap((cell) =>
    Object.entries(cell).flatMap(([dimension, value]) => (isOfModels(dimension) ? [value] : [])),
  );
  return [...models, ...(leaderboard?.ratings ?? []).flatMap(({ entrants }) => entrants.map(({ entrant }) => entrant))];
}

const isOfModels = (dimension: string) => /^(?:model|opponent|(?:speaker|observer)_model)$/.test(dimension);

/** Draws, for each model, the share of its statements as Werewolf that contain a lie. */
function drawLies(report: Report, shorten: ShortenName): ReportPicture | null {
  const { title, of } = headlines.lied;
  const marks = listModelFindings(report)
    .slice(0, maxModels)
    .flatMap(({ model, figures: { lied } }) => (isKnown(lied) ? [createMark(model, lied)] : []));
  if (marks.length === 0) return null;
  return createPicture({
    marks,
    ...{ name: 'lies-told', title, metrics: [of('').metric] },
    description:
      'A row for each model: the share of its debate statements as Werewolf with a provable lie, and the 95 % interval. Other deception is not counted.',
    draw: (marked) => drawIntervals(marked, marks, undefined, shorten),
    table: [['Model', title], ...marks.map((mark) => [mark.label, formatShareMark(mark)])],
    data: marks.map((mark) => ({ model: mark.label, ...listMarkColumns(mark) })),
  });
}

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
      'A row for each model as Werewolves, a column for each model as village. Each cell: the share of matches that the Werewolves won, and its 95 % interval.',
    draw: (title) => drawMatrix(title, cells, { across: 'Village', down: 'Werewolves', shorten }),
    table: listMatrixRows(cells, 'Werewolves', 'Village', 'Wins of the Werewolves'),
    data: listMatrixData(cells, 'werewolves', 'village'),
  });
}

/** Draws the village's wins by pair of models, including a model against itself. */
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
      'A row for each model as village, a column for each model as Werewolves. Each cell: the share of matches that the village won, and its 95 % interval.',
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

/** Draws how each model judges each model's lies: listeners × speakers. */
function drawHearing(report: Report, shorten: ShortenName): ReportPicture | null {
  const heard = listHeard(report).flatMap(({ speaker, listener, detection, hits, alarms }) =>
    isKnown(detection) ? [{ row: listener, column: speaker, figure: detection, hits, alarms }] : [],
  );
  if (new Set(heard.map(({ column }) => column)).size < 2) return null;
  return createPicture({
    marks: heard.map(({ figure }) => createMark('', figure)),
    ...{ name: 'who-hears-whom', title: 'Who hears whose lies', metrics: ['paired_detection'] },
    description:
      'A row for each listening model, a column for each speaking model. A pair is a lie by the speaker’s Werewolves and a comparable true claim. Each cell: the share of pairs in which the listener, who could not know the truth, found the lie more deceptive, and its 95 % interval. 50 % is guessing. The share depends on both models.',
    draw: (title) => drawMatrix(title, heard, { across: 'Speaker', down: 'Listener', shorten }),
    table: [
      ['Listener', 'Speaker', 'Lie found more deceptive', 'Lies called deceptive', 'True claims called deceptive'],
      ...heard.map(({ row, column, figure, hits, alarms }) => [
        ...[row, column, formatShareWithInterval(figure)],
        ...[hits, alarms].map(formatCalled),
      ]),
    ],
    data: heard.map(({ row: listener, column: speaker, figure, hits, alarms }) => ({
      ...{ listener, speaker, ...listMarkColumns(createMark('', figure)), pairs: figure.opportunities },
      ...{ hits: hits?.value ?? null, lies: hits?.opportunities ?? null },
      ...{ false_alarms: alarms?.value ?? null, truths: alarms?.opportunities ?? null },
    })),
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
  // Names wider than their column are slanted, and extend beyond the edge of the last column.
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
    // A cell without an interval says so in words. Its mark gets bounds of 0 here, so that the legend does not also
    // explain the sign of a missing interval.
    cells.map(({ figure: { low, high, covers, ...figure } }) => ({
      ...createMark('', { ...figure, low: low ?? 0, high: high ?? 0, covers: low === null ? null : covers }),
    })),
  );
}

/** Formats the interval, or the reason why it is missing. */
const formatBounds = ({ low, high, covers, reason }: KnownFigure) =>
  low === null || high === null
    ? (reason ?? 'no interval')
    : `${formatPercentInterval(low, high)}${covers === null ? '' : ` ${narrowIntervalMark}`}`;

const listMatrixRows = (cells: readonly MatrixCell[], row: string, column: string, value: string): string[][] => [
  [row, column, value],
  ...cells.map((cell) => [cell.row, cell.column, formatShareWithInterval(cell.figure)]),
];

const listMatrixData = (cells: readonly MatrixCell[], down: string, across: string) =>
  cells.map(({ row, column, figure }) => ({
    ...{ [down]: row, [across]: column },
    ...listMarkColumns(createMark('', figure)),
  }));

/** Draws the types of deception that Werewolves report about their own statements. */
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
      'A row for each type of deception: its share of the Werewolves’ debate statements, by their own reports.',
    draw: (marked) => drawIntervals(marked, marks),
    table: [['Type', 'Share'], ...marks.map((mark) => [mark.label, formatShareMark(mark)])],
    data: marks.map((mark) => ({ type: mark.label, ...listMarkColumns(mark) })),
  });
}

/** Draws the turns per round of each model's players, by side. */
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
    ...{ name: 'turns', title: 'Turns per player and round, by model and side', metrics: ['turns_per_round'] },
    description:
      'A row for each model and side: how often one of its players speaks in a round’s debate, with 95 % intervals. Under bidding, this also depends on the bids of the others at the table.',
    draw: (title) =>
      drawIntervals(title, marks, createScale('turns a round', marks), (label) => names.get(label) ?? label),
    table: [['Model and side', 'Turns a round'], ...marks.map((mark) => [mark.label, formatNumber(mark)])],
    data: rows.map(({ model, team, mark }) => ({ model, side: team, ...listMarkColumns(mark) })),
  });
}

/** Draws entrants' scores against all other entrants, by condition. */
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
      'A row for each entrant: its expected score against the other entrants of its group, half as Werewolves and half as village, with its interval. 50 % is the mean of its opponents. Definition: docs/reference/ratings.md.',
    draw: (title) => drawIntervals(title, marks, undefined, (label) => names.get(label) ?? label),
    table: [['Entrant', 'Score'], ...marks.map((mark) => [mark.label, formatShareMark(mark)])],
    data: rows.map(({ entrant, condition, mark }) => ({ entrant, condition, ...listMarkColumns(mark) })),
  });
}
