// A row of the list of matches, made from the manifest and the summary only, which are small files.
import { hasSecrets } from './hide-private-parts.ts';
import { z } from 'zod';
import { sum } from '../../deception/statistics/sums.ts';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import type { MatchReading } from './viewed-readings.ts';
import { nameForkArm } from '../../state/fork.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { describeRules } from '../../state/rulebook.ts';
import { getRole } from '../../state/roles/index.ts';
import { type Team, teams } from '../../state/teams.ts';

export const ListedMatch = z.strictObject({
  /** Path from the served folder, which names the match in links. */
  path: z.string(),
  id: z.string(),
  /** Seed of the deal; null if the record cannot be read. */
  seed: z.number().nullable(),
  board: z.string(),
  rules: z.string(),
  villagers: z.string(),
  werewolves: z.string(),
  /** Winning side, or `nobody`; `underWay` if the match is not finished, `unreadable` if the record cannot be read. */
  winner: z.string(),
  rounds: z.number().nullable(),
  /**
   * Number of statements and explanations with a lie, by all players. `packLies`: by Werewolves only. Both are null
   * while unknown.
   */
  lies: z.number().nullable(),
  packLies: z.number().nullable(),
  /**
   * Number of statements, including explanations of ballots. `unread`: how many of them no extractor could read. Both
   * are null while unknown.
   */
  statements: z.number().nullable(),
  unread: z.number().nullable(),
  /** Extractor that found the lies: `rules` or a judge. */
  source: z.string(),
  /** Judge that the match names; null if it names none. */
  judge: z.string().nullable(),
  fallbacks: z.number().nullable(),
  /** Cost in USD; null if unknown. */
  cost: z.number().nullable(),
  /** Start of the match to the minute, by the clock of the machine that began it. */
  begun: z.string(),
  /** Match, statement and arm from which a fork was made; null for a match played from its beginning. */
  fork: z.strictObject({ match: z.string(), statement: z.string(), arm: z.string(), copy: z.number() }).nullable(),
  /** Marks of the match: `imported`, `bots`, `some bots`, `no summary`. */
  marks: z.array(z.string()),
  /** Reason why the record cannot be read; null if it can. */
  problem: z.string().nullable(),
});
export type ListedMatch = z.infer<typeof ListedMatch>;

export const [underWay, unreadable] = ['under way', 'cannot be read'];

/** Progress of a match without a summary. `ended`: null until the match is over. */
export interface MatchProgress {
  rounds: number | null;
  ended: { winner: Team | null } | null;
}

/** Creates the row of a record that cannot be read. */
export const createUnreadableMatch = (path: string, problem: string): ListedMatch => ({
  ...{ path, id: path.split('/').at(-1)!, board: '', rules: '', villagers: '', werewolves: '', winner: unreadable },
  ...{
    seed: null,
    rounds: null,
    lies: null,
    packLies: null,
    statements: null,
    unread: null,
    fallbacks: null,
    cost: null,
    begun: '',
    fork: null,
    marks: [],
    problem,
  },
  ...{ source: 'rules', judge: null },
});

/**
 * Returns the row without what players must not know: the seed, counts, cost, and models by side. These could show who
 * is on which side.
 *
 * @example hideListedMatch(row).seed // null
 */
export const hideListedMatch = (row: ListedMatch): ListedMatch => ({
  ...row,
  ...{ villagers: '', werewolves: '', seed: null, lies: null, packLies: null, statements: null, unread: null },
  ...{ fallbacks: null, cost: null },
});

const nameWinner = (winner: Team | null) => (winner === null ? 'nobody' : teams[winner].label);

/** Fields of a summary that the list reads. Summaries of all versions have these fields, except `verdicts`. */
type Summed = Pick<DeceptionSummary, 'winner' | 'end_reason' | 'rounds' | 'players' | 'model_calls' | 'verdicts'>;

/**
 * Creates the row of a match. `summary`: null if there is none yet; `progress` then has the state of the match.
 *
 * @example createListedMatch('study/classic-8-1-0f3a', manifest, summary).winner // 'the village'
 */
