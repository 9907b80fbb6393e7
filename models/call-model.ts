// One call to a model, from the messages to the line of the record.
import { createHash } from 'node:crypto';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { draw } from '../state/draw.ts';
import type { AnswerLine, CallKey } from '../state/record.ts';
import type { BotCall, PlayerModel } from './model.ts';
import { costOf } from './providers/prices.ts';
import { readAnswer, type Reading } from './read-answer.ts';
import { readReply, withoutSecrets, type CallResult, type Reply } from './reply.ts';
import { tellOnce, type Told } from './tell-once.ts';
import { refusedForLength, tellTooLong } from './too-long.ts';
import { answerRedactor, redactor } from './record/redact.ts';
import { deliver, ProviderFailure, type Clock } from './transport.ts';

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
  /** Aborted once the match stops: no call begins then. */
  stopping: AbortSignal;
  /** Model → questions that its server took only without their JSON schema; grows. */
  schemaRefusals: Map<string, number>;
  told: Told['told'];
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

/** The reply without keys. One may stand in its text in other letters, which become plain where it is read: nothing of such a text is kept. */
function keyless(told: Reply, prompt: AnyPrompt, secrets: readonly string[]): { reply: Reply; reading: Reading } {
  const hide = answerRedactor(secrets);
  const reply = withoutSecrets(told, hide);
  const reading = read(reply, prompt);
  const json = secrets.length === 0 ? '' : JSON.stringify(reading);
  if (hide(json) === json) return { reply, reading };
  const unread = { ...reply, text: '[redacted]' };
  return { reply: unread, reading: read(unread, prompt) };
}

/** Throws ProviderFailure, which names the model, or the reason of an abort. */
export async function callModel(call: Call): Promise<AnswerLine> {
  const { key, messages, leftOut, model, clock } = call;
  tellTooLong(call);
  const hash = hashOf(messages);
  const startedAt = clock.now();
  const start = clock.elapsed();
  const { reply, outcome, retries, cost } = await answered(call);
  return {
    ...key,
    prompt_sha256: hash,
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    raw: reply.refusal ?? reply.text,
    ...outcome,
    model: model.spec,
    model_returned: reply.modelReturned,
    system_fingerprint: reply.systemFingerprint,
    finish_reason: reply.finishReason,
    retries,
    tokens: reply.tokens,
    cost,
    started_at: new Date(startedAt).toISOString(),
    ms: Math.floor(clock.elapsed() - start), // never up: a call ends before the next one that waits for it begins
    ...(reply.providerReasoning === undefined ? {} : { provider_reasoning: reply.providerReasoning }),
    ...(reply.meant === undefined ? {} : { meant: reply.meant }),
  };
}

/** What came of a call. A refusal of the prompt for its length is an answer too, where no other would come. */
async function answered(call: Call): Promise<CallResult> {
  const { key, prompt, model } = call;
  try {
    const { result, retries } = await send(call);
    const { reply, reading } = keyless(readReply(result), prompt, model.secrets);
    const outcome = outcomeOf(reading, key.attempt, reply.refusal !== null);
    return { reply, outcome, retries, cost: costOf(reply.tokens, model.price) };
  } catch (error) {
    return refusedForLength(call, error);
  }
}

/** After so many questions that were taken only without their schema, none is sent with one. */
const enoughRefusals = 2;

/** Words of a refusal that say what is refused. */
const ofSchemas = /response_format|\bschema|\bjson[_ ]schema|\bgrammar|\bstructured/i;

/**
 * Sends the schema where the model takes one; where its server refuses it, goes on without, with one warning. A request
 * may be refused for something else that passes: that it was the schema is clear from the words, or from the next time.
 */
async function send(call: Call) {
  const { model, schemaRefusals, stopping } = call;
  const before = schemaRefusals.get(model.spec) ?? 0;
  if (!model.schemaOptions || before >= enoughRefusals) return deliverCall(call, {});
  try {
    return await deliverCall(call, model.schemaOptions(call.prompt.action, call.prompt.schema));
  } catch (error) {
    if (stopping.aborted || !(error instanceof ProviderFailure && error.kind === 'bad-request')) throw error;
    const { result, retries } = await deliverCall(call, {});
    const isClear = ofSchemas.test(error.message.replace(model.spec, ''));
    const times = isClear ? enoughRefusals : before + 1; // calls under way together meet the same trouble
    schemaRefusals.set(model.spec, Math.max(times, schemaRefusals.get(model.spec) ?? 0));
    if (times >= enoughRefusals)
      tellOnce(
        call,
        `The JSON schema of an answer is refused; going on without it. ${error.message}`,
        `${model.spec} refuses schemas`,
      );
    return { result, retries: retries + error.tries - 1 };
  }
}

/** Whoever waits for longer wonders. Milliseconds. */
const longWait = 90_000;

const sentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

const messageTypes = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };

async function deliverCall(call: Call, options: object) {
  const { key, prompt, messages, model, seed, clock, signal, stopping, metadata } = call;
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
  return deliver(attempt, {
    name: model.spec,
    timeoutMs: model.timeoutMs,
    signal,
    stopping,
    clock,
    redact: redactor(model.secrets),
    onRetry: ({ words, sort, waitMs }) => {
      const when = waitMs > longWait ? ` in ${Math.round(waitMs / 60_000)} minutes` : '';
      tellOnce(call, `${model.spec}: ${sentence(words)} Trying again${when}.`, `${model.spec}: ${sort}, ${when}`);
    },
  });
}
