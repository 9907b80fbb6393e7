// A prompt that may be too long even without all that was said, and what becomes of it where the server refuses it.
import type { AnswerLine } from '../state/record.ts';
import { estimateMessages } from './context-window.ts';
import type { PlayerModel } from './model.ts';
import type { CallResult } from './parse-response.ts';
import { warnOnce, type WarnOnceContext } from './provider-error.ts';
import { ProviderFailure } from './retry.ts';

interface SizedCall extends WarnOnceContext {
  model: PlayerModel;
  messages: readonly { content: string }[];
}

/** The estimate of a prompt that exceeds what is free for it; none where it does not. */
function findExcess({ model: { context }, messages }: SizedCall) {
  const tokens = context ? estimateMessages(messages) : 0;
  return context && tokens > context.prompt ? { tokens, free: context.prompt, of: context.tokens } : undefined;
}

/** Sent all the same: the count is an upper estimate, and a refusal is the server's to give. */
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

/** What stands for the answer to such a question. */
export const unanswered = { answer: null, mark: 'fallback' } as const satisfies Partial<AnswerLine>;

const noReply: CallResult['reply'] = {
  ...{ text: '', refusal: null, tokens: null, modelReturned: null, systemFingerprint: null, finishReason: null },
  ...{ providerReasoning: undefined, meant: undefined },
};

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
    ...unanswered,
    error: `The prompt was refused for its length: ${error.message}`,
    too_long: true,
  } as const;
  return { reply: noReply, outcome, retries: error.tries - 1, cost: 0 };
}

const describeCure = ({ messages }: SizedCall, { tokens, prompt }: NonNullable<PlayerModel['context']>) =>
  ` The prompt takes ${estimateMessages(messages)} tokens by an upper estimate, and contextTokens (${tokens}, given or assumed) leaves ${prompt} for it: the server holds less than that. Give the server a context of ${tokens} tokens and resume, or begin a new match, with another --id, and give what the server holds as contextTokens.`;
