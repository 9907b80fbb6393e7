// Fits prompts into models' context windows: estimates their tokens and leaves out the oldest speech, no more than
// necessary.
import type { AnyPrompt } from '../prompts/prompt.ts';
import type { ShapesPlace } from '../prompts/shapes.ts';
import { getRenamer } from '../prompts/renaming.ts';
import { listTrimLevels } from '../state/trimming-order.ts';
import type { AnswerLine } from '../state/record.ts';
import type { PlayerModel, PromptMessage } from './model.ts';
import { type CallResult, emptyResponse } from './chat-response.ts';
import { warnOnce, type WarnOnceContext } from './provider-error.ts';
import { ProviderFailure } from './retry.ts';

/**
 * Returns an upper estimate of a text's tokens, without any model's tokenizer: a third of a token for each ASCII
 * character; for any other character its number of UTF-8 bytes, which no common tokenizer exceeds.  Measured with
 * `estimateMessages` on all prompts of the matches in tests/golden (2,500 to 7,700 characters): the server's count with
 * Llama's tokenizer (TinyLlama 1.1B, including the chat template) is 71 to 89% of the estimate, and the count with
 * OpenAI's o200k_base is 60 to 76%. Text unlike our prompts can have more tokens: long runs of digits, punctuation or
 * random letters have up to one token per character.
 */
export function estimateTokens(text: string): number {
  const beyond = Buffer.byteLength(text) - text.length; // 1 for two bytes, 2 for three, 2 for four, which are two UTF-16 units
  return Math.ceil((text.length + 5 * beyond) / 3);
}

/** Tokens of a chat template around a message: role names and markers. */
const aroundMessage = 8;

/**
 * Returns the upper estimate for a whole conversation.
 *
 * @example estimateMessages([{ content: 'Hello!' }]); // 10: 6 characters, and 8 tokens around the message
 */
export const estimateMessages = (messages: readonly { content: string }[]) =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content) + aroundMessage, 0);

/**
 * Returns the messages of a prompt without the `leftOut` oldest pieces of speech, followed by the corrections of
 * unreadable answers. `shapes`: how the shapes of the answers are described; see `ShapesPlace`.
 */
export const buildConversation = (
  prompt: AnyPrompt,
  leftOut: number,
  corrections: readonly PromptMessage[] = [],
  shapes: ShapesPlace = 'prompt',
): readonly PromptMessage[] => {
  const tell = getRenamer(prompt.view);
  return [
    { role: 'system', content: tell(selectSystemText(prompt, shapes)) },
    { role: 'user', content: tell(leftOut === 0 ? prompt.user : prompt.without(leftOut)) },
    ...corrections, // already in the words of a renamed game
  ];
};

function selectSystemText({ system, family }: AnyPrompt, shapes: ShapesPlace): string {
  if (family === undefined || shapes === 'prompt') return system;
  return shapes === 'schema' ? family.system : family.described;
}

/**
 * Returns the number of pieces of speech to leave out so that a prompt fits; 0 if all of it fits. If even the shortest
 * prompt may be too long, returns the number of all pieces that can be left out. The server then decides, because the
 * prompt may be shorter than its upper estimate.
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

/**
 * Compares a prompt's estimated tokens with the room in the model's context window. Returns both numbers and the size
 * of the window if the prompt is too long; undefined if it fits.
 */
function findExcess({ model: { context }, messages }: SizedCall) {
  const tokens = context ? estimateMessages(messages) : 0;
  return context && tokens > context.prompt ? { tokens, free: context.prompt, of: context.tokens } : undefined;
}

/** Warns that a prompt may be too long even at its shortest. It is still sent, since the count is an upper estimate. */
export function warnTooLong(call: SizedCall) {
  const over = findExcess(call);
  if (!over) return;
  const { spec } = call.model;
  warnOnce(
    call,
    `${spec}: a prompt may take ${over.tokens} tokens even without any statements, but only ${over.free} of the context's ${over.of} are available for it. It is sent anyway. If the server's context is larger, give its size as contextTokens.`,
    `${spec} is too long`,
  );
}

/** The outcome of a question whose prompt was rejected as too long. */
export const unansweredOutcome = { answer: null, mark: 'fallback' } as const satisfies Partial<AnswerLine>;

/**
 * Returns the result of a call that failed because the prompt is too long although it cannot be shortened further. The
 * question counts as unanswered, because it would be rejected at every resumption. It costs nothing. Throws any other
 * `error`. If the prompt should have fitted into the context window by its estimate, throws an error with advice.
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
    `${error.message} The prompt cannot be shortened further: such questions count as not answered.`,
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
  ` The prompt takes at most ${estimateMessages(messages)} tokens, and contextTokens (${tokens}, given or assumed) leaves ${prompt} for it, so the server's context must be smaller. Give the server a context of ${tokens} tokens and resume, or start a new match with another --id and the server's real size as contextTokens.`;
