// The design of pages: all colors, sizes and distances, and the components that pages share. No other file names a
// color. Pages load no font and have no style attributes, so that a strict content security policy can apply.

/** CSS variables for colors (light and dark), fonts, sizes and distances. */
export const designTokens = `
:root {
  color-scheme: light dark;
  /* Colors of surfaces and text. Secondary text has a contrast of at least 4.5:1 on every surface. */
  --paper: light-dark(#ffffff, #14161a);
  --raised: light-dark(#f5f6f8, #1c1f25);
  --sunken: light-dark(#eceef2, #252931);
  --ink: light-dark(#15181d, #e8eaee);
  --ink-soft: light-dark(#535b67, #a9b1bd);
  --line: light-dark(#dfe3e8, #2f343c);
  --line-strong: light-dark(#8d96a3, #6d7683);
  /* Two accent colors. The first is also for links, focus and model X; the second is for model Y. */
  --accent: light-dark(#3d45b8, #a9b0ff);
  --accent-tint: light-dark(#c9cdf5, #3c428a);
  --accent-2: light-dark(#8c5000, #efb660);
  --accent-2-tint: light-dark(#f3d6a8, #6b4915);
  /* Colors of verdicts on a claim. Verdicts also differ in lightness, underline and sign. */
  --lie: light-dark(#b02e0c, #ff9677);
  --lie-tint: light-dark(#fde7e0, #47200f);
  --true: light-dark(#175f93, #84c5f4);
  --true-tint: light-dark(#e3f0fa, #15324a);
  --undecidable: light-dark(#5a626d, #aab2bd);
  /* Colors of states of work. */
  --caution: light-dark(#7a4a00, #f2bd6b);
  --caution-tint: light-dark(#fff6e3, #2f2512);
  --done: light-dark(#1c6b4a, #79d0a6);
  /* Colors of roles. A role is always also named, or has its letter. */
  --werewolf: light-dark(#7a1257, #ff84c3);
  --seer: light-dark(#2f55c7, #a5b9ff);
  --doctor: light-dark(#3f7400, #a8c860);
  --villager: light-dark(#626c79, #929cab);
  --guard: light-dark(#0a6e66, #6fd0c5);
  --witch: light-dark(#7338ac, #cfa6ff);
  --hunter: light-dark(#84511a, #e0ad72);
  --possessed: light-dark(#6b3f3f, #d9a3a3);
  --medium: light-dark(#17657f, #7fc8e0);
  /* One range of colors, for shares in matrices and for suspicion. */
  --heat: light-dark(#b03a78, #c44a8c);
  /*
   * Fonts and sizes: 12, 13, 15, 17, 21, 28 px. The interface is in sans serif, and everything that a player or model
   * wrote is in serif.
   */
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', Arial, sans-serif;
  --serif: Charter, 'Bitstream Charter', 'Iowan Old Style', 'Sitka Text', Cambria, 'Noto Serif', 'Liberation Serif', Georgia, serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
  --xs: 0.75rem;
  --s: 0.8125rem;
  --m: 0.9375rem;
  --l: 1.0625rem;
  --xl: 1.3125rem;
  --xxl: 1.75rem;
  /* Distances: multiples of 4 px. */
  --s1: 0.25rem;
  --s2: 0.5rem;
  --s3: 0.75rem;
  --s4: 1rem;
  --s5: 1.5rem;
  --s6: 2rem;
  --s7: 3rem;
  --radius: 6px;
}
`;

