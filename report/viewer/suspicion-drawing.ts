// Suspicion in the page: who suspects whom at the moment, as a table of shades, and how that developed, as lines.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { collectSuspicion, isAllKnowing, type Perspective, selectAllSeen } from './perspective.ts';

/** Choice of the lines to draw: the mean suspicion of every player, or the suspicion of one player. */
export interface SuspicionChoice {
  /** Player whose suspicion is drawn; null for all players. */
  of: string | null;
  choose: (of: string | null) => void;
}

export function renderSuspicion(look: Perspective, choice: SuspicionChoice): ComponentChild {
  const { match, viewer } = look;
  const wholly = collectSuspicion({ ...look, at: match.steps.length - 1 });
  if (wholly.size === 0)
    return isAllKnowing(viewer)
      ? h('p', { class: 'note' }, 'Nobody has been asked for suspicions in this match.')
      : null;
  const [before, now] = [collectSuspicion({ ...look, at: look.at - 1 }), collectSuspicion(look)];
  const gone = new Set(
    selectAllSeen(match, viewer)
      .slice(0, look.at)
      .flatMap((step) => step?.leaves ?? []),
  );
  const names = match.players.flatMap(({ name }) => (gone.has(name) ? [] : [name]));
  const observers = names.filter((name) => wholly.has(name));
  return h('section', { class: 'part' }, [
    h('h2', null, ['Suspicion', h('small', null, ' who is taken for a Werewolf')]),
    renderHeat({
      label: 'Suspicion',
      caption: 'Rows suspect columns, in percent; a dash: nothing heard yet. Framed: changed with this step.',
      heads: names,
      observers,
      find: (observer, name) => ({
        score: now.get(observer)?.get(name) ?? null,
        before: before.get(observer)?.get(name) ?? null,
      }),
    }),
    h('details', { key: 'lines', class: 'fold' }, [
      h('summary', null, ['Course of suspicion', h('span', null, 'lines over the match')]),
      h('div', null, renderLines(look, choice)),
    ]),
  ]);
}

/** A table of shares, with a row for each observer. */
interface Heat {
  label: string;
  caption: string;
  heads: readonly string[];
  observers: readonly string[];
  /**
   * Finds the observer's score for the player in column `head`. `before`: the score one step earlier; absent if not
   * shown.
   */
  find: (observer: string, head: string) => { score: number | null; before?: number | null };
}

/** Renders shares as percentages and shades. A value that has just changed has a frame and shows the change. */
export const renderHeat = ({ label, caption, heads, observers, find }: Heat): ComponentChild =>
  h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': label }, [
    h('table', { class: `heat${heads.length > 9 ? ' dense' : ''}` }, [
      h('caption', null, caption),
      h('thead', null, [
        h('tr', null, [
          h('th', { scope: 'col' }, h('span', { class: 'only-seen-by-readers' }, 'Who')),
          ...heads.map((name) => h('th', { scope: 'col' }, name)),
        ]),
      ]),
      h(
        'tbody',
        null,
        observers.map((observer) =>
          h('tr', null, [
            h('th', { scope: 'row' }, observer),
            ...heads.map((head) => renderHeatCell(observer === head ? null : find(observer, head))),
          ]),
        ),
      ),
    ]),
  ]);

/** Renders a cell of the table. `found`: null for a player's suspicion of themselves. */
function renderHeatCell(found: { score: number | null; before?: number | null } | null): ComponentChild {
  if (found === null) return h('td', { class: 'self' }, '·');
  const { score, before = score } = found;
  if (score === null) return h('td', { class: 'self' }, '–');
  const [is, was] = [Math.round(100 * score), before === null ? null : Math.round(100 * before)];
  const shade = `h${Math.min(9, Math.floor(score * 10))}`;
  if (was === is) return h('td', { class: shade }, String(is));
  const change = was === null ? 'new' : `${is > was ? '+' : '−'}${Math.abs(is - was)}`;
  return h('td', { class: `${shade} changed` }, [String(is), ' ', h('small', { class: 'whole' }, change)]);
}

interface Line {
  name: string;
  /** Number of the seat, from 1, printed on the line. */
  seat: number;
  isPack: boolean;
  points: { at: number; score: number }[];
}

/**
 * Lists the lines. For all players: each player's mean suspicion by the listeners. For one player: every observer's
 * suspicion. In a player's view: that player's suspicion of every other player.
 */
