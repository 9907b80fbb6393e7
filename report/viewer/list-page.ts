// The list of matches.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import type { ListedMatch } from './match-list.ts';

/** What is shown of the list, and how it is changed. */
export interface ListView {
  matches: readonly ListedMatch[];
  reports: readonly { name: string; href: string }[];
  /** Of the server, as whoever started it named it. */
  folder: string;
  filter: string;
  sort: { column: keyof ListedMatch; isDown: boolean };
  change: (change: Partial<Pick<ListView, 'filter' | 'sort'>>) => void;
}

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
  ['fallbacks', 'Fallbacks'],
  ['cost', 'USD'],
  ['begun', 'Begun'],
];

export function renderList({ matches, reports, folder, filter, sort, change }: ListView): ComponentChild {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = matches.filter((row) => {
    const text = Object.values(row).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const { column, isDown } = sort;
  const sorted = [...found].sort((one, other) => compareValues(one[column], other[column]) * (isDown ? -1 : 1));
  const shown = sorted.slice(0, mostRows);
  const sortBy = (name: keyof ListedMatch) =>
    change({ sort: { column: name, isDown: column === name ? !isDown : false } });
  return h('main', { class: 'list' }, [
    h('div', { class: 'head' }, h('h1', { tabIndex: -1 }, 'Matches')),
    reports.length === 0
      ? h('p', { class: 'note' }, [
          'No report lies here yet. For findings and pictures over these matches: ',
          h('code', null, formatCommandInFile('report', folder)),
        ])
      : h('p', null, ['Reports: ', ...reports.flatMap(({ name, href }) => [h('a', { href }, name), ' '])]),
    h('p', null, [
      h('label', { for: 'filter' }, 'Filter '),
      h('input', {
        ...{ id: 'filter', type: 'search', value: filter, placeholder: 'words, e.g. gpt werewolves won' },
        onInput: (event: Event) => change({ filter: (event.target as HTMLInputElement).value }),
      }),
      h('span', { role: 'status' }, ` ${found.length} of ${matches.length} matches`),
    ]),
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
                  'aria-sort': column === name ? (isDown ? 'descending' : 'ascending') : 'none',
                },
                [h('button', { type: 'button', onClick: () => sortBy(name) }, title)],
              ),
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
                        h('span', { class: 'badge' }, mark),
                      ),
                      row.problem === null ? null : h('p', { class: 'note' }, h('bdi', null, row.problem)),
                    ])
                  : h('td', { class: isText(name) ? 'left' : '' }, formatListedCell(row, name)),
              ),
            ),
          ),
        ),
      ]),
    ]),
    h(
      'p',
      { class: 'note' },
      'Lies: statements and explanations with one, as the rules find them or the judge that the match names; not read: nobody could read what was said, so that lies are not known; at least: rules miss lies, or a judge has not read everything.',
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

const isText = (name: keyof ListedMatch) =>
  ['id', 'board', 'rules', 'villagers', 'werewolves', 'winner', 'begun'].includes(name);

/**
 * A cell of the list: a dash where nothing is known yet; "not read" where nobody could read what was said, which is not the same
 * as no lie; "at least" where rules read it, or a judge has not read all of it.
 *
 * @example formatListedCell({ ...row, lies: 0, unread: 16, statements: 16 }, 'lies') // 'not read'
 */
export function formatListedCell(row: ListedMatch, name: keyof ListedMatch): string {
  const { statements, unread, source } = row;
  if (!['lies', 'packLies'].includes(name) || row.lies === null) return formatCell(row[name]);
  if (statements !== null && statements > 0 && unread === statements) return 'not read';
  const isSure = source !== 'rules' && unread === 0;
  if (isSure) return formatCell(row[name]);
  return row[name] === 0 ? 'none found' : `at least ${formatCell(row[name])}`;
}

const formatCell = (value: ListedMatch[keyof ListedMatch]): string =>
  value === null || value === '' ? '–' : Array.isArray(value) ? value.join(', ') : String(value);