export function createListedMatch(
  path: string,
  manifest: Manifest,
  summary: Summed | null,
  progress: MatchProgress = { rounds: null, ended: null },
): ListedMatch {
  const row = createWholeRow(path, manifest, summary, progress);
  return hasSecrets(manifest, { isOver: summary !== null || progress.ended !== null }) ? hideListedMatch(row) : row;
}

function createWholeRow(
  path: string,
  { id, setup, made_by: made, imported, judge, fork_of: fork }: Manifest,
  summary: Summed | null,
  progress: MatchProgress,
): ListedMatch {
  const { board, rules, players, models, bots, seed } = setup;
  const listModels = (side: 'villagers' | 'werewolves') =>
    [
      ...new Set(
        players.filter(({ role }) => getRole(role).team === side).map(({ name }) => getModelLabel(models[name] ?? '')),
      ),
    ].join(', ');
  const total = summary?.model_calls.total;
  const verdicts = summary?.verdicts;
  const countLies = (of: readonly { name: string }[]) =>
    verdicts
      ? sum(
          of.map(({ name }) => {
            const { debate, ballot } = verdicts.by_player[name] ?? {};
            return (debate?.statements_with_a_lie ?? 0) + (ballot?.statements_with_a_lie ?? 0);
          }),
        )
      : null;
  const said = summary ? countStatements(summary, players) : null;
  return {
    ...{ path, id, seed, board: board.name, rules: describeRules(rules, board) },
    ...{ villagers: listModels('villagers'), werewolves: listModels('werewolves') },
    winner: summary ? nameWinner(summary.winner) : progress.ended ? nameWinner(progress.ended.winner) : underWay,
    rounds: summary?.rounds ?? progress.rounds,
    lies: countLies(players),
    packLies: countLies(players.filter(({ role }) => getRole(role).team === 'werewolves')),
    ...{ statements: said?.statements ?? null, unread: said?.unread ?? null },
    ...{ source: 'rules', judge: judge ?? null },
    fallbacks: total?.fallbacks ?? null,
    cost: total?.cost ?? null,
    begun: made.created_at.slice(0, 16).replace('T', ' '),
    fork: fork ? { match: fork.match, statement: fork.statement, arm: nameForkArm(fork), copy: fork.copy } : null,
    marks: [
      ...(imported ? ['imported'] : []),
      ...(bots.length === 0 ? [] : [bots.length === players.length ? 'bots' : 'some bots']),
      ...(summary === null && progress.ended !== null ? ['no summary'] : []),
    ],
    problem: null,
  };
}

/**
 * Counts the statements of a match. If the rules find no claim in any statement, as in a language that the rules do not
 * know, all statements count as unread. Null if the summary has no verdicts.
 */
function countStatements(
  { verdicts, players: figures }: Summed,
  players: readonly { name: string }[],
): { statements: number; unread: number } | null {
  if (!verdicts) return null;
  const statements = sum(
    players.map(({ name }) => {
      const { debate = 0, ballot = 0 } = figures[name]?.total_statements ?? {};
      return debate + ballot;
    }),
  );
  const claims = sum(
    players.map(({ name }) => {
      const { debate, ballot } = verdicts.by_player[name] ?? {};
      return (debate?.claims ?? 0) + (ballot?.claims ?? 0);
    }),
  );
  return { statements, unread: claims === 0 ? statements : 0 };
}

/**
 * Returns the row with a judge's counts in place of the rules' counts.
 *
 * @example countJudgedLies(row, { source: 'openai:gpt-4o', tables }).lies
 */
export function countJudgedLies(row: ListedMatch, { source, tables: { statements } }: MatchReading): ListedMatch {
  const lies = statements.filter(({ is_lie: isLie }) => isLie === true);
  return {
    ...row,
    ...{ statements: statements.length, unread: statements.filter((one) => one.is_judge_missing).length },
    ...{ lies: lies.length, packLies: lies.filter(({ team }) => team === 'werewolves').length, source },
  };
}
