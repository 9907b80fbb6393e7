// The page in the browser: a list of matches, and one match that is stepped through. Whatever models said is put into text
// nodes by Preact, never into markup. One file, since all of it is one small program with one state.
/// <reference lib="dom" />
import { h, render, type ComponentChild } from 'preact';
import { quoteForShell } from '../../state/text.ts';
import type { ListedMatch } from './match-list.ts';
import type { Viewer, ViewedMatch, ViewedPlayer, ViewedStep } from './viewed-match.ts';

interface State {
  /** Null in the file of one match. */
  matches: readonly ListedMatch[] | null;
  reports: readonly { name: string; href: string }[];
  filter: string;
  sort: { column: keyof ListedMatch; isDown: boolean };
  match: ViewedMatch | null;
  at: number;
  viewer: Viewer;
  isPlaying: boolean;
  problem: string | null;
  /** Of the server, as whoever started it named it. */
  folder: string;
  /** Whether the server does not answer. */
  isLost: boolean;
}

const state: State = {
  ...{ matches: null, reports: [], filter: '', sort: { column: 'begun', isDown: true }, match: null, at: 0 },
  ...{ viewer: 'all', isPlaying: false, problem: null, folder: '', isLost: false },
};

const update = (change: Partial<State>) => {
  Object.assign(state, change);
  document.title = [state.match?.id ?? (state.problem === null ? 'Matches' : 'Not found'), 'Wolfgraph'].join(' · ');
  render(renderApp(), document.getElementById('app')!);
};

// What may be seen.

const isAll = () => state.viewer === 'all';
const maySee = ({ by }: { by?: readonly string[] }) => isAll() || (by === undefined ? true : by.includes(state.viewer)); // of an attachment: who is public sees none
const findTelling = (step: ViewedStep): string | null =>
  isAll() ? step.told : (step.tellings[state.viewer] ?? step.toldToAll);

/** The moments that the viewer knows of, with their places. */
const listShown = (match: ViewedMatch) =>
  match.steps.map((step, place) => ({ step, place })).filter(({ step }) => findTelling(step) !== null);

const knowsRole = (player: ViewedPlayer, match: ViewedMatch) =>
  isAll() || player.knownTo.includes(state.viewer) || findShownRole(player.name, match) !== null;

function findShownRole(name: string, { steps }: ViewedMatch): string | null {
  return steps.slice(0, state.at + 1).find(({ shows }) => shows?.player === name)?.shows?.role ?? null;
}

// The list of matches.

const columns: readonly [keyof ListedMatch, string][] = [
  ['id', 'Match'],
  ['board', 'Board'],
  ['rules', 'Rules'],
  ['villagers', 'Village'],
  ['werewolves', 'Werewolves'],
  ['winner', 'Won by'],
  ['rounds', 'Rounds'],
  ['lies', 'Lies'],
  ['flagged', 'Flags'],
  ['fallbacks', 'Fallbacks'],
  ['cost', 'USD'],
  ['begun', 'Begun'],
];

