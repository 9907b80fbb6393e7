// The table of answers in HTML. Each cell has a bar. Significant differences and open questions follow the table;
// comparisons add a picture of the differences.
import { isDifferent } from '../deception/answers/unknown-answers.ts';
import type {
  AnswerCell,
  AnswerDifference,
  AnswerQuestion,
  AnswerTable,
} from '../deception/metrics/answer-table-schema.ts';
import { type AnswerHead, listHeads } from './answer-head.ts';
import { type BarScale, chooseDifferenceScale, chooseScale, drawCell, drawDifference } from './answer-bars.ts';
import {
  aboutAnswers,
  type CellParts,
  describeChance,
  describeNoDifference,
  describeReplicates,
  explainAnswer,
  formatAnswerValue,
  listAnswerColumns,
  listComparedPairs,
  listUnknown,
  nameAnswer,
  splitCell,
  splitDifference,
  tellDifferences,
} from './answer-table-text.ts';
import { pluralize } from './format.ts';
import { escapeHtml, renderCaution, renderCode, renderFacts, renderHead, type HtmlCell } from './html-page.ts';
import { explainNames, nameRows } from './shown-models.ts';

/** Maximum number of tables on a page. The JSON file has all. */
const mostTables = 6;

interface AnswerPage {
  title: string;
  /** Cautions that only this page shows. */
  notices?: readonly string[];
  /** Whether to show differences between models: as numbers under the models' rows, and as a picture. */
  hasDifferences?: boolean;
  /** Links a model's figure to the examples that the figure counts. `model`: the model's name as the page shows it. */
  link?: (text: string, question: AnswerQuestion, model: string) => HtmlCell;
}

/** Returns a model's name unchanged. The page escapes it later, together with the sentence around it. */
const keepText = (text: string) => text;

/**
 * Renders the beginning of a page: its title, facts, cautions and the tables of all conditions, each with its
 * significant differences and open questions.
 *
 * @example renderAnswersHtml(report.answers, { title: 'Report on 30 matches' })
 */
export function renderAnswersHtml(tables: readonly AnswerTable[], page: AnswerPage): string {
  const shown = tables.slice(0, mostTables);
  const { shared, own } = listHeads(shown);
  const more = tables.length - shown.length;
  return [
    renderHead(page.title, shared.facts),
    ...[...shared.cautions, ...(page.notices ?? [])].map(renderCaution),
    ...shown.map((table, place) => renderOne(table, page, { place, ...(own[place] ?? { facts: [], cautions: [] }) })),
    ...(more > 0
      ? [`<p>Not shown: ${pluralize(more, 'more condition')}. The JSON file next to this page has all.</p>`]
      : []),
  ].join('\n');
}

function renderOne(
  recorded: AnswerTable,
  page: AnswerPage,
  { place, facts, cautions }: AnswerHead & { place: number },
): string {
  const table = nameRows(recorded);
  const note = explainNames(table.names);
  const chance = describeChance(table);
  const { condition } = table;
  const { hasDifferences = false } = page;
  const pairs = hasDifferences ? listComparedPairs(table) : [];
  return [
    ...(condition === null ? [] : [`<h2>${escapeHtml(condition)}</h2>`]),
    ...(facts.length === 0 ? [] : [renderFacts(facts)]),
    ...cautions.map(renderCaution),
    `<div id="answers${place === 0 ? '' : `-${place + 1}`}">${renderFigures(table, pairs, page)}</div>`,
    `<p class="note">${escapeHtml([...(chance === null ? [] : [chance]), aboutAnswers].join(' '))}</p>`,
    ...(note === null ? [] : [`<p class="note">${escapeHtml(note)}</p>`]),
    renderSentences(table),
    ...pairs.map(renderForest),
  ].join('\n');
}

/** Returns whether the column is narrow. An estimate without an interval needs less room. */
const isNarrow = (question: AnswerQuestion) => question === 'read' || question === 'cost';

