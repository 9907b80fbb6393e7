// The last console output of matches that are over or had to stop: closing tables of a match and of a set, their
// folders, and the next commands.
import Table from 'cli-table3';
import { type ByStatementKind, mapStatementKinds } from '../../deception/record/statements.ts';
import type { DeceptionSummary, PlayerFigures } from '../../deception/summary/match-summary-schema.ts';
import type { KeptJudge } from '../../graph/match-set.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import {
  formatDecimal,
  formatDuration,
  formatMoney,
  formatRoughTime,
  formatSharesToHundred,
  formatWhole,
  missingPlaceholder,
  pluralize,
  sanitizeText,
} from '../../report/format.ts';
import { describeFate, describeTurns } from '../../report/game-text.ts';
import { formatCommand } from '../../state/command-name.ts';
import { nameAsTyped } from '../../state/model-identity.ts';
import { Team, teams } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { getExitCode, exitCodes, describeError, explainRefusal, listStopCodes } from '../command/command-line.ts';
import type { RunCounts } from './progress.ts';

/** Lists the three commands to run next, each with the folder of the match. */
const listNextCommands = (folder: string) =>
  [
    `Read it, private parts included: ${formatCommand('show', folder)}`,
    `Markdown and CSV tables:         ${formatCommand('report', folder)}`,
    `Replay it without calls:         ${formatCommand('verify', folder)}`,
  ].join('\n');

/** Formats the summary of one match. `isPlayed`: whether the match was played just now, not only read. */
export const formatMatchSummary = ({
  id,
  folder,
  summary,
  isPlayed,
}: Extract<MatchEnd, { summary: DeceptionSummary }>): string =>
  [
    isPlayed ? '' : `Match ${id} is already finished; no calls were made and nothing was written. Its summary:\n`,
    formatPlayerTable(summary),
    describeCalls(summary),
    ...(folder === null ? [] : [`\nRecord and summary: ${folder}`, listNextCommands(folder)]),
  ].join('\n');

interface SummaryColumn {
  head: string;
  align: 'left' | 'right';
  of: (name: string, player: PlayerFigures) => string;
}

/**
 * Formats the players of a finished match with role, model, fate and figures, as plain text without colors. Models
 * appear only if they differ, figures only if there are any.
 *
 * @example
 * console.log(formatPlayerTable(summarizeMatch(record)));
 */
