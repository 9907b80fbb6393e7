// One call to a model, from the messages of a prompt to the answer's line in the record.
import { getModelLabel } from '../state/model-identity.ts';
import { type AnswerLine, recordLimits } from '../state/record.ts';
import { type PromptMessage, findForeignAddress, getServerName, isServed } from './model.ts';
import { dropUndefined } from './model-options.ts';
import { computeCost } from './providers/prices.ts';
import { isJson, isReadAsFamily, listTopObjects, parseAnswer, type ParsedAnswer } from './parse-answer.ts';
import { emptyResponse, parseChatResponse, hideSecrets, type CallResult, type ModelResponse } from './chat-response.ts';
import { warnOnce } from './provider-error.ts';
import type { Refusal } from './refusal-table.ts';
import { createTooLongResult, unansweredOutcome, warnTooLong } from './context-trimming.ts';
import { createAnswerRedactor } from './redact.ts';
import { ProviderFailure } from './retry.ts';
import { type ModelCall, type Sending, sendQuestion } from './send-question.ts';
import { hashText } from '../state/hash-text.ts';
import { truncateThoughts } from '../state/thoughts.ts';

/** Number of attempts at a question before a fallback replaces its answer. */
export const maxAttempts = 3;

/** Returns the SHA-256 of the messages, in hexadecimal. */
export const hashMessages = (messages: readonly PromptMessage[]) =>
  hashText(JSON.stringify(messages.map(({ role, content }) => [role, content])));

/**
 * Decides what the record keeps of a parsed answer. A refused question is not asked again. After the last unreadable
 * attempt, a fallback replaces the answer.
 */
export function decideOutcome(
  parsed: ParsedAnswer,
  attempt: number,
  isRefused: boolean,
): Pick<AnswerLine, 'answer' | 'cut' | 'error' | 'mark'> {
  if (isRefused || 'refusal' in parsed) return { answer: null, mark: 'refusal' };
  if ('answer' in parsed) return parsed;
  return { answer: null, error: parsed.error, ...(attempt === maxAttempts ? { mark: 'fallback' } : {}) };
}

/** Finish reasons of an answer that reached its maximum length. */
const cutOff = /^(?:length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded)$/i;

/**
 * Parses the reply. If an unreadable answer was cut off, the error tells the model so, because the next answer would
 * otherwise be cut off too.
 */
function parseReply(
  { text, finishReason }: ModelResponse,
  { prompt, reading, isOfFamily, model }: Pick<ModelCall, 'prompt' | 'reading' | 'isOfFamily' | 'model'>,
): ParsedAnswer {
  const parsed = parseAnswer(text, prompt, reading, { isOfFamily, isPerson: model.isPerson === true });
  return 'error' in parsed && cutOff.test(finishReason ?? '')
    ? { error: `${parsed.error} It was cut off because it was too long: keep your reasoning short.` }
    : parsed;
}

/**
 * Returns the reply without keys. A key may be escaped in the text and become visible only when the JSON is parsed;
 * such a text is discarded completely.
 */
function redactReply(
  received: ModelResponse,
  call: Pick<ModelCall, 'prompt' | 'reading' | 'model' | 'isOfFamily'>,
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

/** Longest key in characters. */
const longestKey = 10_000;

/** Shortens the reply to the length that a record keeps, plus `more` characters. */
function shortenReply(reply: ModelResponse, more = 0): ModelResponse {
  const { refusal, providerReasoning } = reply;
  const [raw, reasoning] = [recordLimits.raw + more, recordLimits.reasoning + more];
  return {
    ...reply,
    text: copyBeginning(truncateThoughts(reply.text, reasoning), raw),
    refusal: refusal && copyBeginning(refusal, raw),
    providerReasoning: providerReasoning && copyBeginning(providerReasoning, reasoning),
  };
}

/** Copies the beginning of a text. A mere slice would keep the whole text in memory. */
const copyBeginning = (text: string, length: number) =>
  text.length <= length ? text : Buffer.from(text.slice(0, length).toWellFormed()).toString();

/** Describes the original lengths of the parts that were cut. */
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
 * Calls the model, with retries, and parses its answer. An unreadable answer becomes a line with an `error`. Throws
 * ProviderFailure, which names the model, or the reason of an abort.
 */
export async function callModel(call: ModelCall): Promise<AnswerLine> {
  const { key, messages, leftOut, model, clock } = call;
  warnTooLong(call);
  const hash = hashMessages(messages);
  const startedAt = clock.now();
  const start = clock.elapsed();
  const sending: Sending = {};
  const { received, reply, outcome, retries, cost, answeredAt } = await createCallResult(call, sending);
  return {
    ...key,
    prompt_sha256: hash,
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    ...(call.shapes === 'prompt' ? {} : { shapes: call.shapes }),
    raw: reply.refusal ?? reply.text,
    ...describeFullLength(received),
    ...outcome,
    model: model.spec,
    ...(isServed(model) ? dropUndefined(sending) : {}),
    ...(!isServed(model) || reply.refusal !== null || outcome.too_long ? {} : { answer_from: reply.answerFrom }),
    ...(reply.upstream === null ? {} : { upstream: reply.upstream }),
    ...dropUndefined({ address: findForeignAddress(model) }),
    model_returned: reply.modelReturned,
    system_fingerprint: reply.systemFingerprint,
    finish_reason: reply.finishReason,
    retries,
    tokens: reply.tokens,
    cost,
    started_at: new Date(startedAt).toISOString(),
    ms: Math.floor((answeredAt ?? clock.elapsed()) - start), // rounded down: a call must not seem to end after the next one begins
    ...(reply.providerReasoning === undefined ? {} : { provider_reasoning: reply.providerReasoning }),
    ...(key.attempt === 1 && call.prompt.view.remembered.length > 0
      ? { remembered: [...call.prompt.view.remembered] }
      : {}),
    ...(reply.shownMs === undefined ? {} : { shown_ms: reply.shownMs }),
    ...(reply.meant === undefined ? {} : { meant: reply.meant }),
  };
}

/** `answeredAt`: time of the clock at which an answer arrived; undefined for a failed call. */
type FullResult = CallResult & { received: ModelResponse; answeredAt?: number };

/**
 * Calls the model and returns the result. A refusal is returned as a result, not thrown. So is the rejection of a
 * prompt that is too long and cannot be shortened further, because another attempt would be rejected too.
 */
async function createCallResult(call: ModelCall, sending: Sending): Promise<FullResult> {
  try {
    const { result, retries } = await sendQuestion(call, sending);
    const answeredAt = call.clock.elapsed();
    await call.clock.takeTurn(); // many matches may get their answers at the same time
    const asked = { ...call, isOfFamily: isReadAsFamily({ ...sending, shapes: call.shapes }) };
    const received = takeFromReasoning(parseChatResponse(result, getServerName(call.model)), asked);
    return { ...readReceived(received, asked, retries), answeredAt };
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'refused') return createRefusedResult(call, error);
    if (error instanceof ProviderFailure && error.kind === 'failed-sample') {
      const received = { ...emptyResponse, text: error.told.generation ?? '', upstream: error.told.upstream ?? null };
      return readReceived(received, call, error.tries - 1);
    }
    const failed = createTooLongResult(call, error);
    return { ...failed, received: failed.reply };
  }
}

