// A report over many matches as one page of HTML, `report.html`: what was found, in sentences and in pictures, what was
// counted, and every figure, folded by theme.
import { metricSections } from '../deception/metrics/metric.ts';
import {
  type CountedStatements,
  type HeadlineStatement,
  isStatementHeadline,
  type StatementKey,
} from '../deception/summary/headline-statements.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import { quoteForShell } from '../state/text.ts';
import { formatWhole, pluralize } from './format.ts';
import { escapeHtml, type HtmlCell, renderHtmlPage, renderHtmlTable } from './html-page.ts';
import type { Picture } from './picture-drawing.ts';
import { drawPictures, picturesFolder } from './pictures.ts';
import { sectionTitles, listFigureRows } from './report-details.ts';
import { formatFinding, headlineNames, headlines, listFindings, listModelFindings } from './report-findings.ts';
import { formatSealed } from './report-page.ts';

/** Rows of one table; the rest stands in figures.csv, and the page says so. */
const mostRows = 400;

/** Rows of figures on the whole page, of some 500 bytes each: with many models it would else be too large to be sent. */
const mostRowsOfAll = 2000;

/** How many rows of each metric are shown: as many as keep the whole page to its number. */
function chooseRowLimit({ metrics }: Report): number {
  const sizes = metrics.map(({ figures }) => figures.filter(({ value }) => value !== null).length);
  let limit = mostRows;
  while (limit > 1 && sizes.reduce((sum, size) => sum + Math.min(size, limit), 0) > mostRowsOfAll) limit--;
  return limit;
}

/**
 * The page. It needs no script, loads nothing and can be sent, opened from disk and printed.
 *
 * @example writeFileSync('report.html', renderReportHtml(report));
 */
export function renderReportHtml(
  report: Report,
  pictures: readonly Picture[] = drawPictures(report),
  statements: readonly LinkedStatements[] = [],
): string {
  const title = `Report on ${pluralize(report.matches, 'match', 'matches')}`;
  const link = createStatementLinks(statements);
  const limit = chooseRowLimit(report);
  const notices = [report.bot_notice, report.claims_notice].filter((notice) => notice !== null);
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...notices.map((notice) => `<p class="notice">${escapeHtml(notice)}</p>`),
    '<h2>What was found</h2>',
    renderFindings(report, link),
    ...(pictures.length === 0
      ? []
      : [`<div class="pictures">${pictures.map((picture) => renderPicture(picture, link)).join('\n')}</div>`]),
    renderStatements(statements),
    '<h2>What was counted</h2>',
    renderCounted(report),
    '<h2>Every figure</h2>',
    ...metricSections.map((section) => renderSection(report, section, limit)),
    '<p>Figures are defined in <code>docs/metrics.md</code> of the project and stand unrounded in <code>report.json</code> and <code>figures.csv</code>.</p>',
  ];
  return renderHtmlPage(title, `<main>\n${body.filter((part) => part !== '').join('\n')}\n</main>`);
}

/** Statements behind a headline figure, each with the page of its match, where that is there. */
export interface LinkedStatements extends Omit<CountedStatements, 'shown'> {
  shown: readonly (HeadlineStatement & { href: string | null })[];
}

/** Characters of a statement that are shown. */
const mostCharacters = 300;

/** Makes a cell lead to the statements that it counts, where these stand on the page. */
type StatementLink = (text: string, key: StatementKey | undefined) => HtmlCell;

function createStatementLinks(counted: readonly LinkedStatements[]): StatementLink {
  const names = new Map(counted.map(({ headline, model, liar }, at) => [JSON.stringify([headline, model, liar]), at]));
  return (text, key) => {
    const at = key && names.get(JSON.stringify([key.headline, key.model, key.liar]));
    return at === undefined ? text : { text, href: `#${nameStatements(at)}` };
  };
}

/** The id of a list of statements. It is within what is folded, so that a link to it unfolds it. */
const nameStatements = (at: number) => `statements-${at}`;

/** The statements that figures count, folded: at most twenty of each, drawn by the seed, with their number. */
function renderStatements(counted: readonly LinkedStatements[]): string {
  if (counted.length === 0) return '';
  const parts = counted.map(({ headline, model, liar, total, shown }, at) => {
    const some = total > shown.length ? `; ${shown.length} of them, drawn by the seed` : '';
    const title = `${model}, ${headlines[headline].title}${liar === null ? '' : ` from ${liar}`}: ${formatWhole(total)}${some}`;
    return `<details class="statements"><summary>${escapeHtml(title)}</summary><ul id="${nameStatements(at)}">${shown.map(renderStatement).join('\n')}</ul></details>`;
  });
  return `<h2 id="statements">The statements behind the figures</h2>\n${parts.join('\n')}`;
}

