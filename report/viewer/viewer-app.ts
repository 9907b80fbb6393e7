// The page in the browser: a list of matches, and one match that is stepped through. Whatever models said is put into text
// nodes by Preact, never into markup. One file, since all of it is one small program with one state.
/// <reference lib="dom" />
import { h, render, type ComponentChild } from 'preact';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import type { ListedMatch } from './match-list.ts';
import { unpackMatch } from './truncate-match.ts';
import { findReading, findSource, isAllKnowing, listSeen, type Perspective, namePhaseAndRound } from './perspective.ts';
import { renderDetails } from './step-details.ts';
import { renderSuspicion } from './suspicion-drawing.ts';
import { drawSeating } from './seating-drawing.ts';
import type { Viewer, ViewedMatch, ViewedPrompt, ViewedStep } from './viewed-match.ts';

interface State {
  /** Null in the file of one match. */
  matches: readonly ListedMatch[] | null;
  reports: readonly { name: string; href: string }[];
  filter: string;
  sort: { column: keyof ListedMatch; isDown: boolean };
  match: ViewedMatch | null;
  at: number;
  viewer: Viewer;
  /** Whose verdicts are shown; null: those that the match shows unless told. */
  source: string | null;
  /** Whose suspicion is drawn; null: everybody's. */
  suspected: string | null;
  /** Those of one moment, or why they cannot be had. */
  prompts: { moment: string; found: readonly ViewedPrompt[] | string } | null;
  isPlaying: boolean;
  problem: string | null;
  /** Of the server, as whoever started it named it. */
  folder: string;
  /** Whether the server does not answer. */
  isLost: boolean;
}

const state: State = {
  ...{ matches: null, reports: [], filter: '', sort: { column: 'begun', isDown: true }, match: null, at: 0 },
  ...{ source: null, suspected: null, prompts: null },
  ...{ viewer: 'all', isPlaying: false, problem: null, folder: '', isLost: false },
};

const update = (change: Partial<State>) => {
  Object.assign(state, change);
  document.title = [state.match?.id ?? (state.problem === null ? 'Matches' : 'Not found'), 'Wolfgraph'].join(' · ');
  render(renderApp(), document.getElementById('app')!);
};

/** How the open match is looked at. */
const getLook = (match: ViewedMatch): Perspective => {
  const { at, viewer, source } = state;
  return {
    match,
    at,
    viewer,
    source: (source === null ? null : findSource(match.sources, source)) ?? match.sources[0] ?? null,
  };
};

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
  ['packLies', 'Werewolves’ lies'],
  ['caught', 'Caught'],
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
          h('code', null, formatCommandInFile('report', state.folder)),
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
                      ...[...row.marks, ...(row.source === 'rules' ? [] : [`judged by ${row.source}`])].map((mark) =>
                        h('span', { class: 'mark' }, mark),
                      ),
                      row.problem === null ? null : h('p', { class: 'quiet' }, h('bdi', null, row.problem)),
                    ])
                  : h('td', null, name === 'caught' ? formatCaught(row) : formatCell(row[name])),
              ),
            ),
          ),
        ),
      ]),
    ]),
    h(
      'p',
      { class: 'quiet' },
      'Lies: statements and explanations with one, as the rules find them or the judge that the match names. Caught: of the judgements of Werewolves’ lies by listeners who could not know, those that call them deceptive.',
    ),
    found.length > shown.length ? h('p', null, `${found.length - shown.length} more: filter for them.`) : null,
  ]);
}

/** Rows of the list that are drawn at a time. */
const mostRows = 500;

const compareValues = (one: ListedMatch[keyof ListedMatch], other: ListedMatch[keyof ListedMatch]) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one ?? '').localeCompare(String(other ?? ''), 'en', { numeric: true });

const formatCaught = ({ caught, heard }: ListedMatch) =>
  caught === null || heard === null ? '–' : heard === 0 ? 'none judged' : `${caught} of ${heard}`;

