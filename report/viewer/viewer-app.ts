// The page in the browser: a list of studies and matches, a study while it is played, and one match, step by step.
// Everything that models said is put into text nodes by Preact, never into markup. It is one file, because it is one
// small program with one state.
/// <reference lib="dom" />
import { h, render, type ComponentChild } from 'preact';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import { type ListSort, renderList } from './list-page.ts';
import type { ListedMatch } from './match-list.ts';
import { type MatchView, renderMatch } from './match-page.ts';
import { findSource, listSeen, namePhaseAndRound, type Perspective } from './perspective.ts';
import { formatStudyLink, renderStudy } from './study-page.ts';
import { unpackMatch } from './truncate-match.ts';
import type { ViewedForks } from './viewed-forks.ts';
import type { Viewer, ViewedMatch, ViewedPrompt, ViewedStep } from './viewed-match.ts';
import type { ListedStudy, ViewedStudy } from './viewed-study.ts';

interface State {
  /** All matches; null in the file of a single match. */
  matches: readonly ListedMatch[] | null;
  studies: readonly ListedStudy[];
  /** Number of studies that the list leaves out. */
  unlisted: number;
  reports: readonly { name: string; href: string }[];
  filter: string;
  sort: ListSort;
  /** Page of the list, from 0. */
  page: number;
  study: ViewedStudy | null;
  match: ViewedMatch | null;
  at: number;
  viewer: Viewer;
  /** Source of the shown verdicts; null for the match's default. */
  source: string | null;
  /** Player whose suspicion is drawn; null for all players. */
  suspected: string | null;
  /** Prompts of one moment, or the reason why they are missing. */
  prompts: { moment: string; found: readonly ViewedPrompt[] | string } | null;
  /** Forks of one moment of a match; `found` is null while they are being loaded, and if they cannot be loaded. */
  forks: { path: string; moment: string; found: ViewedForks | null } | null;
  isPlaying: boolean;
  problem: string | null;
  /** Folder of the server, as named by whoever started it. */
  folder: string;
  /** Whether the server has stopped answering. */
  isLost: boolean;
}

const state: State = {
  ...{ matches: null, studies: [], unlisted: 0, reports: [], filter: '', sort: null, page: 0, study: null },
  ...{ match: null, at: 0 },
  ...{ source: null, suspected: null, prompts: null, forks: null },
  ...{ viewer: 'all', isPlaying: false, problem: null, folder: '', isLost: false },
};

const update = (change: Partial<State>) => {
  Object.assign(state, change);
  const shown = state.match?.id ?? state.study?.name;
  document.title = [shown ?? (state.problem === null ? 'Matches' : 'Not found'), 'Wolfgraph'].join(' · ');
  render(renderApp(), document.getElementById('app')!);
  void loadForks();
};

/** Returns the current view of the open match. */
const getLook = (match: ViewedMatch): Perspective => {
  const { at, viewer, source } = state;
  return {
    match,
    at,
    viewer,
    source: (source === null ? null : findSource(match.sources, source)) ?? match.sources[0] ?? null,
  };
};

/** Creates the view of a match: what is shown, and the available actions. */
function createMatchView(match: ViewedMatch): MatchView {
  const look = getLook(match);
  const step = match.steps[look.at];
  const file = `page/${currentPath.split('/').map(encodeURIComponent).join('/')}/match.html`;
  return {
    ...{ look, wanted: state.source, suspected: state.suspected },
    prompts: step && state.prompts?.moment === step.id ? state.prompts.found : null,
    file: embedded === null ? file : null,
    forks: step && isForksOf(step) ? (state.forks?.found ?? null) : null,
    path: currentPath,
    linkToArm: (path, moment) => `#/match/${encodeURIComponent(path)}/${encodeURIComponent(moment)}`,
    controls: {
      isPlaying: state.isPlaying,
      link: (place) => linkTo(match.steps[place]!),
      ...{ move, play: togglePlay, goTo },
    },
    ...{ chooseViewer, chooseSource },
    suspect: (suspected) => update({ suspected }),
    ask: (asked) => void loadPrompts(asked),
  };
}

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

const linkTo = (step: ViewedStep) => {
  const judge =
    state.source !== null && state.source !== state.match?.sources[0]
      ? `?judge=${encodeURIComponent(state.source)}`
      : '';
  return `#/match/${encodeURIComponent(currentPath)}/${encodeURIComponent(step.id)}${judge}`;
};

