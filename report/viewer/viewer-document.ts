// The documents around the viewer's script: the page that a server serves, and the file of one match, which needs no server.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../html-page.ts';
import { truncateMatch, packMatch } from './truncate-match.ts';
import { nameWhen } from './seen-step.ts';
import type { ViewedMatch, ViewedStep } from './viewed-match.ts';

/** In the browser's own colours, light or dark; from 360 px to 4 k. */
export const viewerStyles = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); --soft: color-mix(in srgb, currentColor 8%, transparent);
  --red: light-dark(#b3261e, #ff8a80); --blue: light-dark(#1a56b0, #8ab4ff); --quiet: light-dark(#555, #b5b5b5); }
* { box-sizing: border-box; }
html { background: light-dark(#fff, #121212); color: light-dark(#1b1b1b, #ececec); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 100rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0.25rem 0; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 1rem 0 0.25rem; } h3 { font-size: 1rem; margin: 0.75rem 0 0.25rem; }
a { color: var(--blue); } button, input, select { font: inherit; color: inherit; }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: normal; }
thead th { white-space: nowrap; font-weight: 600; } th[aria-sort='ascending'] button::after, th[aria-sort='descending'] button::after { content: ''; display: inline-block; margin-left: 0.4em; border: 0.3em solid transparent; } th[aria-sort='ascending'] button::after { border-bottom-color: currentColor; margin-bottom: 0.15em; } th[aria-sort='descending'] button::after { border-top-color: currentColor; margin-bottom: -0.15em; }
.list thead button { border: 0; background: none; padding: 0; font-weight: 600; cursor: pointer; }
td.long { min-width: 16rem; }
#filter { width: min(24rem, 100%); }
.mark { border: 1px solid var(--line); border-radius: 0.6rem; padding: 0 0.4rem; font-size: 0.75rem; margin-left: 0.4rem; white-space: nowrap; }
.mark.lie { color: var(--red); border-color: var(--red); }
.quiet, figcaption { color: var(--quiet); font-size: 0.85rem; margin: 0.25rem 0; }
.notice { border-left: 4px solid; padding: 0.1rem 0.75rem; margin: 0.5rem 0; }
bdi { unicode-bidi: isolate; overflow-wrap: anywhere; white-space: pre-wrap; }
.controls { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding: 0.5rem 0; background: light-dark(#fff, #121212); border-bottom: 1px solid var(--line); }
.controls input { flex: 1 1 12rem; min-width: 8rem; } .controls button { min-width: 2.5rem; padding: 0.3rem; } .controls output { font-variant-numeric: tabular-nums; }
h1:focus { outline: none; } .inner { padding-left: 1rem; } @media (max-width: 40rem) { .controls .keys { display: none; } }
.keys { color: var(--quiet); font-size: 0.8rem; }
.stage { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
@media (min-width: 62rem) { .stage { grid-template-columns: minmax(0, 1fr) minmax(0, 36rem); } }
@media (max-width: 62rem) { .steps { max-height: 30vh; } }
.choices { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; } .choices select { max-width: 100%; }
.table, .lines { display: block; height: auto; margin: 0 auto; } @media (min-width: 62rem) { .table, .lines { max-width: 100%; } }
.top { fill: var(--soft); stroke: var(--line); }
.seat rect { fill: light-dark(#fff, #121212); stroke: currentColor; stroke-opacity: 0.45; } .seat.acting rect { stroke: var(--blue); stroke-opacity: 1; stroke-width: 3; }
.seat text { text-anchor: middle; fill: currentColor; font-size: 12px; } .seat .name { font-weight: 700; font-size: 14px; } .seat .model { font-size: 10px; }
.seat.gone rect { stroke-dasharray: 4 3; } .seat.gone .name { text-decoration: line-through; font-weight: 400; }
.arrow { stroke: currentColor; stroke-width: 2; } .arrow.deed { stroke: var(--red); stroke-width: 3; } .arrow.vote { stroke-opacity: 0.6; stroke-dasharray: 5 4; } .tip { fill: currentColor; }
.heat th, .heat td { padding: 0.2rem 0.3rem; font-size: 0.8rem; } .heat td { text-align: center; } .heat thead th + th { vertical-align: bottom; text-align: center; } .heat thead th + th span { writing-mode: vertical-rl; } .heat .none { color: var(--quiet); }
${Array.from({ length: 10 }, (_, level) => `.h${level} { background: color-mix(in srgb, var(--red) ${level * 5}%, transparent); }`).join('\n')}
figure { margin: 0.5rem 0; } .speaker { font-weight: 700; color: inherit; } .star { fill: currentColor; }
.lines .lead { stroke: var(--line); stroke-width: 1; } .lines .plain { stroke: currentColor; } .lines .seat-mark circle { fill: light-dark(#fff, #121212); stroke: currentColor; stroke-width: 1; } .lines .seat-mark text { font-size: 9px; text-anchor: middle; }
.lines polyline { fill: none; stroke-width: 2; } .lines text { font-size: 11px; fill: currentColor; } .lines polyline.pack { stroke: var(--red); stroke-dasharray: 6 3; } .lines polyline.village { stroke: var(--blue); }
.lines .tick line { stroke: var(--line); } .lines .now { stroke: currentColor; stroke-width: 1; }
.steps { list-style: none; margin: 0; padding: 0; max-height: 42vh; overflow-y: auto; border: 1px solid var(--line); border-radius: 8px; }
.steps button { display: block; width: 100%; text-align: left; border: 0; border-bottom: 1px solid var(--line); background: none; padding: 0.3rem 0.6rem; cursor: pointer; }
.steps [aria-current] { background: color-mix(in srgb, var(--blue) 18%, transparent); box-shadow: inset 4px 0 var(--blue); }
.steps .later button { color: var(--quiet); } .steps .round_started button { font-weight: 700; }
.details { border: 1px solid var(--line); border-radius: 8px; padding: 0.25rem 1rem 0.75rem; margin-top: 1rem; }
.details h2 { margin-top: 0.5rem; } .details pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85rem; max-height: 60vh; overflow-y: auto; }
blockquote { margin: 0.5rem 0; padding: 0.25rem 0.75rem; border-left: 3px solid var(--line); }
mark { background: none; color: inherit; text-decoration: underline 2px var(--blue); } mark.lie { text-decoration-color: var(--red); text-decoration-style: wavy; } b.lie { color: var(--red); }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 0.75rem; margin: 0; } .bars dd { margin: 0; } meter { width: 12rem; max-width: 50vw; }
.printed li { margin-bottom: 0.25rem; } .scripted #printed { display: none; }
@media print { body { font-size: 11px; } .controls, .steps { position: static; max-height: none; } .scripted #printed { display: block; } .scripted #app:has(+ #printed) { display: none; } li, tr { break-inside: avoid; } }
`;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What both forbid: markup made from texts, forms, frames, and whatever is elsewhere. */
const forbidden = `base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

/** The policy of the page that is served: script and style are files of the server's own. */
export const servedPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; ${forbidden}`;

/**
 * The policy of reports of the folder, which may be anybody's: no script, no origin, nothing from elsewhere, so that a page
 * can neither read what the server has nor send anything. Files that it holds itself may be saved.
 */
export const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-downloads allow-top-navigation-by-user-activation";

/** The policy of the page of one match that is served: the viewer's own script, without the server's origin. */
export const createMatchPolicy = (script: string): string =>
  `${createFilePolicy(script)}; frame-ancestors 'none'; sandbox allow-scripts`;

const createFilePolicy = (script: string) =>
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(viewerStyles)}; ${forbidden}`;

/** The page that is served; its script asks the server for everything. */
export const viewerDocument = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wolfgraph</title>
<link rel="stylesheet" href="viewer.css">
<script src="viewer.js" defer></script>
</head>
<body><div id="app"></div></body>
</html>
`;

/** Bytes that the file of one match may take; what has no room is left out, and the page says so. */
export const mostBytes = 950_000;

/**
 * One match as one file: it holds its data and the viewer's `script`, and needs nothing else. Without script, and printed, it
 * is the match as a text.
 *
 * @example writeFileSync('match.html', renderMatchDocument(addPrompts(match, prompts), script));
 */
export function renderMatchDocument(match: ViewedMatch, script: string): string {
  const measure = (one: ViewedMatch) => Buffer.byteLength(wrapMatch(one, ''));
  return wrapMatch(truncateMatch(match, mostBytes - Buffer.byteLength(script), measure), script);
}

const wrapMatch = (match: ViewedMatch, script: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${createFilePolicy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(match.id)}</title>
<style>${viewerStyles}</style>
</head>
<body><div id="app"></div>
<main id="printed">${renderPrintedMatch(match)}</main>
<script type="application/json" id="match">${formatData(packMatch(match))}</script>
<script>${script}</script></body>
</html>
`;

/** JSON in which nothing can end the element that holds it. */
const formatData = (value: unknown) =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/**
 * The match as plain HTML, to be read where no script runs, and printed, with everything that was private but reasoning
 * about bids and statements.
 */
function renderPrintedMatch(match: ViewedMatch): string {
  const { id, board, rules, seed, ending, notes, players, steps, sources } = match;
  const parts = Map.groupBy(steps, nameWhen);
  const tell = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`;
  return [
    `<h1>${tell(id)}</h1>`,
    `<p>${tell(`${board}, ${rules}, seed ${seed}. ${ending}`)}</p>`,
    ...notes.map((note) => `<p class="notice">${tell(note)}</p>`),
    `<table><thead><tr>${['Player', 'Role', 'Model'].map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>`,
    ...players.map(
      ({ name, role, model }) =>
        `<tr><th scope="row">${tell(name)}</th><td>${tell(role)}</td><td>${tell(model)}</td></tr>`,
    ),
    '</tbody></table>',
    ...[...parts].map(
      ([when, own]) =>
        `<h2>${escapeHtml(when)}</h2><ul class="printed">${own
          .filter(({ type }) => type !== 'round_started')
          .map((step) => renderPrintedStep(step, sources[0]))
          .join('\n')}</ul>`,
    ),
    sources[0] === undefined ? '' : `<p>Verdicts by ${tell(sources[0])}.</p>`,
  ].join('\n');
}

function renderPrintedStep({ told, thoughts = [], actor, readings }: ViewedStep, source: string | undefined): string {
  const claims = (source === undefined ? undefined : readings?.[source])?.claims ?? [];
  const own = thoughts.filter(({ player }) => player === actor);
  const notes = [
    ...own.map(({ reasoning }) => `Thought: ${reasoning}`),
    ...claims.map(({ verdict, words, about }) => `${verdict}: “${words}” (${about})`),
  ];
  return `<li><bdi>${escapeHtml(told)}</bdi>${notes.length === 0 ? '' : `<ul>${notes.map((note) => `<li><bdi>${escapeHtml(note)}</bdi></li>`).join('')}</ul>`}</li>`;
}
