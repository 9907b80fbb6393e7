// Reads from a LangChain message what the record keeps: text, tokens, finish reason, reasoning, and refusals. A refusal
// is marked by the provider, or recognized by the model's words.
import type { AIMessage, AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import type { AnswerLine } from '../state/record.ts';
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { findEndingRefusal, type Refusal } from './refusal-table.ts';

/** The parts of a model's message that are stored. A part that the provider does not report is null. */
export interface ModelResponse {
  /** The model's text, unchanged; empty if there was none. */
  text: string;
  answerFrom: NonNullable<AnswerLine['answer_from']>;
  /** The provider's refusal in the provider's words; null if the model answered. */
  refusal: string | null;
  /** Vendor and category of a refusal by the server; null if the model itself refused. */
  refusedBy: Refusal | null;
  tokens: AnswerLine['tokens'];
  modelReturned: string | null;
  systemFingerprint: string | null;
  finishReason: string | null;
  /** The provider that served the answer behind a router. */
  upstream: string | null;
  /** The model's own reasoning, if the provider returns it. */
  providerReasoning: string | undefined;
  /** A bot's own record of what it meant. */
  meant: unknown;
  /** Milliseconds for which a person was shown the question; undefined for models. */
  shownMs: number | undefined;
  /** Whether a person did not answer in time. */
  isUnanswered: boolean;
}

/** The response to a call, and what the record keeps of its answer. */
export interface CallResult {
  reply: ModelResponse;
  outcome: Pick<AnswerLine, 'answer' | 'cut' | 'error' | 'too_long' | 'unanswered' | 'mark' | 'refusal'>;
  /** Attempts after the first one, because of connection or server errors. */
  retries: number;
  /** Cost in USD; null if unknown. */
  cost: AnswerLine['cost'];
}

/** An empty response. */
export const emptyResponse: ModelResponse = {
  ...{ text: '', answerFrom: 'content', refusal: null, refusedBy: null, tokens: null, upstream: null },
  ...{ modelReturned: null, systemFingerprint: null, finishReason: null },
  ...{ providerReasoning: undefined, meant: undefined, shownMs: undefined, isUnanswered: false },
};

/** Names of the fields in which chat models report why an answer ended. */
const finishReasons = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason'];

/**
 * Reads a message of any LangChain chat model. A token count that the message does not have becomes null, never zero.
 *
 * @example parseChatResponse(await chat.invoke(messages)).tokens; // { in: 2100, out: 80, cached: 1024, reasoning: null }
 * `server`: the provider's name or the host.
 */
export function parseChatResponse(message: AIMessage | AIMessageChunk, server = ''): ModelResponse {
  const { content, additional_kwargs: extra, response_metadata: metadata } = message;
  const blocks: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const finishReason = finishReasons.map((name) => readLabel(metadata[name])).find((reason) => reason !== null) ?? null;
  const refusedBy = findEndingRefusal(finishReason, server);
  const text = joinBlockWords(blocks, 'text');
  const ofTool = text === '' ? readToolArguments(message) : '';
  return {
    text: text || ofTool,
    answerFrom: ofTool === '' ? 'content' : 'tool',
    refusedBy,
    refusal:
      readString(extra['refusal']) ?? (refusedBy ? `The provider's filter stopped the answer: ${finishReason}.` : null),
    tokens: readTokens(message),
    modelReturned: readLabel(metadata['model_name']) ?? readLabel(metadata['model']),
    systemFingerprint: readLabel(metadata['system_fingerprint']),
    finishReason,
    upstream: readLabel(metadata['upstream']),
    providerReasoning:
      readString(extra['reasoning_content']) ??
      readString(joinBlockWords(blocks, 'thinking', 'reasoning')) ??
      undefined,
    meant: extra['meant'],
    shownMs: readCount(extra['shown_ms']) ?? undefined,
    isUnanswered: extra['unanswered'] === true,
  };
}

/** Removes keys from all texts of a response, because any of them may repeat the key that the server received. */
export function hideSecrets(reply: ModelResponse, hide: (text: string) => string): ModelResponse {
  const hidden = Object.entries(reply).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? hide(value) : value,
  ]);
  return Object.fromEntries(hidden) as ModelResponse;
}

const readString = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Maximum length of short texts such as model names and finish reasons, in bytes. */
const longestLabel = 200;

const readLabel = (value: unknown) => {
  const text = readString(value);
  return text === null ? null : flattenToOneLine(truncateBytes(text, longestLabel));
};

/** Greatest plausible number of tokens in a call. A greater number is a mistake. */
const mostTokens = 1e9;

const readCount = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : null;