function renderList(matches: readonly ListedMatch[]): ComponentChild {
  const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = matches.filter((row) => {
    const text = Object.values(row).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const { column, isDown } = state.sort;
  const sorted = [...found].sort((one, other) => compareValues(one[column], other[column]) * (isDown ? -1 : 1));
  const shown = sorted.slice(0, mostRows);
  const sortBy = (name: keyof ListedMatch) =>
    update({ sort: { column: name, isDown: column === name ? !isDown : false } });
  return h('main', { class: 'list' }, [
    h('h1', { tabIndex: -1 }, 'Matches'),
    state.reports.length === 0
      ? h('p', { class: 'quiet' }, [
          'No report lies here yet. For findings and pictures over these matches: ',
          h('code', null, `npm run report -- ${quoteForShell(state.folder)}`),
        ])
      : h('p', null, ['Reports: ', ...state.reports.flatMap(({ name, href }) => [h('a', { href }, name), ' '])]),
    h('p', null, [
      h('label', { for: 'filter' }, 'Filter '),
      h('input', {
        ...{ id: 'filter', type: 'search', value: state.filter, placeholder: 'words, e.g. gpt werewolves won' },
        onInput: (event: Event) => update({ filter: (event.target as HTMLInputElement).value }),
      }),
      h('span', { role: 'status' }, ` ${found.length} of ${matches.length} matches`),
    ]),
    h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'Matches' }, [
      h('table', null, [
        h('thead', null, [
          h(
            'tr',
            null,
            columns.map(([name, title]) =>
              h('th', { scope: 'col', 'aria-sort': column === name ? (isDown ? 'descending' : 'ascending') : 'none' }, [
                h('button', { type: 'button', onClick: () => sortBy(name) }, title),
              ]),
            ),
          ),
        ]),
        h(
          'tbody',
          null,
          shown.map((row) =>
            h(
              'tr',
              { key: row.path },
              columns.map(([name]) =>
                name === 'id'
                  ? h('th', { scope: 'row' }, [
                      row.problem === null
                        ? h('a', { href: `#/match/${encodeURIComponent(row.path)}` }, row.id)
                        : row.id,
                      ...row.marks.map((mark) => h('span', { class: 'mark' }, mark)),
                      row.problem === null ? null : h('p', { class: 'quiet' }, h('bdi', null, row.problem)),
                    ])
                  : h('td', null, formatCell(row[name])),
              ),
            ),
          ),
        ),
      ]),
    ]),
    found.length > shown.length ? h('p', null, `${found.length - shown.length} more: filter for them.`) : null,
  ]);
}

/** Rows of the list that are drawn at a time. */
const mostRows = 500;

const compareValues = (one: ListedMatch[keyof ListedMatch], other: ListedMatch[keyof ListedMatch]) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one ?? '').localeCompare(String(other ?? ''), 'en', { numeric: true });

const formatCell = (value: ListedMatch[keyof ListedMatch]): string =>
  value === null || value === '' ? '–' : Array.isArray(value) ? value.join(', ') : String(value);

// One match.

function renderMatch(match: ViewedMatch): ComponentChild {
  const shown = listShown(match);
  const step = match.steps[state.at];
  const viewers: [Viewer, string][] = [
    ['all', 'all-knowing'],
    ['public', 'public'],
    ...match.players.map(({ name }): [Viewer, string] => [name, `what ${name} knew`]),
  ];
  return h('main', { class: 'match' }, [
    h('header', null, [
      state.matches === null ? null : h('a', { href: '#/' }, 'All matches'),
      h('h1', { tabIndex: -1 }, h('bdi', null, match.id)),
      h(
        'p',
        null,
        `${match.board}, ${match.rules}, seed ${match.seed}. ${isAll() || isAtEnd(match) ? match.ending : ''}`,
      ),
      ...(isAll() ? match.notes : []).map((note) => h('p', { class: 'notice' }, note)),
      h('p', null, [
        h('label', { for: 'viewer' }, 'View '),
        h(
          'select',
          {
            id: 'viewer',
            value: state.viewer,
            onChange: (event: Event) => look((event.target as HTMLSelectElement).value),
          },
          viewers.map(([value, title]) => h('option', { value, selected: state.viewer === value }, title)),
        ),
      ]),
    ]),
    renderControls(match, shown),
    h('div', { class: 'stage' }, [
      h('section', { class: 'board', 'aria-label': 'Players' }, [renderTable(match, step), renderSuspicion(match)]),
      h('section', { class: 'story', 'aria-label': 'What happened' }, [
        renderStory(match, shown),
        step ? renderDetails(step, match) : null,
      ]),
    ]),
  ]);
}

const isAtEnd = ({ steps }: ViewedMatch) => state.at >= steps.length - 1;

function look(viewer: Viewer): void {
  state.viewer = viewer;
  const { match } = state;
  if (match === null) return;
  const shown = listShown(match);
  const next = shown.findLast(({ place }) => place <= state.at) ?? shown[0];
  goTo(next?.place ?? 0);
}

