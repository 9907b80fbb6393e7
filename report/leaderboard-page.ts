// The leaderboard of a tournament as a page, a file for spreadsheets and lines of a console: `leaderboard.md` and
// `leaderboard.csv`.
import { stringify } from 'csv-stringify/sync';
import type { Leaderboard } from '../deception/ratings/leaderboard-schema.ts';
import { escapeMarkdown, renderTable, sanitizeText } from './format.ts';
import {
  describeFindings,
  describePlanned,
  type Estimate,
  formatEstimate,
  formatRanks,
  isByRole,
  type LeaderboardPart,
  listLeaderboardParts,
  nameLeaderboard,
  pointsPerLogit,
  convertEstimate,
} from './leaderboard-tables.ts';

/**
 * The page as GitHub-flavoured Markdown: findings in sentences, one table, then the rest.
 *
 * @example
 * await writeFile('leaderboard.md', renderLeaderboard(leaderboard));
 */
export const renderLeaderboard = (board: Leaderboard): string =>
  `${[
    `# ${nameLeaderboard(board, escapeMarkdown)}`,
    ...listLeaderboardParts(board, escapeMarkdown).flatMap(renderPart),
  ].join('\n\n')}\n`;

function renderPart(part: LeaderboardPart): string[] {
  switch (part.type) {
    case 'heading':
      return [`${'#'.repeat(part.level)} ${part.text}`];
    case 'text':
      return [part.lead === undefined ? part.text : `**${part.lead}** ${part.text}`];
    case 'warning':
      return [`> **${part.lead}** ${part.text}`];
    case 'list':
      return [part.items.map((item) => `- ${item}`).join('\n')];
    case 'table':
      return [renderTable(part.head, part.rows, part.texts)];
    case 'drawing':
      return [];
  }
}

/**
 * What stands first on the page, for the console: who scores how much, and what to beware of.
 *
 * @example stdout.write(summarizeLeaderboard(leaderboard)); // '1–2  gpt     0.61 (0.54 to 0.68)\n…'
 */
export function summarizeLeaderboard(board: Leaderboard): string {
  const { pooled, ratings } = board;
  const shown = pooled ? [pooled] : ratings;
  const lines = shown.flatMap((rating) => {
    const width = Math.max(...rating.entrants.map(({ entrant }) => entrant.length));
    const label = rating.condition === null ? [] : [`${rating.condition}:`];
    return [
      ...label,
      ...(isByRole(rating) ? [] : rating.entrants).map(({ entrant, ranks, score }) =>
        sanitizeText(`${formatRanks(ranks).padEnd(5)} ${entrant.padEnd(width)}  ${formatEstimate(score)}`).trimEnd(),
      ),
      ...describeFindings(rating, (text) => text),
    ];
  });
  return [...lines, ...describePlanned(board, (text) => text)].map((line) => `${sanitizeText(line)}\n`).join('');
}

/**
 * One row for each entrant and condition, unrounded; what is missing is an empty cell.
 *
 * @example
 * await writeFile('leaderboard.csv', renderLeaderboardCsv(leaderboard));
 */
export function renderLeaderboardCsv({ ratings, pooled, expenses }: Leaderboard): string {
  const rows = [...ratings, ...(pooled ? [{ ...pooled, condition: 'pooled' }] : [])].flatMap((rating) =>
    rating.entrants.map((one) => {
      const spent = expenses.find(({ entrant }) => entrant === one.entrant);
      return {
        ...{ condition: rating.condition, interval: rating.interval, entrant: one.entrant, group: one.group },
        ...{ best_rank: one.ranks?.[0] ?? null, worst_rank: one.ranks?.[1] ?? null },
        ...{ matches: one.matches, deals: one.deals },
        ...spreadEstimate('score', one.score),
        ...spreadEstimate('werewolves', one.werewolves),
        ...spreadEstimate('villagers', one.villagers),
        ...spreadEstimate('strength', one.strength),
        ...spreadEstimate('strength_as_werewolves', one.strength_as_werewolves),
        ...spreadEstimate('strength_as_village', one.strength_as_village),
        ...spreadEstimate('points', convertEstimate(one.strength, pointsPerLogit)),
        ...{ cost_per_match: spent?.cost_per_match ?? null, calls: spent?.calls ?? null },
        ...{ questions: spent?.questions ?? null, fallbacks: spent?.fallbacks ?? null },
        ...{ missing: spent?.missing ?? null, refusals: spent?.refusals ?? null },
      };
    }),
  );
  return stringify(rows, { header: true, cast: { string: sanitizeText }, escape_formulas: true });
}

const spreadEstimate = (name: string, { value, low, high }: Estimate) => ({
  ...{ [name]: value, [`${name}_low`]: low, [`${name}_high`]: high },
});
