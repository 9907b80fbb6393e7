// Pictures over rounds, blocks and scores: one line for each side, role, arm or model. Pictures of debates are in
// debate-pictures.ts.
import * as Plot from '@observablehq/plot';
import type { Report, ReportedFigure, ScoreCurve } from '../../deception/summary/report-schema.ts';
import {
  createMark,
  createPicture,
  createShareScale,
  drawDots,
  drawLines,
  drawNarrowIntervalMarks,
  drawSvg,
  formatShareMark,
  isKnown,
  type LinePoint,
  listMarkColumns,
  type Mark,
  maxModels,
  type Picture,
  pictureWidth,
} from './picture-drawing.ts';
import { formatPercent } from '../format.ts';
import { type ShortenName, truncateNames } from '../short-names.ts';

/**
 * Lists one point for each cell of a metric whose dimensions are exactly `across`, `of` (if given) and the keys of
 * `fixed`. Cells with other values than those in `fixed` are left out. Points are sorted by `across`.
 */
export function listPoints(
  { metrics }: Report,
  {
    metric,
    fixed = {},
    across,
    of = null,
  }: { metric: string; fixed?: Readonly<Record<string, string>>; across: string; of?: string | null },
  label: (value: string, figure: ReportedFigure) => string = (value) => value,
): LinePoint[] {
  const figures = metrics.find(({ name }) => name === metric)?.figures ?? [];
  return figures
    .flatMap((figure) => {
      const { [across]: at, ...rest } = figure.cell;
      const own = of === null ? '' : rest[of];
      if (at === undefined || own === undefined || !isKnown(figure)) return [];
      const others = Object.entries(rest).filter(([name]) => name !== of);
      const isWanted =
        others.length === Object.keys(fixed).length && others.every(([name, value]) => fixed[name] === value);
      return isWanted ? [{ ...createMark(label(own, figure), figure), at: Number(at) }] : [];
    })
    .sort((one, other) => one.at - other.at);
}

/** Returns whether there are at least two points, so that a line can be drawn. */
export const hasLines = (points: readonly LinePoint[]) => new Set(points.map(({ at }) => at)).size > 1;

interface LineWords<Name extends string> {
  name: Name;
  title: string;
  metric: string;
  description: string;
  /** Label of the horizontal axis. Also names the column in the table and, in lower case, in the data. */
  across: string;
  /** Label of the vertical axis. */
  up: string;
  /** Name of the column that identifies the lines, in the table and, in lower case, in the data. */
  line: string;
  /** Name of the values' column in the table. */
  value: string;
}

/** Creates a picture of lines with its table and data; null if no line can be drawn. */
export function createLinePicture<Name extends string>(
  points: readonly LinePoint[],
  { metric, across, up, line, value, ...words }: LineWords<Name>,
): Picture<Name> | null {
  if (!hasLines(points)) return null;
  return createPicture({
    marks: points,
    ...words,
    metrics: [metric],
    draw: (marked) => drawLines(marked, points, { across, up: createShareScale(up, points) }),
    table: listLineTable(points, [line, across, value]),
    data: listLineData(points, line.toLowerCase(), across.toLowerCase()),
  });
}

const listLineTable = (
  points: readonly LinePoint[],
  head: readonly [string, string, string],
  format: (mark: Mark) => string = formatShareMark,
): string[][] => [[...head], ...points.map((point) => [point.label, String(point.at), format(point)])];

const listLineData = (points: readonly LinePoint[], line: string, across: string) =>
  points.map((point) => ({ [line]: point.label, [across]: point.at, ...listMarkColumns(point) }));

/** Draws the rate of lies by side, round by round. */
export function drawLiesByRound(report: Report): Picture<'lies-by-round'> | null {
  const metric = 'lie_turn_rate';
  const points = listPoints(report, { metric, across: 'round', of: 'team' }, (team) =>
    team === 'werewolves' ? 'Werewolves' : 'village',
  );
  return createLinePicture(points, {
    ...{ name: 'lies-by-round', title: 'Statements with a provable lie, by round', metric },
    description:
      'A line for each side: the share of its debate statements with a provable lie in each round, with 95 % intervals. Hollow: too few matches with statements.',
    ...{ across: 'Round', up: '% of statements', line: 'Side', value: 'Statements with a lie' },
  });
}

