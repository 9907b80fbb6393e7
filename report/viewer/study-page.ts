// The page of a study while it is played: progress by pairing, use so far and expected use, running and failed matches,
// models that refuse or fail, and servers that slow calls down.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import type {
  ListedProgress,
  ModelUse,
  PairingProgress,
  StudyProgress,
  StudyServer,
} from '../../deception/design/study-progress.ts';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { ListedStudy, ViewedStudy } from './viewed-study.ts';

/** Returns the address of a study in the page. */
export const formatStudyLink = (path: string) => `#/study/${encodeURIComponent(path)}`;

/** The words for a study's state. */
const stateWords = { complete: 'complete', running: 'running', stopped: 'not running' } as const;

const stateClasses = { complete: 'done', running: 'running', stopped: '' } as const;

const renderState = (state: StudyProgress['state']) =>
  h('span', { class: `badge ${stateClasses[state]}` }, stateWords[state]);

/** Formats whole numbers for readers. */
const formatCount = (value: number) => Math.round(value).toLocaleString('en-US');

/** Formats large numbers, e.g. 108 M, 4.7 M, 58,300. */
const formatMany = (value: number) =>
  value >= 1e6 ? `${(value / 1e6).toFixed(value >= 1e8 ? 0 : 1)} M` : formatCount(value);

const formatCost = (value: number) => value.toFixed(value > 0 && value < 1 ? 4 : 2);

/**
 * Formats a duration in words.
 *
 * @example formatSpan(5040) // '1 h 24 min'
 */
export function formatSpan(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

/** Renders finished, running and failed matches out of all planned, as one bar. */
function renderBar(counts: Pick<PairingProgress, 'planned' | 'finished' | 'underWay' | 'failed'>): ComponentChild {
  const { finished, underWay, failed } = counts;
  const planned = Math.max(1, counts.planned, finished + underWay + failed);
  const parts: readonly (readonly [string, number, number])[] = [
    ['finished', 0, finished],
    ['playing', finished, underWay],
    ['failing', finished + underWay, failed],
  ];
  const label = `${finished} of ${counts.planned} finished, ${underWay} under way, ${failed} failed`;
  return h(
    'svg',
    { class: 'progress', viewBox: `0 0 ${planned} 8`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    parts.filter(([, , length]) => length > 0).map(([name, from, length]) => h('path', { class: name, d: `M${from} 4h${length}` })), // prettier-ignore
  );
}

/** Renders the studies of a folder with their progress. */
export function renderStudies(studies: readonly ListedStudy[], unlisted: number): ComponentChild {
  if (studies.length === 0) return null;
  return h('section', { class: 'studies' }, [
    h('h2', null, 'Studies'),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Studies' }, [
      h('table', { class: 'plain studies-table' }, [
        h('thead', null, [
          h('tr', null, [
            h('th', { scope: 'col' }, 'Study'),
            h('th', { scope: 'col', class: 'left' }, 'State'),
            h('th', { scope: 'col', class: 'left' }, 'Progress'),
            h('th', { scope: 'col' }, 'Finished'),
            h('th', { scope: 'col' }, 'Under way'),
            h('th', { scope: 'col' }, 'Failed'),
            h('th', { scope: 'col' }, 'Time left'),
            h('th', { scope: 'col' }, 'USD'),
          ]),
        ]),
        h(
          'tbody',
          null,
          studies.map((study) => {
            const planned = study.planned ?? study.finished + study.underWay + study.failed;
            return h('tr', { key: study.path }, [
              h('th', { scope: 'row' }, h('a', { href: formatStudyLink(study.path) }, h('bdi', null, study.name))),
              h('td', { class: 'left' }, renderState(study.state)),
              h('td', { class: 'left bar' }, renderBar({ ...study, planned })),
              h('td', null, study.planned === null ? `${study.finished}` : `${study.finished} of ${study.planned}`),
              h('td', null, String(study.underWay)),
              h('td', { class: study.failed > 0 ? 'failed' : '' }, String(study.failed)),
              h('td', null, study.secondsLeft === null ? '–' : formatSpan(study.secondsLeft)),
              h('td', null, study.cost === null ? '–' : formatCost(study.cost)),
            ]);
          }),
        ),
      ]),
    ]),
    unlisted > 0
      ? h('p', { class: 'note' }, `${unlisted} more studies are not listed. To see one, run view with its folder.`)
      : null,
  ]);
}

