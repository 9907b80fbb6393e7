// A picture on a page of HTML, with what is under it: what is seen, its definition, its files and its numbers.
import { renderPictureCsv } from '../csv.ts';
import { escapeHtml, type HtmlCell, renderHtmlTable } from '../html-page.ts';
import type { Picture } from './picture-drawing.ts';

/** Where the pictures stand as files of their own, beside their page. */
export const picturesFolder = 'pictures';

/** Characters of numbers that the page itself holds as a file; larger ones stand beside it alone. */
const mostCharacters = 60_000;

/** Rows of a table that are printed; `styles` of html-page.ts hides the others. */
const mostPrinted = 40;

/**
 * The picture as a figure. `link` makes of a cell of its table, counted without the head, one that leads somewhere;
 * `isDefined`: whether the page holds the definition of a metric.
 *
 * @example renderPictureHtml(picture, { isDefined: () => false })
 */
export function renderPictureHtml(
  { name, title, description, metrics, svg, table: [head = [], ...rows], data }: Picture,
  {
    isDefined,
    link = (text) => text,
  }: { isDefined: (metric: string) => boolean; link?: (text: string, row: number, column: number) => HtmlCell },
): string {
  const linked = rows.map((row, at) => row.map((text, column) => link(text, at, column)));
  const isLinked = linked.some((row) => row.some((cell) => typeof cell !== 'string'));
  const defined = metrics.map((metric) => renderMetricLink(metric, isDefined));
  const file = `${picturesFolder}/${encodeURIComponent(name)}`;
  const under = [
    ...(defined.length === 0 ? [] : [`Definition: ${defined.join(', ')}`]),
    `Files: <a href="${file}.svg">SVG</a> (beside this page), ${renderCsvLink(name, data, file)}`,
  ];
  const width = Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1] ?? 0);
  // The widest are as wide as a page, and shrink somewhat with a smaller one before they are scrolled.
  const shape = width > 1000 ? ' class="broad fitted"' : width > 600 ? ' class="broad"' : '';
  const more = rows.length > mostPrinted ? `<p class="printed">More rows: ${escapeHtml(`${file}.csv`)}</p>` : '';
  return `<figure id="${escapeHtml(name)}"${shape}><h3>${escapeHtml(title)}</h3>
<div class="drawing" tabindex="0" role="region" aria-label="${escapeHtml(`Picture: ${title}`)}">${svg}</div>
<figcaption>${escapeHtml(description)} <span class="under">${under.join('. ')}.</span>
<details><summary>The numbers${isLinked ? ', and what is behind them' : ''}</summary>${renderHtmlTable([head, ...linked], title)}${more}</details></figcaption></figure>`;
}

/** The id of the definition of a metric. */
export const nameDefinition = (metric: string) => `metric-${metric}`;

function renderMetricLink(metric: string, isDefined: (metric: string) => boolean): string {
  const code = `<code>${escapeHtml(metric)}</code>`;
  return isDefined(metric) ? `<a href="#${escapeHtml(nameDefinition(metric))}">${code}</a>` : code;
}

/** The numbers as a file that the page holds itself, so that they go where it is sent. */
function renderCsvLink(name: string, data: Picture['data'], file: string): string {
  const csv = encodeURIComponent(renderPictureCsv(data));
  return csv.length > mostCharacters
    ? `<a href="${file}.csv">CSV</a>`
    : `<a download="${escapeHtml(name)}.csv" href="data:text/csv;charset=utf-8,${escapeHtml(csv)}">CSV</a>`;
}
