// Rows of calls: number, tokens, cost and time by player and action.
import { z } from 'zod';
import { Team } from '../../state/teams.ts';
import type { ExperienceMoment } from '../../state/experience-setup.ts';
import { isPersonSpec } from '../../state/model-identity.ts';
import type { AnswerLine } from '../../state/record.ts';
import { findMoment } from '../experience/situation.ts';
import { computeCallFigures, isUnreadable, listAsked, sumKnown } from '../record/call-figures.ts';
import { listSeats, type MatchRecord } from '../record/match-record.ts';
import { sum } from '../statistics/sums.ts';
import { booleanColumn, countColumn, largeCountColumn, matchColumn, textColumn } from './columns.ts';

export const CallRow = z.strictObject({
  ...matchColumn,
  player: textColumn.describe('who was asked'),
  role: textColumn.describe('who was asked'),
  team: Team.describe('who was asked'),
  model: textColumn.describe('who was asked'),
  is_bot: booleanColumn.describe('who was asked'),
  action: textColumn.describe('what was asked'),
  calls: countColumn.describe('calls that returned'),
  questions: countColumn.describe('first attempts among them'),
  asked_again: countColumn.describe('as in [model_calls](#model_calls)'),
  retries: countColumn.describe('as in [model_calls](#model_calls)'),
  fallbacks: countColumn.describe('as in [model_calls](#model_calls)'),
  missing: countColumn.describe('as in [model_calls](#model_calls)'),
  refusals: countColumn.describe('as in [model_calls](#model_calls)'),
  shortened: countColumn.describe('as in [model_calls](#model_calls)'),
  unreadable_in_family: countColumn
    .nullable()
    .describe(
      '`questions` asked with the schema of a [family](providers.md#structured) whose answer could not be read, and which were asked again with their own; missing where none was asked so',
    ),
  tokens_in: largeCountColumn
    .nullable()
    .describe('sums of known tokens (cached are part of in, reasoning of out); missing if none are known'),
  tokens_out: largeCountColumn
    .nullable()
    .describe('sums of known tokens (cached are part of in, reasoning of out); missing if none are known'),
  tokens_cached: largeCountColumn
    .nullable()
    .describe('sums of known tokens (cached are part of in, reasoning of out); missing if none are known'),
  tokens_reasoning: largeCountColumn
    .nullable()
    .describe('sums of known tokens (cached are part of in, reasoning of out); missing if none are known'),
  tokens_in_with_cached: largeCountColumn
    .nullable()
    .describe('`tokens_in` of calls with known cached tokens; missing without any'),
  tokens_out_with_reasoning: largeCountColumn
    .nullable()
    .describe('`tokens_out` of calls with known reasoning tokens; missing without any'),
  calls_with_unknown_tokens: countColumn.describe('calls without token counts'),
  cost: z.number().min(0).nullable().describe('USD, sum of what is known; missing if nothing is'),
  calls_with_unknown_cost: countColumn.describe('calls of unknown cost'),
  ms: z.number().min(0).describe('total milliseconds of these calls'),
  shown_ms: z
    .number()
    .min(0)
    .nullable()
    .describe('milliseconds in which a person had the answered questions on the screen, added up; missing for models'),
  shown: countColumn.nullable().describe('answers of which `shown_ms` is the sum; missing for models'),
  remembered: countColumn
    .nullable()
    .describe(
      'entries of [earlier matches](experience.md) in the prompts of `questions`, added up; missing where the player could remember none before such a decision',
    ),
  without_memory: countColumn.nullable().describe('`questions` before which there was no such entry; missing likewise'),
});
export type CallRow = z.infer<typeof CallRow>;

/** Builds one row for each player and requested action, in seat order, then by action. */
export function buildCallRows(record: MatchRecord): CallRow[] {
  const { lines: answers, missing: events } = listAsked(record);
  const linesOf = Map.groupBy(answers, ({ player, action }) => getCallKey(player, action));
  const missingOf = Map.groupBy(events, ({ by, action }) => getCallKey(by, action));
  const rememberers = new Set(record.manifest.setup.experience?.seats);
  const isRemembered = (moment: ExperienceMoment | null) =>
    moment !== null && record.manifest.setup.experience!.moments.includes(moment);
  const actions = [...new Set(answers.map(({ action }) => action))].sort();
  return listSeats(record.manifest).flatMap(({ name, role, team, model, isBot }) =>
    actions.flatMap((action): CallRow[] => {
      const lines = linesOf.get(getCallKey(name, action));
      if (lines === undefined) return [];
      const { tokens, ...figures } = computeCallFigures({
        lines,
        missing: missingOf.get(getCallKey(name, action)) ?? [],
      });
      return [
        {
          ...{ match_id: record.manifest.id, player: name, role, team, model, is_bot: isBot, action },
          calls: figures.calls,
          questions: lines.filter(({ attempt }) => attempt === 1).length,
          asked_again: figures.asked_again,
          retries: figures.retries,
          fallbacks: figures.fallbacks,
          missing: figures.missing,
          refusals: figures.refusals,
          shortened: figures.shortened,
          unreadable_in_family: countUnreadableInFamily(lines),
          tokens_in: tokens.in,
          tokens_out: tokens.out,
          tokens_cached: tokens.cached,
          tokens_reasoning: tokens.reasoning,
          ...sumWholes(lines),
          calls_with_unknown_tokens: figures.calls_with_unknown_tokens,
          cost: figures.cost,
          calls_with_unknown_cost: figures.calls_with_unknown_cost,
          ms: sum(lines.map(({ ms }) => ms)),
          ...sumShown(model, lines),
          ...countMemories(lines, { canRemember: rememberers.has(name) && isRemembered(findMoment(action)) }),
        },
      ];
    }),
  );
}

function countUnreadableInFamily(lines: readonly AnswerLine[]): number | null {
  const asked = lines.filter(({ structured }) => structured === 'family');
  return asked.length === 0 ? null : asked.filter((line) => isUnreadable(line)).length;
}

/**
 * Adds up all input tokens over the calls that report cached tokens, and all output tokens over the calls that report
 * reasoning tokens. These totals are the denominators of the shares of cached and reasoning tokens.
 */
function sumWholes(lines: readonly AnswerLine[]) {
  const counted = lines.flatMap(({ tokens }) => tokens ?? []);
  return {
    tokens_in_with_cached: sumKnown(counted.filter(({ cached }) => cached !== null).map((tokens) => tokens.in)),
    tokens_out_with_reasoning: sumKnown(counted.filter(({ reasoning }) => reasoning !== null).map(({ out }) => out)),
  };
}

/**
 * Adds up how long questions were on a person's screen, and counts these questions. Both are null for language models
 * and bots.
 */
function sumShown(model: string, lines: readonly AnswerLine[]): Pick<CallRow, 'shown_ms' | 'shown'> {
  if (!isPersonSpec(model)) return { shown_ms: null, shown: null };
  const times = lines.flatMap(({ shown_ms: time }) => time ?? []);
  return { shown_ms: sum(times), shown: times.length };
}

/** Counts the memories in prompts. Only first attempts record the memories. */
function countMemories(
  lines: readonly AnswerLine[],
  { canRemember }: { canRemember: boolean },
): Pick<CallRow, 'remembered' | 'without_memory'> {
  if (!canRemember) return { remembered: null, without_memory: null };
  const counts = lines.filter(({ attempt }) => attempt === 1).map(({ remembered = [] }) => remembered.length);
  return { remembered: sum(counts), without_memory: counts.filter((entries) => entries === 0).length };
}

const getCallKey = (player: string, action: string) => `${action} ${player}`;