/** Renders the open study. */
export function renderStudy({ path, name, progress, pages }: ViewedStudy): ComponentChild {
  const { state, planned, pairings, running, models, servers, others, judge, begunAt, runs } = progress;
  const all = planned ?? progress.finished + progress.underWay + progress.failed + progress.stopped;
  return h('main', { class: 'study' }, [
    h('div', { class: 'head' }, [
      h('div', { class: 'state' }, [h('h1', { tabIndex: -1 }, h('bdi', null, name)), ' ', renderState(state)]),
      h('ul', { class: 'facts' }, [
        h('li', null, [h('b', null, String(pairings.length)), pairings.length === 1 ? ' pairing' : ' pairings']),
        judge === null
          ? null
          : h('li', null, ['Judge ', h('b', null, h('bdi', null, getModelLabel(judge))), ', after each match']),
        begunAt === null ? null : h('li', null, `Started ${begunAt.slice(0, 16).replace('T', ' ')} UTC${runs !== null && runs > 1 ? `, resumed ${runs - 1} ${runs === 2 ? 'time' : 'times'}` : ''}`), // prettier-ignore
        ...pages.map((page) => h('li', null, h('a', { href: page.href }, h('bdi', null, page.name)))),
      ]),
    ]),
    h('div', { class: 'overall' }, [renderBar({ ...progress, planned: all }), renderCounts(progress)]),
    renderMeters(progress),
    renderFailures(progress),
    state !== 'complete' && planned !== null
      ? h('p', { class: 'note' }, `The report has figures by model once all ${formatCount(planned)} matches are over: comparing models before a fixed sample is complete finds differences that do not exist.`) // prettier-ignore
      : null,
    others > 0
      ? h('p', { class: 'note' }, `${formatCount(others)} ${others === 1 ? 'match' : 'matches'} of another plan (other rules, models or deals) ${others === 1 ? 'lies' : 'lie'} in this folder and ${others === 1 ? 'is' : 'are'} not counted here.`) // prettier-ignore
      : null,
    h('div', { class: 'halves' }, [renderPairings(pairings), renderRunning(running, path)]),
    h('div', { class: 'halves' }, [renderModels(models), renderServers(servers, state)]),
    h('p', { class: 'note' }, h('a', { href: '#/' }, 'All matches of this folder')),
  ]);
}

const renderCounts = ({ planned, finished, underWay, failed, stopped, toCome }: StudyProgress): ComponentChild => {
  const part = (of: string, value: number, words: string) =>
    h('li', null, [h('span', { class: `swatch ${of}`, 'aria-hidden': 'true' }), h('b', null, formatCount(value)), words]); // prettier-ignore
  const counts = [
    part('finished', finished, planned === null ? ' finished' : ` of ${formatCount(planned)} finished`),
    part('playing', underWay, ' under way'),
    part('failing', failed, ' failed'),
    stopped > 0 ? part('waiting', stopped, ' interrupted') : null,
    toCome === null ? null : part('waiting', toCome, ' to come'),
  ];
  return h('div', { role: 'status' }, h('ul', { class: 'facts num' }, counts));
};

function renderMeters(progress: StudyProgress): ComponentChild {
  const { spent, maxCost, secondsLeft, matchesPerHour, concurrency, state } = progress;
  const expected = state === 'complete' ? null : progress.expected;
  const about = (value: number | null | undefined, format: (value: number) => string) =>
    value == null ? [] : [`of about ${format(value)}`];
  const meter = (title: string, value: string, parts: readonly string[]) =>
    h('div', null, [h('dt', null, title), h('dd', null, [h('b', null, value), parts.join('; ')])]);
  const pace = state === 'running' && matchesPerHour !== null ? [`${matchesPerHour < 10 ? matchesPerHour.toFixed(1) : formatCount(matchesPerHour)} matches per hour`] : []; // prettier-ignore
  const cached = spent.tokensIn === 0 ? [] : [`${Math.round((100 * spent.cached) / spent.tokensIn)}% cached`];
  const unknown = spent.callsOfUnknownCost > 0 && spent.knownCost !== null ? [`at least: the price of ${formatCount(spent.callsOfUnknownCost)} calls is unknown`] : []; // prettier-ignore
  return h('dl', { class: 'meters' }, [
    meter('Time left', secondsLeft === null ? '–' : formatSpan(secondsLeft), pace),
    meter('USD', spent.knownCost === null ? 'no price' : formatCost(spent.knownCost), [
      ...about(expected?.cost, formatCost),
      ...(maxCost === null ? [] : [`stops at ${maxCost}`]),
      ...unknown,
    ]),
    meter('Calls', formatCount(spent.calls), [
      ...about(expected?.calls, formatCount),
      ...(concurrency === null ? [] : [`${concurrency} at a time`]),
    ]),
    meter('Tokens in', formatMany(spent.tokensIn), [...about(expected?.tokensIn, formatMany), ...cached]),
    meter('Tokens out', formatMany(spent.tokensOut), about(expected?.tokensOut, formatMany)),
  ]);
}