function readReceived(received: ModelResponse, call: ModelCall, retries: number): FullResult {
  // A person who did not answer is not asked again, unlike a model.
  if (received.isUnanswered)
    return { received, reply: received, outcome: { ...unansweredOutcome, unanswered: true }, retries, cost: 0 };
  const { reply, parsed } = redactReply(received, call);
  const outcome = decideOutcome(parsed, call.key.attempt, reply.refusal !== null);
  const refusal = outcome.mark === 'refusal' ? reply.refusedBy : null;
  if (refusal !== null) warnOfRefusal(call, refusal, reply.refusal ?? '');
  return {
    ...{ received, reply, retries },
    outcome: refusal === null ? outcome : { ...outcome, refusal },
    cost: computeCost(reply.tokens, call.model.price),
  };
}

/** Returns the result of a refusal. Its cost is unknown, because some vendors charge for refused calls. */
function createRefusedResult(call: ModelCall, { told, tries }: ProviderFailure): FullResult {
  const { words, upstream = null } = told;
  const refusal = told.refusal!;
  const reply = { ...emptyResponse, refusal: words, refusedBy: refusal, upstream };
  warnOfRefusal(call, refusal, words);
  return {
    reply,
    received: reply,
    outcome: { answer: null, mark: 'refusal', refusal },
    retries: tries - 1,
    cost: null,
  };
}

const warnOfRefusal = (call: ModelCall, { vendor, category }: Refusal, words: string) =>
  warnOnce(
    call,
    `${getModelLabel(call.model.spec)}: ${vendor} refuses a prompt or its answer (${category}). The question counts as refused, and the match continues. The server's words: ${words}`,
    `${call.model.spec} is refused: ${vendor}, ${category}`,
  );

/** Finish reasons of a complete answer. */
const whole = /^(?:stop|end_turn|completed?)$/i;

/**
 * Returns the response. If its text is empty, the answer is taken from the model's reasoning, because a server that
 * cannot tell where the reasoning ends returns everything as reasoning. Only the last complete object in the reasoning
 * counts, and only if it is an answer.
 */
function takeFromReasoning(received: ModelResponse, call: ModelCall): ModelResponse {
  const { text, refusal, providerReasoning, finishReason } = received;
  if (text.trim() !== '' || refusal !== null || providerReasoning === undefined) return received;
  const label = getModelLabel(call.model.spec);
  const [last] = whole.test(finishReason ?? '') ? listTopObjects(providerReasoning).slice(-1) : [];
  if (
    last !== undefined &&
    isJson(last) &&
    'answer' in parseAnswer(last, call.prompt, call.reading, { isOfFamily: call.isOfFamily })
  ) {
    warnOnce(
      call,
      `${label} answers in its reasoning and leaves the text empty: such answers are read from the reasoning, and counted. ?reasoningEffort=none turns the reasoning off if the server supports it.`,
      `${call.model.spec} answers in its reasoning`,
    );
    return { ...received, text: last, answerFrom: 'reasoning' };
  }
  // After one empty answer the question is asked again, as after any other unreadable answer.
  if (call.key.attempt < maxAttempts) return received;
  warnOnce(
    call,
    `${label} returned only reasoning and no text. Turn its reasoning off (?reasoningEffort=none), or give it more tokens (?maxTokens=…).`,
    `${call.model.spec} only thinks`,
  );
  return received;
}
