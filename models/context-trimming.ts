// Fits prompts into the context windows of models: estimates their tokens and leaves out the oldest speech, no more of it
// than necessary (context trimming).
import type { AnyPrompt } from '../prompts/prompt.ts';
import { getRenamer } from '../prompts/renaming.ts';
import { listTrimLevels } from '../state/trimming-order.ts';
import type { AnswerLine } from '../state/record.ts';
import type { PlayerModel, PromptMessage } from './model.ts';
import { type CallResult, emptyResponse } from './chat-response.ts';
import { warnOnce, type WarnOnceContext } from './provider-error.ts';
import { ProviderFailure } from './retry.ts';

/**
 * An upper estimate of a text's tokens, without any model's tokenizer: a third of a token for each character, and for those beyond ASCII as many tokens as they have
 * bytes in UTF-8, which no tokenizer in use exceeds.
 *
 * Measured, as `estimateMessages`, on all prompts of the matches in tests/golden, of 2,500 to 7,700 characters: what
 * the server counted with Llama's tokenizer (TinyLlama 1.1B, chat template included) is 71 to 89 % of the estimate,
 * what OpenAI's o200k_base comes to is 60 to 76 %. Text that no prompt of ours is made of can take more: long runs of
 * digits, of punctuation or of random letters, down to a token for each character.
 */
export function estimateTokens(text: string): number {
  const beyond = Buffer.byteLength(text) - text.length; // 1 for two bytes, 2 for three, 2 for four, which are two units
  return Math.ceil((text.length + 5 * beyond) / 3);
}

/** A chat template's tokens around a message: names of roles, marks of beginning and end. */
const aroundMessage = 8;

/**
 * The same for a whole conversation.
 *
 * @example estimateMessages([{ content: 'Hello!' }]); // 10: 6 characters, and 8 tokens around the message
 */
export const estimateMessages = (messages: readonly { content: string }[]) =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content) + aroundMessage, 0);

/**
 * The messages of a prompt without the `leftOut` oldest pieces of speech, followed by the corrections of unreadable answers.
 * `shapes`: where the shapes of the answers stand, in the prompt or in the schema of its family alone.
 */
export const buildConversation = (
  prompt: AnyPrompt,
  leftOut: number,
  corrections: readonly PromptMessage[] = [],
  shapes: 'prompt' | 'schema' = 'prompt',
): readonly PromptMessage[] => {
  const tell = getRenamer(prompt.view);
  const system = shapes === 'schema' ? prompt.family?.system : undefined;
  return [
    { role: 'system', content: tell(system ?? prompt.system) },
    { role: 'user', content: tell(leftOut === 0 ? prompt.user : prompt.without(leftOut)) },
    ...corrections, // are in the words of the telling already
  ];
};

/**
 * How many pieces of speech to leave out so that a prompt fits: 0 where all of it fits, all that can be left out where
 * even that may not be enough. The server then decides, since the estimate is an upper one that also leaves room for
 * the answer.
 */
export function findTrimLevel(
  prompt: AnyPrompt,
  corrections: readonly PromptMessage[],
  context: PlayerModel['context'],
): number {
  const canFit = (leftOut: number) =>
    !context || estimateMessages(buildConversation(prompt, leftOut, corrections)) <= context.prompt;
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

interface SizedCall extends WarnOnceContext {
  model: PlayerModel;
  messages: readonly { content: string }[];
}

/** The figures of a prompt whose estimate exceeds what is free for it; undefined where it fits. */
function findExcess({ model: { context }, messages }: SizedCall) {
  const tokens = context ? estimateMessages(messages) : 0;
  return context && tokens > context.prompt ? { tokens, free: context.prompt, of: context.tokens } : undefined;
}

/** Warns of a prompt that may be too long at its shortest. It is sent all the same, since the count is an upper estimate. */
export function warnTooLong(call: SizedCall) {
  const over = findExcess(call);
  if (!over) return;
  const { spec } = call.model;
  warnOnce(
    call,
    `${spec}: a prompt may take ${over.tokens} tokens even without all that was said; ${over.free} of the context's ${over.of} are free for it. It is sent all the same. If the server's context is larger, give its size as contextTokens.`,
    `${spec} is too long`,
  );
}

/** The outcome of a question whose prompt was refused for its length. */
export const unansweredOutcome = { answer: null, mark: 'fallback' } as const satisfies Partial<AnswerLine>;

/**
 * The result of a call that failed because its prompt, over its budget at its shortest, is too long: the question
 * counts as unanswered, since it would be refused whenever the match is resumed. It costs nothing.
 * Throws `error` where it is another, with the cure where the prompt was within its budget and still too long.
 */
export function createTooLongResult(call: SizedCall, error: unknown): CallResult {
  if (!(error instanceof ProviderFailure && error.kind === 'too-long')) throw error;
  const { model } = call;
  if (!findExcess(call)) {
    if (model.context) error.message += describeCure(call, model.context);
    throw error;
  }
  warnOnce(
    call,
    `${error.message} The prompt is as short as it can be: questions that are refused so count as not answered.`,
    `${model.spec} is refused for its length`,
  );
  const outcome = {
    ...unansweredOutcome,
    error: `The prompt was refused for its length: ${error.message}`,
    too_long: true,
  } as const;
  return { reply: emptyResponse, outcome, retries: error.tries - 1, cost: 0 };
}

const describeCure = ({ messages }: SizedCall, { tokens, prompt }: NonNullable<PlayerModel['context']>) =>
  ` The prompt takes ${estimateMessages(messages)} tokens by an upper estimate, and contextTokens (${tokens}, given or assumed) leaves ${prompt} for it: the server holds less than that. Give the server a context of ${tokens} tokens and resume, or begin a new match, with another --id, and give what the server holds as contextTokens.`;
