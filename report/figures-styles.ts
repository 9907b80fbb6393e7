// Styles of figures on report, comparison and leaderboard pages: the table of answers with its bars, sentences,
// pictures and the picture of differences. Colors and sizes come from design-tokens.ts.

/** Styles of the table of figures, bars, sentences, pictures and the forest plot of differences. */
export const figuresStyles = `
.scroll { overflow-x: auto; position: relative; }
.figures { width: 100%; table-layout: fixed; border-collapse: collapse; margin-top: var(--s4); font-variant-numeric: tabular-nums; }
.figures thead th { text-align: left; vertical-align: bottom; font-size: var(--s); font-weight: 650; line-height: 1.3; padding: 0 var(--s2) var(--s2); border-bottom: 1px solid var(--line-strong); }
.figures thead th > span { display: block; font-size: var(--xs); font-weight: 400; color: var(--ink-soft); }
.figures tbody th, .figures td { text-align: left; vertical-align: top; padding: 0.5rem var(--s2) 0.45rem; border-bottom: 1px solid var(--line); line-height: 1.35; }
.figures tbody th { font-weight: 600; min-width: 9rem; overflow-wrap: anywhere; }
.figures .narrow { width: 6.6rem; }
.figures th:first-child { width: 11rem; padding-left: 0; position: sticky; left: 0; background: var(--paper); z-index: 1; }
.figures :is(th, td):last-child { padding-right: 0; }
.figures tbody tr:hover > * { background: var(--raised); }
.figures tbody th > span, .figures .n { display: block; font-size: var(--xs); font-weight: 400; color: var(--ink-soft); }
.figures td a { color: inherit; text-decoration: underline dotted; text-underline-offset: 0.2em; }
.est { font-size: var(--l); font-weight: 650; letter-spacing: -0.01em; white-space: nowrap; }
.ci { font-size: var(--xs); color: var(--ink-soft); white-space: nowrap; }
.missing { display: block; font-size: var(--s); line-height: 1.77; font-weight: 600; color: var(--caution); white-space: nowrap; }
.figures .weak .est { font-weight: 400; color: var(--ink-soft); }
.figures .difference > * { border-top: 1px solid var(--line-strong); border-bottom-color: var(--line-strong); }
.note { text-wrap: pretty; color: var(--ink-soft); font-size: var(--xs); margin-top: var(--s2); }
.key { font-weight: 700; }
.key.x { color: var(--accent); }
.key.y { color: var(--accent-2); }
.key:empty { display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: 0.45rem; background: currentColor; }
.key.x:empty { border-radius: 50%; }
.bar { display: block; width: 100%; height: 12px; overflow: visible; margin-block: 0.2rem 0.1rem; }
.bar * { vector-effect: non-scaling-stroke; fill: none; }
.rail { stroke: var(--line); stroke-width: 1px; }
.span { stroke: var(--accent-tint); stroke-width: 7px; }
.point { stroke: var(--accent); stroke-width: 8px; stroke-linecap: round; }
.ref { stroke: var(--line-strong); stroke-width: 1.5px; }
.y .span { stroke: var(--accent-2-tint); }
.y .point { stroke: var(--accent-2); stroke-linecap: square; stroke-width: 7px; }
.weak .span, .difference .span { stroke: var(--sunken); }
.weak .point, .difference .point { stroke: var(--line-strong); }
.difference .clear .span, .forest .clear .span { stroke: var(--line-strong); }
.difference .clear .point, .forest .clear .point { stroke: var(--ink); }
.bounds { stroke: var(--caution); stroke-width: 1.5px; stroke-dasharray: 3 3; }
.fill { stroke: var(--line-strong); stroke-width: 4px; }
.axis { display: flex; justify-content: space-between; font-size: 0.6875rem; font-weight: 400; line-height: 1.2; color: var(--ink-soft); margin-top: 0.2rem; font-variant-numeric: tabular-nums; }
.figures thead th > .axis { display: flex; font-size: 0.6875rem; }
.answers { display: grid; grid-template-columns: minmax(0, 1.15fr) minmax(0, 1fr); gap: var(--s4) var(--s7); margin-top: var(--s4); }
.answers h2 { font-size: var(--l); }
.answers > div > p { margin-top: var(--s2); }
.told { margin-top: var(--s2); font-size: var(--m); line-height: 1.45; }
.told > div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 var(--s3); padding-block: 0.4rem; border-top: 1px solid var(--line); }
.told dt { font-size: var(--s); line-height: 1.675; color: var(--ink-soft); }
.told dd { overflow-wrap: anywhere; }
.told code { font-size: var(--xs); }
.do code { display: block; width: fit-content; }
.told .do { display: block; color: var(--ink-soft); font-size: var(--s); margin-top: 0.15rem; }
.forest { border-collapse: collapse; width: 100%; font-size: var(--s); font-variant-numeric: tabular-nums; }
.forest th, .forest td { padding: 0.45rem var(--s3) 0.45rem 0; text-align: right; vertical-align: middle; line-height: 1.35; border-bottom: 1px solid var(--line); white-space: nowrap; }
.forest thead th { font-weight: 600; color: var(--ink-soft); vertical-align: bottom; border-bottom-color: var(--line-strong); white-space: normal; overflow-wrap: anywhere; }
.forest thead .key.x { color: var(--accent); }
.forest thead .key.y { color: var(--accent-2); }
.forest tbody th { text-align: left; font-weight: 600; white-space: normal; }
.forest tbody th span { display: block; font-weight: 400; font-size: var(--xs); color: var(--ink-soft); }
.forest .plot { width: 42%; padding-inline: var(--s4) var(--s5); }
.forest .bar { height: 16px; margin: 0; }
.forest .span { stroke: var(--line-strong); stroke-width: 2px; }
.forest .point { stroke: var(--line-strong); stroke-width: 10px; }
.forest .clear .span { stroke-width: 3px; stroke: var(--ink); }
.forest .axis span { width: 0; display: flex; justify-content: center; }
.forest .sides { display: flex; justify-content: space-between; gap: var(--s2); font-weight: 600; }
.forest :is(th, td):last-child { padding-right: 0; }
.pictures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--s6); margin-top: var(--s4); }
.pictures figure { min-width: 0; }
.pictures .broad { grid-column: 1 / -1; }
.drawing { overflow-x: auto; margin-top: var(--s3); }
.drawing svg { display: block; max-width: none; }
.fitted .drawing svg { max-width: 100%; min-width: 56rem; height: auto; }
figcaption { max-width: 75ch; margin-top: var(--s2); font-size: var(--xs); color: var(--ink-soft); }
.findings { margin: var(--s2) 0; padding-left: 1.25rem; max-width: 80ch; }
.findings li { margin-bottom: 0.4rem; }
.under { font-size: var(--xs); }
main > h2 { margin-top: var(--s7); }
main > h3 { margin-top: var(--s5); }
main > .scroll, section > .scroll, main > figure, .pictures .scroll { margin-top: var(--s3); }
section > div + div { margin-top: var(--s4); }
main > p, section > p, .counted { max-width: 80ch; margin-top: var(--s3); }
.counted { padding-left: 1.25rem; font-size: var(--s); }
.fold h3 { margin-top: var(--s4); scroll-margin-top: 0.5rem; }
.fold h3 + p { color: var(--ink-soft); font-size: var(--s); }
.fold .scroll { margin-top: var(--s2); }
.behind h3 { margin: 1.25rem 0 0; scroll-margin-top: 0.5rem; }
.behind ul { margin-top: 0.25rem; padding-left: 1.25rem; font-size: var(--s); }
.behind bdi { font-family: var(--serif); }
.behind .statements { margin-top: var(--s3); }
.back { margin: 0; font-size: var(--xs); }
.behind :target { outline: 2px dashed; outline-offset: 2px; }
main > .note, section > .note { max-width: none; }
.printed { display: none; }
@media (max-width: 75rem) {
.figures { min-width: 70rem; }
}
@media (max-width: 60rem) {
.answers, .pictures { grid-template-columns: minmax(0, 1fr); }
.drawing svg { max-width: 100%; min-width: 22rem; height: auto; }
}
@media (max-width: 44rem) {
main, .top, .foot { padding-inline: var(--s4); }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
section { margin-top: var(--s6); }
.scroll:has(.figures) { overflow: visible; }
.figures { min-width: 0; display: flex; flex-direction: column; }
.figures :is(thead, tbody, tr) { display: contents; }
.figures thead th:first-child { display: none; }
.figures tbody th { position: absolute; width: 1px; height: 1px; min-width: 0; overflow: hidden; clip-path: inset(50%); padding: 0; border: 0; }
.figures thead th { order: var(--column); padding: var(--s5) 0 var(--s1); font-size: var(--m); width: auto; }
.figures thead th > span { display: inline; font-size: var(--s); margin-left: 0.3rem; }
.figures thead th > .axis { display: none; }
.figures td { order: var(--column); display: grid; grid-template-columns: minmax(0, 1fr) 7.7rem 4.6rem; gap: 0 var(--s3); align-items: center; padding: 0.45rem 0; }
.figures .narrow { width: auto; }
.figures td::before { content: attr(data-of); font-size: var(--s); line-height: 1.3; grid-row: 1 / span 2; align-self: center; overflow-wrap: anywhere; }
.figures td > .value { grid-column: 2; text-align: left; }
.figures td > .n { grid-column: 2; line-height: 1.3; }
.figures td > .missing { grid-column: 2 / 4; line-height: 1.4; white-space: normal; }
.figures td > .missing ~ .n { grid-column: 2 / 4; }
.figures td > .bar { grid-column: 3; grid-row: 1 / span 2; align-self: center; margin: 0; }
.figures td > .missing ~ .bar { display: none; }
.figures td:empty { display: none; }
.figures tbody tr:hover > * { background: none; }
.figures .difference > td { border-top: 0; }
${Array.from({ length: 10 }, (_, at) => `.figures :is(th, td):nth-child(${at + 2}) { --column: ${at + 2}; }`).join('\n')}
.told > div { grid-template-columns: minmax(0, 1fr); }
.told dt { line-height: 1.4; }
.fold > summary { flex-wrap: wrap; }
.fold > summary span { flex-basis: 100%; margin-left: 1.15rem; text-align: left; }
.fold > div { padding-left: 0; }
main:has(> .answers) { display: flex; flex-direction: column; align-items: stretch; }
main:has(> .answers) > :not(.head, .caution) { order: 2; }
main:has(> .answers) > .answers { order: 1; }
.forest thead tr > :not(.plot) { display: none; }
.forest, .forest :is(tbody, thead) { display: block; }
.forest tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--s3); padding-block: var(--s2); border-bottom: 1px solid var(--line); }
.forest th, .forest td { border: 0; padding: 0; text-align: left; }
.forest tbody td { display: none; }
.forest tbody td.plot { display: block; grid-column: 1 / -1; padding: 0 var(--s4); }
.forest .bar { overflow: hidden; }
.forest tbody td.diff { display: block; grid-row: 1; grid-column: 2; text-align: right; }
.forest .plot { width: 100%; padding-inline: var(--s4); grid-column: 1 / -1; }
}
`;

