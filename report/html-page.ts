// A page of HTML that stands alone: no script, nothing loaded from elsewhere, and a policy that lets the browser refuse
// both. Whatever models said or are called stands in it as text.
import { createHash } from 'node:crypto';
import { sanitizeText } from './format.ts';

/**
 * Text for HTML, between tags and in quoted attributes: one line without invisible characters.
 *
 * @example escapeHtml('<b> & "q"') // '&lt;b&gt; &amp; &quot;q&quot;'
 */
export const escapeHtml = (text: string): string =>
  sanitizeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** What `escapeHtml` made of a line, back again. @example readEscaped('&quot;q&quot;') // '"q"' */
export const readEscaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

/** In the browser's own colours, light or dark; readable from 360 px on, and printed without what is folded. */
const styles = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); --paper: light-dark(#fff, #121212); }
html { background: var(--paper); color: light-dark(#1b1b1b, #ececec); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; } h2 { margin-top: 2.5rem; } h3 { margin: 1.5rem 0 0.5rem; }
main > ul, main > p, figcaption { max-width: 75ch; }
.notice { border-left: 4px solid; padding: 0 0.75rem; margin: 0.25rem 0; font-weight: 600; }
.findings { margin: 0.5rem 0; padding-left: 1.25rem; } .findings li { margin-bottom: 0.4rem; }
.wide, .drawing { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { text-align: right; padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.whole { white-space: nowrap; } .left { text-align: left; } th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; min-width: 8rem; }
figure { margin: 0; min-width: 0; } .drawing svg { display: block; max-width: none; }
.fitted .drawing svg { max-width: 100%; min-width: 56rem; height: auto; } figcaption { font-size: 0.9rem; } summary { cursor: pointer; } :focus-visible { outline: 3px solid; outline-offset: 2px; }
.under { font-size: 0.85rem; } code { overflow-wrap: anywhere; } .printed { display: none; }
.first, .pictures { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 1.5rem; }
.first h2, .first h3 { font-size: 1.2rem; margin: 0.75rem 0 0.25rem; } .first > * { min-width: 0; } .first > figure { order: -1; }
.first table, .first .findings { font-size: 0.85rem; } .first th, .first td { padding: 0.25rem 0.3rem; } .first th:first-child { min-width: 6rem; }
@media (min-width: 76rem) {
.first { grid-template-columns: 35rem minmax(0, 1fr); } .pictures { grid-template-columns: repeat(2, minmax(0, 1fr)); } .broad { grid-column: 1 / -1; }
}
.behind h3 { margin: 1.25rem 0 0; scroll-margin-top: 0.5rem; } .back { margin: 0; font-size: 0.9rem; } .behind ul { margin-top: 0.25rem; }
.behind :target { outline: 2px dashed; outline-offset: 2px; }
@media (max-width: 40rem) {
.drawing svg { max-width: 100%; min-width: 22rem; height: auto; }
}
@media print {
body { max-width: none; font-size: 11px; } figure, tr { break-inside: avoid; } .drawing svg { max-width: 100%; height: auto; }
.first, .pictures { display: block; } .printed { display: block; } figure tr:nth-child(n + 41) { display: none; }
details:not([open]), .behind:not(:has([open])), .folded:not(:has([open])) { display: none; }
.first details:not([open]), figure details:not([open]) { display: block; }
.first details::details-content, figure details::details-content { content-visibility: visible; }
}
`;

/**
 * A whole page. `body` is HTML already.
 *
 * @example renderHtmlPage('Report on 3 matches', '<h1>Report on 3 matches</h1>')
 */
export function renderHtmlPage(title: string, body: string): string {
  const hash = createHash('sha256').update(styles).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Text in a table, or text that leads to another place of the page. */
export type HtmlCell = string | { text: string; href: string };

const nameTable = (head: HtmlCell = 'Table') => (typeof head === 'string' ? head : head.text);

/** What is of one number stays in one line, however narrow its column: a share, an interval, what chance gives. */
const keepWhole = (html: string) =>
  html.replaceAll(/\(by chance [^()<>]*\)|\[[^[\]<>]{1,40}\]|[\d.,]+ %/g, '<span class="whole">$&</span>');

/**
 * A table of texts, of which the first row names the columns and the first cell each row. `caption` names it to whoever
 * cannot see what stands around it, or where none is to be seen `label` does; the first `texts` columns are no numbers.
 */
export function renderHtmlTable(
  [head = [], ...rows]: readonly [head?: readonly HtmlCell[], ...rows: (readonly HtmlCell[])[]],
  caption?: string,
  texts = 1,
  label = caption ?? nameTable(head[0]),
): string {
  const cell = (tag: string, shown: HtmlCell) => {
    const plain = escapeHtml(typeof shown === 'string' ? shown : shown.text);
    const text = tag === 'td' ? keepWhole(plain) : plain;
    const linked = typeof shown === 'string' ? text : `<a href="${escapeHtml(shown.href)}">${text}</a>`;
    return `<${tag}>${linked}</${tag.split(' ')[0]!}>`;
  };
  const align = (at: number) => (at > 0 && at < texts ? ' class="left"' : '');
  const lines = rows.map(
    (row) => `<tr>${row.map((text, at) => cell(at === 0 ? 'th scope="row"' : `td${align(at)}`, text)).join('')}</tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table>
${caption === undefined ? '' : `<caption>${escapeHtml(caption)}</caption>`}<thead><tr>${head.map((text, at) => cell(`th scope="col"${align(at)}`, text)).join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}