function renderControls(match: ViewedMatch, shown: readonly { step: ViewedStep; place: number }[]): ComponentChild {
  const index = Math.max(
    0,
    shown.findIndex(({ place }) => place === state.at),
  );
  const step = match.steps[state.at];
  return h('nav', { class: 'controls', 'aria-label': 'Time line' }, [
    h('button', { type: 'button', onClick: () => move(-1) }, 'Back'),
    h('button', { type: 'button', onClick: togglePlay }, state.isPlaying ? 'Pause' : 'Play'),
    h('button', { type: 'button', onClick: () => move(1) }, 'Next'),
    h('input', {
      ...{ type: 'range', min: 0, max: Math.max(0, shown.length - 1), value: index, 'aria-label': 'Moment' },
      'aria-valuetext': step ? `${nameWhen(step)}, moment ${index + 1} of ${shown.length}` : '',
      onInput: (event: Event) => goTo(shown[Number((event.target as HTMLInputElement).value)]!.place),
    }),
    h('output', null, step ? `${nameWhen(step)} · ${index + 1} of ${shown.length}` : ''),
    h('span', { class: 'keys' }, 'arrow keys step, space plays, j and k go by nights and days'),
  ]);
}

const nameWhen = ({ phase, round }: ViewedStep) =>
  phase === 'end' ? 'End' : `${phase === 'night' ? 'Night' : 'Day'} ${round}`;

/** The box of a seat, and the radii of a table around which so many of them do not overlap. */
const seat = { width: 100, height: 54 };

function measureTable(seats: number) {
  const apart = Math.sin((2 * Math.PI) / Math.max(8, seats));
  const [across, down] = [(seat.width + 8) / apart, Math.max(150, (seat.height + 6) / apart)];
  return { across, down, width: 2 * across + seat.width + 12, height: 2 * down + seat.height + 12 };
}

function renderTable(match: ViewedMatch, step: ViewedStep | undefined): ComponentChild {
  const past = match.steps.slice(0, state.at + 1);
  const gone = new Set(past.flatMap(({ leaves }) => leaves ?? []));
  const badge = past.reduce<string | null>((holder, { badge: next }) => (next === undefined ? holder : next), null);
  const count = match.players.length;
  const table = measureTable(count);
  const seats = new Map(
    match.players.map(({ name }, place) => {
      const angle = (2 * Math.PI * place) / count - Math.PI / 2;
      const [x, y] = [
        table.width / 2 + table.across * Math.cos(angle),
        table.height / 2 + table.down * Math.sin(angle),
      ];
      return [name, { x, y }];
    }),
  );
  const isKnown = step !== undefined && findTelling(step) !== null;
  const arrows = step && isKnown ? listArrows(step) : [];
  return h(
    'svg',
    { viewBox: `0 0 ${table.width} ${table.height}`, class: 'table', role: 'group', 'aria-label': 'The table' },
    [
      h('defs', null, [
        h(
          'marker',
          { id: 'tip', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: 'auto' },
          [h('path', { d: 'M0 0 10 5 0 10z', class: 'tip' })],
        ),
      ]),
      h('ellipse', {
        cx: table.width / 2,
        cy: table.height / 2,
        rx: table.across - 52,
        ry: table.down - 48,
        class: 'top',
      }),
      ...arrows.map(([from, to, kind]) => renderArrow(seats.get(from), seats.get(to), kind)),
      ...match.players.map((player) => {
        const { x, y } = seats.get(player.name)!;
        const isGone = gone.has(player.name);
        const isActing = isKnown && step.actor === player.name;
        const role = knowsRole(player, match)
          ? isAll() || player.knownTo.includes(state.viewer)
            ? player.role
            : findShownRole(player.name, match)!
          : '?';
        const words = `${player.name}, ${role === '?' ? 'role not known' : role}, ${isGone ? 'gone' : 'alive'}${badge === player.name ? ', Sheriff' : ''}${isAll() ? `, ${player.model}` : ''}`;
        return h(
          'g',
          {
            class: `seat${isGone ? ' gone' : ''}${isActing ? ' acting' : ''}`,
            role: 'img',
            'aria-label': words,
            transform: `translate(${x} ${y})`,
          },
          [
            h('title', null, words),
            h('rect', { x: -seat.width / 2, y: -26, ...seat, rx: 8 }),
            h(
              'text',
              { y: -8, class: 'name' },
              `${badge === player.name ? '★ ' : ''}${player.name}${isGone ? ' †' : ''}`,
            ),
            h('text', { y: 8, class: 'role' }, role),
            isAll() ? h('text', { y: 22, class: 'model' }, shorten(player.model, 18)) : null,
          ],
        );
      }),
    ],
  );
}

