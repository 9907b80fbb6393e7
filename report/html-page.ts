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

/** In the browser's own colours, light or dark; readable from 360 px on, and printed without what is folded. */
const styles = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 25%, transparent); }
html { background: light-dark(#fff, #121212); color: light-dark(#1b1b1b, #ececec); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { margin-top: 2.5rem; } h3 { margin: 1.5rem 0 0.5rem; }
.notice { border-left: 4px solid; padding: 0.25rem 0.75rem; font-weight: 600; }
.findings li { margin-bottom: 0.4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { text-align: right; padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; min-width: 8rem; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.5rem; }
figure { margin: 0; min-width: 0; } figure svg { max-width: 100%; height: auto; }
figcaption { font-size: 0.9rem; } summary { cursor: pointer; } :focus-visible { outline: 3px solid; outline-offset: 2px; }
code { overflow-wrap: anywhere; }
.behind h4 { margin: 1.25rem 0 0; scroll-margin-top: 0.5rem; } .back { margin: 0; font-size: 0.9rem; } .behind ul { margin-top: 0.25rem; }
.behind :target { outline: 2px dashed; outline-offset: 2px; }
@media print { body { max-width: none; font-size: 11px; } figure, tr { break-inside: avoid; } details:not([open]), .behind:not(:has([open])) { display: none; } }
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

/**
 * A table of texts, of which the first row names the columns and the first cell each row. `caption` names it to whoever
 * cannot see what stands around it.
 */
export function renderHtmlTable(
  [head = [], ...rows]: readonly [head?: readonly string[], ...rows: (readonly HtmlCell[])[]],
  caption?: string,
): string {
  const cell = (tag: string, shown: HtmlCell) => {
    const text = escapeHtml(typeof shown === 'string' ? shown : shown.text);
    const linked = typeof shown === 'string' ? text : `<a href="${escapeHtml(shown.href)}">${text}</a>`;
    return `<${tag}>${linked}</${tag.split(' ')[0]!}>`;
  };
  const lines = rows.map(
    ([first = '', ...rest]) =>
      `<tr>${cell('th scope="row"', first)}${rest.map((text) => cell('td', text)).join('')}</tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(caption ?? head[0] ?? 'Table')}"><table>
${caption === undefined ? '' : `<caption>${escapeHtml(caption)}</caption>`}<thead><tr>${head.map((text) => cell('th scope="col"', text)).join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}
