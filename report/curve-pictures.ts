// Pictures of what goes over rounds, turns, blocks and scores: a line each for sides, roles, arms or models.
import * as Plot from '@observablehq/plot';
import type { Report, ReportedFigure, ScoreCurve } from '../deception/summary/report-schema.ts';
import {
  createMark,
  createScale,
  createShareScale,
  drawLines,
  drawSvg,
  formatMark,
  formatNumber,
  formatShare,
  isKnown,
  type LinePoint,
  lineSymbols,
  listMarkColumns,
  type Mark,
  measureLabels,
  mostModels,
  type Picture,
  truncateName,
} from './picture-drawing.ts';

/** The points of the cells that have exactly the dimensions `fixed`, `across` and `of`, in the order across. */
function listPoints(
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

/** Whether there are lines at all. */
const hasLines = (points: readonly LinePoint[]) => new Set(points.map(({ at }) => at)).size > 1;

const listLineTable = (
  points: readonly LinePoint[],
  head: readonly [string, string, string],
  format: (mark: Mark) => string = formatMark,
): string[][] => [[...head], ...points.map((point) => [point.label, String(point.at), format(point)])];

const listLineData = (points: readonly LinePoint[], line: string, across: string) =>
  points.map((point) => ({ [line]: point.label, [across]: point.at, ...listMarkColumns(point) }));

/** How often each side lies, round by round. */
export function drawLiesByRound(report: Report): Picture<'lies-by-round'> | null {
  const points = listPoints(report, { metric: 'lie_turn_rate', across: 'round', of: 'team' }, (team) =>
    team === 'werewolves' ? 'Werewolves' : 'village',
  );
  if (!hasLines(points)) return null;
  const title = 'Turns with a lie, by round';
  return {
    ...{ name: 'lies-by-round', title, metrics: ['lie_turn_rate'] },
    description:
      'A line for each side: the share of its public turns with a lie in each round, with 95 % intervals; hollow where too few matches have any.',
    svg: drawLines(title, points, { across: 'Round', up: createShareScale('% of turns', points) }),
    table: listLineTable(points, ['Side', 'Round', 'Turns with a lie']),
    data: listLineData(points, 'side', 'round'),
  };
}

/** How listeners suspect players of each role, round by round. */
export function drawSuspicionByRound(report: Report): Picture<'suspicion-by-round'> | null {
  const points = listPoints(report, {
    ...{ metric: 'perceived_suspicion', across: 'round', of: 'speaker_role' },
    fixed: { source: 'match', kind: 'debate' },
  });
  if (!hasLines(points)) return null;
  const title = 'Suspicion of each role, by round';
  return {
    ...{ name: 'suspicion-by-round', title, metrics: ['perceived_suspicion'] },
    description:
      'A line for each role: the mean suspicion that listeners gave its debate statements in each round, with 95 % intervals; hollow where too few matches have any. Where listeners hear the truth, the line of the Werewolves leaves the others.',
    svg: drawLines(title, points, { across: 'Round', up: createShareScale('% suspicion', points) }),
    table: listLineTable(points, ['Role', 'Round', 'Suspicion']),
    data: listLineData(points, 'role', 'round'),
  };
}

/** How high players bid, turn by turn. */
export function drawBids(report: Report): Picture<'bids'> | null {
  const points = listPoints(report, { metric: 'bid_height', across: 'turn', of: 'is_mentioned' }, (isMentioned) =>
    isMentioned === 'true' ? 'mentioned' : 'not mentioned',
  );
  if (!hasLines(points)) return null;
  const title = 'Bids, by turn of the debate';
  return {
    ...{ name: 'bids', title, metrics: ['bid_height'] },
    description:
      'The mean bid as a share of the highest possible one, turn by turn: of players whom the statement before named, and of all others.',
    svg: drawLines(title, points, { across: 'Turn', up: createShareScale('% of the highest bid', points) }),
    table: listLineTable(points, ['Bidders', 'Turn', 'Bid']),
    data: listLineData(points, 'bidders', 'turn'),
  };
}

/** How far votes are spread, turn by turn. */
export function drawEntropy(report: Report): Picture<'voting-entropy'> | null {
  const points = listPoints(report, { metric: 'voting_entropy', across: 'index' }, () => 'votes');
  if (!hasLines(points)) return null;
  const title = 'Entropy of the votes, by turn';
  return {
    ...{ name: 'voting-entropy', title, metrics: ['voting_entropy'] },
    description:
      'How far the votes asked after each turn are spread: 0 bits where all name one player. The last index of a day is its ballot; the dashed line is what chance gives where that is known.',
    svg: drawLines(title, points, { across: 'Turns before the vote', up: createScale('bits', points) }),
    table: listLineTable(points, ['', 'Turns before', 'Entropy in bits'], formatNumber),
    data: listLineData(points, 'of', 'turns_before'),
  };
}

/** How well the village votes from block to block where pools of experience grow. */
export function drawLearning(report: Report): Picture<'learning'> | null {
  const whole = listPoints(report, { metric: 'learning_votes', across: 'block', of: 'experience' });
  const arms = [...new Set(whole.map(({ label }) => label))];
  const names = arms.map(getArmName);
  // Settings are told only where arms differ in them.
  const points = whole.map((point) => {
    const name = getArmName(point.label);
    return { ...point, arm: point.label, label: names.filter((one) => one === name).length > 1 ? point.label : name };
  });
  if (!hasLines(points)) return null;
  const title = 'Village ballots on Werewolves, by block of experience';
  return {
    ...{ name: 'learning', title, metrics: ['learning_votes'] },
    description:
      'A line for each arm: the share of the village’s ballots that fell on a Werewolf, in each block of matches, with 95 % intervals; hollow where too few matches have any. Before block 1 nobody remembers anything of the set.',
    svg: drawLines(title, points, { across: 'Block', up: createShareScale('% of ballots', points) }),
    table: listLineTable(
      points.map((point) => ({ ...point, label: point.arm })),
      ['Arm', 'Block', 'Village ballots on Werewolves'],
    ),
    data: points.map((point) => ({ arm: point.arm, block: point.at, ...listMarkColumns(point) })),
  };
}

const getArmName = (arm: string) => arm.split(',')[0]!;

// Curves over scores.

/** The curves of a metric: by model, or where only one has given scores, of all. */
function listCurves({ curves }: Report, metric: string): { label: string; curve: ScoreCurve }[] {
  const own = curves.filter((curve) => curve.metric === metric);
  // What was asked outright comes before what was said beside analyses.
  const kind = ['beliefs', 'debate'].find((name) => own.some(({ cell }) => cell['kind'] === name));
  const ofKind = own.filter(({ cell }) => cell['kind'] === kind);
  const byModel = ofKind.flatMap((curve) => {
    const model = curve.cell['observer_model'];
    return model === undefined ? [] : [{ label: model, curve }];
  });
  if (byModel.length > 0 && byModel.length <= mostLines) return byModel;
  return ofKind.filter(({ cell }) => cell['observer_model'] === undefined).map((curve) => ({ label: 'all', curve }));
}

/** More lines than these are not told apart by their symbols. */
const mostLines = Math.min(7, mostModels);

const createFullShareScale = (label: string): Plot.ScaleOptions => ({
  ...{ label, domain: [0, 1], grid: true, labelArrow: 'none', ticks: 6 },
  tickFormat: (share: number) => (100 * share).toFixed(0),
});

/** A square with the line that chance, or perfection, draws; `points` by line. */
function drawSquare(
  title: string,
  points: readonly (LinePoint & { symbol: 'none' | 'full' | 'hollow' })[],
  { across, up }: { across: string; up: string },
): string {
  const labels = [...new Set(points.map(({ label }) => label))];
  const [full, hollow] = (['full', 'hollow'] as const).map((wanted) =>
    points.filter(({ symbol }) => symbol === wanted),
  );
  const symbols = {
    domain: labels.map(truncateName),
    range: lineSymbols,
  };
  const getLabel = ({ label }: Mark) => truncateName(label);
  const legend = labels.map((label, place) => ({ label, at: 1, value: 0.97 - 0.055 * place }));
  const side = 400;
  const right = labels.length < 2 ? 22 : 16 + measureLabels(legend);
  return drawSvg(title, {
    ...{ width: side + 48 + right, height: side + 60, marginLeft: 48, marginRight: right, marginBottom: 40 },
    x: createFullShareScale(across),
    y: createFullShareScale(up),
    marks: [
      Plot.line(
        [
          [0, 0],
          [1, 1],
        ],
        { strokeDasharray: '3,3', strokeOpacity: 0.6 },
      ),
      Plot.ruleX(
        points.filter(({ low }) => low !== null),
        { x: 'at', y1: 'low', y2: 'high', strokeOpacity: 0.5 },
      ),
      Plot.line(points, { x: 'at', y: 'value', z: 'label' }),
      Plot.dot(full, { x: 'at', y: 'value', symbol: getLabel, r: 4, fill: 'currentColor' }),
      Plot.dot(hollow, { x: 'at', y: 'value', symbol: getLabel, r: 3, stroke: 'currentColor' }),
      ...(labels.length < 2
        ? []
        : [
            Plot.dot(legend, { x: 'at', y: 'value', symbol: getLabel as never, dx: 14, r: 4, fill: 'currentColor' }),
            Plot.text(legend, {
              x: 'at',
              y: 'value',
              text: getLabel as never,
              dx: 24,
              textAnchor: 'start',
              fontSize: 12,
            }),
          ]),
    ],
    symbol: symbols,
  });
}

/** How well suspicion tells lies of Werewolves from their other words. */
export function drawRoc(report: Report): Picture<'roc'> | null {
  const metric = 'suspicion_roc_auc_within_side';
  const curves = listCurves(report, metric).filter(({ curve }) => curve.roc.length > 0);
  if (curves.length === 0) return null;
  const rows = curves.flatMap(({ label, curve: { roc } }) => roc.map((point) => ({ label, ...point })));
  const points = rows.map(({ label, threshold, hit_rate: value, false_alarm_rate: at }) => ({
    ...{ label, at, value, low: null, high: null, chance: null },
    symbol: isTenth(threshold) ? ('full' as const) : ('none' as const),
  }));
  const title = 'How well suspicion finds the lies of Werewolves (ROC)';
  return {
    ...{ name: 'roc', title, metrics: [metric] },
    description:
      'A line for each listening model: of the Werewolves’ statements with at least some suspicion, the share of the lies (up) and of the other words (across), from the highest suspicion to the lowest; symbols at tenths. Along the dashed line lies are heard no better than by chance; the area under a line is its AUC.',
    svg: drawSquare(title, points, { across: 'False alarms (%)', up: 'Lies found (%)' }),
    table: [
      ['Listener', 'Suspicion from', 'Lies found', 'False alarms'],
      ...rows
        .filter(({ threshold }) => threshold !== null)
        .map((row) => [
          row.label,
          row.threshold!.toFixed(2),
          formatShare(row.hit_rate),
          formatShare(row.false_alarm_rate),
        ]),
    ],
    data: rows.map(({ label, ...row }) => ({ listener: label, ...row })),
  };
}

const isTenth = (threshold: number | null) =>
  threshold !== null && Math.abs(threshold * 10 - Math.round(threshold * 10)) < 1e-9;

const calibrations = {
  suspicion_roc_auc: {
    name: 'calibration-of-suspicion',
    title: 'What suspicion is worth',
    description:
      'A line for each listening model: statements by the suspicion that was given them (across, in tenths), and how many of them were lies (up), with 95 % intervals; hollow where too few matches have any. On the dashed line suspicion is as often right as it says.',
    up: 'Were lies (%)',
    across: 'Suspicion (%)',
    metrics: ['suspicion_ece', 'suspicion_brier'],
  },
  belief_roc_auc: {
    name: 'calibration-of-beliefs',
    title: 'What beliefs are worth',
    description:
      'A line for each model: how likely others were said to be Werewolves (across, in tenths), and how many of them were (up), with 95 % intervals; hollow where too few matches have any. On the dashed line beliefs are as often right as they say.',
    up: 'Were Werewolves (%)',
    across: 'Probability that was said (%)',
    metrics: ['belief_ece', 'belief_brier'],
  },
} as const;

/** Whether what was said with some probability is so as often. */
export function drawCalibration(
  report: Report,
  metric: keyof typeof calibrations,
): Picture<(typeof calibrations)[keyof typeof calibrations]['name']> | null {
  const { name, title, description, up, across, metrics } = calibrations[metric];
  const rows = listCurves(report, metric).flatMap(({ label, curve }) =>
    curve.bins.flatMap(({ share, mean_score: at, ...bin }) =>
      share === null || at === null
        ? []
        : [{ ...bin, mark: { label, at, value: share, low: bin.low, high: bin.high, chance: null } }],
    ),
  );
  if (rows.length === 0) return null;
  const points = rows.map(({ mark }) => ({
    ...mark,
    symbol: mark.low === null ? ('hollow' as const) : ('full' as const),
  }));
  return {
    ...{ name, title, description, metrics: [...metrics] },
    svg: drawSquare(title, points, { across, up }),
    table: [
      ['Model', 'From', 'To', 'Cases', 'Mean said', 'Were so'],
      ...rows.map(({ from, to, cases, mark }) => [
        ...[mark.label, formatShare(from), formatShare(to), String(cases), formatShare(mark.at), formatMark(mark)],
      ]),
    ],
    data: rows.map(({ from, to, cases, matches, mark: { label, at, value, low, high } }) => ({
      ...{ model: label, from, to, cases, matches, mean_score: at, share: value, low, high },
    })),
  };
}