/**
 * Styles of printed figures. The tables under pictures and the conditions are printed even if they are folded. The
 * folded tables of all figures would fill dozens of pages, so only their titles are printed. Lists of examples are not
 * printed.
 */
export const figuresPrintStyles = `
@page { margin: 14mm 12mm; }
@media print {
.figures { min-width: 0; }
.figures .missing { white-space: normal; line-height: 1.3; }
.pictures, .answers { display: block; }
.answers > * + *, .printed + .fold { margin-top: var(--s4); }
.pictures figure { break-inside: auto; margin-top: var(--s5); }
.drawing, figcaption > .under { break-inside: avoid; }
.drawing { break-after: avoid; }
.drawing svg { max-width: 100%; height: auto; }
.printed { display: block; }
figure tr:nth-child(n + 41) { display: none; }
.behind:not(:has([open])), .behind details:not([open]), figure summary { display: none; }
figure details::details-content, section:not(.folded) > .fold::details-content { content-visibility: visible; block-size: auto; }
.fold:not([open], .printed) { display: block; }
.fold > summary { break-after: avoid; padding-block: var(--s1); }
.fold > summary::before { display: none; }
.plain { width: 100%; }
.plain :is(th, td) { overflow-wrap: anywhere; }
thead { display: table-header-group; }
}
`;
