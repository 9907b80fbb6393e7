// Pictures of debates: how players bid for turns, and how votes settle (Werewolf Arena, figures 3, 6 and 7).
import * as Plot from '@observablehq/plot';
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import { computeNormalDensity, computeScottBandwidth } from '../../deception/statistics/kernel-density.ts';
import { createLinePicture, hasLines, listPoints } from './curve-pictures.ts';
import {
  createMark,
  createPicture,
  createScale,
  createShareScale,
  drawDots,
  drawLines,
  drawSvg,
  formatNumber,
  formatShareMark,
  isKnown,
  type LinePoint,
  listMarkColumns,
  type Mark,
  maxModels,
  measureNames,
  type Picture,
  pictureWidth,
} from './picture-drawing.ts';
import { type ShortenName, truncateNames } from '../short-names.ts';

/** Draws the mean bid, turn by turn. */
export function drawBids(report: Report): Picture<'bids'> | null {
  const metric = 'bid_height';
  const points = listPoints(report, { metric, across: 'turn', of: 'is_mentioned' }, (isMentioned) =>
    isMentioned === 'true' ? 'mentioned' : 'not mentioned',
  );
  return createLinePicture(points, {
    ...{ name: 'bids', title: 'Bids, by turn of the debate', metric },
    description:
      'The mean bid as a share of the highest possible bid, turn by turn: of players whom the previous statement named, and of all other players.',
    ...{ across: 'Turn', up: '% of the highest bid', line: 'Bidders', value: 'Bid' },
  });
}

// Distribution of bids.

/** Share of one bid value among the bids of a turn, or among a model's bids on one side. */
interface BidShare {
  bid: number;
  /** Key of the turn, or of the model and the side. */
  of: string;
  mark: Mark;
  opportunities: number;
}

/**
 * Lists the shares of bid values. They come from the cells whose dimensions are exactly `scale`, `bid`, those in
 * `dimensions` and the keys of `fixed`, and which have the values in `fixed`. Bids on different scales cannot be drawn
 * together, so the scale with the most bids is used.
 */
function listBidShares(
  { metrics }: Report,
  dimensions: readonly string[],
  of: (cell: ReportedFigure['cell']) => string,
  fixed: Readonly<Record<string, string>> = {},
): { scale: number; shares: BidShare[] } | null {
  const figures = metrics.find(({ name }) => name === 'bid_share')?.figures ?? [];
  const wanted = ['scale', 'bid', ...dimensions, ...Object.keys(fixed)].sort().join();
  const known = figures
    .filter(isKnown)
    .filter(({ cell }) => Object.keys(cell).sort().join() === wanted)
    .filter(({ cell }) => Object.entries(fixed).every(([name, value]) => cell[name] === value));
  const countBids = (scale: string) =>
    known.reduce((all, { cell, opportunities }) => all + (cell['scale'] === scale ? (opportunities ?? 0) : 0), 0);
  const scales = [...new Set(known.map(({ cell }) => cell['scale']!))].sort((a, b) => countBids(b) - countBids(a));
  const [scale] = scales;
  if (scale === undefined) return null;
  const shares = known
    .filter(({ cell }) => cell['scale'] === scale)
    .map((figure) => ({
      ...{ bid: Number(figure.cell['bid']), of: of(figure.cell), mark: createMark(of(figure.cell), figure) },
      opportunities: figure.opportunities ?? 0,
    }));
  return { scale: Number(scale), shares };
}

const distributions = {
  'bid-shares': {
    title: 'Distribution of bids, by turn of the debate',
    description:
      'A column for each turn, divided by the share of bids with each value; the highest bid is on top and darkest.',
    fixed: {},
  },
  'bid-shares-mentioned': {
    title: 'Distribution of bids of players just mentioned, by turn of the debate',
    description:
      'A column for each turn, for players whom the previous statement named, divided by the share of bids with each value; the highest bid is on top and darkest.',
    fixed: { is_mentioned: 'true' },
  },
} as const;

/** Draws the distribution of bids, turn by turn: for all players, or for players whom the previous statement named. */
export function drawBidShares<Name extends keyof typeof distributions>(
  report: Report,
  name: Name,
): Picture<Name> | null {
  const { title, description, fixed } = distributions[name];
  const found = listBidShares(report, ['turn'], ({ turn }) => turn!, fixed);
  if (found === null) return null;
  const { scale } = found;
  const shares = found.shares
    .map((share) => ({ ...share, turn: Number(share.of) }))
    .sort((one, other) => one.turn - other.turn || one.bid - other.bid);
  if (new Set(shares.map(({ turn }) => turn)).size < 2) return null;
  return createPicture<Name>({
    marks: shares.map(({ mark }) => mark),
    ...{ name, title, metrics: ['bid_share'] },
    description: `${description} The table has the intervals.`,
    draw: (marked) => drawStacks(marked, shares, scale),
    table: [
      ['Turn', 'Bid', 'Share of bids'],
      ...shares.map(({ turn, bid, mark }) => [String(turn), `${bid} of ${scale}`, formatShareMark(mark)]),
    ],
    data: shares.map(({ turn, bid, mark }) => ({ turn, bid, scale, ...listMarkColumns(mark) })),
  });
}

