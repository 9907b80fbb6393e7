// A row of the list of matches, from manifest and summary alone, which are small.
import { z } from 'zod';
import { sum } from '../../deception/statistics/sums.ts';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import type { MatchReading } from './viewed-readings.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { describeRules } from '../../state/rulebook.ts';
import { getRole } from '../../state/roles/index.ts';
import { type Team, teams } from '../../state/teams.ts';

export const ListedMatch = z.strictObject({
  /** From the folder that is served; names the match in links. */
  path: z.string(),
  id: z.string(),
  /** Of the deal; null where the record cannot be read. */
  seed: z.number().nullable(),
  board: z.string(),
  rules: z.string(),
  villagers: z.string(),
  werewolves: z.string(),
  /** `underWay` where it is not over, `unreadable` where the record cannot be read. */
  winner: z.string(),
  rounds: z.number().nullable(),
  /** Statements and explanations with a lie, of all and of the Werewolves; null where that is not known yet. */
  lies: z.number().nullable(),
  packLies: z.number().nullable(),
  /** What was said, ballots' explanations included, and how much of it nobody could read; null where that is not known yet. */
  statements: z.number().nullable(),
  unread: z.number().nullable(),
  /** Who found these lies: `rules` or a judge. */
  source: z.string(),
  /** The judge that the match names; null where it names none. */
  judge: z.string().nullable(),
  fallbacks: z.number().nullable(),
  /** USD; null where nothing is known. */
  cost: z.number().nullable(),
  /** By the clock of the machine that began it, to the minute. */
  begun: z.string(),
  /** `bots`, `imported`. */
  marks: z.array(z.string()),
  /** Why the record cannot be read; null where it can. */
  problem: z.string().nullable(),
});
export type ListedMatch = z.infer<typeof ListedMatch>;

export const [underWay, unreadable] = ['under way', 'cannot be read'];

/** How far a match without a summary is; `ended`: null where it is not over. */
export interface MatchProgress {
  rounds: number | null;
  ended: { winner: Team | null } | null;
}

/** The row of a record that cannot be read. */
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
    marks: [],
    problem,
  },
  ...{ source: 'rules', judge: null },
});

const nameWinner = (winner: Team | null) => (winner === null ? 'nobody' : teams[winner].label);

/** What the list reads of a summary; those of all versions have it, but for verdicts. */
type Summed = Pick<DeceptionSummary, 'winner' | 'end_reason' | 'rounds' | 'players' | 'model_calls' | 'verdicts'>;

/**
 * The row of a match. `summary`: null where there is none yet; `progress` then says how far it is.
 *
 * @example createListedMatch('study/classic-8-1-0f3a', manifest, summary).winner // 'the village'
 */
export function createListedMatch(
  path: string,
  { id, setup, made_by: made, imported, judge }: Manifest,
  summary: Summed | null,
  progress: MatchProgress = { rounds: null, ended: null },
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
    marks: [
      ...(imported ? ['imported'] : []),
      ...(bots.length === 0 ? [] : [bots.length === players.length ? 'bots' : 'some bots']),
      ...(summary === null && progress.ended !== null ? ['no summary'] : []),
    ],
    problem: null,
  };
}

/**
 * What was said, and how much of it the rules could not read: all of it where they find no claim, as in a language that they do
 * not know. Null without figures of claims.
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
 * The row with the lies that a judge's claims come to, in place of those of the rules.
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