/** Maximum number of matches or pairings that a list shows. Further entries are only counted. */
const mostShown = 100;

function renderFailures({ failed, failures }: StudyProgress): ComponentChild {
  const [first] = failures;
  if (first === undefined) return null;
  return h('details', { key: 'failures', class: 'caution' }, [
    h('summary', null, [
      h('b', null, `${formatCount(failed)} ${failed === 1 ? 'match' : 'matches'} failed: `),
      h('bdi', null, first.error ?? ''),
    ]),
    h('p', null, [
      'To try them again, run the command that played them: ',
      h('code', null, formatCommandInFile('match')),
    ]),
    h(
      'ul',
      null,
      failures.slice(0, mostShown).map(({ path, error }) => h('li', null, [h('bdi', null, path), ': ', h('bdi', null, error ?? '')])), // prettier-ignore
    ),
    failed > mostShown ? h('p', null, `and ${formatCount(failed - mostShown)} more`) : null,
  ]);
}

/** Maximum number of rows and columns of a square table of pairings. More pairings are shown as a list. */
const widestSquare = 6;

function renderPairings(pairings: readonly PairingProgress[]): ComponentChild {
  const packs = [...new Set(pairings.map(({ werewolves }) => werewolves))];
  const villages = [...new Set(pairings.map(({ villagers }) => villagers))];
  const isSquare =
    packs.length > 1 &&
    packs.length <= widestSquare &&
    villages.length <= widestSquare &&
    packs.length * villages.length === pairings.length &&
    pairings.every(({ name }) => name === null);
  return h('section', null, [h('h2', null, 'Pairings'), isSquare ? renderSquare(pairings, packs, villages) : renderPairingList(pairings)]); // prettier-ignore
}

const renderPairingCounts = (pairing: PairingProgress): ComponentChild[] => [
  h('b', null, `${pairing.finished} of ${pairing.planned}`),
  renderBar(pairing),
  pairing.underWay > 0 ? h('small', null, `${pairing.underWay} under way`) : null,
  pairing.stopped > 0 ? h('small', null, `${pairing.stopped} interrupted`) : null,
  pairing.failed > 0 ? h('small', { class: 'failed' }, `${pairing.failed} failed`) : null,
];

const renderSquare = (
  pairings: readonly PairingProgress[],
  packs: readonly string[],
  villages: readonly string[],
): ComponentChild =>
  h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Pairings' }, [
    h('table', { class: 'pairings' }, [
      h('thead', null, [
        h('tr', null, [
          h('th', { scope: 'col' }, 'Werewolves'),
          ...villages.map((name) => h('th', { scope: 'col' }, [h('span', { class: 'soft' }, 'village '), h('bdi', null, name)])), // prettier-ignore
        ]),
      ]),
      h(
        'tbody',
        null,
        packs.map((pack) =>
          h('tr', null, [
            h('th', { scope: 'row' }, h('bdi', null, pack)),
            ...villages.map((village) => {
              const found = pairings.find((one) => one.werewolves === pack && one.villagers === village);
              return h('td', null, found ? renderPairingCounts(found) : '–');
            }),
          ]),
        ),
      ),
    ]),
  ]);

/** Names a pairing in words. */
const namePairing = ({ werewolves, villagers, name, folder, board }: PairingProgress): string => {
  const sides = werewolves === '' && villagers === '' ? [] : [`${werewolves} / ${villagers}`];
  const parts = [...sides, ...(name === null ? [] : [name])];
  return parts.length === 0 ? folder || board : parts.join(', ');
};

