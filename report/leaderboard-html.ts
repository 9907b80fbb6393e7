// The leaderboard of a tournament as one HTML page, `leaderboard.html`: the contents of `leaderboard.md`, with
// intervals drawn.
import type { Leaderboard } from '../deception/ratings/leaderboard-schema.ts';
import { renderAnswersHtml } from './answer-table-html.ts';
import { escapeHtml, renderHtmlPage, renderHtmlTable } from './html-page.ts';
import type { LeaderboardPart } from './leaderboard-parts.ts';
import { listLeaderboardParts, nameLeaderboard } from './leaderboard-tables.ts';
import { createScale, drawIntervals } from './pictures/picture-drawing.ts';

/**
 * Renders the page. It needs no script and loads nothing, so it can be sent, opened from disk and printed, next to
 * `report.html`.
 *
 * @example writeFileSync('leaderboard.html', renderLeaderboardHtml(leaderboard));
 */
export function renderLeaderboardHtml(board: Leaderboard): string {
  const title = nameLeaderboard(board, keepText);
  const parts = placeParts(listLeaderboardParts(board, keepText));
  const way =
    '<p>Also as <code>leaderboard.md</code>, <code>.csv</code> and <code>.json</code>. All other figures: <a href="report.html">the report</a>.</p>';
  const body = [renderAnswersHtml(board.answers, { title }), ...parts.map(renderPart), way]
    .filter((part) => part !== '')
    .join('\n');
  return renderHtmlPage(title, `<main>\n${body}\n</main>`);
}

/** Returns a name unchanged. The page escapes it later, together with the sentence around it. */
const keepText = (text: string) => text;

type PlacedPart = LeaderboardPart & { label: string };

/** Gives each table and drawing a unique label, made from the headings above it and its contents. */
function placeParts(parts: readonly LeaderboardPart[]): PlacedPart[] {
  const above: string[] = [];
  const taken = new Map<string, number>();
  return parts.map((part) => {
    if (part.type === 'heading') {
      above.splice(part.level - 2, above.length, part.text);
      return { ...part, label: '' };
    }
    if (part.type !== 'table' && part.type !== 'drawing') return { ...part, label: '' };
    const label = [...above, part.type === 'table' ? part.head[0] : `Picture: ${part.title}`].join(': ');
    const count = (taken.get(label) ?? 0) + 1;
    taken.set(label, count);
    return { ...part, label: count === 1 ? label : `${label} (${count})` };
  });
}

/** Renders a text in which backquotes enclose code. */
const renderText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

function renderPart(part: PlacedPart): string {
  switch (part.type) {
    case 'heading':
      return `<h${part.level}>${escapeHtml(part.text)}</h${part.level}>`;
    case 'text':
      return `<p>${part.lead === undefined ? '' : `<b>${escapeHtml(part.lead)}</b> `}${renderText(part.text)}</p>`;
    case 'list':
      return `<ul class="findings">${part.items.map((item) => `<li>${renderText(item)}</li>`).join('\n')}</ul>`;
    case 'table':
      return renderHtmlTable([part.head, ...part.rows], undefined, part.texts, part.label);
    case 'drawing':
      return renderDrawing(part);
  }
}

function renderDrawing({ title, unit, estimates, label }: Extract<PlacedPart, { type: 'drawing' }>): string {
  const marks = estimates.flatMap(({ entrant, value, low, high, chance }) =>
    value === null ? [] : [{ label: entrant, value, low, high, chance }],
  );
  if (marks.length === 0) return '';
  const isByChance = marks.some(({ chance }) => chance !== null);
  const svg = drawIntervals(title, marks, createScale(unit, marks));
  return `<figure><div class="drawing" tabindex="0" role="region" aria-label="${escapeHtml(label)}">${svg}</div><figcaption>One row for each entrant, in the order of the table below, with its interval${isByChance ? '; the vertical stroke is chance' : ''}.</figcaption></figure>`;
}