/**
 * Returns whether a cell is gray because its value is not compared. The share read, the cost and the score are never
 * gray.
 */
const isWeak = ({ question, state, is_compared: isCompared }: AnswerCell) =>
  (state === 'known' || state === 'at least') && !isCompared && !isNarrow(question) && question !== 'score';

function renderFigures(table: AnswerTable, pairs: readonly AnswerDifference[][], { link }: AnswerPage): string {
  const { condition, rows } = table;
  const columns = listAnswerColumns(table);
  const scales = new Map(columns.map((question) => [question, chooseScale(table, question)]));
  const getScale = (question: AnswerQuestion) => scales.get(question) ?? chooseScale(table, question);
  const label = condition === null ? 'Who lies, who is believed, who catches lies, who wins' : `Answers: ${condition}`;
  const head = columns.map(
    (question) =>
      `<th role="columnheader" scope="col"${isNarrow(question) ? ' class="narrow"' : ''}>${escapeHtml(nameAnswer(question))} <span>${escapeHtml(explainAnswer(question))}</span>${renderAxis(getScale(question))}</th>`,
  );
  const isCompared = pairs.length === 1;
  const lines = rows.map(({ model, cells }, place) => {
    const read = cells.find(({ question }) => question === 'read');
    const key = isCompared && rows.length === 2 ? `<i class="key ${place === 0 ? 'x' : 'y'}"></i>` : '';
    const own = cells.map((cell) => {
      const bar = drawCell(cell, getScale(cell.question));
      const linked = (text: string) => link?.(text, cell.question, model) ?? text;
      return renderCell(splitCell(cell, read), bar, { of: model, name: isWeak(cell) ? 'weak' : '', linked });
    });
    const name = isCompared && rows.length === 2 && place === 1 ? ' class="y"' : '';
    return `<tr role="row"${name}><th role="rowheader" scope="row">${key}${escapeHtml(model)}</th>${own.join('')}</tr>`;
  });
  const differences = pairs.map((own) => renderDifferenceRow(own, columns));
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table class="figures" role="table" aria-label="${escapeHtml(label)}">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Model <span>95% intervals in brackets</span></th>${head.join('')}</tr></thead>
<tbody role="rowgroup">${[...lines, ...differences].join('\n')}</tbody></table></div>`;
}

const renderAxis = ({ labels }: BarScale) =>
  `<span class="axis" aria-hidden="true">${labels.map((label) => `<span>${label}</span>`).join('')}</span>`;

interface ShownCell {
  /** Name of the cell's row. In narrow windows, each cell shows it. */
  of: string;
  /** CSS classes. */
  name: string;
  linked?: (text: string) => HtmlCell;
}

function renderCell(
  { value, interval, missing, under }: CellParts,
  bar: string,
  { of, name, linked }: ShownCell,
): string {
  const renderLinked = (text: string, wrap: (html: string) => string) => {
    const shown = linked?.(text) ?? text;
    return typeof shown === 'string'
      ? wrap(escapeHtml(shown))
      : `<a href="${escapeHtml(shown.href)}">${wrap(escapeHtml(shown.text))}</a>`;
  };
  const estimate = value === null ? '' : renderLinked(value, (html) => `<span class="est">${html}</span>`);
  const parts = [
    ...(value === null
      ? []
      : [
          `<span class="value">${estimate}${interval === null ? '' : ` <span class="ci">${escapeHtml(interval)}</span>`}</span>`,
        ]),
    ...(missing === null ? [] : [`<span class="missing">${renderLinked(missing, (html) => html)}</span>`]),
    bar,
    ...(under === null ? [] : [`<span class="n">${escapeHtml(under)}</span>`]),
  ];
  return `<td role="cell" data-of="${escapeHtml(of)}"${name === '' ? '' : ` class="${name}"`}>${parts.join(' ')}</td>`;
}

function renderDifferenceRow(own: readonly AnswerDifference[], columns: readonly AnswerQuestion[]): string {
  const name = own
    .slice(0, 1)
    .map(({ models }) => models.join(' − '))
    .join('');
  const scale = chooseDifferenceScale(own);
  const cells = columns.map((question) => {
    const one = own.find((difference) => difference.question === question);
    if (one === undefined) return '<td role="cell" data-of="Difference" class="weak"></td>';
    const classes = isDifferent(one) ? 'clear' : 'weak';
    return renderCell(splitDifference(one), drawDifference(one, scale), { of: 'Difference', name: classes });
  });
  return `<tr role="row" class="difference"><th role="rowheader" scope="row">Difference <span>${escapeHtml(name)}, in points</span></th>${cells.join('')}</tr>`;
}

// Sentences.

function renderSentences(table: AnswerTable): string {
  const differ = tellDifferences(table, keepText);
  const unknown = listUnknown(table);
  const found =
    differ.length === 0
      ? `<p>${escapeHtml(describeNoDifference(table))}</p>`
      : renderTold(differ.map(({ title, text }) => ({ title, html: escapeHtml(text) })));
  const open = unknown.map(({ title, text, command }) => ({
    title,
    html: `${renderCode(text)}${command === null ? '' : ` <span class="do"><code>${escapeHtml(command)}</code></span>`}`,
  }));
  const replicates = describeReplicates(table);
  return `<div class="answers"><div><h2>What differs</h2>${found}</div>${
    open.length === 0 ? '' : `<div><h2>What is not known</h2>${renderTold(open)}</div>`
  }</div>${replicates === null ? '' : `<p class="note">${escapeHtml(replicates)}</p>`}`;
}

const renderTold = (told: readonly { title: string; html: string }[]) =>
  `<dl class="told">${told.map(({ title, html }) => `<div><dt>${escapeHtml(title)}</dt><dd>${html}</dd></div>`).join('\n')}</dl>`;

// The picture of differences.

/** Number of vertical lines in the picture of differences. */
const steps = 5;

function renderForest(own: readonly AnswerDifference[]): string {
  const [first] = own;
  if (first === undefined) return '';
  const [x, y] = first.models.map(escapeHtml) as [string, string];
  const scale = chooseDifferenceScale(own);
  const rows = own.map((one) => {
    const { value, interval, missing, under } = splitDifference(one);
    const shown = [one.a, one.b].map((arm) => `<td>${escapeHtml(formatAnswerValue(one.question, arm))}</td>`).join('');
    return `<tr${isDifferent(one) ? ' class="clear"' : ''}><th scope="row">${escapeHtml(nameAnswer(one.question))} <span>${escapeHtml(explainAnswer(one.question))}</span></th>${shown}<td class="plot">${drawDifference(one, scale, steps)}</td><td class="diff"><b>${escapeHtml(value ?? missing ?? '')}</b> <span class="ci">${escapeHtml(interval ?? '')}</span></td><td>${escapeHtml((under ?? '').replace(/^p (?:= )?/, ''))}</td></tr>`;
  });
  return `<section><h2>${own.length === 1 ? 'The headline difference' : 'Headline differences'}: ${x} − ${y}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Differences between ${x} and ${y}"><table class="forest" aria-label="Differences between ${x} and ${y}">
<thead><tr><th scope="col"><span class="only-seen-by-readers">Question</span></th><th scope="col" class="key x">${x}</th><th scope="col" class="key y">${y}</th><th scope="col" class="plot"><span class="sides"><span class="key y">${y} more</span><span class="key x">${x} more</span></span></th><th scope="col">Difference</th><th scope="col">p after Holm’s procedure</th></tr></thead>
<tbody>${rows.join('\n')}
<tr class="scale"><td></td><td></td><td></td><td class="plot">${renderAxis(scale)}</td><td></td><td></td></tr></tbody></table></div>
<p class="note">Differences are in percentage points; on the axis, AUC and score are in hundredths. Lines are 95% intervals of paired differences. Heavy lines: significant after Holm’s procedure. Gray lines: not significant.</p></section>`;
}
