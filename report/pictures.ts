// The pictures of a report, each with its numbers: who lies and who catches lies, wins, who catches whom, types, ratings.
// What goes over rounds, turns and scores is in curve-pictures.ts.
import * as Plot from '@observablehq/plot';
import type { Leaderboard } from '../deception/ratings/leaderboard-schema.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import {
  drawBids,
  drawCalibration,
  drawEntropy,
  drawLearning,
  drawLiesByRound,
  drawRoc,
  drawSuspicionByRound,
} from './curve-pictures.ts';
import {
  createMark,
  createScale,
  createShareScale,
  drawIntervals,
  drawSvg,
  formatMark,
  formatNumber,
  formatShare,
  isKnown,
  type KnownFigure,
  listMarkColumns,
  type Mark,
  measureLabels,
  mostModels,
  type Picture,
  pictureWidth,
  truncateName,
} from './picture-drawing.ts';
import { formatShareWithInterval, headlines, listHeadToHead, listModelFindings } from './report-findings.ts';

/** All pictures that a report may have; which it has, its data decide. */
export const pictureNames = [
  ...(['deceive-and-detect', 'lies-told', 'lies-caught', 'wins-as-werewolves', 'wins-as-village', 'ratings'] as const),
  ...(['head-to-head', 'who-catches-whom', 'lies-by-round', 'suspicion-by-round', 'deception-types'] as const),
  ...(['roc', 'calibration-of-suspicion', 'calibration-of-beliefs'] as const),
  ...(['bids', 'turns', 'voting-entropy', 'learning'] as const),
] as const;

type ReportPicture = Picture<(typeof pictureNames)[number]>;

/** Where the pictures stand as files of their own, beside `report.html`. */
export const picturesFolder = 'pictures';

/**
 * All pictures for which a report, and the leaderboard of its matches if there is one, have data, in the order in which they
 * are to be looked at.
 *
 * @example
 * for (const { name, svg } of drawPictures(report)) writeFileSync(`${name}.svg`, svg);
 */
export const drawPictures = (report: Report, leaderboard: Leaderboard | null = null): ReportPicture[] =>
  [
    drawDeceiveAndDetect(report),
    ...(['lied', 'wasCaught', 'wonAsWerewolves', 'wonAsVillage'] as const).map((name) => drawHeadline(report, name)),
    drawRatings(leaderboard),
    drawHeadToHead(report),
    drawCatching(report),
    drawLiesByRound(report),
    drawSuspicionByRound(report),
    drawTypes(report),
    drawRoc(report),
    drawCalibration(report, 'suspicion_roc_auc'),
    drawCalibration(report, 'belief_roc_auc'),
    drawBids(report),
    drawTurns(report),
    drawEntropy(report),
    drawLearning(report),
  ].filter((picture) => picture !== null);

function drawDeceiveAndDetect(report: Report): ReportPicture | null {
  const models = listModelFindings(report)
    .slice(0, mostModels)
    .flatMap(({ model, figures: { lied, caught } }) =>
      isKnown(lied) && isKnown(caught)
        ? [{ model, lied: createMark(model, lied), caught: createMark(model, caught) }]
        : [],
    );
  if (models.length === 0) return null;
  const points = models.map(({ model, lied, caught }) => ({
    ...{ label: truncateName(model), lied: lied.value, caught: caught.value },
    ...{ liedLow: lied.low ?? lied.value, liedHigh: lied.high ?? lied.value },
    ...{ caughtLow: caught.low ?? caught.value, caughtHigh: caught.high ?? caught.value },
  }));
  return {
    name: 'deceive-and-detect',
    title: 'Who lies, and who catches lies',
    description: `One point a model: across, the share of its Werewolves’ public turns with a lie; up, the share of Werewolves’ lies that it caught as a listener who could not know. Lines are 95 % intervals.`,
    metrics: ['lie_turn_rate', 'hit_rate_within_side'],
    svg: drawSvg('Who lies, and who catches lies', {
      ...{ width: pictureWidth, height: 440, marginLeft: 56, marginRight: 24, marginBottom: 44 },
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
    data: models.map(({ model, lied, caught }) => ({
      ...{ model, lied: lied.value, lied_low: lied.low, lied_high: lied.high },
      ...{ caught: caught.value, caught_low: caught.low, caught_high: caught.high },
    })),
  };
}

function drawHeadline(
  report: Report,
  name: 'lied' | 'wasCaught' | 'wonAsWerewolves' | 'wonAsVillage',
): ReportPicture | null {
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
    data: marks.map((mark) => ({ model: mark.label, ...listMarkColumns(mark) })),
  };
}

const fileNames = {
  lied: 'lies-told',
  wasCaught: 'lies-caught',
  wonAsWerewolves: 'wins-as-werewolves',
  wonAsVillage: 'wins-as-village',
} as const;

function drawHeadToHead(report: Report): ReportPicture | null {
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
    data: listMatrixData(cells, 'werewolves', 'village'),
  };
}