const shorten = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** From whom to whom, and why. */
function listArrows(step: ViewedStep): [from: string, to: string, kind: string][] {
  const own: [string, string, string][] =
    step.actor !== undefined && step.target !== undefined && step.actor !== step.target
      ? [[step.actor, step.target, 'deed']]
      : [];
  const votes = isAll()
    ? (step.votes ?? []).map(({ player, target }): [string, string, string] => [player, target, 'vote'])
    : [];
  return [...votes, ...own];
}

interface Place {
  x: number;
  y: number;
}

function renderArrow(from: Place | undefined, to: Place | undefined, kind: string): ComponentChild {
  if (!from || !to) return null;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const cut = (share: number) => ({ x: from.x + dx * share, y: from.y + dy * share });
  const [start, end] = [cut(Math.min(0.4, 34 / length)), cut(1 - Math.min(0.4, 44 / length))];
  return h('line', {
    x1: start.x,
    y1: start.y,
    x2: end.x,
    y2: end.y,
    class: `arrow ${kind}`,
    'marker-end': 'url(#tip)',
  });
}

// Suspicion.

function renderSuspicion(match: ViewedMatch): ComponentChild {
  if (state.viewer === 'public') return null;
  const past = match.steps.slice(0, state.at + 1);
  const scores = new Map<string, Record<string, number | null>>();
  for (const { suspicion = {} } of past)
    for (const [observer, of] of Object.entries(suspicion))
      scores.set(
        observer,
        Object.fromEntries(Object.entries(of).map(([name, { score, round }]) => [name, round === null ? null : score])),
      );
  const names = match.players.map(({ name }) => name);
  const observers = isAll() ? names : names.filter((name) => name === state.viewer);
  if (scores.size === 0) return h('p', { class: 'quiet' }, 'No suspicion has been told yet.');
  return h('div', null, [
    h('h2', null, 'Suspicion'),
    h('p', { class: 'quiet' }, 'Rows suspect columns, 0 to 1; a dash: nothing heard yet.'),
    h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'Suspicion' }, [
      h('table', { class: 'heat' }, [
        h('thead', null, [
          h('tr', null, [h('th', { scope: 'col' }, 'Who'), ...names.map((name) => h('th', { scope: 'col' }, name))]),
        ]),
        h(
          'tbody',
          null,
          observers.map((observer) =>
            h('tr', null, [
              h('th', { scope: 'row' }, observer),
              ...names.map((name) => {
                const score = scores.get(observer)?.[name] ?? null;
                if (score === null || observer === name) return h('td', { class: 'none' }, '–');
                return h('td', { class: `h${Math.min(9, Math.floor(score * 10))}` }, score.toFixed(2));
              }),
            ]),
          ),
        ),
      ]),
    ]),
    isAll() ? renderLines(match) : null,
  ]);
}

/** Each player's mean suspicion by those who have heard the player, over the match. */
function renderLines(match: ViewedMatch): ComponentChild {
  const current = new Map<string, Map<string, number>>();
  const lines = new Map<string, { at: number; mean: number }[]>(match.players.map(({ name }) => [name, []]));
  for (const [at, { suspicion }] of match.steps.entries()) {
    for (const [observer, of] of Object.entries(suspicion ?? {}))
      for (const [name, { score, round }] of Object.entries(of))
        if (round !== null) current.set(name, (current.get(name) ?? new Map<string, number>()).set(observer, score));
    if (suspicion)
      for (const [name, by] of current)
        lines.get(name)!.push({ at, mean: [...by.values()].reduce((sum, one) => sum + one, 0) / by.size });
  }
  const [width, height] = [520, 160];
  const x = (at: number) => 30 + ((width - 120) * at) / Math.max(1, match.steps.length - 1);
  const y = (mean: number) => 8 + (height - 24) * (1 - mean);
  const drawn = [...lines].filter(([, points]) => points.length > 0);
  const spread = spreadLabels(
    drawn.map(([name, points]) => ({ name, y: y(points.at(-1)!.mean) })),
    height - 8,
  );
  return h('figure', null, [
    h(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        class: 'lines',
        role: 'img',
        'aria-label': 'Mean suspicion of each player over the match; the table above has the numbers',
      },
      [
        ...[0, 0.5, 1].map((tick) =>
          h('g', { class: 'tick' }, [
            h('line', { x1: 30, x2: width - 90, y1: y(tick), y2: y(tick) }),
            h('text', { x: 4, y: y(tick) + 4 }, String(tick)),
          ]),
        ),
        h('line', { x1: x(state.at), x2: x(state.at), y1: 8, y2: height - 16, class: 'now' }),
        ...drawn.flatMap(([name, points]) => {
          const { team } = match.players.find((player) => player.name === name)!;
          const isPack = team === 'the Werewolves';
          return [
            h('polyline', {
              points: points.map(({ at, mean }) => `${x(at)},${y(mean)}`).join(' '),
              class: isPack ? 'pack' : 'village',
            }),
            h(
              'text',
              { x: width - 86, y: spread.get(name)! + 4, class: isPack ? 'pack' : 'village' },
              `${name}${isPack ? ' (W)' : ''}`,
            ),
          ];
        }),
      ],
    ),
    h(
      'figcaption',
      { class: 'quiet' },
      'Mean suspicion of each player by those who heard them, moment by moment; Werewolves dashed.',
    ),
  ]);
}

