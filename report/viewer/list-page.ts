// The list of studies and of their matches, by study and pairing.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import type { ListedMatch } from './match-list.ts';
import { formatStudyLink, renderStudies } from './study-page.ts';
import { findStudyOf, type ListedStudy } from './viewed-study.ts';

/**
 * A field of a match that has a column in the list. `fork` has no column, because forks are listed under their original
 * match.
 */
type ListedColumn = Exclude<keyof ListedMatch, 'fork'>;

/** Column by which all matches are sorted; null to sort by study and pairing. */
export type ListSort = { column: ListedColumn; isDown: boolean } | null;

/** The visible part of the list, and functions that change it. */
export interface ListView {
  matches: readonly ListedMatch[];
  studies: readonly ListedStudy[];
  /** Number of studies that are not listed. */
  unlisted: number;
  reports: readonly { name: string; href: string }[];
  /** Folder that the server shows, as the user named it. */
  folder: string;
  filter: string;
  sort: ListSort;
  /** Number of the page of rows, from 0. */
  page: number;
  change: (change: Partial<Pick<ListView, 'filter' | 'sort' | 'page'>>) => void;
}

const columns: readonly [ListedColumn, string][] = [
  ['id', 'Match'],
  ['seed', 'Deal'],
  ['board', 'Board'],
  ['rules', 'Rules'],
  ['villagers', 'Village'],
  ['werewolves', 'Werewolves'],
  ['winner', 'Won by'],
  ['rounds', 'Rounds'],
  ['lies', 'Lies'],
  ['packLies', 'Werewolves’ lies'],
  ['fallbacks', 'Fallbacks'],
  ['cost', 'USD'],
  ['begun', 'Begun'],
];

export function renderList(view: ListView): ComponentChild {
  const { matches: all, studies, unlisted, reports, folder, filter, sort, change } = view;
  const { matches, forksOf } = splitForks(all);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = matches.filter((row) => {
    const { fork, ...told } = row;
    const text = [...Object.values(told), ...Object.values(fork ?? {})].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rows = sort === null ? groupRows(found, studies) : sortRows(found, sort);
  const pages = Math.max(1, Math.ceil(rows.length / rowsOfPage));
  const page = Math.min(view.page, pages - 1);
  const shown = rows.slice(page * rowsOfPage, (page + 1) * rowsOfPage);
  const sortBy = (name: ListedColumn) => {
    const before = sort?.column === name ? sort : null;
    // A third click on the same column restores the groups.
    change({ sort: before?.isDown ? null : { column: name, isDown: before !== null }, page: 0 });
  };
  return h('main', { class: 'list' }, [
    h('div', { class: 'head' }, h('h1', { tabIndex: -1 }, 'Matches')),
    reports.length === 0
      ? h('p', { class: 'note' }, [
          'There is no report here yet. For findings and pictures over these matches: ',
          h('code', null, formatCommandInFile('report', folder)),
        ])
      : h('p', null, ['Reports: ', ...reports.flatMap(({ name, href }) => [h('a', { href }, name), ' '])]),
    renderStudies(studies, unlisted),
    studies.length === 0 ? null : h('h2', null, 'Matches'),
    h('p', null, [
      h('label', { for: 'filter' }, 'Filter '),
      h('input', {
        ...{ id: 'filter', type: 'search', value: filter, placeholder: 'words, e.g. gpt werewolves won' },
        onInput: (event: Event) => change({ filter: (event.target as HTMLInputElement).value, page: 0 }),
      }),
      h(
        'span',
        { role: 'status' },
        ` ${found.length} of ${matches.length} matches${all.length > matches.length ? `, and ${all.length - matches.length} forks under their origins` : ''}`,
      ),
    ]),
    renderPages(page, pages, (next) => change({ page: next })),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Matches' }, [
      h('table', { class: 'plain list-table' }, [
        h('thead', null, [
          h(
            'tr',
            null,
            columns.map(([name, title]) =>
              h(
                'th',
                {
                  scope: 'col',
                  class: isText(name) ? 'left' : '',
                  'aria-sort': describeSort(sort, name),
                },
                [h('button', { type: 'button', onClick: () => sortBy(name) }, title)],
              ),
            ),
          ),
        ]),
        ...groupBodies(shown).map((body) =>
          h('tbody', { key: body.key }, [
            body.study === undefined
              ? null
              : h('tr', { class: 'group' }, [
                  h('th', { scope: 'rowgroup', colSpan: columns.length }, renderHeading(body.study, body.pairing)),
                ]),
            ...body.rows.map((row) => renderRow(row, forksOf.get(row.id) ?? [])),
          ]),
        ),
      ]),
    ]),
    renderPages(page, pages, (next) => change({ page: next })),
    h(
      'p',
      { class: 'note' },
      'Lies: statements and explanations that contain a lie, as found by the rules or by the judge that the match names. “not read”: nothing could read the statements, so lies are not known. “at least”: the rules miss some lies, or the judge has not read everything.',
    ),
  ]);
}

