// The documents around the viewer's script: the page that a server serves, and the file of one match, which needs no
// server.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../html-page.ts';
import { truncateMatch, packMatch } from './truncate-match.ts';
import { viewerStyles } from './viewer-styles.ts';
import { namePhaseAndRound } from './perspective.ts';
import type { ViewedMatch, ViewedStep } from './viewed-match.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Directives of both documents: no base address, no forms, and no markup made from texts. */
const forbidden = `base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

/** Policy of the served page: script and style are the server's own files. */
export const servedPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; ${forbidden}`;

/**
 * Policy of reports in the folder, which may come from anybody: no script, no origin, and nothing from elsewhere, so
 * that a page can neither read the server's data nor send anything. Files that are embedded in the page may be saved.
 */
export const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-downloads allow-top-navigation-by-user-activation";

/**
 * Returns the policy of a served page with a single match: the page runs the viewer's own script, but does not get the
 * server's origin.
 */
export const createMatchPolicy = (script: string): string =>
  `${createFilePolicy(script)}; frame-ancestors 'none'; sandbox allow-scripts`;

const createFilePolicy = (script: string) =>
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(viewerStyles)}; ${forbidden}`;

/** The served page. Its script asks the server for everything. */
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

/** Size limit of a single match's file, in bytes. Parts without room are left out, and the page says so. */
export const maxMatchPageBytes = 950_000;

/**
 * Renders one match as one file with its data and the viewer's `script`. Printed or without script, it shows the match
 * as text.
 *
 * @example writeFileSync('match.html', renderMatchDocument(addPrompts(match, prompts), script));
 */
export function renderMatchDocument(match: ViewedMatch, script: string): string {
  const measure = (one: ViewedMatch) => Buffer.byteLength(wrapMatch(one, ''));
  return wrapMatch(truncateMatch(match, maxMatchPageBytes - Buffer.byteLength(script), measure), script);
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

/** Formats JSON. Nothing in the result can end the HTML element around it. */
const formatData = (value: unknown) =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/**
 * Renders the match as plain HTML for reading without script and for print, with everything private except reasoning
 * about bids and statements.
 */
function renderPrintedMatch(match: ViewedMatch): string {
  const { id, board, rules, seed, ending, notes, players, steps, sources } = match;
  const parts = Map.groupBy(steps, namePhaseAndRound);
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
