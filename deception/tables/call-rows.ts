// The rows of calls: what each player's answers took, action by action.
import { z } from 'zod';
import { Team } from '../../state/teams.ts';
import type { AnswerLine } from '../../state/record.ts';
import { askedOf, figuresOf, known } from '../calls.ts';
import { seatsOf, type MatchRecord } from '../match-record.ts';
import { sum } from '../ratios.ts';

const text = z.string();
const count = z.int32().min(0);
const large = z.number().int().min(0);

export const CallRow = z.strictObject({
  match_id: text,
  player: text,
  role: text,
  team: Team,
  model: text,
  is_bot: z.boolean(),
  action: text,
  calls: count,
  /** Calls that were a first attempt. */
  questions: count,
  asked_again: count,
  retries: count,
  /** Questions whose answer was replaced; `missing` are those of analyses and beliefs, which never are. */
  fallbacks: count,
  missing: count,
  refusals: count,
  shortened: count,
  /** Sums of what is known; null where nothing is. */
  tokens_in: large.nullable(),
  tokens_out: large.nullable(),
  tokens_cached: large.nullable(),
  tokens_reasoning: large.nullable(),
  /** Of the calls whose provider tells how many of them came from the cache, or were of reasoning. */
  tokens_in_with_cached: large.nullable(),
  tokens_out_with_reasoning: large.nullable(),
  calls_with_unknown_tokens: count,
  /** USD. */
  cost: z.number().min(0).nullable(),
  calls_with_unknown_cost: count,
  /** Milliseconds of all calls, one after another. */
  ms: z.number().min(0),
});
export type CallRow = z.infer<typeof CallRow>;

/** In seat order, then by action. */
export function callRows(record: MatchRecord): CallRow[] {
  const { lines: answers, missing: events } = askedOf(record);
  const linesOf = Map.groupBy(answers, ({ player, action }) => key(player, action));
  const missingOf = Map.groupBy(events, ({ by, action }) => key(by, action));
  const actions = [...new Set(answers.map(({ action }) => action))].sort();
  return seatsOf(record.manifest).flatMap(({ name, role, team, model, isBot }) =>
    actions.flatMap((action): CallRow[] => {
      const lines = linesOf.get(key(name, action));
      if (lines === undefined) return [];
      const { tokens, ...figures } = figuresOf({ lines, missing: missingOf.get(key(name, action)) ?? [] });
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
          tokens_in: tokens.in,
          tokens_out: tokens.out,
          tokens_cached: tokens.cached,
          tokens_reasoning: tokens.reasoning,
          ...wholesOf(lines),
          calls_with_unknown_tokens: figures.calls_with_unknown_tokens,
          cost: figures.cost,
          calls_with_unknown_cost: figures.calls_with_unknown_cost,
          ms: sum(lines.map(({ ms }) => ms)),
        },
      ];
    }),
  );
}

/** What tokens from the cache and of reasoning are a part of: a call that does not tell the part has no part in it. */
function wholesOf(lines: readonly AnswerLine[]) {
  const counted = lines.flatMap(({ tokens }) => tokens ?? []);
  return {
    tokens_in_with_cached: known(counted.filter(({ cached }) => cached !== null).map((tokens) => tokens.in)),
    tokens_out_with_reasoning: known(counted.filter(({ reasoning }) => reasoning !== null).map(({ out }) => out)),
  };
}

const key = (player: string, action: string) => `${action} ${player}`;
