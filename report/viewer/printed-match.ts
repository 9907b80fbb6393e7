// A match as plain HTML, to be read where no script runs, and printed.
import { escapeHtml } from '../html-page.ts';
import { nameWhen } from './seen-step.ts';
import type { ViewedMatch, ViewedStep } from './viewed-match.ts';

/**
 * The whole match with everything that was private but reasoning about bids and statements.
 *
 * @example renderPrintedMatch(buildViewedMatch(record))
 */
export function renderPrintedMatch(match: ViewedMatch): string {
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
          .map((step) => renderStep(step, sources[0]))
          .join('\n')}</ul>`,
    ),
    sources[0] === undefined ? '' : `<p>Verdicts by ${tell(sources[0])}.</p>`,
  ].join('\n');
}

function renderStep({ told, thoughts = [], actor, readings }: ViewedStep, source: string | undefined): string {
  const claims = (source === undefined ? undefined : readings?.[source])?.claims ?? [];
  const own = thoughts.filter(({ player }) => player === actor);
  const notes = [
    ...own.map(({ reasoning }) => `Thought: ${reasoning}`),
    ...claims.map(({ verdict, words, about }) => `${verdict}: “${words}” (${about})`),
  ];
  return `<li><bdi>${escapeHtml(told)}</bdi>${notes.length === 0 ? '' : `<ul>${notes.map((note) => `<li><bdi>${escapeHtml(note)}</bdi></li>`).join('')}</ul>`}</li>`;
}