/** Moves labels apart so that none covers another, and none is below the picture. */
function spreadLabels(labels: readonly { name: string; y: number }[], lowest: number): Map<string, number> {
  const sorted = [...labels].sort((one, other) => one.y - other.y);
  const placed: number[] = [];
  for (const { y } of sorted) placed.push(Math.max(y, (placed.at(-1) ?? -Infinity) + 12));
  for (let place = placed.length - 1, limit = lowest; place >= 0; place--, limit = placed[place + 1]! - 12)
    placed[place] = Math.min(placed[place]!, limit);
  return new Map(sorted.map(({ name }, place) => [name, placed[place]!]));
}

// The story and its details.

function renderStory(match: ViewedMatch, shown: readonly { step: ViewedStep; place: number }[]): ComponentChild {
  const current = match.steps[state.at];
  const near = shown.filter(({ step }) => step.round === current?.round);
  return h(
    'ol',
    { class: 'steps' },
    near.map(({ step, place }) =>
      h('li', { key: step.id, class: `${step.type}${place > state.at ? ' later' : ''}` }, [
        h(
          'button',
          {
            type: 'button',
            'aria-current': place === state.at ? 'step' : undefined,
            id: `step-${place}`,
            onClick: () => goTo(place),
          },
          [h('bdi', null, findTelling(step)), renderMarks(step)],
        ),
      ]),
    ),
  );
}

/** In a word, so that no meaning is in a colour alone. */
function renderMarks(step: ViewedStep): ComponentChild {
  const verdicts = isAll() ? new Set((step.claims ?? []).map(({ verdict }) => verdict)) : new Set<string>();
  return ['lie', 'insincere']
    .filter((verdict) => verdicts.has(verdict as never))
    .map((verdict) => h('span', { class: 'mark lie' }, verdict));
}

function renderDetails(step: ViewedStep, match: ViewedMatch): ComponentChild {
  if (findTelling(step) === null) return null;
  const isMine = (name: string | undefined) => isAll() || name === state.viewer;
  const thoughts = (step.thoughts ?? []).filter((thought) => isAll() || (state.viewer !== 'public' && maySee(thought)));
  const bids = (step.bids ?? []).filter((bid) => isAll() || (state.viewer !== 'public' && bid.player === state.viewer));
  const heard = (step.heard ?? []).filter(
    (one) => isAll() || (state.viewer !== 'public' && one.player === state.viewer),
  );
  const parts: ComponentChild[] = [
    step.text === undefined ? null : renderSpeech(step),
    thoughts.length === 0
      ? null
      : h('section', null, [
          h('h3', null, 'Private reasoning'),
          ...thoughts.map(({ player, reasoning }) =>
            h('p', null, [h('b', null, player), ': ', h('bdi', null, reasoning)]),
          ),
        ]),
    bids.length === 0 ? null : renderBids(bids),
    heard.length === 0 ? null : renderHeard(heard),
    !isAll() || !step.votes?.length ? null : renderTally('Synthetic votes after it', step.votes),
    !isAll() || !step.beliefs ? null : renderBeliefs(step.beliefs, match),
    !step.prompt || !isMine(step.actor)
      ? null
      : h('details', null, [
          h('summary', null, `The prompt that ${step.actor} saw`),
          ...step.prompt.map(({ role, content }) => h('pre', null, `[${role}]\n${content}`)),
        ]),
  ];
  return h('article', { class: 'details', 'aria-live': 'polite' }, [
    h('h2', null, `${nameWhen(step)}${/^e\d/.test(step.id) ? '' : `, ${step.id}`}`),
    h('p', null, h('bdi', null, findTelling(step))),
    ...parts,
    h('p', { class: 'quiet' }, ['Link: ', h('a', { href: linkTo(step) }, linkTo(step))]),
  ]);
}