/** Draws suspicion of players by role, round by round. */
export function drawSuspicionByRound(report: Report): Picture<'suspicion-by-round'> | null {
  const metric = 'perceived_suspicion';
  const points = listPoints(report, {
    ...{ metric, across: 'round', of: 'speaker_role' },
    fixed: { source: 'match', kind: 'debate' },
  });
  return createLinePicture(points, {
    ...{ name: 'suspicion-by-round', title: 'Suspicion of each role, by round', metric },
    description:
      'A line for each role: the mean suspicion that listeners gave its debate statements in each round, with 95 % intervals. Hollow: too few matches with statements. If listeners recognize lies, the line of the Werewolves rises above the others.',
    ...{ across: 'Round', up: '% suspicion', line: 'Role', value: 'Suspicion' },
  });
}

/** Draws the village's voting success from block to block, for arms whose pools of experience grow. */
export function drawLearning(report: Report): Picture<'learning'> | null {
  const whole = listPoints(report, { metric: 'learning_votes', across: 'block', of: 'experience' });
  const arms = [...new Set(whole.map(({ label }) => label))];
  const names = arms.map(getArmName);
  // Names settings of experience only if arms differ in them.
  const points = whole.map((point) => {
    const name = getArmName(point.label);
    return { ...point, arm: point.label, label: names.filter((one) => one === name).length > 1 ? point.label : name };
  });
  if (!hasLines(points)) return null;
  const title = 'Village ballots on Werewolves, by block of experience';
  return createPicture({
    marks: points,
    ...{ name: 'learning', title, metrics: ['learning_votes'] },
    description:
      'A line for each arm: the share of the village’s ballots that named a Werewolf in each block of matches, with 95 % intervals. Hollow: too few matches with ballots. In the first block nobody remembers matches of the set.',
    draw: (marked) => drawLines(marked, points, { across: 'Block', up: createShareScale('% of ballots', points) }),
    table: listLineTable(
      points.map((point) => ({ ...point, label: point.arm })),
      ['Arm', 'Block', 'Village ballots on Werewolves'],
    ),
    data: points.map((point) => ({ arm: point.arm, block: point.at, ...listMarkColumns(point) })),
  });
}

const getArmName = (arm: string) => arm.split(',')[0]!;

// Curves over scores.

interface LabelledCurve {
  label: string;
  curve: ScoreCurve;
  /** Whether the curve's metric can be compared between models. */
  comparable: boolean;
}

/**
 * Lists the curves of a metric: one for each model. If the models are unknown or too many to distinguish, lists one
 * curve over all models.
 */
function listCurves({ curves, metrics }: Report, metric: string): LabelledCurve[] {
  const own = curves.filter((curve) => curve.metric === metric);
  const figures = metrics.find(({ name }) => name === metric)?.figures ?? [];
  const comparable = figures.every((figure) => figure.comparable);
  // Answers to belief questions are preferred to answers in analyses.
  const kind = ['beliefs', 'debate'].find((name) => own.some(({ cell }) => cell['kind'] === name));
  const ofKind = own.filter(({ cell }) => cell['kind'] === kind);
  const byModel = ofKind.flatMap((curve) => {
    const model = curve.cell['observer_model'];
    return model === undefined ? [] : [{ label: model, curve, comparable }];
  });
  if (byModel.length > 0 && byModel.length <= maxModels) return byModel;
  return ofKind
    .filter(({ cell }) => cell['observer_model'] === undefined)
    .map((curve) => ({ label: 'all', curve, comparable }));
}

const createFullShareScale = (label: string, ticks: number): Plot.ScaleOptions => ({
  ...{ label, domain: [0, 1], grid: true, labelArrow: 'none', ticks },
  tickFormat: (share: number) => (100 * share).toFixed(0),
});

/** A point of a curve over scores. */
interface CurvePoint extends LinePoint {
  isDotted: boolean;
}

/**
 * Draws one square panel for each label, with the diagonal of perfect calibration. Each curve has its own panel,
 * because curves in one panel would cross.
 */
