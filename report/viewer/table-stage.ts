// The table of a match as a stage: who sits where, with role, lies and fate as far as the viewer knows them, and arrows for
// what the current step says.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { sum } from '../../deception/statistics/sums.ts';
import {
  countLyingClaims,
  findKnownRole,
  findReading,
  isAllKnowing,
  listCountedBallots,
  namePhaseAndRound,
  type Perspective,
  selectAllSeen,
} from './perspective.ts';
import { isOfPack, nameRoleClass, renderRole, truncateModelNames } from './player-parts.ts';
import type { ViewedPlayer, ViewedStep } from './viewed-match.ts';

/** A cell of the grid of seats, counted from 1. */
export interface SeatPlace {
  column: number;
  row: number;
}

/**
 * Places seats on the border of a grid, clockwise from its upper left corner, in table order.
 *
 * @example placeSeats(8).places[3] // { column: 3, row: 2 }
 */
export function placeSeats(seats: number): { columns: number; rows: number; places: SeatPlace[] } {
  const columns = seats > 10 ? 4 : 3;
  const rows = Math.max(3, Math.ceil((seats - 2 * columns) / 2) + 2);
  const border: SeatPlace[] = [
    ...Array.from({ length: columns }, (_, at) => ({ column: at + 1, row: 1 })),
    ...Array.from({ length: rows - 2 }, (_, at) => ({ column: columns, row: at + 2 })),
    ...Array.from({ length: columns }, (_, at) => ({ column: columns - at, row: rows })),
    ...Array.from({ length: rows - 2 }, (_, at) => ({ column: 1, row: rows - 1 - at })),
  ];
  const places = Array.from({ length: seats }, (_, at) => border[Math.floor((at * border.length) / seats)]!);
  return { columns, rows, places };
}

/** An arrow of the current step. */
export interface StageArrow {
  from: string;
  to: string;
  how: 'accuses' | 'defends' | 'votes' | 'acts';
}

/**
 * Lists the current step's arrows: whom a statement accuses or defends, whom a ballot names, the target of an act, and
 * for a result the counted ballots.
 */
export function listArrows(look: Perspective): StageArrow[] {
  const step = selectAllSeen(look.match, look.viewer)[look.at];
  if (!step) return [];
  const ballots = listCountedBallots(look, look.at);
  if (ballots.length > 0) return ballots.map(({ player, target }) => ({ from: player, to: target, how: 'votes' }));
  const { actor, target, type } = step;
  if (actor === undefined) return [];
  const points = (findReading(step, look)?.claims ?? []).flatMap(({ points: own }): StageArrow[] =>
    own === undefined ? [] : [{ from: actor, to: own.player, how: own.how }],
  );
  const own: StageArrow[] =
    target === undefined || target === actor
      ? []
      : [{ from: actor, to: target, how: type.endsWith('ballot') ? 'votes' : 'acts' }];
  const all = [...own, ...points];
  return all.filter(
    (one, at) => all.findIndex(({ to, how }) => to === one.to && (how === one.how || own.length > 0)) === at,
  );
}

/** Renders the players around the table. */
export function renderStage(look: Perspective): ComponentChild {
  const { match, at, viewer } = look;
  const seen = selectAllSeen(match, viewer);
  const past = seen.slice(0, at + 1).filter((step) => step !== null);
  const { columns, rows, places } = placeSeats(match.players.length);
  const arrows = listArrows(look);
  const fates = findFates(look);
  const badge = past.reduce<string | null>((holder, { badge: next }) => (next === undefined ? holder : next), null);
  const models = truncateModelNames(match.players.map(({ model }) => model));
  const step = seen[at] ?? null;
  const seats = new Map(match.players.map(({ name }, place) => [name, places[place]!]));
  const alive = match.players.filter(({ name }) => !fates.has(name));
  return h('ul', { class: `stage columns-${columns} rows-${rows}`, 'aria-label': 'The table' }, [
    h('li', { class: 'arrows-holder', 'aria-hidden': 'true' }, renderArrows(arrows, seats, { columns, rows })),
    h('li', { class: 'center' }, [
      h('b', null, step ? nameOccasion(step) : match.id),
      `${alive.length} of ${match.players.length} alive`,
      isAllKnowing(viewer) ? `, ${alive.filter(isOfPack).length} of them Werewolves` : '',
    ]),
    ...match.players.map((player) => {
      const { name } = player;
      return renderSeat(player, look, {
        place: seats.get(name)!,
        model: isAllKnowing(viewer) ? models.get(player.model)! : null,
        fate: fates.get(name) ?? null,
        deed: fates.has(name) && step?.actor !== name ? null : describeDeed(name, step, arrows),
        isActing: step?.actor === name,
        isSheriff: badge === name,
      });
    }),
  ]);
}