function readTokens(message: AIMessage | AIMessageChunk): AnswerLine['tokens'] {
  // The declared type is `never` for messages without a special structure.
  const usage = message.usage_metadata as unknown as UsageMetadata | undefined;
  const used = { in: readCount(usage?.input_tokens), out: readCount(usage?.output_tokens) };
  if (used.in === null || used.out === null) return null;
  const written = readCount(usage?.input_token_details?.cache_creation);
  return {
    in: used.in,
    out: used.out,
    cached: readCount(usage?.input_token_details?.cache_read),
    ...(written ? { written } : {}),
    reasoning: readCount(usage?.output_token_details?.reasoning),
  };
}

/**
 * Returns the arguments of the first tool call in a message, as JSON: the answer of a model that is offered a tool for
 * it.
 */
function readToolArguments({ tool_calls: calls, invalid_tool_calls: invalid }: AIMessage | AIMessageChunk): string {
  const [call] = calls ?? [];
  return call ? JSON.stringify(call.args) : (readString(invalid?.[0]?.args) ?? '');
}

/**
 * Joins the texts of all blocks of these types. The text of a block is in the field `text`, or in a field with the name
 * of the block's type.
 */
function joinBlockWords(blocks: unknown, ...types: string[]): string {
  if (!Array.isArray(blocks)) return '';
  const readBlockWords = (block: unknown): string => {
    const { type, ...fields } = (block ?? {}) as { type?: string } & Record<string, unknown>;
    if (type === undefined || !types.includes(type)) return '';
    const inner = fields['text'] ?? fields[type];
    return Array.isArray(inner) ? joinBlockWords(inner, 'text') : (readString(inner) ?? '');
  };
  return blocks.map(readBlockWords).join('');
}

// Patterns of refusals in words. They match refusals of the task itself, not of an act within the game.

const opening = String.raw`^\W*(?:(?:unfortunately|i understand|i appreciate|thank you|however)[^.!?]{0,60}[.,;:!]?\s*(?:but|however)?,?\s*)?(?:(?:(?:i['’]?m|i am) (?:really |very |so )?)?sorry[,.;:]?\s*|i apologi[sz]e[^.]{0,40}[,.;:]\s*)?(?:but |however,? )?`;

const no = String.raw`i(?:['’]m| am)? (?:can['’]?t|cannot|can not|won['’]?t|will not|unable to|not able to|not willing to|must decline to|(?:have to |respectfully )?decline to|refuse to) (?:\w+ly )?`;

const request = String.raw`(?:that|this|your|such|these|any)\b(?: \w+){0,3}?(?: request| task| prompt| content| scenario| role-?play| conversation| kind| type)?`;

const deceit = String.raw`(?:deceiv\w+|decept\w+|lying|manipulat\w+|role-?play\w*)`;

/** Patterns of what a model refuses to give or do: help, the task as a whole, or deceit in general. */
const task = [
  String.raw`(?:help|assist|comply)(?: you)?(?: (?:with|in|to) (?:${request}|${deceit}))?\s*(?:[.!,;]|$)`,
  String.raw`(?:do|answer|fulfil\w*|respond to|complete|provide|generate|create|produce|write|discuss) (?:that|this)(?: request| question| task| prompt| content)?\s*(?:[.!,;]|$)`,
  String.raw`(?:continue|proceed) with (?:that|this|your) (?:request|task|prompt|content|scenario|role-?play|conversation)`,
  String.raw`(?:participate|take part|engage|assist|help) (?:in|with) (?:(?:a|the|any) (?:game|kind|act|form) of )?${deceit}`,
  String.raw`(?:participate|take part|engage) in (?:this|that)\s*(?:[.!,;]|$)`,
  String.raw`(?:deceive|mislead|manipulate) (?:other |any |the )?(?:players|people|others|anyone|users)`,
  String.raw`(?:answer|respond)\s*(?:[.!,;]|$)`,
].join('|');

const inWords = new RegExp(
  `${opening}(?:as an ai\\b|i (?:must |have to |will )?(?:respectfully )?decline\\s*(?:[.!,;]|$)|i['’]?m not comfortable with (?:that|this|such)\\b|${no}(?:${task}))`,
  'i',
);

/** Words of refusals that no player would use in the game: they mention the request, or the speaker as an AI. */
const inSpeech = /\b(?:as an ai\b|(?:that|this|your) request\b|(?:assist|comply) with (?:that|this)\b)/i;

/**
 * Returns whether a text without an answer begins by refusing the task.
 *
 * @example isRefusal("I'm sorry, but I can't help with that."); // true
 */
export const isRefusal = (text: string) => inWords.test(text);

/**
 * Returns whether a statement is a refusal of the task. Models that must follow a schema write refusals into the field
 * for speech.
 */
export const isRefusalAsSpeech = (statement: string) => inWords.test(statement) && inSpeech.test(statement);
