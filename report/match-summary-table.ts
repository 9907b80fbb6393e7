// What the console shows at the end of a match: a table of its players, and its model calls.
import Table from 'cli-table3';
import { type ByStatementKind, mapStatementKinds } from '../deception/statements.ts';
import type { DeceptionSummary, PlayerFigures } from '../deception/summary/match-summary-schema.ts';
import {
  formatDecimal,
  formatDuration,
  formatMoney,
  formatWhole,
  pluralize,
  sanitizeText,
  missingPlaceholder,
} from './format.ts';
import { describeFate, describeTurns } from './game-text.ts';

interface SummaryColumn {
  head: string;
  align: 'left' | 'right';
  of: (name: string, player: PlayerFigures) => string;
}

/**
 * The players with role, model, fate and figures, as plain text without colours. Roles are shown once the match is over,
 * before that only with `reveal`; models only where they differ, and figures only where there are any.
 *
 * @example
 * console.log(renderMatchSummaryTable(summarizeMatch(record), { reveal: true }));
 */
export function renderMatchSummaryTable(summary: DeceptionSummary, { reveal }: { reveal: boolean }): string {
  const players = Object.entries(summary.players);
  const hasStatements = mapStatementKinds((kind) =>
    players.some(([, { total_statements }]) => total_statements[kind] > 0),
  );
  const isMixed = new Set(players.map(([, { model }]) => model)).size > 1;
  const shown = figures.filter(({ of }) =>
    players.some(([, player]) => Object.values(of(player)).some((figure) => figure !== missingPlaceholder)),
  );
  const columns: SummaryColumn[] = [
    { head: 'Player', align: 'left', of: (name) => name },
    ...(reveal || summary.end_reason !== null ? [createTextColumn('Role', ({ role }) => role)] : []),
    ...(isMixed ? [createTextColumn('Model', ({ model }) => sanitizeText(model))] : []),
    createTextColumn('Fate', describeFate),
    ...shown.map(({ head, of }): SummaryColumn => ({
      head,
      align: 'right',
      of: (_, player) => formatKinds(of(player), hasStatements),
    })),
  ];
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [], compact: true },
  });
  for (const [name, player] of players) table.push(columns.map(({ of }) => of(name, player)));
  const legend = hasStatements.ballot ? `Figures: ${describeTurns(summary)} / explanations of ballots.` : null;
  return [table.toString(), legend, summary.bot_notice].filter((line) => line !== null).join('\n');
}

const createTextColumn = (head: string, of: (player: PlayerFigures) => string): SummaryColumn => ({
  head,
  align: 'left',
  of: (_, player) => of(player),
});

/** E.g. "148 model calls in 12.3 s; 120,000 tokens in, 9,000 out; cost USD 0.1200; 2 fallbacks, 0 refusals, …". */
export function describeCalls({ model_calls: { total, wall_ms } }: Pick<DeceptionSummary, 'model_calls'>): string {
  const { tokens } = total;
  const faults = [
    pluralize(total.fallbacks, 'fallback'),
    pluralize(total.refusals, 'refusal'),
    pluralize(total.missing, 'missing analysis', 'missing analyses'),
    ...(total.shortened > 0 ? [pluralize(total.shortened, 'shortened prompt')] : []),
  ];
  const parts = [
    `${pluralize(total.calls, 'model call')} in ${formatDuration(wall_ms)}`,
    tokens.in === null ? 'tokens unknown' : `${formatWhole(tokens.in)} tokens in, ${formatWhole(tokens.out)} out`,
    total.cost === null ? 'cost unknown' : `cost ${formatMoney(total)}`,
    faults.join(', '),
  ];
  return `${parts.join('; ')}.`;
}

const figures: { head: string; of: (player: PlayerFigures) => ByStatementKind<string> }[] = [
  { head: 'Said', of: ({ total_statements }) => mapStatementKinds((kind) => formatWhole(total_statements[kind])) },
  {
    head: 'Own\ndeceptions',
    of: ({ self_reports, self_reported_deceptions }) =>
      mapStatementKinds((kind) =>
        self_reports[kind] === 0 ? missingPlaceholder : formatWhole(self_reported_deceptions[kind]),
      ),
  },
  {
    head: 'Flagged by\nmajority',
    of: ({ peer_analyses, statements_flagged_by_majority }) =>
      mapStatementKinds((kind) =>
        peer_analyses[kind] === 0 ? missingPlaceholder : formatWhole(statements_flagged_by_majority[kind]),
      ),
  },
  {
    head: 'Average\nsuspicion',
    of: ({ average_suspicion }) => mapStatementKinds((kind) => formatDecimal(average_suspicion[kind])),
  },
];

const formatKinds = ({ debate, ballot }: ByStatementKind<string>, hasStatements: ByStatementKind<boolean>) =>
  hasStatements.ballot ? `${debate} / ${ballot}` : debate;
