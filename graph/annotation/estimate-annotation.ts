// What is left of an inquiry, in calls, tokens and money: prompts are counted as they are, answers estimated.
import { sum } from '../../deception/statistics/sums.ts';
import type { PlayerModel } from '../../models/model.ts';
import { computeCost } from '../../models/providers/prices.ts';
import { assumptions, type EstimatedEffort } from '../estimate.ts';
import type { AnyItem } from './answer-cache.ts';

/** Characters of a word with its space, and of the fields of an answer that are no words. */
const charactersOf = { word: 6, fields: 120 } as const;

/** With one answer for each item, and in it reasoning once and fields for each statement. */
export function estimateAnnotation(
  items: readonly AnyItem[],
  { isBot, price }: Pick<PlayerModel, 'isBot' | 'price'>,
): EstimatedEffort {
  const calls = items.length;
  if (isBot) return { calls, tokens: null, cost: 0 };
  const charactersIn = sum(items.map(({ prompt }) => prompt.system.length + prompt.user.length));
  const reasoning = assumptions.words.reasoning * charactersOf.word;
  const charactersOut = sum(items.map(({ statements }) => reasoning + statements.length * charactersOf.fields));
  const tokens = {
    in: Math.round(charactersIn / assumptions.charactersPerToken),
    out: Math.round(charactersOut / assumptions.charactersPerToken),
  };
  return { calls, tokens, cost: computeCost({ ...tokens, cached: null, reasoning: null }, price) };
}

/** Of several records together. */
export const sumEfforts = (efforts: readonly EstimatedEffort[]): EstimatedEffort => ({
  calls: sum(efforts.map(({ calls }) => calls)),
  tokens: efforts.some(({ tokens }) => tokens)
    ? {
        in: sum(efforts.map(({ tokens }) => tokens?.in ?? 0)),
        out: sum(efforts.map(({ tokens }) => tokens?.out ?? 0)),
      }
    : null,
  cost: efforts.some(({ cost }) => cost === null) ? null : sum(efforts.map(({ cost }) => cost ?? 0)),
});
