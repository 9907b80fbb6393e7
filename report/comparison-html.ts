// A comparison as one HTML page, `comparison.html`: differences in sentences and pictures, and every compared figure.
import type { Comparison, Difference } from '../deception/comparison/comparison-schema.ts';
import { countedItems, nameArmCell } from '../deception/comparison/difference-examples.ts';
import { getFigureKey, type Metric, metricSections } from '../deception/metrics/metric.ts';
import { renderAnswersHtml } from './answer-table-html.ts';
import {
  adjustmentNote,
  describeDifference,
  findBeside,
  formatCounted,
  isAnswered,
  isAnsweredRow,
  isFound,
  isUntested,
  listFoundDifferences,
  listWithBeside,
  mostTold,
  nameArms,
  nameEffect,
  untestedWords,
} from './comparison-findings.ts';
import { listOwnNotices, nameComparison, summarizeComparison } from './comparison-markdown.ts';
import { drawComparison, listDrawnRows } from './pictures/comparison-pictures.ts';
import { formatCell, formatFigure, formatInterval, formatWhole, pluralize } from './format.ts';
import {
  escapeHtml,
  renderCaution,
  renderCode,
  renderFold,
  renderHtmlPage,
  renderHtmlTable,
  type HtmlCell,
} from './html-page.ts';
import { type LinkedExamples, ExampleLists } from './example-lists.ts';
import { countedNouns } from './cells-with-examples.ts';
import type { Picture } from './pictures/picture-drawing.ts';
import { nameDefinition, renderPictureHtml } from './pictures/picture-html.ts';
import { sectionTitles } from './report-details.ts';

/** Maximum number of rows of tables. comparison.csv has all. */
const mostRows = 600;

/**
 * Renders the page. It needs no script and loads nothing, so it can be sent, opened from disk and printed. `examples`:
 * cases that the figures of both arms count. `judge`: the judge whose claims are shown when a match is opened; null for
 * the match's default.
 *
 * @example writeFileSync('comparison.html', renderComparisonHtml(comparison, metrics));
 */
export function renderComparisonHtml(
  comparison: Comparison,
  metrics: readonly Metric[],
  pictures: readonly Picture[] = drawComparison(comparison, metrics),
  examples: readonly LinkedExamples[] = [],
  judge: string | null = null,
): string {
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  const name = nameComparison(comparison);
  const found = listFoundDifferences(comparison);
  const rank = (row: Difference) => 2 * Number(!isFound(row)) + Number(row.tier !== 'headline');
  const others = [...comparison.secondary].sort((one, other) => rank(one) - rank(other));
  const rows = listWithBeside([...comparison.primary, ...others], comparison, metrics).filter(
    (row) => !isAnsweredRow(row, comparison),
  );
  const defined = new Set(rows.slice(0, mostRows).map(({ metric }) => metric));
  const lists = new ExampleLists(examples, judge);
  const linkPicture = createPictureLinks(comparison, metrics, lists, new Set(examples.map(getFigureKey)));
  const drawn = `<div class="pictures">${pictures.map((picture) => renderPictureHtml(picture, { isDefined: (metric) => defined.has(metric), link: linkPicture(picture) })).join('\n')}</div>`;
  const before = [
    renderAnswersHtml(comparison.answers, {
      ...{ title: name, notices: listOwnNotices(comparison), hasDifferences: true },
    }),
    ...(isAnswered(comparison)
      ? []
      : [
          '<h2>What differs</h2>',
          isUntested(comparison)
            ? renderCaution(untestedWords)
            : renderFoundHtml(found, (one) =>
                describeDifference(one, titles, String, findBeside(one, comparison, metrics)),
              ),
        ]),
    ...(isAnswered(comparison) ? [] : [drawn]),
  ];
  const after = [
    '<section><h2>What was compared</h2>',
    `<ul class="counted">${summarizeComparison(comparison)
      .trimEnd()
      .split('\n')
      .map((line) => `<li>${renderCode(line)}</li>`)
      .join('\n')}</ul></section>`,
    '<section class="folded"><h2>All other figures by theme</h2>',
    `<p>${adjustmentNote}</p>`,
    '<p class="printed">Only parts that are open are printed. All rows are in <code>comparison.csv</code>.</p>',
    ...(isAnswered(comparison) && pictures.length > 0 ? [renderFold('Pictures', drawn, 'one for each unit')] : []),
    ...renderBySection(rows.slice(0, mostRows), metrics),
    '</section>',
    ...(rows.length > mostRows
      ? [`<p>${formatWhole(rows.length - mostRows)} more rows are in <code>comparison.csv</code>.</p>`]
      : []),
    '<p>Definitions: <code>docs/reference/metrics.md</code>; procedure: <code>docs/reference/compare.md</code>. Tables with their explanations: <code>comparison.md</code>.</p>',
  ];
  const renderWhole = (own: string) =>
    renderHtmlPage(name, `<main>\n${[...before, own, ...after].filter((part) => part !== '').join('\n')}\n</main>`);
  return lists.fillPage(renderWhole);
}