// Moving between moments.

function goTo(place: number): void {
  const { match } = state;
  if (match === null) return;
  const step = match.steps[place];
  update({ at: place });
  if (step) history.replaceState(null, '', linkTo(step));
}

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

/** Milliseconds between two moments during playback. */
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

/** Returns whether an element handles a key itself, for typing, pressing or scrolling. */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input, select, textarea') !== null) return true;
  if (key === ' ') return target.closest('button, summary, a') !== null;
  return key.startsWith('Arrow') && target.closest('.scroll') !== null;
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

// Loading data from the server.

/** Path of the open match, as in links; empty if no match is open. */
let currentPath = '';

function renderApp(): ComponentChild {
  const banner =
    state.isLost &&
    h(
      'p',
      { role: 'alert', class: 'caution' },
      `The server no longer answers. Start it again with ${formatCommandInFile('view')}; this page waits for it.`,
    );
  return h('div', null, [renderTop(), banner, renderPage()]);
}

/** Renders the top of every page: the title and the link to the list. */
const renderTop = (): ComponentChild =>
  h('header', { class: 'top' }, [
    h('a', { class: 'mark', href: embedded === null ? '#/' : location.hash || '#' }, [
      h(
        'svg',
        { viewBox: '0 0 20 20', 'aria-hidden': 'true' },
        h('path', { d: 'M2 2l5 4h6l5-4-1.2 10L10 18.5 3.2 12z' }),
      ),
      'Wolfgraph',
    ]),
    embedded === null
      ? h('nav', { class: 'tabs', 'aria-label': 'Pages' }, [
          h('a', { href: '#/', 'aria-current': isListShown() ? 'page' : undefined }, 'Matches'),
          state.study === null
            ? null
            : h(
                'a',
                { href: formatStudyLink(state.study.path), 'aria-current': 'page' },
                h('bdi', null, state.study.name),
              ),
        ])
      : null,
  ]);

const isListShown = () => state.match === null && state.study === null && state.problem === null;

function renderPage(): ComponentChild {
  if (state.problem !== null)
    return h('main', null, [
      h('h1', { tabIndex: -1 }, 'Wolfgraph'),
      h('p', { role: 'alert', class: 'caution' }, h('bdi', null, state.problem)),
      h('a', { href: '#/' }, 'Matches'),
    ]);
  if (state.match !== null) return renderMatch(createMatchView(state.match));
  if (state.study !== null) return renderStudy(state.study);
  if (state.matches === null) return h('main', null, h('p', null, 'Loading …'));
  const { matches, studies, unlisted, reports, folder, filter, sort, page } = state;
  return renderList({ matches, studies, unlisted, reports, folder, filter, sort, page, change: update });
}

type Fetched<Value> = { value: Value } | { problem: string };

/** Entity tags of fetched data. The server resends only what has changed. */
const tags = new Map<string, string>();

/** Fetches JSON; null if nothing has changed. Rejects if the server does not answer. */
async function fetchJson<Value>(address: string): Promise<Fetched<Value> | null> {
  const tag = tags.get(address);
  const response = await fetch(address, tag === undefined ? {} : { headers: { 'if-none-match': tag } });
  if (response.status === 304) return null;
  if (response.status !== 200) return { problem: await response.text() };
  const value = (await response.json()) as Value;
  tags.set(address, response.headers.get('etag') ?? '');
  return { value };
}

/** Parses the address: `#/match/PATH/MOMENT?judge=NAME`, `#/study/PATH`, or the list. */
function readAddress(): { what: 'match' | 'study'; path: string; moment: string; judge: string | null } | null {
  const [address = '', query = ''] = location.hash.split('?');
  const judge = new URLSearchParams(query).get('judge');
  const [, what, path = '', moment = ''] = address.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part; // not one of our addresses
    }
  });
  return what === 'match' || what === 'study' ? { what, path, moment, judge } : null;
}

async function follow(): Promise<void> {
  const wanted = readAddress();
  if (wanted?.judge) state.source = wanted.judge;
  if (embedded !== null) return open(embedded, embedded.id, wanted?.moment ?? '');
  if (wanted === null) {
    currentPath = '';
    stop();
    update({ match: null, study: null, problem: null });
    return moveFocus();
  }
  if (wanted.what === 'study') {
    currentPath = '';
    stop();
    return loadStudy(wanted.path);
  }
  const path = findPath(wanted.path);
  if (path === currentPath && state.match !== null) return open(state.match, path, wanted.moment);
  await load(path, wanted.moment);
}