/** Who catches whom: speakers × listeners. */
function drawCatching({ metrics }: Report): ReportPicture | null {
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
    data: listMatrixData(cells, 'listener', 'speaker'),
  };
}

interface MatrixCell {
  row: string;
  column: string;
  figure: KnownFigure;
}

function drawMatrix(title: string, cells: readonly MatrixCell[], across: string, down: string): string {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = [...new Set(cells.map(({ column }) => column))];
  const left = 24 + measureLabels(rows.map((label) => ({ label })));
  return drawSvg(title, {
    ...{ width: Math.min(pictureWidth, left + 40 + 130 * columns.length), height: 80 + 44 * rows.length },
    ...{ marginLeft: left, marginTop: 56, marginBottom: 12, padding: 0.04 },
    x: { axis: 'top', label: across, domain: columns.map(truncateName), tickSize: 0 },
    y: { label: down, domain: rows.map(truncateName), tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        ...{ x: ({ column }: MatrixCell) => truncateName(column), y: ({ row }: MatrixCell) => truncateName(row) },
        ...{
          fill: 'currentColor',
          fillOpacity: ({ figure }: MatrixCell) => 0.3 * figure.value,
          stroke: 'currentColor',
          strokeOpacity: 0.3,
        },
      }),
      Plot.text(cells, {
        ...{
          x: ({ column }: MatrixCell) => truncateName(column),
          y: ({ row }: MatrixCell) => truncateName(row),
          fontSize: 13,
        },
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
  return {
    ...{ name: 'deception-types', title, metrics: ['self_type_share'] },
    description:
      'A row for each type of deception: its share of the Werewolves’ debate statements, as they themselves reported.',
    svg: drawIntervals(title, marks),
    table: [['Type', 'Share'], ...marks.map((mark) => [mark.label, formatMark(mark)])],
    data: marks.map((mark) => ({ type: mark.label, ...listMarkColumns(mark) })),
  };
}

/** Turns a round of a player of each model, by side. */
function drawTurns({ metrics }: Report): ReportPicture | null {
  const figures = metrics.find(({ name }) => name === 'turns_per_round')?.figures ?? [];
  const marks = figures.flatMap((figure) => {
    const { model, team, ...others } = figure.cell;
    return model !== undefined && team !== undefined && Object.keys(others).length === 0 && isKnown(figure)
      ? [createMark(`${truncateName(model)}, ${team === 'werewolves' ? 'Werewolves' : 'village'}`, figure)]
      : [];
  });
  if (marks.length === 0 || marks.length > 2 * mostModels) return null;
  const title = 'Turns of a player, by model and side';
  const labels = new Map(marks.map((mark) => [mark.label, mark]));
  return {
    ...{ name: 'turns', title, metrics: ['turns_per_round'] },
    description:
      'A row for each model and side: how often a player of it speaks in a round’s debate, with 95 % intervals.',
    svg: drawIntervals(title, [...labels.values()], createScale('turns a round', marks)),
    table: [['Model and side', 'Turns a round'], ...marks.map((mark) => [mark.label, formatNumber(mark)])],
    data: figures
      .filter(({ cell }) => cell['model'] !== undefined && cell['team'] !== undefined)
      .map(({ cell, value, low, high, chance }) => ({
        model: cell['model']!,
        side: cell['team']!,
        value,
        low,
        high,
        chance,
      })),
  };
}

/** What entrants of a tournament score against the others, condition by condition. */
function drawRatings(leaderboard: Leaderboard | null): ReportPicture | null {
  const ratings = leaderboard?.ratings ?? [];
  const rows = ratings.flatMap(({ condition, entrants }) =>
    entrants.flatMap(({ entrant, score: { value, low, high } }) => {
      const label = condition === null ? entrant : `${truncateName(entrant)} (${condition})`;
      return value === null ? [] : [{ entrant, condition, mark: { label, value, low, high, chance: null } }];
    }),
  );
  if (rows.length === 0 || rows.length > 4 * mostModels) return null;
  const marks: Mark[] = rows.map(({ mark }) => mark);
  const title = 'Scores of the tournament';
  return {
    ...{ name: 'ratings', title, metrics: [] },
    description:
      'A row for each entrant: its expected score against the others of its group, half as Werewolves and half as village, with its interval. 50 % is the mean of its opponents. Defined in docs/ratings.md.',
    svg: drawIntervals(title, marks),
    table: [['Entrant', 'Score'], ...marks.map((mark) => [mark.label, formatMark(mark)])],
    data: rows.map(({ entrant, condition, mark }) => ({ entrant, condition, ...listMarkColumns(mark) })),
  };
}