const linkTo = (step: ViewedStep) => `#/match/${encodeURIComponent(currentPath)}/${encodeURIComponent(step.id)}`;

/** The words, those that claims rest on underlined with their verdict. */
function renderSpeech({ text = '', claims = [] }: ViewedStep): ComponentChild {
  if (!isAll() || claims.length === 0) return h('blockquote', null, h('bdi', null, text));
  const cuts = [...new Set([0, text.length, ...claims.flatMap(({ from, to }) => [from, to])])]
    .filter((at) => at <= text.length)
    .sort((one, other) => one - other);
  const pieces = cuts.slice(0, -1).map((from, place) => {
    const piece = text.slice(from, cuts[place + 1]);
    const over = claims.filter((claim) => claim.from <= from && claim.to >= cuts[place + 1]!);
    return over.length === 0
      ? piece
      : h('mark', { class: over.some(({ verdict }) => verdict === 'lie') ? 'lie' : over[0]!.verdict }, piece);
  });
  return h('div', null, [
    h('blockquote', null, h('bdi', null, pieces)),
    h('h3', null, 'What is true of it'),
    h(
      'ul',
      null,
      claims.map(({ words, verdict, about, knownTo }) =>
        h('li', null, [
          h('b', { class: verdict }, verdict),
          ': ',
          h('bdi', null, `“${words}”`),
          ` (${about}; ${knownTo})`,
        ]),
      ),
    ),
  ]);
}

function renderBids(bids: readonly { player: string; bid: number | null }[]): ComponentChild {
  const most = Math.max(1, ...bids.map(({ bid }) => bid ?? 0));
  return h('section', null, [
    h('h3', null, 'Bids for the turn'),
    h(
      'dl',
      { class: 'bars' },
      bids.flatMap(({ player, bid }) => [
        h('dt', null, player),
        h('dd', null, [
          bid === null ? '–' : h('meter', { min: 0, max: most, value: bid, 'aria-label': `${player}: ${bid}` }),
          bid === null ? '' : ` ${bid}`,
        ]),
      ]),
    ),
  ]);
}

function renderHeard(heard: NonNullable<ViewedStep['heard']>): ComponentChild {
  const format = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(2));
  return h('section', null, [
    h('h3', null, 'What was made of it'),
    h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'What was made of it' }, [
      h('table', null, [
        h('thead', null, [
          h(
            'tr',
            null,
            ['Who', 'Deceptive?', 'Suspicion', 'Werewolf?', 'Type', 'Reasoning'].map((title) =>
              h('th', { scope: 'col' }, title),
            ),
          ),
        ]),
        h(
          'tbody',
          null,
          heard.map(({ player, isSelf, deceptive, suspicion, werewolf, type, reasoning }) =>
            h('tr', null, [
              h('th', { scope: 'row' }, `${player}${isSelf ? ' (speaker)' : ''}`),
              ...[deceptive ? 'yes' : 'no', format(suspicion), format(werewolf), type].map((text) =>
                h('td', null, text),
              ),
              h('td', { class: 'long' }, h('bdi', null, reasoning)),
            ]),
          ),
        ),
      ]),
    ]),
  ]);
}

function renderTally(title: string, votes: readonly { player: string; target: string }[]): ComponentChild {
  const by = Map.groupBy(votes, ({ target }) => target);
  const rows = [...by].sort(([, one], [, other]) => other.length - one.length);
  return h('section', null, [
    h('h3', null, title),
    h(
      'dl',
      { class: 'bars' },
      rows.flatMap(([target, own]) => [
        h('dt', null, target),
        h('dd', null, [
          h('meter', { min: 0, max: votes.length, value: own.length, 'aria-label': `${target}: ${own.length}` }),
          ` ${own.length} (${own.map(({ player }) => player).join(', ')})`,
        ]),
      ]),
    ),
  ]);
}