function listLines({ match, viewer }: Perspective, of: string | null): Line[] {
  const current = new Map<string, Map<string, number>>();
  const lines = match.players.map(({ name, team }, place): Line => ({
    name,
    seat: place + 1,
    isPack: team === 'the Werewolves',
    points: [],
  }));
  for (const [at, step] of selectAllSeen(match, viewer).entries()) {
    const changed = new Set<string>();
    for (const [observer, targets] of Object.entries(step?.suspicion ?? {}))
      for (const [target, { score }] of Object.entries(targets)) {
        const line = of === null ? target : target === of ? observer : null;
        if (line === null) continue;
        current.set(line, (current.get(line) ?? new Map<string, number>()).set(observer, score));
        changed.add(line);
      }
    for (const { name, points } of lines) {
      const scores = changed.has(name) ? [...current.get(name)!.values()] : [];
      if (scores.length > 0) points.push({ at, score: scores.reduce((sum, one) => sum + one, 0) / scores.length });
    }
  }
  return lines.filter(({ points }) => points.length > 0);
}

const [width, height, right] = [520, 200, 110];

function renderLines(look: Perspective, { of, choose }: SuspicionChoice): ComponentChild {
  const { match, at, viewer } = look;
  const isAll = isAllKnowing(viewer);
  const chosen = isAll ? of : null;
  const drawn = listLines(look, chosen);
  const x = (place: number) => 30 + ((width - 30 - right) * place) / Math.max(1, match.steps.length - 1);
  const y = (score: number) => 8 + (height - 24) * (1 - score);
  const spread = spreadLabels(
    drawn.map(({ name, points }) => ({ name, y: y(points.at(-1)!.score) })),
    height - 8,
  );
  const what = !isAll
    ? `How far ${viewer} suspected each other player`
    : chosen === null
      ? 'Mean suspicion of each player by those who heard them'
      : `Suspicion of ${chosen} by each player`;
  return h('figure', null, [
    isAll
      ? h('p', null, [
          h('label', { for: 'suspected' }, 'Lines '),
          h(
            'select',
            {
              id: 'suspected',
              onChange: (event: Event) => choose((event.target as HTMLSelectElement).value || null),
            },
            [
              h('option', { value: '', selected: chosen === null }, 'mean for each player'),
              ...match.players.map(({ name }) =>
                h('option', { value: name, selected: chosen === name }, `of ${name}, by each player`),
              ),
            ],
          ),
        ])
      : null,
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Lines of suspicion' }, [
      h(
        'svg',
        {
          ...{ viewBox: `0 0 ${width} ${height}`, width, height, class: 'lines', role: 'img' },
          'aria-label': `${what}, over the match; the table above has the numbers of each moment`,
        },
        [
          ...[0, 0.5, 1].map((tick) =>
            h('g', { class: 'tick' }, [
              h('line', { x1: 30, x2: width - right, y1: y(tick), y2: y(tick) }),
              h('text', { x: 4, y: y(tick) + 4 }, String(tick)),
            ]),
          ),
          h('line', { x1: x(at), x2: x(at), y1: 8, y2: height - 16, class: 'now' }),
          ...drawn.flatMap(({ name, seat, isPack, points }) => {
            const side = !isAll ? 'plain' : isPack ? 'pack' : 'village';
            const last = points.at(-1)!;
            return [
              h('polyline', { points: points.map((one) => `${x(one.at)},${y(one.score)}`).join(' '), class: side }),
              h('polyline', {
                class: 'lead',
                points: `${x(last.at)},${y(last.score)} ${width - right + 4},${spread.get(name)!} ${width - right + 8},${spread.get(name)!}`,
              }),
              ...listMarked(points, seat).map((one) =>
                h('g', { class: 'seat-mark', transform: `translate(${x(one.at)} ${y(one.score)})` }, [
                  h('circle', { r: 6 }),
                  h('text', { y: 3 }, String(seat)),
                ]),
              ),
              h(
                'text',
                { x: width - right + 11, y: spread.get(name)! + 4 },
                `${seat} ${name}${isAll && isPack ? ' (W)' : ''}`,
              ),
            ];
          }),
        ],
      ),
    ]),
    h(
      'figcaption',
      { class: 'note' },
      `${what}, moment by moment.${isAll ? ' Werewolves (W) dashed.' : ''} Numbers: places at the table.`,
    ),
  ]);
}

/**
 * Selects the points of a line at which the seat's number is printed. The places differ by seat, so that fewer numbers
 * overlap.
 */
const listMarked = <Point>(points: readonly Point[], seat: number): Point[] =>
  points.length < 4
    ? points.slice(-1)
    : [points[Math.floor(((seat % 5) + 0.5) * (points.length / 5) * 0.5)]!, points.at(-1)!];

/** Separates labels so that none covers another, and none lies below the picture. */
function spreadLabels(labels: readonly { name: string; y: number }[], lowest: number): Map<string, number> {
  const sorted = [...labels].sort((one, other) => one.y - other.y);
  const placed: number[] = [];
  for (const { y } of sorted) placed.push(Math.max(y, (placed.at(-1) ?? -Infinity) + 12));
  for (let place = placed.length - 1, limit = lowest; place >= 0; place--, limit = placed[place + 1]! - 12)
    placed[place] = Math.min(placed[place]!, limit);
  return new Map(sorted.map(({ name }, place) => [name, placed[place]!]));
}
