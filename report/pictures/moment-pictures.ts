// Pictures of single matches and of methods, as papers draw them: the flow of a game, bids after a statement, and votes
// during a debate.
import * as Plot from '@observablehq/plot';
import { createPicture, drawSvg, measureNames, type Picture, pictureWidth } from './picture-drawing.ts';

// Flows: boxes with arrows between them.

/** A box of a flow. Column (from the left) and row (from the top) count from 0. */
export interface FlowBox {
  text: string;
  /** Small text below `text`. */
  note: string;
  column: number;
  row: number;
}

/** An arrow between boxes, by their indices in the list. */
export type FlowArrow = readonly [from: number, to: number];

const [boxWidth, boxHeight] = [0.74, 0.62];

/**
 * Draws boxes in columns, each with its heading, and arrows between them.
 *
 * @example drawFlow({ name: 'flow', title: 'A game', description: '…' }, { headings: ['night', 'day'], boxes, arrows })
 */
export function drawFlow<Name extends string>(
  { name, title, description }: Pick<Picture<Name>, 'name' | 'title' | 'description'>,
  { headings, boxes, arrows }: { headings: readonly string[]; boxes: readonly FlowBox[]; arrows: readonly FlowArrow[] },
): Picture<Name> {
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const ends = arrows.flatMap(([from, to]) => {
    const [start, end] = [boxes[from], boxes[to]];
    return start && end ? [placeArrow(start, end)] : [];
  });
  return createPicture({
    ...{ marks: [], name, title, description, metrics: [] },
    draw: (marked) =>
      drawSvg(marked, {
        ...{ width: Math.max(pictureWidth, 200 * headings.length), height: 40 + 52 * rows },
        ...{ marginTop: 10, marginLeft: 10, marginRight: 10, marginBottom: 10 },
        x: { domain: [-0.5, headings.length - 0.5], axis: null },
        y: { domain: [rows - 0.4, -1], axis: null },
        marks: [
          Plot.text(headings, { x: (_, at: number) => at, y: -0.75, text: (one: string) => one, fontWeight: 'bold' }),
          Plot.rect(boxes, {
            x1: ({ column }: FlowBox) => column - boxWidth / 2,
            x2: ({ column }: FlowBox) => column + boxWidth / 2,
            y1: ({ row }: FlowBox) => row - boxHeight / 2,
            y2: ({ row }: FlowBox) => row + boxHeight / 2,
            ...{ stroke: 'currentColor', fill: 'currentColor', fillOpacity: 0.06, rx: 4 },
          }),
          Plot.text(boxes, { x: 'column', y: 'row', text: 'text', dy: -6, fontSize: 12 }),
          Plot.text(boxes, { x: 'column', y: 'row', text: 'note', dy: 8, fontSize: 10 }),
          Plot.arrow(ends, { x1: 'x1', y1: 'y1', x2: 'x2', y2: 'y2', headLength: 6, stroke: 'currentColor' }),
        ],
      }),
    table: [
      ['Step', 'Of', 'What', 'Leads to'],
      ...boxes.map(({ text, note, column }, at) => [
        ...[text, headings[column] ?? '', note],
        arrows
          .filter(([from]) => from === at)
          .flatMap(([, to]) => boxes[to]?.text ?? [])
          .join(', '),
      ]),
    ],
    data: boxes.map(({ text, note, column }, at) => ({
      ...{ step: text, of: headings[column] ?? '', note },
      leads_to: arrows
        .filter(([from]) => from === at)
        .flatMap(([, to]) => boxes[to]?.text ?? [])
        .join('; '),
    })),
  });
}

/** Places an arrow downward within a column, or from side to side between columns. */
function placeArrow(from: FlowBox, to: FlowBox) {
  if (from.column === to.column) {
    const sign = Math.sign(to.row - from.row);
    return {
      ...{ x1: from.column, x2: to.column },
      ...{ y1: from.row + (sign * boxHeight) / 2, y2: to.row - (sign * boxHeight) / 2 },
    };
  }
  const side = Math.sign(to.column - from.column);
  return {
    ...{ x1: from.column + (side * boxWidth) / 2, x2: to.column - (side * boxWidth) / 2 },
    ...{ y1: from.row, y2: to.row },
  };
}

// Bids after a statement.

export interface MomentBid {
  player: string;
  role: string;
  isWerewolf: boolean;
  /** Bid; null if unreadable. */
  bid: number | null;
}

/**
 * Draws a bar for each bidder, highest bid first, filled for Werewolves.
 *
 * @example drawMomentBids(bids, 4).svg
 */