function renderBeliefs(beliefs: NonNullable<ViewedStep['beliefs']>, { players }: ViewedMatch): ComponentChild {
  return h('section', null, [
    h('h3', null, 'Beliefs: how likely a Werewolf'),
    h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'Beliefs' }, [
      h('table', { class: 'heat' }, [
        h('thead', null, [
          h('tr', null, [
            h('th', { scope: 'col' }, 'Who'),
            ...players.map(({ name, team }) =>
              h('th', { scope: 'col' }, `${name}${team === 'the Werewolves' ? ' (W)' : ''}`),
            ),
          ]),
        ]),
        h(
          'tbody',
          null,
          Object.entries(beliefs).map(([by, of]) =>
            h('tr', null, [
              h('th', { scope: 'row' }, by),
              ...players.map(({ name }) =>
                of[name] === undefined
                  ? h('td', { class: 'none' }, '–')
                  : h('td', { class: `h${Math.min(9, Math.floor(of[name] * 10))}` }, of[name].toFixed(2)),
              ),
            ]),
          ),
        ),
      ]),
    ]),
  ]);
}

// Moving.

function goTo(place: number): void {
  const { match } = state;
  if (match === null) return;
  const step = match.steps[place];
  update({ at: place });
  if (step) history.replaceState(null, '', linkTo(step));
  scrollToCurrent();
}

const scrollToCurrent = () => document.getElementById(`step-${state.at}`)?.scrollIntoView({ block: 'nearest' });

function move(by: 1 | -1): void {
  const { match } = state;
  if (match === null) return;
  const shown = listShown(match);
  const index = shown.findIndex(({ place }) => place === state.at);
  const next = shown[Math.min(shown.length - 1, Math.max(0, index + by))];
  if (next) goTo(next.place);
  if (state.isPlaying && index + by >= shown.length - 1) stop();
}

function moveRound(by: 1 | -1): void {
  const { match } = state;
  const now = match?.steps[state.at];
  if (!match || !now) return;
  const parts = [...new Set(listShown(match).map(({ step }) => nameWhen(step)))];
  const wanted = parts[parts.indexOf(nameWhen(now)) + by];
  const next = listShown(match).find(({ step }) => nameWhen(step) === wanted);
  if (next) goTo(next.place);
}

/** Milliseconds between two moments while it plays. */
const beat = 1200;
let player: ReturnType<typeof setInterval> | undefined;

function togglePlay(): void {
  if (state.isPlaying) return stop();
  clearInterval(player);
  player = setInterval(() => move(1), beat);
  update({ isPlaying: true });
}

function stop(): void {
  clearInterval(player);
  if (state.isPlaying) update({ isPlaying: false });
}

/** Keys that an element takes for itself: what is typed into it, what it does when it is pressed, how it is scrolled. */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input, select, textarea') !== null) return true;
  if (key === ' ') return target.closest('button, summary, a') !== null;
  return key.startsWith('Arrow') && target.closest('.wide') !== null;
}

function handleKey(event: KeyboardEvent): void {
  const { key, target } = event;
  if (state.match === null || event.ctrlKey || event.metaKey || event.altKey || takesKey(target, key)) return;
  const act = {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    j: () => moveRound(1),
    k: () => moveRound(-1),
    ' ': togglePlay,
  }[key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

// Loading.

/** The match that is open, as links name it. */
let currentPath = '';

function renderApp(): ComponentChild {
  const banner =
    state.isLost &&
    h('p', { role: 'alert', class: 'notice' }, 'The server is gone: start npm run view again. This page waits for it.');
  return h('div', null, [banner, renderPage()]);
}

function renderPage(): ComponentChild {
  if (state.problem !== null)
    return h('main', null, [
      h('h1', { tabIndex: -1 }, 'Wolfgraph'),
      h('p', { role: 'alert', class: 'notice' }, h('bdi', null, state.problem)),
      h('a', { href: '#/' }, 'Matches'),
    ]);
  if (state.match !== null) return renderMatch(state.match);
  return state.matches === null ? h('main', null, h('p', null, 'Loading …')) : renderList(state.matches);
}

type Fetched<Value> = { value: Value } | { problem: string };

/** The tags of what was last fetched: the server sends again only what has changed. */
const tags = new Map<string, string>();

/** Null where nothing has changed. Rejects where there is no server. */
async function fetchJson<Value>(address: string): Promise<Fetched<Value> | null> {
  const tag = tags.get(address);
  const response = await fetch(address, tag === undefined ? {} : { headers: { 'if-none-match': tag } });
  if (response.status === 304) return null;
  if (response.status !== 200) return { problem: await response.text() };
  const value = (await response.json()) as Value;
  tags.set(address, response.headers.get('etag') ?? '');
  return { value };
}

/** What the address asks for: `#/match/PATH/MOMENT`, or the list. */
function readAddress(): { path: string; moment: string } | null {
  const [, what, path = '', moment = ''] = location.hash.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part; // no address of ours
    }
  });
  return what === 'match' ? { path, moment } : null;
}