/** A match in the list, with its heading if it has one. */
interface ListRow {
  row: ListedMatch;
  /** Study of the heading. Null for matches of no study; undefined if the row has no heading. */
  study?: ListedStudy | null;
  pairing?: string;
}

/** A heading with the rows under it. */
interface ListBody extends Pick<ListRow, 'study' | 'pairing'> {
  key: string;
  rows: readonly ListedMatch[];
}

const sortRows = (rows: readonly ListedMatch[], { column, isDown }: NonNullable<ListSort>): ListRow[] =>
  rows.toSorted((one, other) => compareValues(one[column], other[column]) * (isDown ? -1 : 1)).map((row) => ({ row }));

/** Names who meets whom in a match. */
const namePairing = ({ werewolves, villagers, board, winner }: ListedMatch) =>
  werewolves === '' && villagers === '' ? winner : `${werewolves} / ${villagers}${board === '' ? '' : ` on ${board}`}`;

/**
 * Groups all matches by study, then by pairing and deal. The most recently begun study comes first, and matches without
 * a study come last. If the folder has no study, matches have no headings and the newest comes first.
 *
 * @example groupRows(matches, studies)[0]!.pairing // 'gpt-4o / gemini-2.5-pro on classic-8'
 */
export function groupRows(matches: readonly ListedMatch[], studies: readonly ListedStudy[]): ListRow[] {
  if (studies.length === 0) return sortRows(matches, { column: 'begun', isDown: true });
  const byPath = new Map(studies.map((study) => [study.path, study]));
  const paths = [...byPath.keys()];
  const rows = matches.map((row) => {
    const path = findStudyOf(row.path, paths);
    return { row, study: path === null ? null : (byPath.get(path) ?? null), pairing: namePairing(row) };
  });
  const begun = ({ study }: { study: ListedStudy | null }) => (study === null ? '' : `${study.begunAt ?? '0'} ${study.path}`); // prettier-ignore
  return rows.sort(
    (one, other) =>
      compareValues(begun(other), begun(one)) ||
      compareValues(one.pairing, other.pairing) ||
      compareValues(one.row.seed, other.row.seed) ||
      compareValues(one.row.path, other.row.path),
  );
}

function groupBodies(rows: readonly ListRow[]): ListBody[] {
  const bodies: (ListBody & { rows: ListedMatch[] })[] = [];
  for (const { row, ...heading } of rows) {
    const key = JSON.stringify([heading.study?.path, heading.pairing]);
    const last = bodies.at(-1);
    if (last?.key === key) last.rows.push(row);
    else bodies.push({ key, ...heading, rows: [row] });
  }
  return bodies;
}

const renderHeading = (study: ListedStudy | null | undefined, pairing = ''): ComponentChild[] => [
  study ? h('a', { href: formatStudyLink(study.path) }, h('bdi', null, study.name)) : 'No study',
  ': ',
  h('bdi', null, pairing),
];

/** A match that was forked from another. */
type ListedFork = ListedMatch & { fork: NonNullable<ListedMatch['fork']> };

const isFork = (row: ListedMatch): row is ListedFork => row.fork !== null;

/**
 * Separates forks from all other matches. Forks are selected and deliberately changed, so they are listed under their
 * original match. Forks whose original match is missing stay in the list.
 *
 * @example splitForks(matches).forksOf.get('classic-8-1-0f3a')?.length // 5
 */
export function splitForks(all: readonly ListedMatch[]): {
  matches: readonly ListedMatch[];
  forksOf: ReadonlyMap<string, readonly ListedFork[]>;
} {
  const forks = all.filter(isFork);
  if (forks.length === 0) return { matches: all, forksOf: new Map() };
  const origins = new Set(all.filter((row) => !isFork(row)).map(({ id }) => id));
  const forksOf = Map.groupBy(
    forks.filter(({ fork }) => origins.has(fork.match)),
    ({ fork }) => fork.match,
  );
  return { matches: all.filter((row) => !isFork(row) || !origins.has(row.fork.match)), forksOf };
}

