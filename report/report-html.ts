// A report over many matches as one HTML page, `report.html`: the table of answers, pictures, figures of pairs of
// models, counts, and every figure, folded by theme.
import { metricSections } from '../deception/metrics/metric.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import { formatWhole, pluralize } from './format.ts';
import { escapeHtml, type HtmlCell, renderFold, renderHtmlPage, renderHtmlTable } from './html-page.ts';
import { renderAnswersHtml } from './answer-table-html.ts';
import { type LinkedExamples, ExampleLists } from './example-lists.ts';
import type { Picture } from './pictures/picture-drawing.ts';
import { findHeadlineCell, listLinkedCells } from './cells-with-examples.ts';
import { nameDefinition, renderPictureHtml } from './pictures/picture-html.ts';
import { drawPictures } from './pictures/report-pictures.ts';
import { listFormLines } from './asked-forms.ts';
import { aboutOthers, listFigureRows, sectionTitles, hasOthersFigures } from './report-details.ts';
import { describeErrorBounds } from './error-bounds-text.ts';
import { describeGold } from './gold-text.ts';
import {
  formatFinding,
  aboutHeard,
  formatCalled,
  formatShareWithInterval,
  turnHeadlines,
  headlines,
  listHeard,
  listModelFindings,
} from './report-findings.ts';
import { formatSealed, listFurtherNotices, listNotices } from './report-markdown.ts';

/** Maximum number of rows in one table. figures.csv has all, and the page says so. */
const mostRows = 400;

/**
 * Maximum number of rows on the page, each of about 500 bytes. With many models the page would otherwise be too large
 * to send.
 */
const mostRowsOfAll = 2000;

/** Chooses the number of rows per metric that keeps the page within its limit. */
function chooseRowLimit({ metrics }: Report): number {
  const sizes = metrics.map(({ figures }) => figures.filter(({ value }) => value !== null).length);
  let limit = mostRows;
  while (limit > 1 && sizes.reduce((sum, size) => sum + Math.min(size, limit), 0) > mostRowsOfAll) limit--;
  return limit;
}

/**
 * Renders the page. It needs no script and loads nothing, so it can be sent, opened from disk and printed.
 * `hasLeaderboard`: whether `leaderboard.html` is beside it. `judge`: the judge whose claims are shown when a match is
 * opened; null for the match's default.
 *
 * @example writeFileSync('report.html', renderReportHtml(report));
 */
export function renderReportHtml(
  report: Report,
  pictures: readonly Picture[] = drawPictures(report),
  examples: readonly LinkedExamples[] = [],
  { hasLeaderboard = false, judge = null }: { hasLeaderboard?: boolean; judge?: string | null } = {},
): string {
  const title = `Report on ${pluralize(report.matches, 'match', 'matches')}`;
  const lists = new ExampleLists(examples, judge);
  const limit = chooseRowLimit(report);
  const defined = listDefined(report);
  const render = (picture: Picture) => renderReportPicture(picture, { report, lists, defined });
  const before = [
    renderAnswersHtml(report.answers, {
      ...{ title, notices: listNotices(report) },
      link: (text, question, model) =>
        question === 'lies'
          ? lists.link(text, findHeadlineCell('lied', model), { id: 'answers', title: 'Models' })
          : text,
    }),
    ...(hasLeaderboard
      ? ['<p><a href="leaderboard.html">The leaderboard</a>: ratings and ranks, deception and detection, cost.</p>']
      : []),
    ...(pictures.length === 0
      ? []
      : [`<section><h2>Pictures</h2><div class="pictures">${pictures.map(render).join('\n')}</div></section>`]),
    renderPairs(report, lists, defined),
    renderGold(report),
  ];
  const after = [
    '<section><h2>What was counted</h2>',
    renderCounted(report),
    '</section>',
    '<section class="folded"><h2>Every figure</h2>',
    '<p class="printed">Only parts that are open are printed. All figures are in <code>figures.csv</code>.</p>',
    ...metricSections.map((section) => renderSection(report, section, limit)),
    '</section>',
    '<p>Figures are defined in <code>docs/reference/metrics.md</code> of the project and are unrounded in <code>report.json</code> and <code>figures.csv</code>.</p>',
  ];
  const renderWhole = (own: string) =>
    renderHtmlPage(title, `<main>\n${[...before, own, ...after].filter((part) => part !== '').join('\n')}\n</main>`);
  return lists.fillPage(renderWhole);
}

/**
 * Lists the figures to show: those with a value, and those whose value is missing for another reason than `no data`.
 */
const listShown = ({ figures }: Report['metrics'][number]) =>
  figures.filter(({ reason, value }) => reason !== 'no data' || value !== null);

/** Lists the metrics that the page defines: the metrics of its figures. */
const listDefined = ({ metrics }: Report): ReadonlySet<string> =>
  new Set(metrics.filter((metric) => listShown(metric).length > 0).map(({ name }) => name));

