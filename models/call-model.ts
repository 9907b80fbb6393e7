// One call to a model, from the messages of a prompt to the answer's line in the record.
import type { UsageMetadata } from '@langchain/core/messages';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { getRenamer, replaceInValue } from '../prompts/renaming.ts';
import { getModelLabel } from '../state/model-identity.ts';
import { draw } from '../state/random.ts';
import { type AnswerLine, type CallKey, type Reading, recordLimits } from '../state/record.ts';
import { type BotCall, type PlayerModel, type PromptMessage, findForeignAddress } from './model.ts';
import type { CallTurn } from './limiters-by-server.ts';
import { dropUndefined } from './model-options.ts';
import { computeCost } from './providers/prices.ts';
import { parseAnswer, type ParsedAnswer } from './parse-answer.ts';
import { filterReasons } from './providers/index.ts';
import { parseChatResponse, hideSecrets, type CallResult, type ModelResponse } from './chat-response.ts';
import { warnOnce, type WarnOnceContext } from './provider-error.ts';
import { createTooLongResult, warnTooLong } from './context-trimming.ts';
import { createAnswerRedactor, createRedactor } from './redact.ts';
import { callWithRetries, ProviderFailure } from './retry.ts';
import type { Clock } from './machine/clock.ts';
import { hashText } from '../state/hash-text.ts';
import { truncateThoughts } from '../state/thoughts.ts';

/** A call with all it needs. */
export interface ModelCall {
  key: CallKey;
  prompt: AnyPrompt;
  messages: readonly PromptMessage[];
  /** The pieces of speech that were left out of them to fit the model's context. */
  leftOut: number;
  /** By which rules its answer is read. */
  reading: Reading;
  model: PlayerModel;
  seed: number;
  clock: Clock;
  /** Its turn at its server; undefined for a bot. */
  turn?: CallTurn | undefined;
  maxWaitMs?: number | undefined;
  /** Aborts an attempt under way. */
  signal: AbortSignal;
  /** Aborted once the match stops: no further attempt begins then, an attempt under way goes on. */
  stop: AbortSignal;
  /** Model string → number of questions that its server took only without their JSON schema; calls add to it. */
  schemaRefusals: Map<string, number>;
  warned: WarnOnceContext['warned'];
  metadata: Readonly<Record<string, string | number>>;
  warn: (message: string) => void;
}

/** How often a question is asked before a fallback takes the place of its answer. */
export const maxAttempts = 3;

/** SHA-256 of the messages, hexadecimal. */
export const hashMessages = (messages: readonly PromptMessage[]) =>
  hashText(JSON.stringify(messages.map(({ role, content }) => [role, content])));

/** What the record keeps of a parsed answer. A refusal is not asked again; the last unreadable attempt is a fallback. */
export function decideOutcome(
  parsed: ParsedAnswer,
  attempt: number,
  isRefused: boolean,
): Pick<AnswerLine, 'answer' | 'cut' | 'error' | 'mark'> {
  if (isRefused || 'refusal' in parsed) return { answer: null, mark: 'refusal' };
  if ('answer' in parsed) return parsed;
  return { answer: null, error: parsed.error, ...(attempt === maxAttempts ? { mark: 'fallback' } : {}) };
}

/** The finish reasons of an answer that has reached its greatest length. */
const cutOff = /^(length|max_tokens)$/i;

/** Where an answer is unreadable because it was cut off, the error says so, or the next one would be cut off too. */
function parseReply(
  { text, finishReason }: ModelResponse,
  { prompt, reading }: Pick<ModelCall, 'prompt' | 'reading'>,
): ParsedAnswer {
  const parsed = parseAnswer(text, prompt, reading);
  return 'error' in parsed && cutOff.test(finishReason ?? '')
    ? { error: `${parsed.error} It was cut off because it was too long: keep your reasoning short.` }
    : parsed;
}

/**
 * The reply without keys. A key may stand in its text in an escaped form that becomes plain when the JSON is parsed:
 * nothing of such a text is kept.
 */
function redactReply(
  received: ModelResponse,
  call: Pick<ModelCall, 'prompt' | 'reading' | 'model'>,
): { reply: ModelResponse; parsed: ParsedAnswer } {
  const { secrets } = call.model;
  const hide = createAnswerRedactor(secrets);
  const reply = shortenReply(hideSecrets(shortenReply(received, longestKey), hide)); // a key must not be cut in half
  const parsed = parseReply(reply, call);
  const json = secrets.length === 0 ? '' : JSON.stringify(parsed);
  if (hide(json) === json) return { reply, parsed };
  const redacted = { ...reply, text: '[redacted]' };
  return { reply: redacted, parsed: parseReply(redacted, call) };
}

/** No key has more characters. */
const longestKey = 10_000;

/** The reply with what a record keeps of it at most, and so many characters more. */
function shortenReply(reply: ModelResponse, more = 0): ModelResponse {
  const { refusal, providerReasoning } = reply;
  const text = truncateThoughts(reply.text, recordLimits.reasoning + more);
  const [raw, reasoning] = [recordLimits.raw + more, recordLimits.reasoning + more];
  if (
    text === reply.text &&
    text.length <= raw &&
    (refusal?.length ?? 0) <= raw &&
    (providerReasoning?.length ?? 0) <= reasoning
  )
    return reply;
  return {
    ...reply,
    text: copyBeginning(text, raw),
    refusal: refusal && copyBeginning(refusal, raw),
    providerReasoning: providerReasoning && copyBeginning(providerReasoning, reasoning),
  };
}

/** The first characters, in memory of their own: a slice of a text would keep all of it. */
const copyBeginning = (text: string, length: number) =>
  text.length <= length ? text : Buffer.from(text.slice(0, length).toWellFormed()).toString();

