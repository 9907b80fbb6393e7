// Fits a question to the context of its model: what was said is left out, the oldest first and no more than must be.
import type { AnyPrompt } from '../prompts/prompt.ts';
import { listTrimLevels } from '../state/context-trimming.ts';
import type { PromptMessage } from './model.ts';
import type { PlayerModel } from './model.ts';

// How many tokens a text takes, estimated without any model's tokenizer.

/**
 * An upper estimate: a third of a token for each character, and for those beyond ASCII as many tokens as they have
 * bytes in UTF-8, which no tokenizer in use exceeds.
 *
 * Measured, as `estimateMessages`, on all prompts of the matches in tests/golden, of 2,500 to 7,700 characters: what
 * the server counted with Llama's tokenizer (TinyLlama 1.1B, chat template included) is 71 to 89 % of the estimate,
 * what OpenAI's o200k_base comes to is 61 to 76 %. Text that no prompt of ours is made of can take more: long runs of
 * digits, of punctuation or of random letters, down to a token for each character.
 */
export function estimateTokens(text: string): number {
  const beyond = Buffer.byteLength(text) - text.length; // 1 for two bytes, 2 for three, 2 for four, which are two units
  return Math.ceil((text.length + 5 * beyond) / 3);
}

/** A chat template's tokens around a message: names of roles, marks of beginning and end. */
const aroundMessage = 8;

/** The same for a whole conversation. */
export const estimateMessages = (messages: readonly { content: string }[]) =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content) + aroundMessage, 0);

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