/**
 * Returns the path of a match that a link names only by its id, if no other match in the folder has this id. Returns
 * all other names unchanged.
 */
function findPath(name: string): string {
  const rows = state.matches ?? [];
  const same = rows.some(({ path }) => path === name) ? [] : rows.filter(({ id }) => id === name);
  return same.length === 1 ? same[0]!.path : name;
}

async function loadStudy(path: string): Promise<void> {
  tags.delete(nameStudy(path));
  try {
    const found = await fetchJson<ViewedStudy>(nameStudy(path));
    if (found === null || !isStudyWanted(path)) return;
    if ('value' in found) update({ study: found.value, match: null, problem: null });
    else update({ problem: `The study ${path} was not found. ${found.problem}`, study: null, match: null });
    moveFocus();
  } catch {
    update({ isLost: true });
  }
}

/**
 * Returns whether the address still asks for this study. While the study was loading, another page may have been
 * opened.
 */
function isStudyWanted(path: string): boolean {
  const wanted = readAddress();
  return wanted?.what === 'study' && wanted.path === path;
}

const nameStudy = (path: string) => `api/study?path=${encodeURIComponent(path)}`;

async function load(path: string, moment: string): Promise<void> {
  tags.delete(nameMatch(path));
  try {
    const found = await fetchJson<ViewedMatch>(nameMatch(path));
    if (found === null) return;
    if ('value' in found) open(found.value, path, moment);
    else {
      const problem = `The match ${path} was not found, or cannot be read. ${found.problem}`;
      update({ problem, match: null, study: null });
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

const isForksOf = ({ id }: ViewedStep) => state.forks?.path === currentPath && state.forks.moment === id;

/** Returns whether the list has forks of this moment. The forks may be of the open match, or of its original match. */
function hasForks({ id: moment }: ViewedStep): boolean {
  const rows = state.matches ?? [];
  const open = rows.find(({ path }) => path === currentPath);
  const origin = open?.fork?.match ?? open?.id;
  return rows.some(({ fork }) => fork !== null && fork.match === origin && fork.statement === moment);
}

/** Loads the forks of the current moment, once. */
async function loadForks(): Promise<void> {
  const [step, path] = [state.match?.steps[state.at], currentPath];
  if (embedded !== null || step === undefined || isForksOf(step) || !hasForks(step)) return;
  const asked = { path, moment: step.id };
  state.forks = { ...asked, found: null };
  try {
    const address = `api/forks?path=${encodeURIComponent(path)}&moment=${encodeURIComponent(step.id)}`;
    tags.delete(address);
    const found = await fetchJson<ViewedForks>(address);
    if (found !== null && 'value' in found && isForksOf(step)) update({ forks: { ...asked, found: found.value } });
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
    study: null,
    problem: null,
    at: place >= 0 ? place : isNew ? 0 : Math.min(state.at, Math.max(0, match.steps.length - 1)),
  });
  if (isNew && embedded === null) moveFocus();
}

/** Tells screen readers that another page is open. */
const moveFocus = () => document.querySelector('h1')?.focus();

/** Milliseconds between two checks of the server for changes. */
const glance = 2000;

async function watch(): Promise<void> {
  try {
    type Listed = Pick<State, 'matches' | 'studies' | 'unlisted' | 'reports' | 'folder'>;
    const listed = await fetchJson<Listed>('api/matches');
    if (listed && 'value' in listed) Object.assign(state, listed.value);
    const isBack = state.isLost;
    state.isLost = false;
    if (isBack) state.forks = null; // loaded again
    if (isBack || (listed !== null && isListShown())) update({});
    const wanted = readAddress();
    if (isBack && state.match === null && wanted?.what === 'match') await load(findPath(wanted.path), wanted.moment);
    if (isBack && state.study === null && wanted?.what === 'study') await loadStudy(wanted.path);
    if (state.study !== null) {
      const { path } = state.study;
      const found = await fetchJson<ViewedStudy>(nameStudy(path));
      if (found && 'value' in found && isStudyWanted(path)) update({ study: found.value });
    }
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
