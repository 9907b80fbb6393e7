// Costs of a tournament, and the entrants with the best score for their cost, for the leaderboard's page.
import type { Expense, Leaderboard } from '../deception/ratings/leaderboard-schema.ts';
import { muchUnanswered } from '../deception/summary/match-conditions.ts';
import { formatPercent, formatWhole, missingPlaceholder } from './format.ts';
import {
  LEADERBOARD_ALPHA,
  createPartTable,
  type EscapeText,
  formatCost,
  formatRatio,
  type LeaderboardPart,
  tell,
} from './leaderboard-parts.ts';

/**
 * Names the efficient entrants. Every other entrant scores significantly less than an efficient entrant that costs no
 * more. Empty if the matches do not show this for every other entrant.
 */
function describeEfficient({ expenses, ratings, pooled }: Leaderboard, escape: EscapeText): string[] {
  const rating = pooled ?? (ratings.length === 1 ? ratings[0] : undefined);
  const efficient = expenses.filter(({ is_efficient: isSo }) => isSo === true);
  const others = expenses.filter(({ is_efficient: isSo }) => isSo === false);
  const isBetter = (one: Expense, other: Expense) =>
    (rating?.differences ?? []).some(
      (row) =>
        row.p_adjusted !== null &&
        row.p_adjusted <= LEADERBOARD_ALPHA &&
        row.difference !== null &&
        (row.difference > 0 ? row.pair : row.pair.toReversed()).join('\n') === [one.entrant, other.entrant].join('\n'),
    );
  const isTold = others.every((other) =>
    efficient.some((one) => (one.cost_per_match ?? Infinity) <= (other.cost_per_match ?? 0) && isBetter(one, other)),
  );
  if (others.length === 0 || !isTold) return [];
  const names = efficient.map(({ entrant }) => escape(entrant)).join(', ');
  return [
    `Best score for the cost: ${names}. Every other entrant scores significantly less than one of these that costs no more.`,
  ];
}

/** Lists the last part of the page: calls, tokens, cost and replaced answers, by entrant. */
export function listExpenseParts(board: Leaderboard, escape: EscapeText): LeaderboardPart[] {
  const { expenses } = board;
  if (expenses.every(({ calls }) => calls === 0)) return [];
  return [
    { type: 'heading', level: 2, text: 'Calls and cost' },
    ...describeEfficient(board, escape).map(tell),
    createPartTable(
      ['Entrant', 'Matches', 'Calls', 'Tokens in', 'Tokens out', 'USD a match', 'Seconds a call', 'Fallbacks', 'Missing', 'Refusals'], // prettier-ignore
      expenses.map((one) => [
        ...[escape(one.entrant), formatWhole(one.matches), formatWhole(one.calls)],
        ...[formatWhole(one.tokens_in), formatWhole(one.tokens_out), formatCost(one)],
        one.seconds_per_call === null ? missingPlaceholder : one.seconds_per_call.toFixed(2),
        ...[one.fallbacks, one.missing, one.refusals].map((part) => formatRatio(part, one.questions)),
      ]),
    ),
    tell(
      `Shares are of all questions. (!) marks more than ${formatPercent(muchUnanswered)}: the entrant’s figures then depend much on what replaced its answers.`,
    ),
  ];
}
