// A picture in an HTML page with its description, definition, files and numbers.
import { renderPictureCsv } from '../csv.ts';
import { escapeHtml, type HtmlCell, renderHtmlTable } from '../html-page.ts';
import type { Picture } from './picture-drawing.ts';

/** Folder of the pictures' files, next to their page. */
export const picturesFolder = 'pictures';

/**
 * Lists the files of the named pictures, relative to the folder of their page: an SVG of each picture, and a CSV of its
 * numbers.
 *
 * @example listPictureFiles(['lies']) // ['pictures/lies.svg', 'pictures/lies.csv']
 */
export const listPictureFiles = (names: readonly string[]): string[] =>
  names.flatMap((name) => ['svg', 'csv'].map((ending) => `${picturesFolder}/${name}.${ending}`));

/** Maximum number of characters of a file of numbers within the page. A larger file is only stored next to the page. */
const mostCharacters = 60_000;

/** Number of printed table rows. `styles` of html-page.ts hides the others. */
const mostPrinted = 40;

/**
 * Renders the picture as a figure. `link` turns a cell of the table into a link; row numbers do not count the header.
 * `isDefined` returns whether the page defines a metric.
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
    `Files: <a href="${file}.svg" aria-label="SVG: ${escapeHtml(title)}">SVG</a> (next to this page), ${renderCsvLink({ name, title, data }, file)}`,
  ];
  const width = Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1] ?? 0);
  // The widest pictures are as wide as the page, and shrink with the page before they scroll.
  const shape = width > 1000 ? ' class="broad fitted"' : width > 600 ? ' class="broad"' : '';
  const more = rows.length > mostPrinted ? `<p class="printed">More rows: ${escapeHtml(`${file}.csv`)}</p>` : '';
  return `<figure id="${escapeHtml(name)}" aria-label="${escapeHtml(title)}"${shape}><h3>${escapeHtml(title)}</h3>
<div class="drawing" tabindex="0" role="region" aria-label="${escapeHtml(`Picture: ${title}`)}">${svg}</div>
<figcaption>${escapeHtml(description)} <span class="under">${under.join('. ')}.</span>
<details><summary>Numbers<span class="only-seen-by-readers"> of ${escapeHtml(title)}</span>${isLinked ? ', with links to examples' : ''}</summary>${renderHtmlTable([head, ...linked], title, 1, `Numbers of ${title}`)}${more}</details></figcaption></figure>`;
}

/** Returns the id of a metric's definition. */
export const nameDefinition = (metric: string) => `metric-${metric}`;

function renderMetricLink(metric: string, isDefined: (metric: string) => boolean): string {
  const code = `<code>${escapeHtml(metric)}</code>`;
  return isDefined(metric) ? `<a href="#${escapeHtml(nameDefinition(metric))}">${code}</a>` : code;
}

/** Renders the numbers as a file within the page, so that a copy of the page includes them. */
function renderCsvLink({ name, title, data }: Pick<Picture, 'name' | 'title' | 'data'>, file: string): string {
  const csv = encodeURIComponent(renderPictureCsv(data));
  const label = `aria-label="CSV: ${escapeHtml(title)}"`;
  return csv.length > mostCharacters
    ? `<a href="${file}.csv" ${label}>CSV</a>`
    : `<a download="${escapeHtml(name)}.csv" ${label} href="data:text/csv;charset=utf-8,${escapeHtml(csv)}">CSV</a>`;
}
