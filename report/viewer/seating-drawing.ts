// The table of a match in the page: who sits where, with role and model as far as the viewer knows them, and who does what
// to whom at the moment.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { findKnownRole, isAllKnowing, type Perspective, selectAllSeen } from './perspective.ts';
import type { ViewedPlayer, ViewedStep } from './viewed-match.ts';

/** The box of a seat, and the radii of a table around which so many of them do not overlap. */
const seat = { width: 112, height: 66 };

/** Where so many sit around the table without overlap; `places`: in their order, from the top. */
export function placeSeats(seats: number) {
  const apart = Math.sin((2 * Math.PI) / Math.max(8, seats));
  const across = (seat.width + 8) / apart;
  let down = Math.max(150, (seat.height + 6) / apart);
  const list = (): Place[] =>
    Array.from({ length: seats }, (_, place) => {
      const angle = (2 * Math.PI * place) / seats - Math.PI / 2;
      return {
        x: across + seat.width / 2 + 6 + across * Math.cos(angle),
        y: down + seat.height / 2 + 6 + down * Math.sin(angle),
      };
    });
  const isCrowded = (places: readonly Place[]) =>
    places.some(({ x, y }, at) => {
      const next = places[(at + 1) % places.length]!;
      return seats > 1 && Math.abs(x - next.x) < seat.width && Math.abs(y - next.y) < seat.height + 4;
    });
  while (isCrowded(list())) down += 6;
  return {
    ...{ across, down, places: list() },
    ...{ width: 2 * across + seat.width + 12, height: 2 * down + seat.height + 12 },
  };
}

interface Place {
  x: number;
  y: number;
}

/** The players around the table. */
export function drawSeating(look: Perspective): ComponentChild {
  const { match, at, viewer } = look;
  const seen = selectAllSeen(match, viewer);
  const past = seen.slice(0, at + 1).filter((step) => step !== null);
  const gone = new Set(past.flatMap(({ leaves }) => leaves ?? []));
  const badge = past.reduce<string | null>((holder, { badge: next }) => (next === undefined ? holder : next), null);
  const table = placeSeats(match.players.length);
  const seats = new Map(match.players.map(({ name }, place): [string, Place] => [name, table.places[place]!]));
  const step = seen[at];
  const models = truncateModelNames(match.players.map(({ model }) => model));
  return h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'The table' }, [
    h(
      'svg',
      {
        ...{ viewBox: `0 0 ${table.width} ${table.height}`, width: table.width, height: table.height },
        ...{ class: 'table', role: 'group', 'aria-label': 'Players around the table' },
      },
      [
        h('defs', null, [
          h(
            'marker',
            { id: 'tip', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto' },
            [h('path', { d: 'M0 0 10 5 0 10z', class: 'tip' })],
          ),
        ]),
        h('ellipse', {
          ...{ cx: table.width / 2, cy: table.height / 2, rx: table.across - 58, ry: table.down - 52, class: 'top' },
        }),
        ...(step ? listArrows(step) : []).map(([from, to, kind]) => renderArrow(seats.get(from), seats.get(to), kind)),
        ...match.players.map((player) =>
          renderSeat(player, {
            place: seats.get(player.name)!,
            role: findKnownRole(player, match, look),
            model: isAllKnowing(viewer) ? models.get(player.model)! : null,
            isGone: gone.has(player.name),
            isActing: step?.actor === player.name,
            isSheriff: badge === player.name,
          }),
        ),
      ],
    ),
  ]);
}

interface Seat {
  place: Place;
  role: string | null;
  /** In lines; null where it is not known. */
  model: readonly string[] | null;
  isGone: boolean;
  isActing: boolean;
  isSheriff: boolean;
}

function renderSeat(player: ViewedPlayer, { place, role, model, isGone, isActing, isSheriff }: Seat): ComponentChild {
  const words = `${player.name}, ${role ?? 'role not known'}, ${isGone ? 'gone' : 'alive'}${isSheriff ? ', Sheriff' : ''}${model ? `, ${player.model}` : ''}`;
  return h(
    'g',
    {
      ...{ class: `seat${isGone ? ' gone' : ''}${isActing ? ' acting' : ''}`, role: 'img', 'aria-label': words },
      transform: `translate(${place.x} ${place.y})`,
    },
    [
      h('title', null, words),
      h('rect', { x: -seat.width / 2, y: -seat.height / 2, ...seat, rx: 8 }),
      h('text', { y: -15, class: 'name' }, `${player.name}${isGone ? ' †' : ''}`),
      isSheriff ? h('path', { class: 'star', d: star, transform: `translate(${-seat.width / 2 + 12} -22)` }) : null,
      h('text', { y: 1, class: 'role' }, role ?? '?'),
      ...(model ?? []).map((line, at) => h('text', { y: 14 + 11 * at, class: 'model' }, line)),
    ],
  );
}

/** A star of five points, some 14 wide: not every browser has a character for it. */
const star = `M${Array.from({ length: 10 }, (_, at) => {
  const [angle, radius] = [(Math.PI * at) / 5 - Math.PI / 2, at % 2 === 0 ? 7 : 3];
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}).join('L')}z`;

/** Characters of a line in a seat. */
const lineLength = 18;

/** Each model in at most two lines of a seat: without its provider, and without what is in the middle of a long name. */
export function truncateModelNames(models: readonly string[]): Map<string, string[]> {
  const different = [...new Set(models)];
  const shown = different.map((model) => {
    const bare = model.replace(/^[\w-]+:/, '');
    const isAlone = different.filter((other) => other.replace(/^[\w-]+:/, '') === bare).length === 1;
    const name = isAlone ? bare : model;
    const most = 2 * lineLength;
    return name.length <= most ? name : `${name.slice(0, lineLength - 1)}…${name.slice(-lineLength)}`;
  });
  return new Map(
    different.map((model, at): [string, string[]] => {
      const same = shown.flatMap((name, place) => (name === shown[at] ? [place] : []));
      const name = same.length === 1 ? shown[at]! : `${same.indexOf(at) + 1}: ${shown[at]!.slice(3)}`;
      return [model, [name.slice(0, lineLength), name.slice(lineLength)].filter((line) => line !== '')];
    }),
  );
}

/** From whom to whom, and why. */
function listArrows({ actor, target, votes = [] }: ViewedStep): [from: string, to: string, kind: string][] {
  const own: [string, string, string][] =
    actor !== undefined && target !== undefined && actor !== target ? [[actor, target, 'deed']] : [];
  return [...votes.map((vote): [string, string, string] => [vote.player, vote.target, 'vote']), ...own];
}

function renderArrow(from: Place | undefined, to: Place | undefined, kind: string): ComponentChild {
  if (!from || !to) return null;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const cut = (share: number) => ({ x: from.x + dx * share, y: from.y + dy * share });
  const [start, end] = [cut(Math.min(0.4, 38 / length)), cut(1 - Math.min(0.4, 48 / length))];
  return h('line', {
    ...{ x1: start.x, y1: start.y, x2: end.x, y2: end.y },
    ...{ class: `arrow ${kind}`, 'marker-end': 'url(#tip)' },
  });
}
