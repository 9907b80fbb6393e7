// The end of a match on a console: a table of its players, and what it took.
import Table from 'cli-table3';
import type { DeceptionSummary, PlayerFigures } from '../deception/summary-schema.ts';
import { byKind, type ByKind } from '../deception/statements.ts';
import { counted, decimal, duration, money, whole } from './numbers.ts';
import { fateText } from './outcome.ts';
import { plain } from './plain-text.ts';

/**
 * Players with role, model, fate and figures as plain text without colours. Roles are shown once the match is over,
 * before that only with `reveal`.
 */
export function summaryTable(summary: DeceptionSummary, { reveal }: { reveal: boolean }): string {
  const isRevealed = reveal || summary.end_reason !== null;
  const players = Object.entries(summary.players);
  const table = new Table({
    head: ['Player', ...(isRevealed ? ['Role'] : []), 'Model', 'Fate', ...figures.map(({ head }) => head)],
    colAligns: [
      ...(isRevealed ? (['left'] as const) : []),
      'left',
      'left',
      'left',
      ...figures.map(() => 'right' as const),
    ],
    style: { head: [], border: [], compact: true },
  });
  const isSaid = byKind((kind) => players.some(([, { total_statements }]) => total_statements[kind] > 0));
  for (const [name, player] of players) {
    table.push([
      name,
      ...(isRevealed ? [player.role] : []),
      plain(player.model),
      fateText(player),
      ...figures.map(({ of }) => both(of(player), isSaid)),
    ]);
  }
  const legend = isSaid.ballot ? 'Figures: statements in debates / explanations of ballots.' : null;
  const notice = summary.bot_notice;
  return [table.toString(), legend, notice].filter((line) => line !== null).join('\n');
}

/** E.g. "148 model calls in 12.3 s; 120,000 tokens in, 9,000 out; cost USD 0.1200; 2 fallbacks, 0 refusals, …". */
export function callsLine({ model_calls: { total, wall_ms } }: Pick<DeceptionSummary, 'model_calls'>): string {
  const { tokens } = total;
  const faults = [
    counted(total.fallbacks, 'fallback'),
    counted(total.refusals, 'refusal'),
    counted(total.missing, 'missing analysis', 'missing analyses'),
  ];
  const parts = [
    `${counted(total.calls, 'model call')} in ${duration(wall_ms)}`,
    tokens.in === null ? 'tokens unknown' : `${whole(tokens.in)} tokens in, ${whole(tokens.out)} out`,
    total.cost === null ? 'cost unknown' : `cost ${money(total)}`,
    faults.join(', '),
  ];
  return `${parts.join('; ')}.`;
}

const figures: { head: string; of: (player: PlayerFigures) => ByKind<string> }[] = [
  { head: 'Said', of: ({ total_statements }) => byKind((kind) => whole(total_statements[kind])) },
  {
    head: 'Own\ndeceptions',
    of: ({ self_reports, self_reported_deceptions }) =>
      byKind((kind) => (self_reports[kind] === 0 ? '–' : whole(self_reported_deceptions[kind]))),
  },
  {
    head: 'Flagged by\nmajority',
    of: ({ peer_analyses, statements_flagged_by_majority }) =>
      byKind((kind) => (peer_analyses[kind] === 0 ? '–' : whole(statements_flagged_by_majority[kind]))),
  },
  { head: 'Average\nsuspicion', of: ({ average_suspicion }) => byKind((kind) => decimal(average_suspicion[kind])) },
];

const both = ({ debate, ballot }: ByKind<string>, isSaid: ByKind<boolean>) =>
  isSaid.ballot ? `${debate} / ${ballot}` : debate;