const formatMatchLink = ({ path }: ListedMatch) => `#/match/${encodeURIComponent(path)}`;

/** Renders the forks of a match, by statement and arm. Renders nothing if there are none. */
const renderForks = (forks: readonly ListedFork[]): ComponentChild =>
  forks.length === 0
    ? null
    : h('details', null, [
        h('summary', null, `${forks.length} ${forks.length === 1 ? 'fork' : 'forks'}`),
        h(
          'ul',
          null,
          forks
            .toSorted(
              (one, other) =>
                compareValues(one.fork.statement, other.fork.statement) ||
                compareValues(one.fork.arm, other.fork.arm) ||
                one.fork.copy - other.fork.copy,
            )
            .map((row) =>
              h('li', { key: row.path }, [
                h('a', { href: formatMatchLink(row) }, [
                  `from ${row.fork.statement}: `,
                  h('bdi', null, row.fork.arm),
                  row.fork.copy === 1 ? '' : `, copy ${row.fork.copy}`,
                ]),
                ` (${row.winner})`,
              ]),
            ),
        ),
      ]);

const renderRow = (row: ListedMatch, forks: readonly ListedFork[]): ComponentChild =>
  h(
    'tr',
    { key: row.path },
    columns.map(([name]) =>
      name === 'id'
        ? h('th', { scope: 'row' }, [
            row.problem === null ? h('a', { href: formatMatchLink(row) }, row.id) : row.id,
            ...[
              ...(row.fork === null ? [] : [`fork of ${row.fork.match}`]),
              ...row.marks,
              ...(row.source === 'rules' ? [] : [`judged by ${row.source}`]),
            ].map((mark) => h('span', { class: 'badge' }, mark)),
            row.problem === null ? null : h('p', { class: 'note' }, h('bdi', null, row.problem)),
            renderForks(forks),
          ])
        : h('td', { class: getCellClass(name) }, formatListedCell(row, name)),
    ),
  );

/** Returns the CSS class of a cell. Rules and models may take several lines, so that all columns fit on a page. */
const getCellClass = (name: ListedColumn): string => {
  if (!isText(name)) return '';
  return ['rules', 'villagers', 'werewolves'].includes(name) ? 'left wide' : 'left';
};

/** Renders the buttons to other pages of rows; nothing for a single page. */
const renderPages = (page: number, pages: number, choose: (page: number) => void): ComponentChild =>
  pages === 1
    ? null
    : h('nav', { class: 'pages', 'aria-label': 'Pages of the list' }, [
        h('button', { type: 'button', class: 'button', disabled: page === 0, onClick: () => choose(page - 1) }, 'Previous'), // prettier-ignore
        h('span', { class: 'num' }, ` Page ${page + 1} of ${pages} `),
        h('button', { type: 'button', class: 'button', disabled: page === pages - 1, onClick: () => choose(page + 1) }, 'Next'), // prettier-ignore
      ]);

/** Number of rows on a page of the list. */
export const rowsOfPage = 200;

const compareValues = (one: ListedMatch[ListedColumn], other: ListedMatch[ListedColumn]) =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one ?? '').localeCompare(String(other ?? ''), 'en', { numeric: true });

function describeSort(sort: ListSort, name: ListedColumn): 'none' | 'descending' | 'ascending' {
  if (sort?.column !== name) return 'none';
  return sort.isDown ? 'descending' : 'ascending';
}

const isText = (name: ListedColumn) =>
  ['id', 'board', 'rules', 'villagers', 'werewolves', 'winner', 'begun'].includes(name);

/**
 * Formats a cell. A value that is not known yet is a dash. "not read" means that no extractor could read the
 * statements, which is not the same as no lie. "at least" precedes a number that comes from the rules, or from a judge
 * that has not read everything.
 *
 * @example formatListedCell({ ...row, lies: 0, unread: 16, statements: 16 }, 'lies') // 'not read'
 */
export function formatListedCell(row: ListedMatch, name: ListedColumn): string {
  const { statements, unread, source } = row;
  if (!['lies', 'packLies'].includes(name) || row.lies === null) return formatCell(row[name]);
  if (statements !== null && statements > 0 && unread === statements) return 'not read';
  const isSure = source !== 'rules' && unread === 0;
  if (isSure) return formatCell(row[name]);
  return row[name] === 0 ? 'none found' : `at least ${formatCell(row[name])}`;
}

const formatCell = (value: ListedMatch[ListedColumn]): string =>
  value === null || value === '' ? '–' : Array.isArray(value) ? value.join(', ') : String(value);