/** How long the parts were that have been cut. */
function describeFullLength(received: ModelResponse): Pick<AnswerLine, 'full_length'> {
  const kept = shortenReply(received);
  const [raw, keptRaw] = [received.refusal ?? received.text, kept.refusal ?? kept.text];
  const full = {
    ...(raw.length > keptRaw.length ? { raw: raw.length } : {}),
    ...(kept.providerReasoning === received.providerReasoning
      ? {}
      : { provider_reasoning: received.providerReasoning!.length }),
  };
  return Object.keys(full).length === 0 ? {} : { full_length: full };
}

/**
 * Calls the model, with retries, and reads its answer. An answer that cannot be read is a line with an `error`.
 * Throws ProviderFailure, which names the model, or the reason of an abort.
 */
export async function callModel(call: ModelCall): Promise<AnswerLine> {
  const { key, messages, leftOut, model, clock } = call;
  warnTooLong(call);
  const hash = hashMessages(messages);
  const startedAt = clock.now();
  const start = clock.elapsed();
  const { received, reply, outcome, retries, cost } = await createCallResult(call);
  return {
    ...key,
    prompt_sha256: hash,
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    raw: reply.refusal ?? reply.text,
    ...describeFullLength(received),
    ...outcome,
    model: model.spec,
    ...(reply.upstream === null ? {} : { upstream: reply.upstream }),
    ...dropUndefined({ address: findForeignAddress(model) }),
    model_returned: reply.modelReturned,
    system_fingerprint: reply.systemFingerprint,
    finish_reason: reply.finishReason,
    retries,
    tokens: reply.tokens,
    cost,
    started_at: new Date(startedAt).toISOString(),
    ms: Math.floor(clock.elapsed() - start), // rounded down: a call must not seem to end after the next one has begun
    ...(reply.providerReasoning === undefined ? {} : { provider_reasoning: reply.providerReasoning }),
    ...(key.attempt === 1 && call.prompt.view.remembered.length > 0
      ? { remembered: [...call.prompt.view.remembered] }
      : {}),
    ...(reply.meant === undefined ? {} : { meant: reply.meant }),
  };
}

/** A prompt that is refused for its length at its shortest has a result too: it would be refused again and again. */
async function createCallResult(call: ModelCall): Promise<CallResult & { received: ModelResponse }> {
  const { key, model } = call;
  try {
    const { result, retries } = await send(call);
    const received = parseChatResponse(result, filterReasons);
    const { reply, parsed } = redactReply(received, call);
    const outcome = decideOutcome(parsed, key.attempt, reply.refusal !== null);
    return { received, reply, outcome, retries, cost: computeCost(reply.tokens, model.price) };
  } catch (error) {
    const failed = createTooLongResult(call, error);
    return { ...failed, received: failed.reply };
  }
}

/** After so many questions that a server took only without their schema, it is sent no further schema. */
const enoughRefusals = 2;

/** Words by which a server shows that it is the schema that it refuses. */
const schemaWords = /response_format|\bschema|\bjson[_ ]schema|\bgrammar|\bstructured/i;

/**
 * Sends the schema where the model takes one, and the request again without it where the server refuses the request. A
 * refusal may have another reason that passes: it is put down to the schema, with one warning, once the server's words
 * say so or a second question is refused too.
 */
async function send(call: ModelCall) {
  const { model, schemaRefusals, stop } = call;
  const before = schemaRefusals.get(model.spec) ?? 0;
  if (!model.schemaOptions || before >= enoughRefusals) return deliverCall(call, {});
  try {
    const tell = getRenamer(call.prompt.view);
    return await deliverCall(
      call,
      model.schemaOptions(tell(call.prompt.action), replaceInValue(call.prompt.schema, tell)),
    );
  } catch (error) {
    if (stop.aborted || !(error instanceof ProviderFailure && error.kind === 'bad-request')) throw error;
    const { result, retries } = await deliverCall(call, {});
    const isClear = schemaWords.test(error.message.replace(getModelLabel(model.spec), ''));
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

/** Milliseconds; of longer waits the warning says how long they take. */
const longWait = 90_000;

const endSentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

async function deliverCall(call: ModelCall, options: object) {
  const { key, prompt, messages, model, seed, clock, turn, maxWaitMs, signal, stop, metadata } = call;
  const { round, step, action, player } = key;
  const label = getModelLabel(model.spec);
  const createBotCall: BotCall = () => ({ prompt, draw: draw(seed, 'bot', round, step, action, player) });
  const input = messages.map(({ role, content }) => ({ role, content })); // not of this copy of LangChain alone
  const invokeModel = (attemptSignal: AbortSignal) =>
    model.chat.invoke(input, {
      ...options,
      ...(model.isBot ? { bot: createBotCall } : {}),
      signal: attemptSignal,
      runName: `${action} ${player}`,
      tags: [action, player],
      metadata: { ...metadata, seat: player, role: prompt.view.role, action, round, turn: step },
    });
  return callWithRetries(invokeModel, {
    name: label,
    timeoutMs: model.timeoutMs,
    maxWaitMs,
    signal,
    stop,
    clock,
    redact: createRedactor(model.secrets),
    ...(turn && { turn }),
    countTokens: ({ usage_metadata: usage }) => (usage as UsageMetadata | undefined)?.total_tokens ?? null,
    onRetry: ({ words, sort, waitMs }) => {
      const when = waitMs > longWait ? ` in ${Math.round(waitMs / 60_000)} minutes` : '';
      warnOnce(call, `${label}: ${endSentence(words)} Trying again${when}.`, `${label}: ${sort}, ${when}`);
    },
  });
}