export function formatPlayerTable(summary: DeceptionSummary): string {
  const players = Object.entries(summary.players);
  const nameModel = nameAsTyped(players.map(([, { model }]) => model));
  const hasStatements = mapStatementKinds((kind) =>
    players.some(([, { total_statements }]) => total_statements[kind] > 0),
  );
  const isMixed = new Set(players.map(([, { model }]) => model)).size > 1;
  const shown = playerFigures.filter(({ of }) =>
    players.some(([, player]) => Object.values(of(player)).some((figure) => figure !== missingPlaceholder)),
  );
  const columns: SummaryColumn[] = [
    { head: 'Player', align: 'left', of: (name) => name },
    createTextColumn('Role', ({ role }) => role),
    ...(isMixed ? [createTextColumn('Model', ({ model }) => sanitizeText(nameModel(model)))] : []),
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

/**
 * Describes a match's calls, e.g. "148 model calls in 12.3 s; 120,000 tokens in, 9,000 out; cost USD 0.1200; 2
 * fallbacks, 0 refusals, …".
 */
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

const playerFigures: { head: string; of: (player: PlayerFigures) => ByStatementKind<string> }[] = [
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

/** Formats the summary of many matches. `warnings`: warnings not printed yet; `example`: folder of a finished match. */
export function formatSetSummary(
  tally: RunCounts,
  {
    warnings,
    example,
    out,
    isCrossed,
  }: { warnings: string | null; example: string | null; out: string; isCrossed: boolean },
): string {
  const next = [
    `\nFigures with intervals:     ${formatCommand('report', out)}`,
    ...(isCrossed ? [`Differences between models: ${formatCommand('compare', out)}`] : []),
    `One match, all private:  ${formatCommand('show', example ?? '')}`,
  ].join('\n');
  return ['', formatTable(tally), formatRest(tally), warnings, example === null ? null : next]
    .filter((part) => part !== null)
    .join('\n');
}

/** Formats the figures of finished matches. */
function formatTable(tally: RunCounts): string {
  const { matches, finished, winners, figures } = tally;
  const table = new Table({ colAligns: ['left', 'right'], style: { head: [], border: [], compact: true } });
  const sides = [...Team.options, 'nobody'] as const;
  const shares = formatSharesToHundred(sides.map((side) => winners[side]));
  table.push(['Matches finished', `${formatWhole(finished)} of ${formatWhole(matches)}`]);
  for (const [place, side] of sides.entries())
    if (finished > 0 && (side !== 'nobody' || winners.nobody > 0))
      table.push([
        `Won by ${side === 'nobody' ? side : teams[side].label}`,
        `${formatWhole(winners[side])} (${shares[place]})`,
      ]);
  if (figures) {
    const { calls, retries, asked_again, fallbacks, refusals, missing, tokens } = figures;
    table.push(
      ['Model calls', formatWhole(calls)],
      ['Transport retries', formatWhole(retries)],
      ['Asked again', formatWhole(asked_again)],
    );
    table.push(
      ['Fallbacks', formatWhole(fallbacks)],
      ['Refusals', formatWhole(refusals)],
      ['Missing analyses', formatWhole(missing)],
    );
    table.push(
      ['Tokens in', formatWhole(tokens.in)],
      ['Tokens out', formatWhole(tokens.out)],
      ['Cost', formatMoney(figures)],
    );
  }
  table.push(['Time of this command', formatRoughTime(tally.elapsed())]);
  return table.toString();
}

/** Formats the calls, tokens and cost of unfinished matches; null if there are none. */
function formatRest({ spent, figures }: RunCounts): string | null {
  const calls = spent.calls - (figures?.calls ?? 0);
  if (calls === 0) return null;
  const cost = spent.cost === null ? null : Math.max(0, spent.cost - (figures?.cost ?? 0));
  const unknown = spent.calls_with_unknown_cost - (figures?.calls_with_unknown_cost ?? 0);
  const took = [
    pluralize(calls, 'call'),
    ...(cost === null ? [] : [formatMoney({ cost, calls_with_unknown_cost: unknown })]),
  ];
  return `Also recorded, for unfinished matches: ${took.join(', ')}.`;
}

/**
 * Formats one line for each judge that finished matches name although the command names another judge. `out`: folder of
 * the matches.
 */
export const listKeptJudges = (keptJudges: readonly KeptJudge[], out: string): string[] =>
  [...Map.groupBy(keptJudges, ({ kept }) => kept)].map(([kept, same]) => {
    const [{ wanted }, ...more] = same as [KeptJudge, ...KeptJudge[]];
    const judge = kept === undefined ? 'no judge' : `the judge ${kept}`;
    const count = pluralize(more.length + 1, 'finished match names', 'finished matches name');
    return `${count} ${judge} and ${more.length === 0 ? 'is' : 'are'} not changed to ${wanted}. For the claims of ${wanted}: ${formatCommand('report', out, '--judge', wanted)}`;
  });

/** Describes the unfinished matches: those that stopped and those that wait for a provider. */
export function formatUnfinished(stopped: number, waiting: number): string {
  const parts = [
    ...(stopped > 0 ? [`${pluralize(stopped, 'match was', 'matches were')} stopped`] : []),
    ...(waiting > 0 ? [`${pluralize(waiting, 'match is', 'matches are')} still to be played`] : []),
  ];
  return `${parts.join(' and ')}. Answers so far are recorded.`;
}

// Errors that stopped matches. Each is printed once, with its matches.

type Failed = Pick<MatchEnd, 'id' | 'folder'> & { error: unknown };

interface Group {
  code: number;
  message: string;
  /** The usual cause of a server's refusal; empty for any other error. */
  hint: string;
  /** Ids of the first matches with this error. */
  ids: string[];
  count: number;
}

/** Maximum number of ids to list. Further matches are counted. */
const namedIds = 5;

/** Exit codes by priority. The exit code of a set is the first in this list that any of its matches has. */
const order: readonly number[] = [...listStopCodes(), ...[exitCodes.budget, exitCodes.provider, exitCodes.unreadable]];

/**
 * Exit codes of errors that stop all matches in the same way. Such an error is printed once, whatever figures it
 * contains.
 */
const shared: readonly number[] = [...listStopCodes(), exitCodes.budget];

/** Whether an error stops the whole set rather than one match, such as an interruption or a reached cap. */
export const isEndOfSet = (error: unknown) => shared.includes(getExitCode(error));

/**
 * Whether resuming can help. It cannot if the content of a record is wrong; it can if a record could not be written.
 */
export const isResumable = (error: unknown) => !(error instanceof RecordError) || error.cause !== undefined;

/**
 * Converts a UsageError that occurs after the match began, because by then it is a mistake of the program, not of the
 * user. Returns any other error unchanged.
 */
export const createProgramError = (error: unknown) => (error instanceof UsageError ? new Error(error.stack) : error);

/** Converts an error of the file system to one that says what to do; returns any other error unchanged. */
export function explainUnwritable(error: unknown, out: string): unknown {
  const isSystems = typeof error === 'object' && error !== null && 'syscall' in error && 'message' in error;
  return isSystems
    ? new Error(`The folder ${out} cannot be written: ${String(error.message)}. Name another folder with --out.`, {
        cause: error,
      })
    : error;
}

/** Removes a match's name from a message, so that equal errors of other matches have equal messages. */
export const stripMatchName = (message: string, { id, folder }: Pick<MatchEnd, 'id' | 'folder'>) =>
  message.replaceAll(folder ?? id, '').replaceAll(id, '');

export class RunErrors {
  readonly #groups = new Map<string, Group>();

  /** Adds an error and returns whether it is the first of its kind. */
  add({ id, folder, error }: Failed): boolean {
    const code = getExitCode(createProgramError(error));
    const message = describeError(createProgramError(error));
    const key = shared.includes(code) ? String(code) : stripMatchName(message, { id, folder });
    const { ids = [], count = 0 } = this.#groups.get(key) ?? {};
    // The latest message is used, because the message of a reached cap states the spending so far.
    const hint = explainRefusal(error);
    this.#groups.set(key, { code, message, hint, ids: ids.length < namedIds ? [...ids, id] : ids, count: count + 1 });
    return count === 0;
  }

  /** Returns the exit code of the whole set; null if nothing failed. */
  exitCode(): number | null {
    const codes = [...this.#groups.values()].map(({ code }) => code);
    return order.find((code) => codes.includes(code)) ?? codes[0] ?? null;
  }

  /** Returns one or more lines for each error. */
  lines(): string[] {
    const groups = [...this.#groups.values()];
    const hints = [...new Set(groups.map(({ hint }) => hint))].filter((hint) => hint !== '');
    const lines = groups.map(({ code, message, ids, count }) => {
      if (shared.includes(code) || ids[0] === '') return message;
      const more = count > ids.length ? ` and ${count - ids.length} more` : '';
      return count === 1 ? `${ids[0]}: ${message}` : `${count} matches (${ids.join(', ')}${more}): ${message}`;
    });
    return [...lines, ...hints];
  }
}
