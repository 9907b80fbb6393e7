// The table of answers in Markdown and on the console.
import { nameCommandsAsStarted } from '../state/command-name.ts';
import type { AnswerTable } from '../deception/metrics/answer-table-schema.ts';
import {
  aboutAnswers,
  listAnswerColumns,
  listDifferenceRows,
  listRowCells,
  listUnknown,
  nameAnswer,
  describeNoDifference,
  describeReplicates,
  tellDifferences,
} from './answer-table-text.ts';
import { escapeMarkdown, pluralize, renderTable, sanitizeText } from './format.ts';
import { explainNames, nameRows } from './shown-models.ts';

/** Maximum number of tables on a page. report.json has all. */
const mostTables = 3;

interface AnswerPage {
  /** Whether differences between models are shown under their rows. */
  hasDifferences?: boolean;
}

/**
 * Renders the tables of all conditions, each with significant differences and open questions.
 *
 * @example renderAnswers(report.answers).join('\n\n')
 */
export function renderAnswers(tables: readonly AnswerTable[], page: AnswerPage = {}): string[] {
  const shown = tables.slice(0, mostTables);
  return [
    ...shown.flatMap((table) => renderOne(table, page)),
    ...(shown.length === 0 ? [] : [aboutAnswers]),
    ...(tables.length > shown.length
      ? [
          `Not shown: ${pluralize(tables.length - shown.length, 'more condition')}. The JSON file next to this page has all.`,
        ]
      : []),
  ];
}

function renderOne(recorded: AnswerTable, { hasDifferences = false }: AnswerPage): string[] {
  const table = nameRows(recorded);
  const note = explainNames(table.names);
  const differ = tellDifferences(table, escapeMarkdown);
  const unknown = listUnknown(table);
  const replicates = describeReplicates(table);
  return [
    ...(table.condition === null ? [] : [`## ${escapeMarkdown(table.condition)}`]),
    ...table.cautions.map((caution) => `> **${escapeMarkdown(caution)}**`),
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
    ...(replicates === null ? [] : [replicates]),
    ...(note === null ? [] : [escapeMarkdown(note)]),
  ];
}

/**
 * Renders the tables for a terminal: a block for each model, significant differences and open questions.
 *
 * @example stdout.write(tellAnswers(report.answers));
 */
export const tellAnswers = (tables: readonly AnswerTable[]): string =>
  tables
    .slice(0, mostTables)
    .flatMap(tellOne)
    .map((line) => `${nameCommandsAsStarted(line)}\n`)
    .join('');

function tellOne(recorded: AnswerTable): string[] {
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
    ...table.cautions.flatMap((caution) => [sanitizeText(caution), '']),
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