const renderFoundHtml = (found: readonly Difference[], describe: (one: Difference) => string): string =>
  found.length === 0
    ? '<p>No difference was found with p at most .05 after Holm’s procedure. This does not show equality: the 95 % intervals below say which differences are excluded.</p>'
    : renderSentences(found, describe);

/** Creates the links from both arms' values, in the tables under pictures, to the cases that the values count. */
function createPictureLinks(
  comparison: Comparison,
  metrics: readonly Metric[],
  lists: ExampleLists,
  counted: ReadonlySet<string>,
) {
  const rows = new Map(listDrawnRows(comparison, metrics).map((row) => [nameDrawnRow(row), row]));
  return ({ name, title, data }: Picture) =>
    (text: string, place: number, column: number): HtmlCell => {
      const drawn = data[place];
      const row = drawn && rows.get(JSON.stringify([drawn['metric'], drawn['of'], drawn['part']]));
      const arm = column === 2 ? 'a' : column === 3 ? 'b' : null;
      if (!row || arm === null) return text;
      const items = countedItems.find((one) => counted.has(getFigureKey(nameArmCell(row, arm, one))));
      if (items === undefined) return text;
      const cell = nameArmCell(row, arm, items);
      const noun = countedNouns[items];
      const own = metrics.find((metric) => metric.name === row.metric)?.title ?? row.metric;
      const of = `${arm.toUpperCase()}: ${own}, ${formatCell(row.of, (one) => one)}`;
      return lists.link(text, { counted: cell, of, noun }, { id: name, title });
    };
}

const nameDrawnRow = (row: Difference) =>
  JSON.stringify([row.metric, formatCell(row.of, (text) => text), row.part?.name ?? null]);

/** Renders one folded part for each section of metrics. Each metric has its definition and a table of its rows. */
function renderBySection(rows: readonly Difference[], metrics: readonly Metric[]): string[] {
  const byMetric = Map.groupBy(rows, ({ metric }) => metric);
  const arms = nameArms(rows);
  return metricSections.flatMap((section) => {
    const own = metrics.filter((metric) => metric.section === section && byMetric.has(metric.name));
    if (own.length === 0) return [];
    const tables = own.map(({ name, title, definition, unit }) => {
      const shown = byMetric.get(name)!;
      const head = ['Of', ...arms, '95 % interval', 'Deals', 'p (adjusted)', 'Detectable'];
      return `<h3 id="${escapeHtml(nameDefinition(name))}">${escapeHtml(title)} <code>${escapeHtml(name)}</code></h3><p>${escapeHtml(definition)} Unit: ${escapeHtml(unit)}.</p>${renderHtmlTable([head, ...shown.map((one) => listCells(one))], title)}`;
    });
    const all = own.flatMap(({ name }) => byMetric.get(name) ?? []);
    const [count, found] = [all.length, all.filter(isFound).length];
    return [
      renderFold(
        sectionTitles[section],
        tables.join('\n'),
        `${pluralize(count, 'row')}, ${found === 0 ? 'none differs' : `${found} ${found === 1 ? 'differs' : 'differ'}`}`,
      ),
    ];
  });
}

function renderSentences(found: readonly Difference[], describe: (one: Difference) => string): string {
  const renderList = (rows: readonly Difference[]) =>
    `<ul class="findings">${rows.map((one) => `<li>${escapeHtml(describe(one))}</li>`).join('\n')}</ul>`;
  const rest = found.slice(mostTold);
  return `${renderList(found.slice(0, mostTold))}${rest.length === 0 ? '' : `<details><summary>${rest.length} more</summary>${renderList(rest)}</details>`}`;
}

function listCells(one: Difference): string[] {
  const p = one.p_adjusted;
  const part = one.part === null ? '' : `; ${nameEffect(one.part)}: ${one.part.models.join(' − ')}`;
  return [
    `${formatCell(one.of, (text) => text)}${part}`,
    ...[formatCounted(one.a, one.cases_a), formatCounted(one.b, one.cases_b), formatFigure(one.difference)],
    one.low === null ? (one.reason ?? '–') : formatInterval(one),
    ...[String(one.pairs), p === null ? '–' : p < 0.001 ? '< .001' : p.toFixed(3), formatFigure(one.detectable)],
  ];
}