function drawSquares(
  title: string,
  points: readonly CurvePoint[],
  { across, up, shorten }: { across: string; up: string; shorten: ShortenName },
): string {
  const labels = [...new Set(points.map(({ label }) => label))];
  const columns = Math.min(labels.length, 2);
  const rows = Math.ceil(labels.length / columns);
  const [left, right, gap] = [52, 24, 0.12];
  const width = columns === 1 ? 400 + left + right : pictureWidth;
  // A row of n squares has n - 1 gaps. A square and a gap together are one step of the scale, and `gap` is the gap's
  // share of a step.
  const side = ((width - left - right) * (1 - gap)) / (columns - gap);
  const place = {
    fx: ({ label }: { label: string }) => labels.indexOf(label) % columns,
    fy: ({ label }: { label: string }) => Math.floor(labels.indexOf(label) / columns),
  };
  const at = { x: 'at', y: 'value', ...place } as const;
  return drawSvg(
    title,
    {
      ...{ width, marginLeft: left, marginRight: right, marginTop: 44, marginBottom: 44 },
      height: 88 + (side * (rows - gap)) / (1 - gap),
      fx: { axis: null, padding: gap, round: false },
      fy: { axis: null, padding: gap, round: false },
      x: createFullShareScale(across, columns === 1 ? 6 : 3),
      y: createFullShareScale(up, columns === 1 ? 6 : 3),
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        Plot.line(diagonal, { strokeDasharray: '3,3', strokeOpacity: 0.6 }),
        Plot.ruleX(
          points.filter(({ low }) => low !== null),
          { x: 'at', y1: 'low', y2: 'high', strokeOpacity: 0.5, ...place },
        ),
        Plot.line(points, { ...at, z: 'label' }),
        ...drawDots(
          points.filter(({ isDotted }) => isDotted),
          at,
        ),
        ...drawNarrowIntervalMarks(points, { x: 'at', y: 'high', dy: -8, ...place }),
        ...(labels.length === 1 && labels[0] === 'all'
          ? []
          : [
              Plot.text(
                labels.map((label) => ({ label })),
                {
                  ...place,
                  text: ({ label }: { label: string }) => shorten(label),
                  ...{ frameAnchor: 'top-left', lineAnchor: 'bottom', dy: -5, fontSize: 12, fontWeight: 600 },
                },
              ),
            ]),
      ],
    },
    points,
  );
}

const diagonal: [number, number][] = [
  [0, 0],
  [1, 1],
];

const calibrations = {
  suspicion_roc_auc: {
    name: 'calibration-of-suspicion',
    title: 'Calibration of suspicion',
    description:
      'A square for each listening model: statements by the suspicion that listeners gave them (across, in tenths), and the share of them that were lies (up), with 95 % intervals. Hollow: too few matches. On the dashed line, suspicion is right as often as it says. The curve also depends on whom a model heard.',
    up: 'Were lies (%)',
    across: 'Suspicion (%)',
    metrics: ['suspicion_ece', 'suspicion_brier'],
  },
  belief_roc_auc: {
    name: 'calibration-of-beliefs',
    title: 'Calibration of beliefs',
    description:
      'A square for each model: the stated probability that another player is a Werewolf (across, in tenths), and the share of these players who were Werewolves (up), with 95 % intervals. Hollow: too few matches. On the dashed line, beliefs are right as often as they say. The curve also depends on whom a model met.',
    up: 'Were Werewolves (%)',
    across: 'Stated probability (%)',
    metrics: ['belief_ece', 'belief_brier'],
  },
} as const;

/** Draws calibration: whether stated probabilities match observed shares. */
export function drawCalibration(
  report: Report,
  metric: keyof typeof calibrations,
  shorten?: ShortenName,
): Picture<(typeof calibrations)[keyof typeof calibrations]['name']> | null {
  const { up, across, metrics, ...named } = calibrations[metric];
  const rows = listCurves(report, metric).flatMap(({ label, comparable, curve }) =>
    curve.bins.flatMap(({ share, mean_score: at, ...bin }) =>
      share === null || at === null
        ? []
        : [{ ...bin, mark: { label, at, value: share, low: bin.low, high: bin.high, chance: null, comparable } }],
    ),
  );
  if (rows.length === 0) return null;
  const points = rows.map(({ mark }) => ({ ...mark, isDotted: true }));
  return createPicture({
    marks: points,
    ...{ ...named, metrics: [...metrics] },
    draw: (title) =>
      drawSquares(title, points, {
        ...{ across, up },
        shorten: shorten ?? truncateNames(points.map(({ label }) => label)),
      }),
    table: [
      ['Model', 'From', 'To', 'Cases', 'Mean stated', 'Share that were'],
      ...rows.map(({ from, to, cases, mark }) => [
        ...[
          mark.label,
          formatPercent(from),
          formatPercent(to),
          String(cases),
          formatPercent(mark.at),
          formatShareMark(mark),
        ],
      ]),
    ],
    data: rows.map(({ from, to, cases, matches, mark: { label, at, value, low, high, comparable } }) => ({
      ...{ model: label, from, to, cases, matches, mean_score: at, share: value, low, high, comparable },
    })),
  });
}
