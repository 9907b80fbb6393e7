// One call to a model, from the messages to the line of the record.
import { createHash } from 'node:crypto';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { draw } from '../state/draw.ts';
import type { AnswerLine, CallKey } from '../state/record.ts';
import { estimateMessages } from './estimate-tokens.ts';
import type { BotCall, PlayerModel } from './model.ts';
import { costOf } from './providers/prices.ts';
import { readAnswer, type Reading } from './read-answer.ts';
import { readReply, withoutSecrets, type Reply } from './reply.ts';
import { deliver, ProviderFailure, type Clock, type Retry } from './transport.ts';

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Call {
  key: CallKey;
  prompt: AnyPrompt;
  messages: readonly PromptMessage[];
  /** By how much they were shortened to fit the model's context. */
  leftOut: number;
  model: PlayerModel;
  seed: number;
  clock: Clock;
  signal: AbortSignal;
  /** Models that were seen to refuse a JSON schema; grows. */
  schemaless: Set<string>;
  /** What was already said of a provider's trouble; grows. */
  told: Set<string>;
  metadata: Readonly<Record<string, string | number>>;
  warn: (message: string) => void;
}

/** How often a question is put before a replacement stands for its answer. */
export const maxAttempts = 3;

/** SHA-256 of the messages, hexadecimal. */
export const hashOf = (messages: readonly PromptMessage[]) =>
  createHash('sha256')
    .update(JSON.stringify(messages.map(({ role, content }) => [role, content])))
    .digest('hex');

/** What a reading comes to: a refusal ends the question at once, the last unreadable answer is replaced. */
export function outcomeOf(
  reading: Reading,
  attempt: number,
  isRefused: boolean,
): Pick<AnswerLine, 'answer' | 'cut' | 'error' | 'mark'> {
  if (isRefused || 'refusal' in reading) return { answer: null, mark: 'refusal' };
  if ('answer' in reading) return reading;
  return { answer: null, error: reading.error, ...(attempt === maxAttempts ? { mark: 'fallback' } : {}) };
}

/** What providers call an answer that has reached its longest length. */
const cutOff = /^(length|max_tokens)$/i;

/** An answer that was cut off and cannot be read is told so, or it would come the same way again. */
function read({ text, finishReason }: Reply, prompt: AnyPrompt): Reading {
  const reading = readAnswer(text, prompt);
  return 'error' in reading && cutOff.test(finishReason ?? '')
    ? { error: `${reading.error} It was cut off because it was too long: keep your reasoning short.` }
    : reading;
}

/** Throws ProviderFailure, or the reason of an abort. */
export async function callModel(call: Call): Promise<AnswerLine> {
  const { key, prompt, messages, leftOut, model, clock } = call;
  tellTooLong(call);
  const startedAt = clock.now();
  const { result, retries } = await send(call);
  const reply = withoutSecrets(readReply(result), model.secrets);
  return {
    ...key,
    prompt_sha256: hashOf(messages),
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    raw: reply.refusal ?? reply.text,
    ...outcomeOf(read(reply, prompt), key.attempt, reply.refusal !== null),
    model: model.spec,
    model_returned: reply.modelReturned,
    system_fingerprint: reply.systemFingerprint,
    finish_reason: reply.finishReason,
    retries,
    tokens: reply.tokens,
    cost: costOf(reply.tokens, model.price),
    started_at: new Date(startedAt).toISOString(),
    ms: clock.now() - startedAt,
    ...(reply.providerReasoning === undefined ? {} : { provider_reasoning: reply.providerReasoning }),
    ...(reply.meant === undefined ? {} : { meant: reply.meant }),
  };
}

/** Sends the schema where the model takes one; where its server refuses it, goes on without, with one warning. */
async function send(call: Call) {
  const { model, schemaless, warn } = call;
  if (!model.schemaOptions || schemaless.has(model.spec)) return deliverCall(call, {});
  try {
    return await deliverCall(call, model.schemaOptions(call.prompt.action, call.prompt.schema));
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === 'bad-request')) throw error;
    if (!schemaless.has(model.spec))
      warn(`The JSON schema of an answer is refused; going on without it. ${error.message}`);
    schemaless.add(model.spec);
    const { result, retries } = await deliverCall(call, {});
    return { result, retries: retries + error.tries - 1 };
  }
}

const messageTypes = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };

async function deliverCall(call: Call, options: object) {
  const { key, prompt, messages, model, seed, clock, signal, metadata } = call;
  const { round, step, action, player } = key;
  const bot: BotCall = () => ({ prompt, draw: draw(seed, 'bot', round, step, action, player) });
  const input = messages.map(({ role, content }) => new messageTypes[role](content));
  const attempt = (attemptSignal: AbortSignal) =>
    model.chat.invoke(input, {
      ...options,
      ...(model.isBot ? { bot } : {}),
      signal: attemptSignal,
      runName: `${action} ${player}`,
      tags: [action, player],
      metadata: { ...metadata, seat: player, role: prompt.view.role, action, round, turn: step },
    });
  const onRetry = ({ words }: Retry) => tellOnce(call, `${model.spec}: ${words} Trying again.`);
  try {
    return await deliver(attempt, { timeoutMs: model.timeoutMs, signal, clock, onRetry });
  } catch (error) {
    if (error instanceof ProviderFailure) error.message = `${model.spec}: ${error.message}`;
    throw error;
  }
}

/** Sent all the same: the count is an upper estimate, and a refusal is the server's to give. */
function tellTooLong(call: Call) {
  const { context, spec } = call.model;
  const tokens = context ? estimateMessages(call.messages) : 0;
  if (!context || tokens <= context.prompt) return;
  tellOnce(
    call,
    `${spec}: a prompt may take ${tokens} tokens even without all that was said; ${context.prompt} of the context's ${context.tokens} are free for it. It is sent all the same. If the server's context is larger, give its size as contextTokens.`,
    `${spec} is too long`,
  );
}

/** Eight calls that wait for the same server need not say so eight times. */
function tellOnce({ told, warn }: Call, message: string, matter = message) {
  if (told.has(matter)) return;
  told.add(matter);
  warn(message);
}
