// A standalone HTML page. It has no script and loads nothing, and its policy makes the browser refuse scripts and
// loading. Models' words and names appear only as text.
import { createHash } from 'node:crypto';
import { designPrintStyles, designStyles, designTokens } from './design-tokens.ts';
import { figuresPrintStyles, figuresStyles } from './figures-styles.ts';
import { sanitizeText } from './format.ts';

/**
 * Escapes text for HTML, between tags and in quoted attributes: one line without invisible characters.
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

/** Renders a line as text, and what stands between backticks as code. @example renderCode('A `b`') // 'A <code>b</code>' */
export const renderCode = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Reverses `escapeHtml` for a line. @example readEscaped('&quot;q&quot;') // '"q"' */
export const readEscaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');

/** Styles of the page in light or dark colors, usable from 420 px on, and printed (see `figuresPrintStyles`). */
const styles = `${designTokens}${designStyles}${figuresStyles}${designPrintStyles}${figuresPrintStyles}`;

/**
 * Renders a whole page. `body` is HTML already.
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
<header class="top"><span class="mark"><svg viewBox="0 0 20 20" aria-hidden="true"><path d="M2 2l5 4h6l5-4-1.2 10L10 18.5 3.2 12z"/></svg>Wolfgraph</span></header>
${body}
</body>
</html>
`;
}

/** Renders the title of a page, and a line of facts under it in small type. */
export const renderHead = (title: string, facts: readonly string[] = []): string =>
  `<div class="head"><h1>${escapeHtml(title)}</h1>${facts.length === 0 ? '' : renderFacts(facts)}</div>`;

/** Renders a line of facts in small type. */
export const renderFacts = (facts: readonly string[]): string =>
  `<ul class="facts">${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>`;

/** Maximum length of a warning that is shown in full: about a line. */
const longestLine = 160;

/** Pattern of the first sentence. A full stop after an initial or within a number does not end the sentence. */
const firstSentence = /^(.{20,}?[.:]) (?=[A-Z“])/;

/** Renders a warning that must be read first. A long warning is folded below its first sentence. */
export function renderCaution(text: string): string {
  const [, first] = text.length <= longestLine ? [] : (firstSentence.exec(text) ?? []);
  const rest = first === undefined ? '' : text.slice(first.length).trim();
  return rest === ''
    ? `<p class="caution notice"><b>${escapeHtml(text)}</b></p>`
    : `<details class="caution notice"><summary><b>${escapeHtml(first ?? text)}</b></summary><p>${escapeHtml(rest)}</p></details>`;
}

/** Renders a folded part of a page. `about`: its contents in a few words. */
export const renderFold = (title: string, html: string, about = ''): string =>
  `<details class="fold"><summary>${escapeHtml(title)}${about === '' ? '' : ` <span>${escapeHtml(about)}</span>`}</summary><div>${html}</div></details>`;

/** Cell of a table: text, or a link to another place of the page. */
export type HtmlCell = string | { text: string; href: string };

const nameTable = (head: HtmlCell = 'Table') => (typeof head === 'string' ? head : head.text);

/** Keeps a share, an interval or a chance baseline in one line, however narrow the column is. */
const keepWhole = (html: string) =>
  html.replaceAll(/\(by chance [^()<>]*\)|\[[^[\]<>]{1,40}\]|[\d.,]+ %/g, '<span class="whole">$&</span>');

/**
 * Renders a table of texts. The first row names the columns, and the first cell of every other row names that row.
 * `caption`: title of the table; absent for none. `label`: title for screen readers. The first `texts` columns are not
 * numbers.
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
  return `<div class="scroll wide" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><table class="plain">
${caption === undefined ? '' : `<caption>${escapeHtml(caption)}</caption>`}<thead><tr>${head.map((text, at) => cell(`th scope="col"${align(at)}`, text)).join('')}</tr></thead>
<tbody>${lines.join('\n')}</tbody></table></div>`;
}