function drawStacks(title: string, shares: readonly (BidShare & { turn: number })[], scale: number): string {
  const tones = { fill: 'currentColor', fillOpacity: ({ bid }: BidShare) => 0.08 + (0.62 * bid) / scale };
  const stack = { x: 'turn', y: ({ mark }: BidShare) => mark.value, z: 'bid', order: 'bid' as const };
  return drawSvg(title, {
    ...{ width: pictureWidth, height: 320, marginLeft: 48, marginBottom: 40, padding: 0.1 },
    x: { label: 'Turn', type: 'band', labelArrow: 'none', tickSize: 0 },
    y: { ...createShareScale('% of bids', []), domain: [0, 1] },
    opacity: { type: 'identity' },
    marks: [
      Plot.barY(shares, Plot.stackY({ ...stack, ...tones, stroke: 'currentColor', strokeOpacity: 0.6 })),
      Plot.text(
        shares,
        Plot.stackY({
          ...stack,
          text: ({ bid, mark }: BidShare) => (mark.value < 0.05 ? '' : String(bid)), // too narrow for a number
          ...{ fontSize: 11, fill: 'currentColor', stroke: 'var(--paper, Canvas)', strokeWidth: 4 },
        }),
      ),
    ],
  });
}

/** Draws the density of each model's bids on the scale, as Werewolves and as village. */
export function drawBidDensity(report: Report, shorten?: ShortenName): Picture<'bid-density'> | null {
  const found = listBidShares(report, ['model', 'team'], ({ model, team }) => JSON.stringify([model, team]));
  if (found === null) return null;
  const { scale } = found;
  const groups = [...Map.groupBy(found.shares, ({ of }) => of)].map(([of, shares]) => {
    const [model, team] = JSON.parse(of) as [string, string];
    return { model, team, shares: shares.sort((one, other) => one.bid - other.bid) };
  });
  const models = new Set(groups.map(({ model }) => model));
  if (models.size > maxModels) return null;
  const nameShort = shorten ?? truncateNames([...models]);
  const rows = groups.flatMap(({ model, team, shares }) =>
    shares.map(({ bid, mark }) => ({ model, side: team, bid, mark })),
  );
  const lines = groups.flatMap(({ model, team, shares }) =>
    listDensity(shares, scale).map((point) => ({ model, side: getSideName(team), ...point })),
  );
  if (lines.length === 0) return null;
  return createPicture({
    marks: rows.map(({ mark }) => mark),
    ...{ name: 'bid-density', title: 'Density of bids, by model and side', metrics: ['bid_share'] },
    description:
      'A field for each model and side: the share of its bids with each value, with 95 % intervals. Dashed: the kernel density of its bids (Gaussian, Scott’s bandwidth), which only smooths these whole numbers.',
    draw: (title) => drawDensities(title, rows, lines, nameShort),
    table: [
      ['Model', 'Side', 'Bid', 'Share of bids'],
      ...rows.map(({ model, side, bid, mark }) => [
        ...[model, getSideName(side), `${bid} of ${scale}`],
        formatShareMark(mark),
      ]),
    ],
    data: rows.map(({ model, side, bid, mark }) => ({ model, side, bid, scale, ...listMarkColumns(mark) })),
  });
}

const getSideName = (team: string) => (team === 'werewolves' ? 'Werewolves' : 'village');

/**
 * Lists the density from one bid below the scale to one bid above it, because the kernel reaches beyond the scale.
 * Empty if all bids are equal.
 */
function listDensity(shares: readonly BidShare[], scale: number): { at: number; density: number }[] {
  const values = shares.map(({ bid, mark }) => ({ at: bid, weight: mark.value }));
  const bandwidth = computeScottBandwidth(values, shares[0]?.opportunities ?? 0);
  if (bandwidth === null) return [];
  const steps = 20 * (scale + 2);
  return Array.from({ length: steps + 1 }, (_, step) => {
    const at = -1 + ((scale + 2) * step) / steps;
    return { at, density: Math.min(1, computeNormalDensity(values, at, bandwidth)) }; // limited to the height of the panel
  });
}

interface DensityPoint {
  model: string;
  side: string;
  at: number;
  density: number;
}

