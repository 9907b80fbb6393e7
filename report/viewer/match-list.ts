// A row of the list of matches, from manifest and summary alone, which are small.
import { z } from 'zod';
import { sum } from '../../deception/statistics/sums.ts';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { describeRules } from '../../state/rules/rulebook.ts';
import { getRole } from '../../state/roles/index.ts';
import { type Team, teams } from '../../state/teams.ts';

export const ListedMatch = z.strictObject({
  /** From the folder that is served; names the match in links. */
  path: z.string(),
  id: z.string(),
  board: z.string(),
  rules: z.string(),
  villagers: z.string(),
  werewolves: z.string(),
  /** `underWay` where it is not over, `unreadable` where the record cannot be read. */
  winner: z.string(),
  rounds: z.number().nullable(),
  /** Statements and explanations with a lie, by the rules; null where that is not known yet. */
  lies: z.number().nullable(),
  /** Analyses by others that call a statement deceptive. */
  flagged: z.number().nullable(),
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
  ...{ rounds: null, lies: null, flagged: null, fallbacks: null, cost: null, begun: '', marks: [], problem },
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
  { id, setup, made_by: made, imported }: Manifest,
  summary: Summed | null,
  progress: MatchProgress = { rounds: null, ended: null },
): ListedMatch {
  const { board, rules, players, models, bots } = setup;
  const listModels = (side: 'villagers' | 'werewolves') =>
    [
      ...new Set(
        players.filter(({ role }) => getRole(role).team === side).map(({ name }) => getModelLabel(models[name] ?? '')),
      ),
    ].join(', ');
  const total = summary?.model_calls.total;
  const own = Object.values(summary?.players ?? {});
  const verdicts = summary?.verdicts;
  return {
    ...{ path, id, board: board.name, rules: describeRules(rules, board) },
    ...{ villagers: listModels('villagers'), werewolves: listModels('werewolves') },
    winner: summary ? nameWinner(summary.winner) : progress.ended ? nameWinner(progress.ended.winner) : underWay,
    rounds: summary?.rounds ?? progress.rounds,
    lies: verdicts
      ? sum(
          Object.values(verdicts.by_player).map(
            ({ debate, ballot }) => debate.statements_with_a_lie + ballot.statements_with_a_lie,
          ),
        )
      : null,
    flagged:
      summary === null ? null : sum(own.map(({ peer_detected_deceptions: flags }) => flags.debate + flags.ballot)),
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