function renderStatement({
  match,
  folder,
  statement,
  speaker,
  observer,
  text,
  href,
}: LinkedStatements['shown'][number]): string {
  const short = text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
  const heard = observer === null ? '' : `, heard by <b>${escapeHtml(observer)}</b>`;
  const place = `${encodeURIComponent(match)}/${encodeURIComponent(statement)}`;
  const where =
    href === null
      ? `<code data-match="${escapeHtml(match)}" data-statement="${escapeHtml(statement)}">npm run show -- ${escapeHtml(quoteForShell(folder))}</code>`
      : `<a href="${escapeHtml(`${href}#/match/${place}`)}">its match</a>`;
  return `<li><b>${escapeHtml(speaker)}</b>${heard}: “<bdi>${escapeHtml(short)}</bdi>” (${escapeHtml(match)}, ${escapeHtml(statement)}: ${where})</li>`;
}

function renderFindings(report: Report, link: StatementLink): string {
  const models = listModelFindings(report);
  if (models.length === 0) return '<p>No model has played a side of its own in any of these matches.</p>';
  const sentences = listFindings(report).map(({ sentence }) => `<li>${escapeHtml(sentence)}</li>`);
  const isMarked = (name: (typeof headlineNames)[number]) =>
    models.some(({ figures }) => figures[name]?.comparable === false);
  const table = [
    ['Model', ...headlineNames.map((name) => `${headlines[name].title}${isMarked(name) ? ' †' : ''}`)],
    ...models.map(({ model, figures }): HtmlCell[] => [
      model,
      ...headlineNames.map((name) => {
        const text = formatFinding(name, figures[name]);
        return isStatementHeadline(name) ? link(text, { headline: name, model, liar: null }) : text;
      }),
    ]),
  ] as const;
  return [
    `<ul class="findings">${sentences.join('\n')}</ul>`,
    renderHtmlTable(table, 'Models'),
    `<p>In brackets 95 % intervals over deals. Caught and false alarms are of statements by Werewolves, as listeners judged them who could not know.${headlineNames.some(isMarked) ? ' †: made of claims that no single judge drew, so not to be compared between models.' : ''}</p>`,
  ].join('\n');
}

function renderPicture(
  { name, title, description, metrics, svg, table: [head = [], ...rows], statements }: Picture,
  link: StatementLink,
): string {
  const definition = metrics.map((metric) => `<code>${escapeHtml(metric)}</code>`).join(', ');
  const linked = rows.map((row, at): HtmlCell[] =>
    row.map((text, column) => (column === statements?.column ? link(text, statements.keys[at]) : text)),
  );
  return `<figure id="${escapeHtml(name)}"><h3>${escapeHtml(title)}</h3>
${svg}
<figcaption>${escapeHtml(description)} ${definition === '' ? '' : `Defined in docs/metrics.md: ${definition}. `}Also <code>${picturesFolder}/${escapeHtml(name)}.svg</code> and <code>.csv</code>.
<details><summary>The numbers${statements === undefined ? '' : ', and the statements behind them'}</summary>${renderHtmlTable([head, ...linked], title)}</details></figcaption></figure>`;
}

function renderCounted(report: Report): string {
  const { matches, notes, plan_notice: planNotice, seeds, left_out: leftOut, conditions } = report;
  const lines = [
    `${pluralize(matches, 'match is', 'matches are')} counted, ${formatSealed(report)}${seeds.matches === 0 ? '' : `; ${pluralize(seeds.different, 'seed')}, ${seeds.lowest} to ${seeds.highest}`}.`,
    ...notes,
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
    `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}</ul>`,
    `<details><summary>Conditions</summary>${renderHtmlTable(table)}</details>`,
    ...(leftOut.length === 0
      ? []
      : [
          `<details><summary>${pluralize(leftOut.length, 'record')} left out</summary>${renderHtmlTable([
            ['Folder', 'Why', 'What was found'],
            ...leftOut.slice(0, mostRows).map(({ folder, reason, message }) => [folder, reason, message]),
          ])}${describeCut(leftOut.length, 'report.json')}</details>`,
        ]),
  ].join('\n');
}

function renderSection({ metrics }: Report, section: (typeof metricSections)[number], limit: number): string {
  const parts = metrics
    .filter((metric) => metric.section === section)
    .flatMap(({ name, title, definition, unit, figures }) => {
      const shown = figures.filter(({ reason, value }) => reason !== 'no data' || value !== null);
      if (shown.length === 0) return [];
      const [head, ...rows] = listFigureRows(shown, (text) => text);
      return [
        `<h3>${escapeHtml(title)} <code>${escapeHtml(name)}</code></h3><p>${escapeHtml(definition)} Unit: ${escapeHtml(unit)}.</p>${renderHtmlTable([head!, ...rows.slice(0, limit)], title)}${describeCut(rows.length, 'figures.csv', limit)}`,
      ];
    });
  return parts.length === 0
    ? ''
    : `<details><summary>${escapeHtml(sectionTitles[section])}</summary>${parts.join('\n')}</details>`;
}

const describeCut = (rows: number, file: string, limit = mostRows): string =>
  rows <= limit ? '' : `<p>${formatWhole(rows - limit)} more rows: <code>${file}</code>.</p>`;