const formatCell = (value: ListedMatch[keyof ListedMatch]): string =>
  value === null || value === '' ? '–' : Array.isArray(value) ? value.join(', ') : String(value);

// One match.

function renderMatch(match: ViewedMatch): ComponentChild {
  const look = getLook(match);
  const shown = listSeen(match, look.viewer);
  const step = match.steps[look.at];
  const isAll = isAllKnowing(look.viewer);
  return h('main', { class: 'match' }, [
    h('header', null, [
      state.matches === null ? null : renderWays(),
      h('h1', { tabIndex: -1 }, h('bdi', null, match.id)),
      h(
        'p',
        null,
        h(
          'bdi',
          null,
          `${match.board}, ${match.rules}, seed ${match.seed}. ${isAll || isAtEnd(match) ? match.ending : ''}`,
        ),
      ),
      ...(isAll ? match.notes : []).map((note) => h('p', { class: 'notice' }, h('bdi', null, note))),
      h('p', { class: 'choices' }, [
        renderChoice('viewer', 'View ', look.viewer, chooseViewer, [
          ['all', 'all-knowing'],
          ['public', 'public'],
          ...match.players.map(({ name }): [string, string] => [name, `what ${name} knew`]),
        ]),
        isAll && match.sources.length > 1
          ? renderChoice(
              'source',
              'Verdicts by ',
              look.source!,
              chooseSource,
              match.sources.map((name) => [name, name]),
            )
          : null,
      ]),
      isAll && match.sources.length > 0 && state.source !== null && findSource(match.sources, state.source) === null
        ? h('p', { class: 'notice', role: 'status' }, [
            'Verdicts by ',
            h('bdi', null, state.source),
            ' are not kept with this match: shown are those by ',
            h('bdi', null, look.source ?? 'nobody'),
            '.',
          ])
        : null,
    ]),
    renderControls(match, shown),
    h('div', { class: 'stage' }, [
      h('section', { class: 'story', 'aria-label': 'What happened' }, [
        renderStory(look, shown),
        step
          ? renderDetails(look, {
              address: linkTo(step),
              prompts: state.prompts?.moment === step.id ? state.prompts.found : null,
              ask: () => void loadPrompts(step),
            })
          : null,
      ]),
      h('section', { class: 'board', 'aria-label': 'Players' }, [
        drawSeating(look),
        renderSuspicion(look, { of: state.suspected, choose: (of) => update({ suspected: of }) }),
      ]),
    ]),
  ]);
}

/** Where one may go from a match that is served. */
const renderWays = (): ComponentChild =>
  h('p', null, [
    h('a', { href: '#/' }, 'All matches'),
    ' · ',
    h(
      'a',
      { href: `page/${currentPath.split('/').map(encodeURIComponent).join('/')}/match.html` },
      'as one file, to keep or print',
    ),
  ]);

const renderChoice = (
  id: string,
  title: string,
  chosen: string,
  choose: (value: string) => void,
  options: readonly (readonly [value: string, title: string])[],
): ComponentChild =>
  h('span', null, [
    h('label', { for: id }, title),
    h(
      'select',
      { id, value: chosen, onChange: (event: Event) => choose((event.target as HTMLSelectElement).value) },
      options.map(([value, name]) => h('option', { value, selected: chosen === value }, name)),
    ),
  ]);

const isAtEnd = ({ steps }: ViewedMatch) => state.at >= steps.length - 1;

function chooseViewer(viewer: Viewer): void {
  state.viewer = viewer;
  const { match } = state;
  if (match === null) return;
  const shown = listSeen(match, viewer);
  const next = shown.findLast(({ place }) => place <= state.at) ?? shown[0];
  goTo(next?.place ?? 0);
}

function chooseSource(source: string): void {
  state.source = source;
  goTo(state.at);
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
      'aria-valuetext': step ? `${namePhaseAndRound(step)}, moment ${index + 1} of ${shown.length}` : '',
      onInput: (event: Event) => goTo(shown[Number((event.target as HTMLInputElement).value)]!.place),
    }),
    h('output', null, step ? `${namePhaseAndRound(step)} · ${index + 1} of ${shown.length}` : ''),
    h('span', { class: 'keys' }, 'arrow keys step, space plays, j and k go by nights and days'),
  ]);
}