/** Renders figures of pairs of models, and turns without a statement. */
function renderPairs(report: Report, lists: ExampleLists, defined: ReadonlySet<string>): string {
  const models = listModelFindings(report);
  if (models.length === 0) return '';
  const table = [
    [
      'Model',
      ...turnHeadlines.map((name): HtmlCell => {
        const text = headlines[name].title;
        const { metric } = headlines[name].of('');
        return defined.has(metric) ? { text, href: `#${nameDefinition(metric)}` } : text;
      }),
    ],
    ...models.map(({ model, figures }): HtmlCell[] => [
      model,
      ...turnHeadlines.map((name) =>
        lists.link(formatFinding(figures[name]), findHeadlineCell(name, model), {
          id: 'models',
          title: 'Silent turns',
        }),
      ),
    ]),
  ] as const;
  return [
    '<section><h2>Who heard whose lies, and silent turns</h2>',
    renderHeard(report),
    `<div id="models">${renderHtmlTable(table, 'Turns of debates without a statement')}</div>`,
    '</section>',
  ].join('\n');
}

/**
 * Renders the gold sample or, without one, the lie rates corrected by measured errors. Empty if the report has neither.
 */
function renderGold(report: Report): string {
  const text = report.gold === null ? describeErrorBounds(report) : describeGold(report.gold);
  if (text === null) return '';
  const { title, about, tables } = text;
  return [
    `<h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p>`,
    ...tables.map(
      ({ caption, about: text, rows: [head = [], ...rows] }) =>
        `<p>${escapeHtml(text)}</p>${renderHtmlTable([head, ...rows.slice(0, mostRows)], caption)}${describeCut(rows.length, 'report.json')}`,
    ),
  ].join('\n');
}

function renderHeard(report: Report): string {
  const all = listHeard(report);
  if (all.length === 0) return '';
  const rows = all.map(({ speaker, listener, detection, hits, alarms }) => [
    ...[speaker, listener],
    detection === null || detection.value === null ? (detection?.reason ?? '–') : formatShareWithInterval(detection),
    ...[formatWhole(detection?.opportunities ?? null), formatWhole(detection?.matches ?? null)],
    ...[hits, alarms].map(formatCalled),
  ]);
  const head = [
    'Lies of',
    'Heard by',
    'Lie found more deceptive',
    'Pairs',
    'Deals with a lie or true claim of a pair',
    'Lies called deceptive',
    'True claims called deceptive',
  ];
  return `${renderHtmlTable([head, ...rows.slice(0, mostRows)], 'Who heard whose lies')}<p class="note">${escapeHtml(aboutHeard)}</p>${describeCut(rows.length, 'figures.csv')}`;
}

function renderReportPicture(
  picture: Picture,
  { report, lists, defined }: { report: Report; lists: ExampleLists; defined: ReadonlySet<string> },
): string {
  const counting = listLinkedCells(picture, report);
  const place = { id: picture.name, title: picture.title };
  return renderPictureHtml(picture, {
    isDefined: (metric) => defined.has(metric),
    link: (text, row, column) => lists.link(text, counting[row]?.get(column), place),
  });
}

function renderCounted(report: Report): string {
  const { matches, notes, plan_notice: planNotice, seeds, left_out: leftOut, conditions } = report;
  const lines = [
    `${pluralize(matches, 'match is', 'matches are')} counted, ${formatSealed(report)}${seeds.matches === 0 ? '' : `; ${pluralize(seeds.different, 'seed')}, ${seeds.lowest} to ${seeds.highest}`}.`,
    ...listFurtherNotices(report),
    ...notes,
    ...listFormLines(report),
    planNotice,
  ];
  const table = [
    ['Condition', 'Values, with the matches of each'],
    ...conditions.map(({ name, values }) => [
      name,
      values.map(({ value, matches: count }) => `${value} (${formatWhole(count)})`).join('; '),
    ]),
  ];
  return [
    `<ul class="counted">${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}</ul>`,
    renderFold('Conditions', renderHtmlTable(table), pluralize(conditions.length, 'condition')),
    ...(leftOut.length === 0
      ? []
      : [
          renderFold(
            `${pluralize(leftOut.length, 'record')} left out`,
            `${renderHtmlTable([
              ['Folder', 'Why', 'What was found'],
              ...leftOut.slice(0, mostRows).map(({ folder, reason, message }) => [folder, reason, message]),
            ])}${describeCut(leftOut.length, 'report.json')}`,
          ),
        ]),
  ].join('\n');
}

function renderSection({ metrics }: Report, section: (typeof metricSections)[number], limit: number): string {
  const parts = metrics
    .filter((metric) => metric.section === section)
    .flatMap((metric) => {
      const { name, title, definition, unit } = metric;
      const shown = listShown(metric);
      if (shown.length === 0) return [];
      const [head, ...rows] = listFigureRows(shown, (text) => text);
      return [
        `<h3 id="${escapeHtml(nameDefinition(name))}">${escapeHtml(title)} <code>${escapeHtml(name)}</code></h3><p>${escapeHtml(definition)} Unit: ${escapeHtml(unit)}.</p>${hasOthersFigures(metric) ? `<p>${escapeHtml(aboutOthers.replaceAll('`', ''))}</p>` : ''}${renderHtmlTable([head!, ...rows.slice(0, limit)], title)}${describeCut(rows.length, 'figures.csv', limit)}`,
      ];
    });
  return parts.length === 0
    ? ''
    : renderFold(sectionTitles[section], parts.join('\n'), pluralize(parts.length, 'figure'));
}

const describeCut = (rows: number, file: string, limit = mostRows): string =>
  rows <= limit ? '' : `<p>${formatWhole(rows - limit)} more rows: <code>${file}</code>.</p>`;
