// Fits a question to the context of its model: what was said is left out, the oldest first and no more than must be.
import type { AnyPrompt } from '../prompts/prompt.ts';
import { listTrimLevels } from '../state/context-trimming.ts';
import type { PromptMessage } from './call-model.ts';
import { estimateMessages } from './estimate-tokens.ts';
import type { PlayerModel } from './model.ts';

/** The conversation of a question shortened by `listTrimmedEvents`, with what followed on unusable answers. */
export const buildConversation = (
  prompt: AnyPrompt,
  leftOut: number,
  further: readonly PromptMessage[] = [],
): readonly PromptMessage[] => [
  { role: 'system', content: prompt.system },
  { role: 'user', content: leftOut === 0 ? prompt.user : prompt.without(leftOut) },
  ...further,
];

/**
 * By how much a question must be shortened: by 0 wherever all of it fits, by all that can be left out where even that
 * may be too little. The server then has the last word, since the estimate is an upper one and room for the answer is
 * left besides.
 */
export function findTrimLevel(
  prompt: AnyPrompt,
  further: readonly PromptMessage[],
  context: PlayerModel['context'],
): number {
  const canFit = (leftOut: number) =>
    !context || estimateMessages(buildConversation(prompt, leftOut, further)) <= context.prompt;
  if (canFit(0)) return 0;
  const counts = listTrimLevels(prompt.view);
  let [low, high] = [0, counts.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (canFit(counts[middle]!)) high = middle;
    else low = middle + 1;
  }
  return counts[low] ?? 0;
}