interface Seat {
  place: SeatPlace;
  model: string | null;
  /** Cause and time of departure; null while in the game. */
  fate: string | null;
  /** The player's part in the current step, as actor or target; null if none. */
  deed: string | null;
  isActing: boolean;
  isSheriff: boolean;
}

function renderSeat(player: ViewedPlayer, look: Perspective, seat: Seat): ComponentChild {
  const { match } = look;
  const { place, model, fate, deed, isActing, isSheriff } = seat;
  const { name } = player;
  const role = findKnownRole(player, match, look);
  const lies = isAllKnowing(look.viewer) ? countLies(name, look) : null;
  const classes = [
    'seat',
    nameRoleClass(role, player),
    `column-${place.column}`,
    `row-${place.row}`,
    ...(fate === null ? [] : ['dead']),
    ...(isActing ? ['acting'] : []),
  ];
  return h('li', { class: classes.join(' '), 'data-player': name }, [
    h('b', null, h('bdi', null, name)),
    lies === null ? null : h('span', { class: lies.isRead ? 'told-lies' : 'told-lies unread' }, lies.text),
    renderRole(role, player, match),
    isSheriff ? h('span', { class: 'what' }, 'Sheriff') : null,
    fate === null ? null : h('span', { class: 'soft' }, fate),
    deed === null ? null : h('span', { class: 'what' }, deed),
    model === null
      ? null
      : h('span', { class: fate === null && deed === null ? 'soft' : 'only-seen-by-readers' }, h('bdi', null, model)),
  ]);
}

/** Names the occasion of a step, e.g. "Day 2, debate". */
export function nameOccasion(step: ViewedStep): string {
  const part = {
    ballot: 'vote',
    pseudo_ballot: 'straw poll',
    badge_ballot: 'election',
    candidacy: 'election',
    elected: 'election',
  }[step.type as string];
  const when = namePhaseAndRound(step);
  const what = part ?? (step.phase === 'day' && ['statement', 'silence'].includes(step.type) ? 'debate' : null);
  return what === null ? when : `${when}, ${what}`;
}

/**
 * Counts a player's lies so far, in words. If none of the player's statements could be read, the words say so. Null if
 * no lie was found.
 */
function countLies(name: string, look: Perspective): { text: string; isRead: boolean } | null {
  const readings = look.match.steps
    .slice(0, look.at + 1)
    .flatMap((step) => (step.actor === name ? (findReading(step, look) ?? []) : []));
  const unread = readings.filter(({ isUnread }) => isUnread).length;
  const lies = sum(readings.map(countLyingClaims));
  if (unread > 0 && unread === readings.length) return { text: 'not read', isRead: false };
  return lies === 0 ? null : { text: lies === 1 ? '1 lie' : `${lies} lies`, isRead: true };
}

/** Finds how and when players left, as far as the viewer knows. */
function findFates(look: Perspective): Map<string, string> {
  const { match, at, viewer } = look;
  const fates = new Map<string, string>();
  for (const [place, step] of selectAllSeen(match, viewer)
    .slice(0, at + 1)
    .entries()) {
    if (step?.leaves === undefined) continue;
    const { round, leaves, cause } = step;
    const ballots = cause === 'exile' ? listCountedBallots(look, place) : [];
    const votes = ballots.filter(({ target }) => target === leaves).length;
    const how = {
      night: `removed in night ${round}`,
      exile: `exiled on day ${round}${votes > 0 ? `, ${votes} of ${ballots.length} votes` : ''}`,
      last_act: `taken along in round ${round}`,
    };
    fates.set(leaves, cause === undefined ? `left in round ${round}` : how[cause]);
  }
  return fates;
}

/** Verbs for an act on a player, before "by NAME". */
const passives: Record<StageArrow['how'], string> = {
  accuses: 'accused',
  defends: 'defended',
  votes: 'named',
  acts: 'chosen',
};

