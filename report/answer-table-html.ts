// The table of answers on pages of HTML.
import type { AnswerQuestion, AnswerTable } from '../deception/metrics/answer-table-schema.ts';
import {
  aboutAnswers,
  listAnswerColumns,
  listDifferenceRows,
  listRowCells,
  listUnknown,
  nameAnswer,
  describeNoDifference,
  tellDifferences,
} from './answer-table-text.ts';
import { pluralize } from './format.ts';
import { escapeHtml, type HtmlCell, renderHtmlTable } from './html-page.ts';

/** More tables than these stand in the JSON alone. */
const mostTables = 6;

interface AnswerPage {
  /** Whether differences of each two models stand under their rows. */
  hasDifferences?: boolean;
  /** Makes a cell lead to what it counts. */
  link?: (text: string, question: AnswerQuestion, model: string) => HtmlCell;
}

/** Text is escaped as it is put into the page. */
const keepText = (text: string) => text;

/**
 * The tables of all conditions, each with what differs and what is not known.
 *
 * @example renderAnswersHtml(report.answers)
 */
export function renderAnswersHtml(tables: readonly AnswerTable[], page: AnswerPage = {}): string {
  const shown = tables.slice(0, mostTables);
  if (shown.length === 0) return '';
  const more = tables.length - shown.length;
  return [
    ...shown.map((table, place) => renderOne(table, page, place)),
    `<p class="under">${escapeHtml(aboutAnswers)}</p>`,
    ...(more > 0 ? [`<p>${pluralize(more, 'more condition')}: the JSON beside this page.</p>`] : []),
  ].join('\n');
}

function renderOne(table: AnswerTable, { hasDifferences = false, link = keepText }: AnswerPage, place: number): string {
  const { condition, cautions, rows } = table;
  const columns = listAnswerColumns(table);
  const differ = tellDifferences(table, keepText);
  const unknown = listUnknown(table);
  const cells = [
    ['Model', ...columns.map(nameAnswer)],
    ...rows.map((row): HtmlCell[] => {
      const texts = listRowCells(row);
      return [row.model, ...row.cells.map(({ question }, place) => link(texts[place] ?? '', question, row.model))];
    }),
    ...(hasDifferences ? listDifferenceRows(table, keepText) : []),
  ] as const;
  const label = condition === null ? 'Who lies, who is believed, who catches lies, who wins' : `Answers: ${condition}`;
  return [
    ...(condition === null ? [] : [`<h2>${escapeHtml(condition)}</h2>`]),
    ...cautions.map((caution) => `<p class="notice">${escapeHtml(caution)}</p>`),
    `<div id="answers${place === 0 ? '' : `-${place + 1}`}">${renderHtmlTable(cells, undefined, 1, label)}</div>`,
    '<h3>What differs</h3>',
    renderList(differ.length === 0 ? [describeNoDifference(table)] : differ.map(({ text }) => text)),
    ...(unknown.length === 0
      ? []
      : [
          `<h3>What is not known</h3><ul class="findings">${unknown
            .map(
              ({ title, text, command }) =>
                `<li>${escapeHtml(`${title}: ${text}`)}${command === null ? '' : ` <code>${escapeHtml(command)}</code>`}</li>`,
            )
            .join('\n')}</ul>`,
        ]),
  ].join('\n');
}

const renderList = (texts: readonly string[]) =>
  `<ul class="findings">${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('\n')}</ul>`;
