// The leaderboard of a tournament in Markdown, `leaderboard.md`, and on the console.
import type { Leaderboard } from '../deception/ratings/leaderboard-schema.ts';
import { renderAnswers } from './answer-table-markdown.ts';
import { escapeMarkdown, renderTable, sanitizeText } from './format.ts';
import { formatEstimate, formatRanks, type LeaderboardPart } from './leaderboard-parts.ts';
import {
  describeFindings,
  describePlanned,
  describePromise,
  isByRole,
  listLeaderboardParts,
  nameLeaderboard,
} from './leaderboard-tables.ts';

/**
 * Renders the page as GitHub-flavored Markdown: findings in sentences, one table, and then all other tables.
 *
 * @example
 * await writeFile('leaderboard.md', renderLeaderboard(leaderboard));
 */
export function renderLeaderboard(board: Leaderboard): string {
  return `${[
    ...renderAnswers(board.answers, { title: nameLeaderboard(board, escapeMarkdown) }),
    ...listLeaderboardParts(board, escapeMarkdown).flatMap(renderPart),
  ].join('\n\n')}\n`;
}

function renderPart(part: LeaderboardPart): string[] {
  switch (part.type) {
    case 'heading':
      return [`${'#'.repeat(part.level)} ${part.text}`];
    case 'text':
      return [part.lead === undefined ? part.text : `**${part.lead}** ${part.text}`];
    case 'list':
      return [part.items.map((item) => `- ${item}`).join('\n')];
    case 'table':
      return [renderTable(part.head, part.rows, part.texts)];
    case 'drawing':
      return [];
  }
}

/**
 * Renders the top of the page for the console: scores and warnings.
 *
 * @example stdout.write(summarizeLeaderboard(leaderboard)); // 'Ranks by score:\n1–2  gpt     0.61 (0.54 to 0.68)\n…'
 */
export function summarizeLeaderboard(board: Leaderboard): string {
  const { pooled, ratings } = board;
  const shown = pooled ? [pooled] : ratings;
  const lines = shown.flatMap((rating) => {
    const width = Math.max(...rating.entrants.map(({ entrant }) => entrant.length));
    const title = rating.entrants.some(({ ranks }) => ranks !== null) ? 'Ranks by score' : 'Scores';
    const label = [rating.condition === null ? `${title}:` : `${title}, ${rating.condition}:`];
    return [
      ...label,
      ...(isByRole(rating) ? [] : rating.entrants).map(({ entrant, ranks, score }) =>
        sanitizeText(`${formatRanks(ranks).padEnd(5)} ${entrant.padEnd(width)}  ${formatEstimate(score)}`).trimEnd(),
      ),
      ...describeFindings(rating, (text) => text),
    ];
  });
  return [...lines, ...describePlanned(board, (text) => text), ...describePromise(board)]
    .map((line) => `${sanitizeText(line)}\n`)
    .join('');
}