/**
 * Verbs for the player who acts in a step, by type of step. Types in which something happens to the player have no
 * verb.
 */
const deeds: Readonly<Record<string, string>> = {
  ...{ statement: 'speaks', silence: 'says nothing', ballot: 'votes', badge_ballot: 'votes', pseudo_ballot: 'votes' },
  ...{ acted: 'acts', passed: 'acts', proposal: 'proposes', last_act: 'acts', candidacy: 'decides', badge: 'decides' },
  ...{ speaking_order: 'decides', learned: 'learns' },
};

function describeDeed(name: string, step: ViewedStep | null, arrows: readonly StageArrow[]): string | null {
  if (step === null) return null;
  if (step.actor === name) return deeds[step.type] ?? null;
  const own = arrows.filter(({ to }) => to === name);
  const by = [...new Set(own.map(({ from }) => from))];
  const how = [...new Set(own.map((arrow) => passives[arrow.how]))].join(' and ');
  if (by.length === 0) return null;
  return `${how} by ${by.length > 1 ? by.length : by.join('')}`;
}

/** Width of the drawing, height of a row and gaps between seats, as in the styles. */
const [stageWidth, rowHeight, gapAcross, gapDown] = [600, 110, 16, 12];

function renderArrows(
  arrows: readonly StageArrow[],
  seats: ReadonlyMap<string, SeatPlace>,
  { columns, rows }: { columns: number; rows: number },
): ComponentChild {
  const height = rowHeight * rows;
  const box = {
    width: (stageWidth - gapAcross * (columns - 1)) / columns,
    height: (height - gapDown * (rows - 1)) / rows,
  };
  const find = ({ column, row }: SeatPlace) => ({
    x: (column - 1) * (box.width + gapAcross) + box.width / 2,
    y: (row - 1) * (box.height + gapDown) + box.height / 2,
  });
  return h(
    'svg',
    { class: 'arrows', viewBox: `0 0 ${stageWidth} ${height}`, preserveAspectRatio: 'none', focusable: 'false' },
    [
      h(
        'defs',
        null,
        h(
          'marker',
          { id: 'tip', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 6, markerHeight: 6, orient: 'auto' },
          h('path', { d: 'M0 0 10 5 0 10z', class: 'tip' }),
        ),
      ),
      h('ellipse', {
        ...{ class: 'felt', cx: stageWidth / 2, cy: height / 2 },
        ...{ rx: stageWidth / 2 - box.width / 2 - 20, ry: Math.max(30, height / 2 - box.height / 2 - 20) },
      }),
      ...arrows.map(({ from, to, how }) => {
        const [start, end] = [seats.get(from), seats.get(to)];
        if (!start || !end || from === to) return null;
        const [one, other] = [find(start), find(end)];
        // An arrow between seats on the same side of the table is bent inward, so that it does not run behind other
        // seats.
        const isBent = start.row === end.row || start.column === end.column;
        const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
        const bend = isBent ? 0.7 : 0;
        const by = { x: middle.x + (stageWidth / 2 - middle.x) * bend, y: middle.y + (height / 2 - middle.y) * bend };
        const [begin, stop] = [findEdge(one, by, box, 0), findEdge(other, by, box, 6)];
        return h('path', {
          d: `M${begin.x.toFixed(1)} ${begin.y.toFixed(1)}Q${by.x.toFixed(1)} ${by.y.toFixed(1)} ${stop.x.toFixed(1)} ${stop.y.toFixed(1)}`,
          ...{ class: `arrow ${how}`, 'marker-end': 'url(#tip)' },
        });
      }),
    ],
  );
}

interface Point {
  x: number;
  y: number;
}

/**
 * Finds the point where a line from a seat's center toward another point leaves the seat. `before`: margin outside the
 * seat.
 */
function findEdge(seat: Point, toward: Point, box: { width: number; height: number }, before: number): Point {
  const [dx, dy] = [toward.x - seat.x, toward.y - seat.y];
  const length = Math.hypot(dx, dy) || 1;
  const share = Math.min(box.width / 2 / (Math.abs(dx) || 1e-9), box.height / 2 / (Math.abs(dy) || 1e-9));
  const part = Math.min(1, share + before / length);
  return { x: seat.x + dx * part, y: seat.y + dy * part };
}