async function follow(): Promise<void> {
  const wanted = readAddress();
  if (embedded !== null) return open(embedded, embedded.id, wanted?.moment ?? '');
  if (wanted === null) {
    currentPath = '';
    stop();
    update({ match: null, problem: null });
    return moveFocus();
  }
  const path = findPath(wanted.path);
  if (path === currentPath && state.match !== null) return open(state.match, path, wanted.moment);
  await load(path, wanted.moment);
}

/** A match may also be named by its id, where no other of the folder has that one. */
function findPath(name: string): string {
  const rows = state.matches ?? [];
  const same = rows.some(({ path }) => path === name) ? [] : rows.filter(({ id }) => id === name);
  return same.length === 1 ? same[0]!.path : name;
}

async function load(path: string, moment: string): Promise<void> {
  tags.delete(nameMatch(path));
  try {
    const found = await fetchJson<ViewedMatch>(nameMatch(path));
    if (found === null) return;
    if ('value' in found) open(found.value, path, moment);
    else {
      update({ problem: `The match ${path} is not there, or cannot be read. ${found.problem}`, match: null });
      moveFocus();
    }
  } catch {
    update({ isLost: true });
  }
}

const nameMatch = (path: string) => `api/match?path=${encodeURIComponent(path)}`;

function open(match: ViewedMatch, path: string, moment: string): void {
  const isNew = currentPath !== path || state.match === null;
  currentPath = path;
  const place = match.steps.findIndex(({ id }) => id === moment);
  const known = new Set(['all', 'public', ...match.players.map(({ name }) => name)]);
  state.viewer = known.has(state.viewer) ? state.viewer : 'all';
  update({
    match,
    problem: null,
    at: place >= 0 ? place : isNew ? 0 : Math.min(state.at, Math.max(0, match.steps.length - 1)),
  });
  scrollToCurrent();
  if (isNew && embedded === null) moveFocus();
}

/** Tells whoever cannot see it that another page is open. */
const moveFocus = () => document.querySelector('h1')?.focus();

/** Milliseconds between two looks at what the server has. */
const glance = 2000;

async function watch(): Promise<void> {
  try {
    const listed = await fetchJson<Pick<State, 'matches' | 'reports' | 'folder'>>('api/matches');
    if (listed && 'value' in listed) Object.assign(state, listed.value);
    const isBack = state.isLost;
    state.isLost = false;
    if (isBack || (listed !== null && state.match === null && state.problem === null)) update({});
    const wanted = readAddress();
    if (isBack && state.match === null && wanted !== null) await load(findPath(wanted.path), wanted.moment);
    if (state.match !== null && !state.match.isOver) {
      const path = currentPath;
      const isLast = isAtEnd(state.match);
      const found = await fetchJson<ViewedMatch>(nameMatch(path));
      if (found && 'value' in found && path === currentPath)
        update({
          match: found.value,
          at: isLast && !state.isPlaying ? Math.max(0, found.value.steps.length - 1) : state.at,
        });
    }
  } catch {
    update({ isLost: true });
  }
  setTimeout(() => void watch(), glance);
}

const holder = document.getElementById('match');
const embedded = holder === null ? null : (JSON.parse(holder.textContent ?? '') as ViewedMatch);
document.addEventListener('keydown', handleKey);
window.addEventListener('hashchange', () => void follow());
void (async () => {
  if (embedded === null) await watch();
  await follow();
})();