/** Draws one panel for each model and side, with its bids and a smoothed line. */
function drawDensities(
  title: string,
  shares: readonly { model: string; side: string; mark: Mark; bid: number }[],
  lines: readonly DensityPoint[],
  shorten: ShortenName,
): string {
  const models = [...new Set(lines.map(({ model }) => model))].sort();
  const field = { fx: 'side', fy: 'model' } as const;
  const points = shares.map(({ mark, bid, model, side }) => ({ ...mark, at: bid, model, side: getSideName(side) }));
  const left = measureNames(models.map(shorten));
  return drawSvg(
    title,
    {
      ...{ width: pictureWidth, height: 84 + 120 * models.length, marginLeft: 48, marginRight: left },
      ...{ marginTop: 34, marginBottom: 44 },
      fx: { label: null, padding: 0.1 },
      fy: { label: null, domain: models, tickFormat: shorten, padding: 0.12 },
      x: { label: 'Bid', labelArrow: 'none', ticks: [...new Set(points.map(({ at }) => at))], tickFormat: 'd' },
      y: createShareScale('% of bids', [...points, ...lines.map(createDensityMark)]),
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        Plot.line(lines, { x: 'at', y: 'density', strokeDasharray: '3,3', ...field }),
        Plot.ruleX(
          points.filter(({ low }) => low !== null),
          { x: 'at', y1: 'low', y2: 'high', strokeOpacity: 0.5, ...field },
        ),
        ...drawDots(points, { x: 'at', y: 'value', ...field }),
      ],
    },
    points,
  );
}

/** Creates an invisible mark at a point of a line, so that the scale has room for the line. */
const createDensityMark = ({ model, density }: DensityPoint): Mark => ({
  ...{ label: model, value: density, low: null, high: null, chance: null },
});

// Spread of votes during a debate, and the point at which the debate has decided the day.

const entropyTitle = 'Entropy of the votes, by turn and round';

/**
 * Draws a line for each round, because fewer players are alive in later rounds. Adds the mean point of consensus with
 * its interval.
 */
export function drawEntropy(report: Report): Picture<'voting-entropy'> | null {
  const points = listPoints(
    report,
    { metric: 'voting_entropy', across: 'index', of: 'round' },
    (round) => `round ${round}`,
  );
  if (!hasLines(points)) return null;
  const consensus = listConsensus(report, points);
  const getRound = ({ label }: Mark) => Number(label.replace('round ', ''));
  const byRound = points.toSorted((one, other) => getRound(one) - getRound(other)); // each round is already sorted by turn
  const rows = [
    ...byRound.map((point) => ({ point, what: 'entropy' as const, told: formatNumber(point) })),
    ...consensus.map(({ point }) => ({ point, what: 'consensus' as const, told: formatNumber(point) })),
  ];
  return createPicture({
    marks: points,
    ...{ name: 'voting-entropy', title: entropyTitle, metrics: ['voting_entropy', 'consensus_point'] },
    description:
      'A line for each round: the entropy of the votes asked after each turn, 0 bits if all name one player. The last index of a day is its ballot. Crosses: the mean turn after which the votes would first exile somebody, over days on which they ever would, with horizontal 95 % intervals. Dashed lines: the chance baseline, if known.',
    draw: (marked) => drawEntropyLines(marked, points, consensus),
    table: [
      ['Round', 'What', 'Turns before', 'Bits, or turns'],
      ...rows.map(({ point, point: { at }, what, told }) => [
        ...[String(getRound(point)), what === 'entropy' ? 'entropy' : 'consensus point'],
        ...[what === 'entropy' ? String(at) : '', told],
      ]),
    ],
    data: rows.map(({ point, what }) => ({
      ...{ round: getRound(point), what, turns_before: what === 'entropy' ? point.at : null },
      ...listMarkColumns(point),
    })),
  });
}

/** The point at which a round reaches consensus, and the height of the round's line there. */
interface ConsensusPoint {
  point: LinePoint;
  height: number;
}

function listConsensus(report: Report, lines: readonly LinePoint[]): ConsensusPoint[] {
  const found = listPoints(report, { metric: 'consensus_point', across: 'round' });
  return found.flatMap((one) => {
    const label = `round ${one.at}`;
    const own = lines.filter((point) => point.label === label);
    const [before, after] = [own.findLast(({ at }) => at <= one.value), own.find(({ at }) => at >= one.value)];
    if (before === undefined || after === undefined) return [];
    const share = after.at === before.at ? 0 : (one.value - before.at) / (after.at - before.at);
    return [{ point: { ...one, label }, height: before.value + share * (after.value - before.value) }];
  });
}

function drawEntropyLines(title: string, points: readonly LinePoint[], consensus: readonly ConsensusPoint[]): string {
  const placed = consensus.map(({ point, height }) => ({ ...point, height }));
  return drawLines(title, points, {
    ...{ across: 'Turns before the vote', up: createScale('bits', points) },
    more: [
      Plot.ruleY(
        placed.filter(({ low }) => low !== null),
        { x1: 'low', x2: 'high', y: 'height', strokeWidth: 2 },
      ),
      Plot.dot(placed, { x: 'value', y: 'height', symbol: 'times', r: 6, stroke: 'currentColor', strokeWidth: 2 }),
    ],
  });
}
