// The table of answers in Markdown and on the console.
import { nameCommandsAsStarted } from '../state/command-name.ts';
import type { AnswerTable } from '../deception/metrics/answer-table-schema.ts';
import { type AnswerHead, listHeads } from './answer-head.ts';
import {
  aboutAnswers,
  listAnswerColumns,
  listDifferenceRows,
  listRowCells,
  listUnknown,
  nameAnswer,
  describeChance,
  describeNoDifference,
  describeReplicates,
  tellDifferences,
} from './answer-table-text.ts';
import { escapeMarkdown, pluralize, renderTable, sanitizeText } from './format.ts';
import { explainNames, nameRows } from './shown-models.ts';

/** Maximum number of tables on a page. report.json has all. */
const mostTables = 3;

interface AnswerPage {
  /** Title of the page, already escaped. */
  title: string;
  /** Cautions that only this page shows. */
  notices?: readonly string[];
  /** Whether to show differences between models under the models' rows. */
  hasDifferences?: boolean;
}

/**
 * Renders the beginning of a page: its title, facts, cautions and the tables of all conditions, each with significant
 * differences and open questions.
 *
 * @example renderAnswers(report.answers, { title: 'Report on 30 matches' }).join('\n\n')
 */
export function renderAnswers(tables: readonly AnswerTable[], page: AnswerPage): string[] {
  const shown = tables.slice(0, mostTables);
  const { shared, own } = listHeads(shown);
  const { title, notices = [] } = page;
  return [
    `# ${title}`,
    ...renderMarkdownHead({ ...shared, cautions: [...shared.cautions, ...notices] }),
    ...shown.flatMap((table, place) => renderOne(table, page, own[place])),
    ...(shown.length === 0 ? [] : [aboutAnswers]),
    ...(tables.length > shown.length
      ? [
          `Not shown: ${pluralize(tables.length - shown.length, 'more condition')}. The JSON file next to this page has all.`,
        ]
      : []),
  ];
}

/**
 * Renders all facts in one line and all cautions in one block quote, so that the table starts near the top of the page.
 */
function renderMarkdownHead({ facts, cautions }: AnswerHead): string[] {
  const told = cautions.map((caution) => `**${escapeMarkdown(caution)}**`);
  return [
    ...(facts.length === 0 ? [] : [facts.map(escapeMarkdown).join(' · ')]),
    ...(told.length === 0 ? [] : [told.map((one) => (told.length === 1 ? `> ${one}` : `> - ${one}`)).join('\n')]),
  ];
}

function renderOne(
  recorded: AnswerTable,
  { hasDifferences = false }: AnswerPage,
  head: AnswerHead = { facts: [], cautions: [] },
): string[] {
  const table = nameRows(recorded);
  const note = explainNames(table.names);
  const differ = tellDifferences(table, escapeMarkdown);
  const unknown = listUnknown(table);
  const chance = describeChance(table);
  const replicates = describeReplicates(table);
  return [
    ...(table.condition === null ? [] : [`## ${escapeMarkdown(table.condition)}`]),
    ...renderMarkdownHead(head),
    renderTable(
      ['Model', ...listAnswerColumns(table).map(nameAnswer)],
      [
        ...table.rows.map((row) => [escapeMarkdown(row.model), ...listRowCells(row)]),
        ...(hasDifferences ? listDifferenceRows(table, escapeMarkdown) : []),
      ],
    ),
    '**What differs**',
    differ.length === 0 ? describeNoDifference(table) : differ.map(({ text }) => `- ${text}`).join('\n'),
    ...(unknown.length === 0
      ? []
      : [
          '**What is not known**',
          unknown
            .map(
              ({ title, text, command }) =>
                `- ${title}: ${escapeMarkdown(text)}${command === null ? '' : ` \`${command}\``}`,
            )
            .join('\n'),
        ]),
    ...(chance === null ? [] : [chance]),
    ...(replicates === null ? [] : [replicates]),
    ...(note === null ? [] : [escapeMarkdown(note)]),
  ];
}

/**
 * Renders the tables for a terminal: facts, cautions, a column for each model, significant differences and open
 * questions.
 *
 * @example stdout.write(tellAnswers(report.answers));
 */
export function tellAnswers(tables: readonly AnswerTable[]): string {
  const shown = tables.slice(0, mostTables);
  const { shared, own } = listHeads(shown);
  return [...tellHead(shared), ...shown.flatMap((table, place) => tellOne(table, own[place]))]
    .map((line) => `${nameCommandsAsStarted(line)}\n`)
    .join('');
}

const tellHead = ({ facts, cautions }: AnswerHead): string[] => [
  ...(facts.length === 0 ? [] : [sanitizeText(facts.join(' · ')), '']),
  ...cautions.flatMap((caution) => [sanitizeText(caution), '']),
];

function tellOne(recorded: AnswerTable, head: AnswerHead = { facts: [], cautions: [] }): string[] {
  const table = nameRows(recorded);
  const titles = listAnswerColumns(table).map(nameAnswer);
  const columns = [['', ...titles], ...table.rows.map((row) => [sanitizeText(row.model), ...listRowCells(row)])];
  const lines = ['', ...titles].map((_, place) =>
    columns
      .map((cells) => (cells[place] ?? '').padEnd(Math.max(...cells.map(({ length }) => length))))
      .join('  ')
      .trimEnd(),
  );
  const differ = tellDifferences(table, (text) => sanitizeText(text));
  const unknown = listUnknown(table);
  return [
    ...(table.condition === null ? [] : [sanitizeText(table.condition)]),
    ...tellHead(head),
    ...lines,
    '',
    ...(differ.length === 0
      ? [describeNoDifference(table)]
      : ['What differs:', ...differ.map(({ text }) => `- ${text}`)]),
    ...(unknown.length === 0 ? [] : ['', 'What is not known:']),
    ...unknown.flatMap(({ title, text, command }) => [
      `- ${title}: ${sanitizeText(text)}`,
      ...(command === null ? [] : [`  ${command}`]),
    ]),
  ];
}