function renderStory(look: Perspective, shown: readonly { step: ViewedStep; place: number }[]): ComponentChild {
  const current = look.match.steps[look.at];
  const near = shown.filter(({ step }) => step.round === current?.round);
  return h(
    'ol',
    { class: 'steps' },
    near.map(({ step, place }) =>
      h('li', { key: step.id, class: `${step.type}${place > look.at ? ' later' : ''}` }, [
        h(
          'button',
          {
            type: 'button',
            'aria-current': place === look.at ? 'step' : undefined,
            id: `step-${place}`,
            onClick: () => goTo(place),
          },
          [h('bdi', null, step.told), renderMarks(step, look)],
        ),
      ]),
    ),
  );
}

/** In a word, so that no meaning is in a colour alone. */
function renderMarks(step: ViewedStep, look: Perspective): ComponentChild {
  const verdicts = new Set((findReading(step, look)?.claims ?? []).map(({ verdict }) => verdict));
  return (['lie', 'insincere'] as const)
    .filter((verdict) => verdicts.has(verdict))
    .map((verdict) => h('span', { class: 'mark lie' }, verdict));
}

const linkTo = (step: ViewedStep) => {
  const judge =
    state.source !== null && state.source !== state.match?.sources[0]
      ? `?judge=${encodeURIComponent(state.source)}`
      : '';
  return `#/match/${encodeURIComponent(currentPath)}/${encodeURIComponent(step.id)}${judge}`;
};

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
  const shown = listSeen(match, state.viewer);
  const index = shown.findIndex(({ place }) => place === state.at);
  const next = shown[Math.min(shown.length - 1, Math.max(0, index + by))];
  if (next) goTo(next.place);
  if (state.isPlaying && index + by >= shown.length - 1) stop();
}

function moveRound(by: 1 | -1): void {
  const { match } = state;
  const now = match?.steps[state.at];
  if (!match || !now) return;
  const shown = listSeen(match, state.viewer);
  const parts = [...new Set(shown.map(({ step }) => namePhaseAndRound(step)))];
  const wanted = parts[parts.indexOf(namePhaseAndRound(now)) + by];
  const next = shown.find(({ step }) => namePhaseAndRound(step) === wanted);
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
    h(
      'p',
      { role: 'alert', class: 'notice' },
      `The server is gone: start ${formatCommandInFile('view')} again. This page waits for it.`,
    );
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

/** What the address asks for: `#/match/PATH/MOMENT?judge=NAME`, or the list. */
function readAddress(): { path: string; moment: string; judge: string | null } | null {
  const [address = '', query = ''] = location.hash.split('?');
  const judge = new URLSearchParams(query).get('judge');
  const [, what, path = '', moment = ''] = address.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part; // no address of ours
    }
  });
  return what === 'match' ? { path, moment, judge } : null;
}

async function follow(): Promise<void> {
  const wanted = readAddress();
  if (wanted?.judge) state.source = wanted.judge;
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

async function loadPrompts({ id }: ViewedStep): Promise<void> {
  const path = currentPath;
  const address = `api/prompts?path=${encodeURIComponent(path)}&moment=${encodeURIComponent(id)}`;
  tags.delete(address);
  try {
    const found = await fetchJson<ViewedPrompt[]>(address);
    if (found !== null && path === currentPath)
      update({ prompts: { moment: id, found: 'value' in found ? found.value : found.problem } });
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
  if (isNew) Object.assign(state, { suspected: null, prompts: null });
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
const embedded = holder === null ? null : unpackMatch(JSON.parse(holder.textContent ?? '') as ViewedMatch);
document.documentElement.classList.add('scripted');
document.addEventListener('keydown', handleKey);
window.addEventListener('hashchange', () => void follow());
void (async () => {
  if (embedded === null) await watch();
  await follow();
})();
