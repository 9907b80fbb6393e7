// Styles of a seat's page: the table, the talk and the question are side by side, or one below the other on a phone.
import { designStyles, designTokens } from '../design-tokens.ts';

export const seatStyles = `${designTokens}${designStyles}
.table-page { max-width: 72rem; display: grid; grid-template-columns: 14rem minmax(0, 1fr) 21rem; gap: 0 var(--s6); align-items: start; }
.table-page > div { padding-top: var(--s4); }
.hear { max-height: calc(100dvh - 4rem); overflow-y: auto; display: flex; flex-direction: column-reverse; padding-bottom: var(--s3); }
.ask { max-height: calc(100dvh - 3rem); overflow-y: auto; padding-bottom: var(--s3); }
.words { font-family: var(--serif); overflow-wrap: anywhere; }
.you { border: 1px solid var(--line); border-left: 4px solid var(--role, var(--accent)); border-radius: var(--radius); padding: var(--s3); font-size: var(--s); }
.you p + p { margin-top: var(--s1); }
.players { list-style: none; display: grid; gap: var(--s1); margin-top: var(--s3); font-size: var(--s); }
.players li { display: flex; align-items: center; gap: var(--s2); min-width: 0; }
.players .face { flex: none; display: grid; place-items: center; width: 1.9rem; height: 1.9rem; border-radius: 50%; background: var(--sunken); font-weight: 650; font-size: var(--xs); }
.players .me .face { background: var(--accent); color: var(--paper); }
.players .dead .face { background: none; border: 1px dashed var(--line-strong); color: var(--ink-soft); }
.players .dead b { font-weight: 400; color: var(--ink-soft); text-decoration: line-through; }
.players b { font-weight: 600; display: block; line-height: 1.25; overflow-wrap: anywhere; }
.players small { color: var(--ink-soft); display: block; line-height: 1.25; }
.shown-roles { list-style: none; display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); font-size: var(--s); margin-top: var(--s3); }
.chat { list-style: none; display: grid; gap: var(--s3); }
.chat .event { text-align: center; font-size: var(--s); color: var(--ink-soft); overflow-wrap: anywhere; }
.chat .said { max-width: 34rem; justify-self: start; background: var(--raised); border-radius: 2px 12px 12px; padding: var(--s2) var(--s3); }
.chat .mine { justify-self: end; background: color-mix(in srgb, var(--accent) 12%, var(--paper)); border-radius: 12px 2px 12px 12px; }
.chat b { font-size: var(--s); }
.chat .words { font-size: 1rem; line-height: 1.5; }
.question { margin-top: 0; background: var(--paper); border: 1px solid var(--line-strong); border-radius: 10px; padding: var(--s4); }
.question h2 { font-size: var(--l); overflow-wrap: anywhere; }
.question h2 + * { margin-top: var(--s2); }
.question form > * + * { margin-top: var(--s3); }
.question p { font-size: var(--s); overflow-wrap: anywhere; }
.question .problem { color: var(--lie); font-weight: 600; }
.countdown { display: flex; align-items: center; gap: var(--s3); font-size: var(--s); color: var(--ink-soft); margin-bottom: var(--s3); }
.countdown .progress { height: 5px; flex: 1; }
.choices { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--s2); }
.choices legend, .question .field { font-size: var(--s); font-weight: 600; padding: 0; margin-bottom: var(--s2); display: block; }
.choices.scale { grid-template-columns: repeat(6, minmax(0, 1fr)); }
.choices label { position: relative; display: flex; align-items: center; justify-content: center; min-height: 2.75rem; border: 1px solid var(--line-strong); border-radius: var(--radius); font-weight: 600; cursor: pointer; text-align: center; overflow-wrap: anywhere; }
.choices input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.choices label:has(:checked) { background: var(--accent); border-color: var(--accent); color: var(--paper); }
.choices label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.each { border: 0; border-top: 1px solid var(--line); margin: var(--s4) 0 0; padding: var(--s2) 0 0; min-width: 0; }
.each legend { font-weight: 650; padding: 0 var(--s2) 0 0; }
.each > * + * { margin-top: var(--s3); }
textarea { width: 100%; min-height: 5rem; background: var(--paper); border: 1px solid var(--line-strong); border-radius: var(--radius); padding: var(--s2) var(--s3); font: 1rem / 1.5 var(--serif); resize: vertical; display: block; }
.question .main { width: 100%; min-height: 2.75rem; font-size: var(--m); }
.question .ends { display: flex; justify-content: space-between; font-size: var(--xs); color: var(--ink-soft); }
.question input[type="range"] { width: 100%; accent-color: var(--accent); margin: 0; min-height: 1.5rem; }
.rules { margin: var(--s5) 0; font-size: var(--s); }
.rules pre { font: inherit; white-space: pre-wrap; margin: var(--s2) 0 0; max-width: 75ch; }
.question form > div > div + div { margin-top: var(--s3); }
@media (max-width: 75rem) { .table-page { grid-template-columns: 11rem minmax(0, 1fr) 18rem; gap: 0 var(--s5); } }
@media (max-width: 44rem) {
  main, .top { padding-inline: var(--s4); }
  .at-table .top { display: none; }
  .table-page { display: flex; flex-direction: column; align-items: stretch; height: 100dvh; gap: 0; }
  .table-page > div { padding-top: var(--s2); }
  .you { padding: var(--s1) var(--s3); }
  .you p { display: inline; }
  .players { grid-template-columns: repeat(auto-fit, minmax(3.4rem, 1fr)); gap: var(--s1); margin-block: var(--s2) 0; }
  .players li { flex-direction: column; gap: 0.1rem; text-align: center; }
  .players small { display: none; }
  .players b { font-size: var(--xs); }
  .table-page > .hear { flex: 1; min-height: 6rem; max-height: none; }
  .table-page > .ask { max-height: 62dvh; padding: 0; margin-inline: calc(-1 * var(--s4)); }
  .ask .question { border-width: 1px 0 0; border-radius: 14px 14px 0 0; padding: var(--s3) var(--s4) var(--s4); }
  .ask .countdown { margin-bottom: var(--s2); }
  .ask form > * + * { margin-top: var(--s2); }
  .ask .choices:not(.scale) { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .ask textarea { min-height: 3.5rem; }
  .rules { margin: 0; padding-block: var(--s2); max-height: 40dvh; overflow: auto; border-bottom: 1px solid var(--line); }
}
`;