const renderPairingList = (pairings: readonly PairingProgress[]): ComponentChild =>
  h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Pairings' }, [
    h('table', { class: 'pairings list' }, [
      h('thead', null, h('tr', null, [h('th', { scope: 'col' }, 'Werewolves / village'), h('th', { scope: 'col' }, 'Matches')])), // prettier-ignore
      h(
        'tbody',
        null,
        pairings
          .slice(0, mostShown)
          .map((one) => h('tr', null, [h('th', { scope: 'row' }, h('bdi', null, namePairing(one))), h('td', null, renderPairingCounts(one))])), // prettier-ignore
      ),
    ]),
    pairings.length > mostShown ? h('p', { class: 'note' }, `and ${pairings.length - mostShown} more`) : null,
  ]);

/** Renders a heading and a table. If there are no rows, renders the text `empty` instead of the table. */
const renderTable = (
  title: string,
  note: string,
  heads: readonly (readonly [string, 'left' | ''])[],
  rows: readonly (readonly ComponentChild[])[],
  empty: string,
): ComponentChild =>
  h('section', null, [
    h('h2', null, title),
    h('p', { class: 'soft' }, rows.length === 0 ? empty : note),
    rows.length === 0
      ? null
      : h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': title }, [
          h('table', { class: 'plain' }, [
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                heads.map(([head, side]) => h('th', { scope: 'col', class: side }, head)),
              ),
            ),
            h(
              'tbody',
              null,
              rows.map((cells) => h('tr', null, cells.map((cell, at) => at === 0 ? h('th', { scope: 'row' }, cell) : h('td', { class: heads[at]?.[1] ?? '' }, cell)))), // prettier-ignore
            ),
          ]),
        ]),
  ]);

const renderRunning = (running: readonly ListedProgress[], study: string): ComponentChild =>
  renderTable(
    'Under way',
    running.length > mostShown ? `The first ${mostShown} of ${running.length}; matches can be opened while they are played` : 'Followed live; matches can be opened while they are played', // prettier-ignore
    [
      ['Match', ''],
      ['Werewolves / village', 'left'],
      ['Now', 'left'],
      ['Since', ''],
    ],
    running.slice(0, mostShown).map((match) => [
      h('a', { href: `#/match/${encodeURIComponent(study === '.' ? match.path : `${study}/${match.path}`)}` }, match.seed === null ? match.id : `deal ${match.seed}`), // prettier-ignore
      h('bdi', null, `${match.werewolves} / ${match.villagers}`),
      match.now === '' ? 'begins' : match.now,
      formatSpan(match.seconds),
    ]),
    'No match is being played now.',
  );

const formatShare = (value: number, of: number) =>
  value === 0 || of === 0 ? formatCount(value) : `${formatCount(value)} (${((100 * value) / of).toFixed(1)}%)`;

const renderModels = (models: readonly ModelUse[]): ComponentChild =>
  renderTable(
    'Refusals and fallbacks',
    'A fallback is a random legal choice in place of an answer',
    [
      ['Model', ''],
      ['Questions', ''],
      ['Refused', ''],
      ['Asked again', ''],
      ['Fallbacks', ''],
      ['USD', ''],
    ],
    models.map((model) => [
      h('bdi', null, model.model),
      formatCount(model.questions),
      formatShare(model.refused, model.questions),
      formatShare(model.askedAgain, model.questions),
      formatShare(model.fallbacks, model.questions),
      model.callsOfUnknownCost === model.calls ? '–' : formatCost(model.cost),
    ]),
    'No model has answered yet.',
  );

function renderServerState({ waiting, heldMs }: Pick<StudyServer, 'waiting' | 'heldMs'>): ComponentChild {
  if (heldMs > 0) return h('span', { class: 'badge failed' }, `waiting ${formatSpan(heldMs / 1000)}`);
  return waiting > 0 ? h('span', { class: 'badge' }, 'at its limit') : h('span', { class: 'badge done' }, 'free');
}

function renderServers(servers: readonly StudyServer[], state: StudyProgress['state']): ComponentChild {
  return renderTable(
    'Servers',
    'What limits the pace',
    [
      ['Server', ''],
      ['Under way', ''],
      ['Waiting', ''],
      ['Limit a minute', ''],
      ['State', ''],
    ],
    servers.map(({ server, underWay, waiting, perMinute, heldMs }) => [
      h('bdi', null, server),
      formatCount(underWay),
      formatCount(waiting),
      perMinute === null ? 'none' : formatCount(perMinute),
      renderServerState({ waiting, heldMs }),
    ]),
    state === 'running' ? 'No server is being called now.' : 'No command is playing this study now.',
  );
}
