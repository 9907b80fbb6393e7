// Reads LangChain's message into what the record keeps: text, tokens, finish reason, reasoning, and refusals, which the
// provider marks or the model puts into words.
import type { AIMessage, AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import type { AnswerLine } from '../state/record.ts';
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { findEndingRefusal, type Refusal } from './refusal-table.ts';

/** What is read of a model's message. What the provider does not say is null. */
export interface ModelResponse {
  /** The text as the model gave it; empty where it gave none. */
  text: string;
  answerFrom: NonNullable<AnswerLine['answer_from']>;
  /** The provider's refusal, in its words; null where the model answered. */
  refusal: string | null;
  /** Of a refusal by the server: whose it is; null where the model itself refused. */
  refusedBy: Refusal | null;
  tokens: AnswerLine['tokens'];
  modelReturned: string | null;
  systemFingerprint: string | null;
  finishReason: string | null;
  /** Who served the answer behind a router. */
  upstream: string | null;
  /** The model's own reasoning, where the provider returns it. */
  providerReasoning: string | undefined;
  /** A bot's own account of what it meant. */
  meant: unknown;
}

/** A call's response, and what the record keeps of its answer. */
export interface CallResult {
  reply: ModelResponse;
  outcome: Pick<AnswerLine, 'answer' | 'cut' | 'error' | 'too_long' | 'mark' | 'refusal'>;
  /** Attempts after the first one, because of the connection or the server. */
  retries: number;
  /** USD; null where it is not known. */
  cost: AnswerLine['cost'];
}

/** A response in which nothing stands. */
export const emptyResponse: ModelResponse = {
  ...{ text: '', answerFrom: 'content', refusal: null, refusedBy: null, tokens: null, upstream: null },
  ...{ modelReturned: null, systemFingerprint: null, finishReason: null },
  ...{ providerReasoning: undefined, meant: undefined },
};

/** Under which names chat models return why an answer ended. */
const finishReasons = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason', 'done_reason'];

/**
 * Reads a message of any LangChain chat model. A count that it does not have is null, never zero.
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
  };
}

/** Takes keys out of all texts of a response: a server may repeat the key it was sent in any of them. */
export function hideSecrets(reply: ModelResponse, hide: (text: string) => string): ModelResponse {
  const hidden = Object.entries(reply).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? hide(value) : value,
  ]);
  return Object.fromEntries(hidden) as ModelResponse;
}

const readString = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** In bytes; for model names, finish reasons and the like. */
const longestLabel = 200;

const readLabel = (value: unknown) => {
  const text = readString(value);
  return text === null ? null : flattenToOneLine(truncateBytes(text, longestLabel));
};

/** No call takes more tokens; a greater count is a mistake. */
const mostTokens = 1e9;

const readCount = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : null;

function readTokens(message: AIMessage | AIMessageChunk): AnswerLine['tokens'] {
  // Its declared type is `never` for messages without a special structure.
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

/** The arguments of the first tool that a message calls, as JSON: the answer of a model that is offered a tool for it. */
function readToolArguments({ tool_calls: calls, invalid_tool_calls: invalid }: AIMessage | AIMessageChunk): string {
  const [call] = calls ?? [];
  return call ? JSON.stringify(call.args) : (readString(invalid?.[0]?.args) ?? '');
}

/** The text of all blocks of these types, which stands under `text` or under the name of the type. */
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

// Refusals in words refuse the task itself, not something within the game.

const opening = String.raw`^\W*(?:(?:unfortunately|i understand|i appreciate|thank you|however)[^.!?]{0,60}[.,;:!]?\s*(?:but|however)?,?\s*)?(?:(?:(?:i['’]?m|i am) (?:really |very |so )?)?sorry[,.;:]?\s*|i apologi[sz]e[^.]{0,40}[,.;:]\s*)?(?:but |however,? )?`;

const no = String.raw`i(?:['’]m| am)? (?:can['’]?t|cannot|can not|won['’]?t|will not|unable to|not able to|not willing to|must decline to|(?:have to |respectfully )?decline to|refuse to) (?:\w+ly )?`;

const request = String.raw`(?:that|this|your|such|these|any)\b(?: \w+){0,3}?(?: request| task| prompt| content| scenario| role-?play| conversation| kind| type)?`;

const deceit = String.raw`(?:deceiv\w+|decept\w+|lying|manipulat\w+|role-?play\w*)`;

/** What is refused: to help, the task as a whole, or deceit as such. */
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

/** Words of refusals that no player would use in the game: they name the request, or the speaker as an AI. */
const inSpeech = /\b(?:as an ai\b|(?:that|this|your) request\b|(?:assist|comply) with (?:that|this)\b)/i;

/**
 * Whether a text without an answer begins by refusing the task.
 *
 * @example isRefusal("I'm sorry, but I can't help with that."); // true
 */
export const isRefusal = (text: string) => inWords.test(text);

/** Whether a statement is a refusal of the task in the field for speech, as models write that must follow a schema. */
export const isRefusalAsSpeech = (statement: string) => inWords.test(statement) && inSpeech.test(statement);