export function drawMomentBids(bids: readonly MomentBid[], scale: number): Picture<'reveal-bids'> {
  const label = ({ player, role }: MomentBid) => `${player} (${role})`;
  const known = bids.filter(({ bid }) => bid !== null);
  const labels = bids.map(label);
  return createPicture({
    ...{ marks: [], name: 'reveal-bids', title: 'Bids after the Seer reveals a Werewolf', metrics: [] },
    description: 'A bar for each player who bid, as long as the bid. Bars of Werewolves are filled.',
    draw: (marked) =>
      drawSvg(marked, {
        ...{ width: pictureWidth, height: 60 + 24 * bids.length },
        ...{ marginLeft: measureNames(labels), marginRight: 24, marginBottom: 36 },
        x: {
          label: 'Bid (filled: Werewolves)',
          domain: [0, scale],
          ticks: scale,
          tickFormat: 'd',
          labelArrow: 'none',
          grid: true,
        },
        y: { label: null, type: 'band', domain: labels, tickSize: 0, padding: 0.25 },
        marks: [
          Plot.barX(known, {
            ...{ x: 'bid', y: label, stroke: 'currentColor', fill: 'currentColor' },
            fillOpacity: ({ isWerewolf }: MomentBid) => (isWerewolf ? 0.7 : 0.05),
          }),
          Plot.text(known, { x: 'bid', y: label, text: ({ bid }: MomentBid) => String(bid), dx: 8, fontSize: 12 }),
        ],
        opacity: { type: 'identity' },
      }),
    table: [['Player', 'Role', 'Bid'], ...bids.map(({ player, role, bid }) => [player, role, bid === null ? '' : `${bid} of ${scale}`])], // prettier-ignore
    data: bids.map(({ player, role, isWerewolf, bid }) => ({ player, role, is_werewolf: isWerewolf, bid, scale })),
  });
}

// Votes in the course of a debate.

/** The votes for one player after one turn. */
export interface MomentVotes {
  /** Name of the turn, e.g. "3: Ann", or "the ballot". */
  turn: string;
  target: string;
  targetRole: string;
  isTargetWerewolf: boolean;
  /** Role of each voter. */
  voterRoles: readonly string[];
}

/** Returns a function that abbreviates a role to one letter, or to two if another role begins with the same letter. */
function abbreviateRoles(roles: readonly string[]): (role: string) => string {
  const isAlone = (role: string) => roles.filter((other) => other.startsWith(role.charAt(0))).length === 1;
  return (role) => (isAlone(role) ? role.charAt(0) : role.slice(0, 2));
}

/**
 * Draws a row for each turn. Each player who got votes has a bar whose width is the number of votes, with a letter for
 * each voter's role.
 *
 * @example drawMomentVotes(votes).table[0] // ['Turn', 'Votes for', 'Role', 'Votes', 'Of']
 */
export function drawMomentVotes(votes: readonly MomentVotes[]): Picture<'votes-by-turn'> {
  const turns = [...new Set(votes.map(({ turn }) => turn))];
  const roles = [...new Set(votes.flatMap(({ voterRoles }) => voterRoles))].sort();
  const abbreviate = abbreviateRoles(roles);
  const bars = turns.flatMap((turn) => {
    let from = 0;
    return votes
      .filter((one) => one.turn === turn)
      .map((one) => {
        const [left, right] = [from, from + one.voterRoles.length];
        from = right;
        return { ...one, left, right, letters: one.voterRoles.map(abbreviate).sort().join(' ') };
      });
  });
  type Bar = (typeof bars)[number];
  const middle = ({ left, right }: Bar) => (left + right) / 2;
  const most = Math.max(...bars.map(({ right }) => right));
  const key = roles.map((role) => `${abbreviate(role)} ${role}`).join(', ');
  return createPicture({
    ...{ marks: [], name: 'votes-by-turn', title: 'Votes during one debate', metrics: ['vote_change_rate'] },
    description: `A row for each turn, with a bar for each player who got votes, as wide as the number of votes. Above a bar: the roles of the voters (${key}). Bars of Werewolves are darker.`,
    draw: (marked) =>
      drawSvg(marked, {
        ...{ width: pictureWidth + 120, height: 50 + 44 * turns.length },
        ...{ marginLeft: measureNames(turns), marginRight: 16, marginBottom: 36 },
        x: {
          label: `Votes (above: ${key}; darker: for a Werewolf)`,
          domain: [0, most],
          ticks: most,
          tickFormat: 'd',
          labelArrow: 'none',
        },
        y: { label: null, type: 'band', domain: turns, tickSize: 0, padding: 0.1 },
        opacity: { type: 'identity' },
        marks: [
          Plot.barX(bars, {
            ...{ x1: 'left', x2: 'right', y: 'turn', insetTop: 15, insetLeft: 1, insetRight: 1 },
            ...{ stroke: 'currentColor', fill: 'currentColor' },
            fillOpacity: ({ isTargetWerewolf }: Bar) => (isTargetWerewolf ? 0.3 : 0.05),
          }),
          Plot.text(bars, { x: middle, y: 'turn', text: 'letters', dy: -13, fontSize: 10 }),
          Plot.text(bars, { x: middle, y: 'turn', text: ({ target }: Bar) => target, dy: 8, fontSize: 11 }),
        ],
      }),
    table: [
      ['Turn', 'Votes for', 'Role', 'Votes', 'Of'],
      ...bars.map(({ turn, target, targetRole, voterRoles }) => [
        ...[turn, target, targetRole, String(voterRoles.length)],
        voterRoles.toSorted().join(', '),
      ]),
    ],
    data: bars.map(({ turn, target, targetRole, voterRoles }) => ({
      ...{
        turn,
        target,
        target_role: targetRole,
        votes: voterRoles.length,
        voter_roles: voterRoles.toSorted().join(', '),
      },
    })),
  });
}