/** Styles of text, page frame, warnings, badges, roles, verdicts, plain tables, folds, buttons and progress bars. */
export const designStyles = `
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { font: var(--m) / 1.5 var(--sans); margin: 0; }
main, .top, .foot { max-width: 80rem; margin-inline: auto; padding-inline: var(--s5); }
h1, h2, h3, p, ul, ol, dl, dd, figure, table { margin: 0; padding: 0; }
h1 { font-size: var(--xxl); font-weight: 650; line-height: 1.2; letter-spacing: -0.018em; text-wrap: balance; }
h2 { font-size: var(--xl); font-weight: 650; line-height: 1.3; letter-spacing: -0.01em; }
h3 { font-size: var(--m); font-weight: 650; line-height: 1.4; }
a { color: var(--accent); text-decoration: none; }
a:hover, p a, li a, figcaption a { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
p a, li a, figcaption a { text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
code { font: 0.92em / 1.5 var(--mono); background: var(--sunken); border-radius: 4px; padding: 0.08em 0.35em; overflow-wrap: anywhere; }
small { font-size: var(--xs); }
.soft { color: var(--ink-soft); }
.whole { white-space: nowrap; }
.num { font-variant-numeric: tabular-nums; }
.only-seen-by-readers { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
section { margin-top: var(--s7); }
section > h2 + * { margin-top: var(--s3); }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s5); padding-block: var(--s2); font-size: var(--s); border-bottom: 1px solid var(--line); max-width: none; }
.top .mark { display: inline-flex; align-items: center; gap: 0.45rem; color: var(--ink); font-weight: 650; font-size: var(--m); }
.mark svg { width: 1.15rem; height: 1.15rem; fill: var(--werewolf); }
.head { padding-top: var(--s4); }
.head .facts { margin-top: var(--s2); }
.facts { display: flex; flex-wrap: wrap; gap: 0 var(--s5); color: var(--ink-soft); font-size: var(--s); list-style: none; }
.facts b { color: var(--ink); font-weight: 600; }
.facts a { color: inherit; }
.foot { margin-top: var(--s7); padding-block: var(--s4); color: var(--ink-soft); font-size: var(--xs); }
.foot p { border-top: 1px solid var(--line); padding-top: var(--s3); }
.caution { background: var(--caution-tint); border-left: 3px solid var(--caution); border-radius: 0 var(--radius) var(--radius) 0; padding: var(--s2) var(--s3); margin-top: var(--s3); font-size: var(--s); }
.caution b, .caution summary b { color: var(--caution); font-weight: 650; }
.caution code { display: block; width: fit-content; margin-top: var(--s1); }
.caution[open] summary { margin-bottom: var(--s2); }
.caution > p { max-width: 75ch; } p.caution { max-width: none; }
.caution > p + p { margin-top: var(--s2); }
.badge { display: inline-block; font-size: var(--xs); font-weight: 600; line-height: 1.35; white-space: nowrap; border: 1px solid currentColor; border-radius: 99px; padding: 0.05rem 0.5rem; color: var(--ink-soft); }
.badge.running { color: var(--accent); }
.badge.running::before { content: ''; display: inline-block; width: 0.45rem; height: 0.45rem; margin-right: 0.35rem; border-radius: 50%; background: currentColor; }
.badge.failed { color: var(--lie); }
.badge.done { color: var(--done); }
.werewolf { --role: var(--werewolf); }
.seer { --role: var(--seer); }
.doctor { --role: var(--doctor); }
.villager { --role: var(--villager); }
.guard { --role: var(--guard); }
.witch { --role: var(--witch); }
.hunter { --role: var(--hunter); }
.possessed { --role: var(--possessed); }
.medium { --role: var(--medium); }
.role { color: var(--role); font-weight: 600; white-space: nowrap; }
.role .letter { display: inline-block; min-width: 1.2em; padding-inline: 0.1em; margin-right: 0.3em; border-radius: 4px; background: var(--role); color: var(--paper); font: 700 0.8em / 1.45 var(--sans); text-align: center; vertical-align: 0.08em; }
.verdict { font-weight: 600; white-space: nowrap; }
.verdict.lie { color: var(--lie); }
.verdict.true { color: var(--true); }
.verdict.undecidable { color: var(--undecidable); }
.verdict::before { content: ''; display: inline-block; width: 0.75em; height: 0.75em; margin-right: 0.4em; background: currentColor; }
.verdict.lie::before { clip-path: polygon(14% 0, 50% 36%, 86% 0, 100% 14%, 64% 50%, 100% 86%, 86% 100%, 50% 64%, 14% 100%, 0 86%, 36% 50%, 0 14%); }
.verdict.true::before { clip-path: polygon(0 55%, 14% 40%, 36% 62%, 86% 8%, 100% 22%, 37% 90%); }
.verdict.undecidable::before { content: '?'; background: none; font-weight: 700; line-height: 1; text-align: center; }
.plain { border-collapse: collapse; font-size: var(--s); font-variant-numeric: tabular-nums; width: 100%; }
.plain caption { text-align: left; color: var(--ink-soft); padding-bottom: var(--s2); }
.plain th, .plain td { padding: 0.35rem var(--s3) 0.35rem 0; border-bottom: 1px solid var(--line); text-align: right; vertical-align: baseline; line-height: 1.4; }
.plain thead th { font-weight: 600; color: var(--ink-soft); border-bottom-color: var(--line-strong); vertical-align: bottom; }
.plain tbody th { font-weight: 400; min-width: 8rem; }
.plain td { white-space: nowrap; }
.plain td.left { white-space: normal; }
.plain:not(.listeners) td.left:last-child { min-width: 14rem; }
.plain :is(th, td):first-child, .plain .left { text-align: left; }
.plain :is(th, td):last-child { padding-right: 0; }
.plain .strong > * { font-weight: 650; }
summary { cursor: pointer; }
.fold { border-bottom: 1px solid var(--line); }
.fold:first-of-type { border-top: 1px solid var(--line); }
.fold > summary { display: flex; align-items: baseline; gap: var(--s3); padding-block: var(--s3); font-weight: 600; list-style: none; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary::before { content: ''; flex: none; width: 0.4rem; height: 0.4rem; border: solid var(--ink-soft); border-width: 0 1.5px 1.5px 0; transform: translateY(-0.15rem) rotate(-45deg); }
.fold[open] > summary::before { transform: translateY(-0.2rem) rotate(45deg); }
.fold > summary:hover { color: var(--accent); }
.fold > summary span { margin-left: auto; text-align: right; font-weight: 400; font-size: var(--s); color: var(--ink-soft); }
.fold > div { padding: 0 0 var(--s5) 1.15rem; }
.fold p { max-width: 75ch; }
.fold p + p { margin-top: var(--s2); }
.tabs { display: flex; flex-wrap: wrap; gap: 0 var(--s4); }
.tabs a { color: var(--ink-soft); padding-block: var(--s2); border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--ink); text-decoration: none; border-color: var(--line-strong); }
.tabs [aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.segmented { display: inline-flex; flex-wrap: wrap; border: 0; margin: 0; padding: 2px; background: var(--sunken); border-radius: var(--radius); font-size: var(--s); }
.segmented label { position: relative; padding: 0.2rem 0.7rem; border-radius: 4px; cursor: pointer; color: var(--ink-soft); white-space: nowrap; }
.segmented input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.segmented label:has(:checked) { background: var(--paper); color: var(--ink); font-weight: 600; box-shadow: 0 0 0 1px var(--line-strong); }
.segmented label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 1px; }
button, select, textarea { font: inherit; color: inherit; }
.button { background: var(--paper); border: 1px solid var(--line-strong); border-radius: var(--radius); padding: 0.3rem 0.8rem; font-size: var(--s); font-weight: 600; cursor: pointer; }
.button:hover { background: var(--raised); }
.button.main { background: var(--accent); border-color: var(--accent); color: var(--paper); }
.button.main:hover { background: color-mix(in srgb, var(--accent) 88%, var(--ink)); }
select { background: var(--paper); border: 1px solid var(--line-strong); border-radius: var(--radius); padding: 0.25rem 0.5rem; font-size: var(--s); }
.progress { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--sunken); }
.progress * { vector-effect: non-scaling-stroke; stroke-width: 16px; fill: none; }
.progress .finished { stroke: var(--accent); }
.progress .playing { stroke: var(--accent-tint); }
.progress .failing { stroke: var(--lie); }
.swatch { display: inline-block; width: 0.7rem; height: 0.7rem; border-radius: 2px; margin-right: 0.35rem; vertical-align: -0.05em; }
.swatch.finished { background: var(--accent); }
.swatch.playing { background: var(--accent-tint); }
.swatch.failing { background: var(--lie); }
.swatch.waiting { background: var(--sunken); outline: 1px solid var(--line-strong); outline-offset: -1px; }
.state { display: flex; flex-wrap: wrap; align-items: baseline; gap: var(--s2) var(--s4); }
.overall { margin-top: var(--s4); }
.overall .progress { height: 12px; border-radius: 6px; }
.overall .facts { margin-top: var(--s2); }
.meters { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: var(--s4) var(--s5); margin-top: var(--s5); }
.meters > div { border-top: 1px solid var(--line-strong); padding-top: var(--s2); }
.meters dt { font-size: var(--s); color: var(--ink-soft); }
.meters dd b { display: block; font-size: var(--xl); font-weight: 650; letter-spacing: -0.015em; line-height: 1.3; font-variant-numeric: tabular-nums; }
.meters dd { font-size: var(--xs); color: var(--ink-soft); }
.meters dd b { color: var(--ink); }
.halves { display: grid; grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr); gap: 0 var(--s7); }
.halves > section { min-width: 0; }
.pairings { border-collapse: separate; border-spacing: 4px; width: calc(100% + 8px); margin-left: -4px; table-layout: fixed; font-size: var(--s); font-variant-numeric: tabular-nums; }
.pairings th { font-weight: 600; text-align: left; line-height: 1.3; vertical-align: bottom; padding: 0 var(--s1) var(--s1) 0; }
.pairings tbody th { vertical-align: middle; }
.pairings td { background: var(--raised); border-radius: var(--radius); padding: var(--s2); line-height: 1.35; }
.pairings td a { color: inherit; font-weight: 600; }
.pairings .progress { height: 5px; margin-block: 0.35rem 0.25rem; }
.pairings small { color: var(--ink-soft); display: block; }
.pairings small.failed { color: var(--lie); }
`;

/** Styles of printed pages: light colors, and no controls. */
export const designPrintStyles = `
@media print {
:root { color-scheme: light; }
html { font-size: 11px; }
.top, .scrub, .button, .segmented { display: none; }
main, .foot { max-width: none; padding: 0; }
.figures:not(.few) { min-width: 0; }
.scroll { overflow: visible; }
figure, tr, .told > div { break-inside: avoid; }
h2, h3 { break-after: avoid; }
section { margin-top: var(--s5); }
a { color: inherit; text-decoration: none; }
* { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.fold.printed::details-content { content-visibility: visible; block-size: auto; }
.caution::details-content { content-visibility: visible; block-size: auto; }
.caution, .told > div { break-inside: avoid; }
.fold:not([open], .printed) { display: none; }
}
`;
