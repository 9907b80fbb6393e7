// The viewer's colours, layout and print.

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
