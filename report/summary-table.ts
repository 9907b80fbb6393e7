// The end of a match on a console: a table of its players, and what it took.
import Table from 'cli-table3';
import type { DeceptionSummary, PlayerFigures } from '../deception/summary-schema.ts';
import { byKind, type ByKind } from '../deception/statements.ts';
import { counted, decimal, duration, money, unknown, whole } from './numbers.ts';
import { turnsText } from './occasions.ts';
import { fateText } from './outcome.ts';
import { plain } from './plain-text.ts';

interface Column {
  head: string;
  align: 'left' | 'right';
  of: (name: string, player: PlayerFigures) => string;
}

/**
 * Players with role, model, fate and figures as plain text without colours. Roles are shown once the match is over,
 * before that only with `reveal`; models where they differ, and figures where there are any.
 */
export function summaryTable(summary: DeceptionSummary, { reveal }: { reveal: boolean }): string {
  const players = Object.entries(summary.players);
  const isSaid = byKind((kind) => players.some(([, { total_statements }]) => total_statements[kind] > 0));
  const isMixed = new Set(players.map(([, { model }]) => model)).size > 1;
  const known = figures.filter(({ of }) =>
    players.some(([, player]) => Object.values(of(player)).some((figure) => figure !== unknown)),
  );
  const columns: Column[] = [
    { head: 'Player', align: 'left', of: (name) => name },
    ...(reveal || summary.end_reason !== null ? [shown('Role', ({ role }) => role)] : []),
    ...(isMixed ? [shown('Model', ({ model }) => plain(model))] : []),
    shown('Fate', fateText),
    ...known.map(({ head, of }): Column => ({ head, align: 'right', of: (_, player) => both(of(player), isSaid) })),
  ];
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [], compact: true },
  });
  for (const [name, player] of players) table.push(columns.map(({ of }) => of(name, player)));
  const legend = isSaid.ballot ? `Figures: ${turnsText(summary)} / explanations of ballots.` : null;
  return [table.toString(), legend, summary.bot_notice].filter((line) => line !== null).join('\n');
}

const shown = (head: string, of: (player: PlayerFigures) => string): Column => ({
  head,
  align: 'left',
  of: (_, player) => of(player),
});

/** E.g. "148 model calls in 12.3 s; 120,000 tokens in, 9,000 out; cost USD 0.1200; 2 fallbacks, 0 refusals, …". */
export function callsLine({ model_calls: { total, wall_ms } }: Pick<DeceptionSummary, 'model_calls'>): string {
  const { tokens } = total;
  const faults = [
    counted(total.fallbacks, 'fallback'),
    counted(total.refusals, 'refusal'),
    counted(total.missing, 'missing analysis', 'missing analyses'),
    ...(total.shortened > 0 ? [counted(total.shortened, 'shortened prompt')] : []),
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
      byKind((kind) => (self_reports[kind] === 0 ? unknown : whole(self_reported_deceptions[kind]))),
  },
  {
    head: 'Flagged by\nmajority',
    of: ({ peer_analyses, statements_flagged_by_majority }) =>
      byKind((kind) => (peer_analyses[kind] === 0 ? unknown : whole(statements_flagged_by_majority[kind]))),
  },
  { head: 'Average\nsuspicion', of: ({ average_suspicion }) => byKind((kind) => decimal(average_suspicion[kind])) },
];

const both = ({ debate, ballot }: ByKind<string>, isSaid: ByKind<boolean>) =>
  isSaid.ballot ? `${debate} / ${ballot}` : debate;
