// One call to a model, from the messages to the line of the record.
import { createHash } from 'node:crypto';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { draw } from '../state/random.ts';
import type { AnswerLine, CallKey } from '../state/record.ts';
import type { BotCall, PlayerModel, PromptMessage } from './model.ts';
import { computeCost } from './providers/prices.ts';
import { parseAnswer, type ParsedAnswer } from './parse-answer.ts';
import { parseResponse, hideSecrets, type CallResult, type ModelResponse } from './parse-response.ts';
import { warnOnce, type WarnOnceContext } from './provider-error.ts';
import { createTooLongResult, warnTooLong } from './context-window.ts';
import { createAnswerRedactor, createRedactor } from './redact.ts';
import { deliver, ProviderFailure, type Clock } from './retry.ts';

export interface ModelCall {
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
  stop: AbortSignal;
  /** Model → questions that its server took only without their JSON schema; grows. */
  schemaRefusals: Map<string, number>;
  warned: WarnOnceContext['warned'];
  metadata: Readonly<Record<string, string | number>>;
  warn: (message: string) => void;
}

/** How often a question is put before a replacement stands for its answer. */
export const maxAttempts = 3;

/** SHA-256 of the messages, hexadecimal. */
export const hashMessages = (messages: readonly PromptMessage[]) =>
  createHash('sha256')
    .update(JSON.stringify(messages.map(({ role, content }) => [role, content])))
    .digest('hex');

/** What a reading comes to: a refusal ends the question at once, the last unreadable answer is replaced. */
export function decideOutcome(
  reading: ParsedAnswer,
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
function parseReply({ text, finishReason }: ModelResponse, prompt: AnyPrompt): ParsedAnswer {
  const reading = parseAnswer(text, prompt);
  return 'error' in reading && cutOff.test(finishReason ?? '')
    ? { error: `${reading.error} It was cut off because it was too long: keep your reasoning short.` }
    : reading;
}

/** The reply without keys. One may stand in its text in other letters, which become plain where it is read: nothing of such a text is kept. */
function redactReply(
  told: ModelResponse,
  prompt: AnyPrompt,
  secrets: readonly string[],
): { reply: ModelResponse; reading: ParsedAnswer } {
  const hide = createAnswerRedactor(secrets);
  const reply = hideSecrets(told, hide);
  const reading = parseReply(reply, prompt);
  const json = secrets.length === 0 ? '' : JSON.stringify(reading);
  if (hide(json) === json) return { reply, reading };
  const unread = { ...reply, text: '[redacted]' };
  return { reply: unread, reading: parseReply(unread, prompt) };
}

/** Throws ProviderFailure, which names the model, or the reason of an abort. */
export async function callModel(call: ModelCall): Promise<AnswerLine> {
  const { key, messages, leftOut, model, clock } = call;
  warnTooLong(call);
  const hash = hashMessages(messages);
  const startedAt = clock.now();
  const start = clock.elapsed();
  const { reply, outcome, retries, cost } = await createCallResult(call);
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
async function createCallResult(call: ModelCall): Promise<CallResult> {
  const { key, prompt, model } = call;
  try {
    const { result, retries } = await send(call);
    const { reply, reading } = redactReply(parseResponse(result), prompt, model.secrets);
    const outcome = decideOutcome(reading, key.attempt, reply.refusal !== null);
    return { reply, outcome, retries, cost: computeCost(reply.tokens, model.price) };
  } catch (error) {
    return createTooLongResult(call, error);
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
async function send(call: ModelCall) {
  const { model, schemaRefusals, stop } = call;
  const before = schemaRefusals.get(model.spec) ?? 0;
  if (!model.schemaOptions || before >= enoughRefusals) return deliverCall(call, {});
  try {
    return await deliverCall(call, model.schemaOptions(call.prompt.action, call.prompt.schema));
  } catch (error) {
    if (stop.aborted || !(error instanceof ProviderFailure && error.kind === 'bad-request')) throw error;
    const { result, retries } = await deliverCall(call, {});
    const isClear = ofSchemas.test(error.message.replace(model.spec, ''));
    const times = isClear ? enoughRefusals : before + 1; // calls under way together meet the same trouble
    schemaRefusals.set(model.spec, Math.max(times, schemaRefusals.get(model.spec) ?? 0));
    if (times >= enoughRefusals)
      warnOnce(
        call,
        `The JSON schema of an answer is refused; going on without it. ${error.message}`,
        `${model.spec} refuses schemas`,
      );
    return { result, retries: retries + error.tries - 1 };
  }
}

/** Whoever waits for longer wonders. Milliseconds. */
const longWait = 90_000;

const endSentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

const messageTypes = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };

async function deliverCall(call: ModelCall, options: object) {
  const { key, prompt, messages, model, seed, clock, signal, stop, metadata } = call;
  const { round, step, action, player } = key;
  const createBotCall: BotCall = () => ({ prompt, draw: draw(seed, 'bot', round, step, action, player) });
  const input = messages.map(({ role, content }) => new messageTypes[role](content));
  const invokeModel = (attemptSignal: AbortSignal) =>
    model.chat.invoke(input, {
      ...options,
      ...(model.isBot ? { bot: createBotCall } : {}),
      signal: attemptSignal,
      runName: `${action} ${player}`,
      tags: [action, player],
      metadata: { ...metadata, seat: player, role: prompt.view.role, action, round, turn: step },
    });
  return deliver(invokeModel, {
    name: model.spec,
    timeoutMs: model.timeoutMs,
    signal,
    stop,
    clock,
    redact: createRedactor(model.secrets),
    onRetry: ({ words, sort, waitMs }) => {
      const when = waitMs > longWait ? ` in ${Math.round(waitMs / 60_000)} minutes` : '';
      warnOnce(call, `${model.spec}: ${endSentence(words)} Trying again${when}.`, `${model.spec}: ${sort}, ${when}`);
    },
  });
}
