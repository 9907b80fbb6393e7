// Styles of the viewer, on top of the design of all pages: the table of players, the timeline, the current step with
// its claims, suspicion, and the talk.
import { designPrintStyles, designStyles, designTokens } from '../design-tokens.ts';

/** Maximum number of columns and rows of seats, and of a day's cells in the timeline. */
const [mostColumns, mostRows, mostCells] = [4, 8, 40];

const count = (to: number, style: (at: number) => string) =>
  Array.from({ length: to }, (_, at) => style(at + 1)).join('\n');

/**
 * Styles for light and dark, for windows from 360 px on, and for print. Everything is in classes, so that a strict
 * policy can apply.
 */
export const viewerStyles = `${designTokens}${designStyles}
h1:focus { outline: none; }
bdi { unicode-bidi: isolate; overflow-wrap: anywhere; }
.words bdi, .event bdi { white-space: pre-wrap; }
.unknown { --role: var(--line-strong); } .pack { --role: var(--werewolf); } .village { --role: var(--villager); }
:root { --role: var(--villager); }
.verdict.mistaken { color: var(--undecidable); }
.verdict.mistaken::before { content: '≠'; background: none; font-weight: 700; line-height: 1; text-align: center; }
.scroll { overflow-x: auto; position: relative; }
.note { text-wrap: pretty; color: var(--ink-soft); font-size: var(--xs); margin-top: var(--s2); }
.missing { font-weight: 600; color: var(--caution); }
.studies .bar { min-width: 8rem; } .studies .failed { color: var(--lie); }
.studies-table td.left.bar:last-child { min-width: 8rem; }
.list > h2 { margin-top: var(--s6); } .list-table th a { white-space: nowrap; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
.list-table .group th { text-align: left; font-weight: 600; color: var(--ink); background: var(--raised); padding-left: var(--s2); }
.pages { display: flex; align-items: center; gap: var(--s3); margin-block: var(--s3); font-size: var(--s); }
.button:disabled { color: var(--ink-soft); cursor: default; background: var(--raised); }
.study .caution ul { margin: var(--s2) 0 0 var(--s4); } .study bdi { overflow-wrap: anywhere; }
.study .pairings { min-width: 20rem; }
.part + .part { margin-top: var(--s5); }
.part h2 small, .match h2 small { font-weight: 400; font-size: var(--s); color: var(--ink-soft); letter-spacing: 0; }
.part > .note, .part > .scroll { margin-top: var(--s1); }
.choices { display: flex; align-items: baseline; flex-wrap: wrap; gap: var(--s1) var(--s5); margin-top: var(--s2); font-size: var(--s); }
.choices select { max-width: 100%; }
.ending { margin-top: var(--s1); font-size: var(--s); font-weight: 600; }
.bars { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 0.75rem; font-size: var(--s); } meter { width: 12rem; max-width: 50vw; vertical-align: -0.1em; }
meter::-webkit-meter-bar { background: var(--sunken); border: 0; } meter::-webkit-meter-optimum-value { background: var(--accent); } meter::-moz-meter-bar { background: var(--accent); }
.said-by dt { font-weight: 600; font-size: var(--s); margin-top: var(--s2); }
.fold .words { font-size: var(--m); line-height: 1.5; }
.fold details { margin-block: var(--s2); font-size: var(--s); }
.fold pre { white-space: pre-wrap; overflow-wrap: anywhere; font: var(--xs) / 1.5 var(--mono); max-height: 60vh; overflow-y: auto; background: var(--raised); padding: var(--s2); }
.folds .fold:first-child { border-top: 1px solid var(--line); }
.link { overflow-wrap: anywhere; }
.heat { border-collapse: separate; border-spacing: 2px; width: 100%; table-layout: fixed; font-size: var(--s); font-variant-numeric: tabular-nums; }
.heat caption { text-align: left; font-size: var(--xs); color: var(--ink-soft); padding-bottom: var(--s1); }
.heat th { font-weight: 600; font-size: var(--xs); line-height: 1.25; text-align: center; vertical-align: bottom; padding: 0.15rem; overflow-wrap: break-word; }
.heat thead :first-child { width: 22%; }
.heat tbody th { text-align: left; vertical-align: middle; }
.heat td { text-align: center; padding: 0.3rem 0.15rem; border-radius: 3px; line-height: 1.25; }
.heat td small { display: block; opacity: 1; }
.heat .changed small { display: inline; font-weight: 400; }
.heat .self { background: none; color: var(--ink-soft); }
.heat .changed { outline: 2px solid var(--ink); outline-offset: -2px; font-weight: 650; }
.h0 { background: color-mix(in srgb, var(--heat) 3%, var(--paper)); }
.h1 { background: color-mix(in srgb, var(--heat) 8%, var(--paper)); }
.h2 { background: color-mix(in srgb, var(--heat) 14%, var(--paper)); }
.h3 { background: color-mix(in srgb, var(--heat) 20%, var(--paper)); }
.h4 { background: color-mix(in srgb, var(--heat) 26%, var(--paper)); }
.h5 { background: color-mix(in srgb, var(--heat) 32%, var(--paper)); }
.h6 { background: color-mix(in srgb, var(--heat) 39%, var(--paper)); }
.h7 { background: color-mix(in srgb, var(--heat) 46%, var(--paper)); }
.h8 { background: color-mix(in srgb, var(--heat) 53%, var(--paper)); }
.h9 { background: color-mix(in srgb, var(--heat) 60%, var(--paper)); }

.dense th { font-size: 0.6875rem; } .dense td { padding: 0.25rem 0; font-size: var(--xs); } .heat.dense .changed small { display: block; font-size: 0.6875rem; }
.timeline { margin-top: var(--s4); }
.timeline ol { display: flex; list-style: none; gap: 3px; }
.timeline > ol > li { flex: var(--grow, 1) 1 0; min-width: 0; }
.timeline .when { display: block; font-size: var(--xs); font-weight: 600; color: var(--ink-soft); line-height: 1.3; white-space: nowrap; }
.timeline > ol > .night { flex: 0 0 3.6rem; }
.timeline .night > a { background: light-dark(#3a4150, #0a0b0d); color: #f2f4f7; outline: 1px solid light-dark(transparent, #565e6a); outline-offset: -1px; }
.timeline .cells > li { flex: 1 1 0; min-width: 0; }
.timeline a { display: flex; flex-direction: column; align-items: center; justify-content: flex-end; height: 2.4rem; margin-top: 0.2rem; padding-bottom: 0.2rem; border-radius: 4px; background: var(--sunken); color: var(--ink); font-size: var(--xs); line-height: 1.2; text-decoration: none; }
.timeline .by-werewolf a { box-shadow: inset 0 -3px var(--werewolf); }
.timeline a:hover { text-decoration: none; outline: 1px solid var(--line-strong); }
.timeline .ballot a { background: none; box-shadow: inset 0 0 0 1px var(--line-strong); }
.timeline .cells > .ballot { flex-grow: 1.5; }
.timeline .ballot small { margin-bottom: auto; padding-top: 0.2rem; font-size: 0.6875rem; color: var(--ink-soft); }
.timeline .lies { color: var(--lie); font-weight: 700; margin-bottom: auto; padding-top: 0.15rem; }
.timeline [aria-current] { background: var(--accent); color: var(--paper); font-weight: 700; }
.timeline [aria-current] .lies { color: inherit; }
.scrub { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); margin-top: var(--s2); font-size: var(--s); }
.scrub input { flex: 1 1 12rem; accent-color: var(--accent); min-width: 0; margin: 0; }
${count(mostCells, (at) => `.long-${at} { --grow: ${at}; }`)}
.timeline { overflow-x: clip; } .timeline a { position: relative; }
.timeline .cells > li > [aria-current], .timeline .night > [aria-current] { background: var(--accent); color: var(--paper); box-shadow: none; }
.timeline .by-werewolf > [aria-current] { box-shadow: inset 0 -3px var(--werewolf); } .timeline [aria-current] small { color: inherit; }
.timeline .came { max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.keys { font-size: var(--xs); }
.match > section { min-width: 0; margin-top: 0; }
.match { display: grid; grid-template-columns: minmax(0, 37.5rem) minmax(0, 1fr); gap: var(--s5) var(--s6); margin-top: var(--s5); align-items: start; }
.match > div { min-width: 0; }
.match > .table-side { order: -1; }
.stage { position: relative; display: grid; gap: var(--s3) var(--s4); list-style: none; }
.stage .arrows-holder { display: contents; }
.stage .arrows { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.arrows .felt { fill: var(--raised); stroke: none; }
.arrows .arrow { stroke: var(--ink); stroke-width: 2; fill: none; }
.arrows .tip { fill: var(--ink); }
.seat { position: relative; display: flex; flex-direction: column; justify-content: center; border: 1px solid var(--line); border-left: 4px solid var(--role); border-radius: var(--radius); background: var(--paper); padding: var(--s2) var(--s3); line-height: 1.35; font-size: var(--xs); }
.seat b { font-size: var(--m); font-weight: 650; }
.seat .told-lies { position: absolute; top: 0.5rem; right: 0.6rem; color: var(--lie); font-weight: 600; }
.seat.speaks { outline: 2px solid var(--accent); outline-offset: 1px; }
.seat.dead { background: var(--raised); border-style: dashed; border-left-style: solid; border-left-color: color-mix(in srgb, var(--role) 45%, var(--line)); }
.seat.dead b { color: var(--ink-soft); text-decoration: line-through; font-weight: 500; }
.seat.dead .role { font-weight: 400; }
.seat.dead .letter { background: var(--ink-soft); }
.seat.dead .role, .seat .soft { color: var(--ink-soft); }
.center { background: var(--raised); border-radius: var(--radius); padding: var(--s1) var(--s3); align-self: center; justify-self: center; position: relative; text-align: center; font-size: var(--s); line-height: 1.4; }
.center b { display: block; font-size: var(--m); }
.seat .what { font-weight: 600; }
.match .part { margin-top: var(--s5); }
.match .part:first-child { margin-top: 0; }
.match h2 { font-size: var(--l); }
.match h2 small { font-weight: 400; color: var(--ink-soft); letter-spacing: 0; margin-left: var(--s2); }
.seat.acting { outline: 2px solid var(--accent); outline-offset: 1px; }
.seat .told-lies.unread { color: var(--caution); }
.seat > span { overflow-wrap: anywhere; }
.center { grid-area: 2 / 2 / -2 / -2; }
${count(mostColumns, (at) => `.columns-${at} { grid-template-columns: repeat(${at}, minmax(0, 1fr)); } .column-${at} { grid-column: ${at}; }`)}
${count(mostRows, (at) => `.rows-${at} { grid-template-rows: repeat(${at}, minmax(5.8rem, 1fr)); } .row-${at} { grid-row: ${at}; }`)}
.arrows .arrow { vector-effect: non-scaling-stroke; } .arrows .defends { stroke-dasharray: 1 6; stroke-linecap: round; } .arrows .votes { stroke-dasharray: 6 4; }
.words { font: var(--l) / 1.6 var(--serif); unicode-bidi: isolate; overflow-wrap: anywhere; margin: 0; }
.speaker { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--s3); font-size: var(--s); }
.speaker b { font-size: var(--l); }
.statement { border-left: 4px solid var(--role); padding-left: var(--s4); }
.statement .words { margin-top: var(--s1); }
.claim { background: none; color: inherit; border-radius: 2px; padding: 0.05em 0.1em; -webkit-box-decoration-break: clone; box-decoration-break: clone; text-decoration: underline 2px; text-underline-offset: 0.22em; text-decoration-skip-ink: none; }
.claim sup { font: 700 0.68em / 1 var(--sans); margin-left: 0.15em; }
.claim.lie { background: var(--lie-tint); text-decoration-color: var(--lie); }
.claim.true { text-decoration-color: var(--true); text-decoration-thickness: 1.5px; }
.claim.undecidable { text-decoration: underline dotted 2px var(--undecidable); }
.claim.lie sup { color: var(--lie); }
.claim.true sup { color: var(--true); }
.claim.undecidable sup { color: var(--undecidable); }
.claim button { color: inherit; text-decoration: none; }
.claims { list-style: none; margin-top: var(--s3); font-size: var(--s); counter-reset: claim; }
.claims li { display: grid; grid-template-columns: 1.1rem 7.6rem minmax(0, 1fr); gap: 0 var(--s2); padding-block: 0.3rem; border-top: 1px solid var(--line); line-height: 1.45; }
.claims li::before { counter-increment: claim; content: counter(claim); font-weight: 700; color: var(--ink-soft); }
.listeners td, .listeners th { padding-block: 0.3rem; }
.listeners .verdict { font-weight: 400; }
.listeners .wrong { color: var(--lie); font-weight: 600; }
.listeners .right { color: var(--true); font-weight: 600; }
.listeners tbody tr.could-know > * { color: var(--ink-soft); }
.fork-arms h2 small { font-weight: 400; color: var(--ink-soft); margin-left: var(--s2); } .fork-arms .scroll { margin-top: var(--s3); } .fork-arms .said { min-width: 11rem; white-space: normal; overflow-wrap: anywhere; vertical-align: top; } .fork-arms .differs { font-weight: 600; }
.talk { list-style: none; margin-top: var(--s3); }
.talk > li { display: grid; grid-template-columns: 3.2rem 7.5rem minmax(0, 1fr) 9rem; gap: 0 var(--s3); padding-block: var(--s2); border-top: 1px solid var(--line); font-size: var(--s); align-items: baseline; }
.talk .words { font-size: var(--m); line-height: 1.5; }
.talk .now { background: var(--raised); box-shadow: inset 3px 0 var(--accent); margin-inline: calc(-1 * var(--s3)); padding-inline: var(--s3); }
.statement .speaker h2 { font-size: var(--l); }
.statement .event { margin-top: var(--s1); } .deed { font-weight: 600; font-size: var(--s); }
.claim button { background: none; border: 0; padding: 0 0.1em; font: inherit; cursor: help; }
.claim.mistaken { text-decoration: underline dashed 2px var(--undecidable); } .claim.mistaken sup { color: var(--undecidable); }
.claim sup { position: relative; }
.reason { display: none; position: absolute; z-index: 2; left: 0; bottom: 1.4em; width: max-content; max-width: 18rem; padding: var(--s2) var(--s3); border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--paper); color: var(--ink); font: var(--s) / 1.4 var(--sans); white-space: normal; text-align: left; }
.claim:hover > sup > .reason, .claim:focus-within > sup:focus-within > .reason { display: block; }
.talk > li > .event, .talk > li > .words { min-width: 0; }
.talk > li > .event { grid-column: 2 / -1; }
.talk .num { color: var(--ink-soft); }
.lines { display: block; height: auto; max-width: 100%; }
.lines .lead { stroke: var(--line); stroke-width: 1; } .lines .plain { stroke: currentColor; } .lines .seat-mark circle { fill: var(--paper); stroke: currentColor; stroke-width: 1; } .lines .seat-mark text { font-size: 9px; text-anchor: middle; }
.lines polyline { fill: none; stroke-width: 2; } .lines text { font-size: 11px; fill: currentColor; } .lines polyline.pack { stroke: var(--werewolf); stroke-dasharray: 6 3; } .lines polyline.village { stroke: var(--accent); }
.lines .tick line { stroke: var(--line); } .lines .now { stroke: currentColor; stroke-width: 1; }
.list > p, .list > .scroll { margin-top: var(--s3); }
.list input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line-strong); border-radius: var(--radius); padding: 0.25rem 0.5rem; width: min(24rem, 100%); }
.list-table thead button { border: 0; background: none; padding: 0; font-weight: 600; cursor: pointer; }
.list-table.plain td.left:last-child { min-width: 0; } .list-table td.left { white-space: nowrap; } .list-table td.wide { white-space: normal; min-width: 6rem; overflow-wrap: anywhere; }
.list-table .badge { margin: 0 var(--s1) 0 0; } .list-table tr:not(.group) > th > a { margin-right: var(--s2); }
th[aria-sort='ascending'] button::after, th[aria-sort='descending'] button::after { content: ''; display: inline-block; margin-left: 0.4em; border: 0.3em solid transparent; }
th[aria-sort='ascending'] button::after { border-bottom-color: currentColor; margin-bottom: 0.15em; } th[aria-sort='descending'] button::after { border-top-color: currentColor; margin-bottom: -0.15em; }
@media (max-width: 75rem) {
.match { grid-template-columns: minmax(0, 1fr); }
.match > .table-side { order: 0; }
.stage { max-width: 37.5rem; }
}
@media (max-width: 60rem) {
.halves { grid-template-columns: minmax(0, 1fr); }
.meters { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
}
@media (max-width: 44rem) {
main, .top, .foot { padding-inline: var(--s4); }
h1 { font-size: 1.5rem; }
section { margin-top: var(--s6); }
.scroll > .heat.dense { min-width: 38rem; } .heat .changed small { display: block; font-size: 0.6875rem; }
.fold > summary { flex-wrap: wrap; }
.fold > summary span { flex-basis: 100%; margin-left: 1.15rem; text-align: left; }
.fold > div { padding-left: 0; }
.stage { grid-template-columns: repeat(2, minmax(0, 1fr)); grid-template-rows: none; gap: var(--s2); }
.stage > * { grid-area: auto; }
.stage .arrows { display: none; }
.stage > .center { grid-column: 1 / -1; order: -1; }
.timeline > ol { flex-wrap: wrap; }
.timeline > ol > li { flex: 1 1 100%; display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); align-items: center; gap: 0 var(--s2); }
.timeline > ol > .night { flex: 1 1 100%; }
.timeline a { margin: 0; }
.timeline .cells { flex-wrap: wrap; }
.timeline .cells > li { flex: 1 1 1.6rem; }
.timeline .night > a { height: 1.5rem; flex-direction: row; justify-content: center; align-items: center; padding: 0; }
.keys { display: none; }
.claims li { grid-template-columns: 1.1rem minmax(0, 1fr); }
.claims li > :last-child { grid-column: 2; }
.talk > li { grid-template-columns: 2.6rem minmax(0, 1fr) auto; }
.talk > li > .words { grid-column: 1 / -1; grid-row: 2; }
.talk > li > .event { grid-column: 2 / -1; }
.listeners .wide-only { display: none; }
.reason { max-width: 12rem; }
}
.printed li { margin-bottom: 0.25rem; } .scripted #printed { display: none; }
${designPrintStyles}
@media print {
.timeline, .choices { display: none; }
.scripted #printed { display: block; } .scripted #app:has(+ #printed) { display: none; }
li { break-inside: avoid; }
}
`;
