// What an error of a provider's package means: whether it passes, the provider's own words, and warnings that are given
// once.
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import { parseJsonOrText } from './parse-answer.ts';

export interface ProviderError {
  /** `passing`: worth another attempt. The others as in ProviderFailure. */
  kind: 'passing' | 'bad-request' | 'too-long' | 'final';
  /** The provider's own, where there are any: one line, cut where it grows long. */
  words: string;
  /** HTTP status; null where no answer came. */
  status: number | null;
  /** The same for every trouble of this kind, whatever the words. */
  sort: string;
  /** What the server asks to wait, in milliseconds. */
  retryAfterMs?: number;
}

/** Errors that no provider is the cause of. */
const notOfProviders = [UsageError, TypeError, ReferenceError, RangeError];

type ErrorFields = Readonly<Record<string, unknown>>;

/** Bytes of a provider's words: some servers answer with a whole page. */
const longest = 300;

/**
 * Reads an error of the OpenAI or Google packages, or of fetch; `now` in milliseconds since 1970. `redact` takes keys
 * out of its words: half a key, left by the cut, nobody would recognise.
 * Throws a UsageError and errors of the language itself, which are mistakes of a user or a program and no provider's.
 */
export function readProviderError(error: unknown, now: number, redact = (text: string) => text): ProviderError {
  const status = findStatus(error);
  const said = findErrorWords(error, status);
  const words = shortenMessage(flattenToOneLine(redact(said)));
  const sort = status === null ? 'connection' : `status ${status}`;
  if (status === null) {
    if (isConnectionLost(error)) return { kind: 'passing', words, status, sort };
    if (notOfProviders.some((kind) => error instanceof kind)) throw error;
    return { kind: 'final', words, status, sort };
  }
  const { code, type } = getFields(error);
  const retryAfterMs = findRetryAfter(getHeaders(error), now);
  return {
    kind: classifyError(status, [code, type, said].join(' ')),
    words,
    status,
    sort,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function shortenMessage(words: string): string {
  const first = truncateBytes(words, longest);
  return first === words ? words : `${first} …`;
}

/** What servers say of a prompt that is too long: OpenAI and vLLM, llama-server, Gemini, Claude, LM Studio, Groq. */
const tooLong =
  /context_length_exceeded|maximum (?:context|model) length|exceed_context_size|context size|input token count|maximum number of tokens|prompt is too long|context length of only|reduce the length of the messages/i;

/** Answers with status 400 that no other form of the request would change: wrong key, no money. */
const hopeless = /API_KEY_INVALID|API key not valid|invalid_grant|invalid_rapt|billing|credit balance/i;

function classifyError(status: number, text: string): ProviderError['kind'] {
  if (status === 429) return /insufficient_quota/.test(text) ? 'final' : 'passing';
  if (status === 408 || status === 409 || status >= 500) return 'passing';
  if (status === 413) return 'too-long';
  if ((status === 400 || status === 422) && tooLong.test(text)) return 'too-long';
  if (status === 400 || status === 422) return hopeless.test(text) ? 'final' : 'bad-request';
  return 'final';
}

const getFields = (value: unknown): ErrorFields =>
  typeof value === 'object' && value !== null ? (value as ErrorFields) : {};

const readText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

function findStatus(error: unknown): number | null {
  const { status, response } = getFields(error);
  const found = [status, getFields(response)['status']].find((value) => typeof value === 'number');
  return found === undefined ? null : found;
}

function getHeaders(error: unknown): Headers {
  const { headers, response } = getFields(error);
  const found = headers ?? getFields(response)['headers'];
  return found instanceof Headers ? found : new Headers(getFields(found) as Record<string, string>);
}

function findRetryAfter(headers: Headers, now: number): number | undefined {
  const [ms, after] = [headers.get('retry-after-ms'), headers.get('retry-after')];
  const waits = [Number(ms || NaN), Number(after || NaN) * 1000, Date.parse(after ?? '') - now];
  return waits.find((wait) => wait > 0); // none, zero or gone by: our own backoff
}

/** Google's package puts the body of an answer into the message. */
const googles = /^Google request failed with status code \d+(?:: ([\s\S]*))?$/;

function findErrorWords(error: unknown, status: number | null): string {
  if (status === null)
    return (
      listCauses(error)
        .map(({ message, code }) => readText(message) ?? readText(code))
        .findLast(Boolean) ?? String(error)
    );
  const { error: told, message } = getFields(error);
  const [isGoogles, body] = googles.exec(readText(message) ?? '') ?? [];
  const words =
    isGoogles === undefined
      ? (findErrorMessage(told) ?? readText(message)?.replace(/^\d{3} /, ''))
      : findErrorMessage(parseJsonOrText(body ?? ''));
  return words && words !== 'status code (no body)' ? words : `The server answered with status ${status} and no words.`;
}

/** The message in the body of an error answer, in the forms in use. */
export function findErrorMessage(body: unknown): string | undefined {
  const { error, message, error_description: description } = getFields(body);
  return (
    readText(body) ??
    readText(message) ??
    readText(getFields(error)['message']) ??
    ([readText(error), readText(description)].filter(Boolean).join(': ') || undefined)
  );
}

/** The error and what caused it, the deepest last. */
function listCauses(error: unknown): ErrorFields[] {
  const chain: ErrorFields[] = [];
  for (let link = error; typeof link === 'object' && link !== null && chain.length < 8; link = getFields(link)['cause'])
    chain.push(getFields(link));
  return chain;
}

/** The code of an error that stands for an answer with status 200 that holds none. */
export const noAnswerCode = 'ERR_NO_ANSWER';

const lostCodes =
  /^(ERR_NO_ANSWER|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_|ERR_STREAM_PREMATURE_CLOSE|TimeoutError)/;

/** Whether the connection failed or broke, before or in the answer, or brought none. */
const isConnectionLost = (error: unknown) =>
  error instanceof SyntaxError || // JSON that ends too early
  listCauses(error).some(
    ({ name, code, message, constructor }) =>
      lostCodes.test(readText(code) ?? '') ||
      name === 'TimeoutError' ||
      /^APIConnection/.test((constructor as { name?: string } | undefined)?.name ?? '') ||
      message === 'fetch failed' ||
      message === 'terminated',
  );

// Warns of a provider's trouble once, however many calls meet it.

export interface WarnOnceContext {
  /** What was already said of a provider's trouble; grows. */
  told: Set<string>;
  warn: (message: string) => void;
}

/** Eight calls that wait for the same server need not say so eight times. */
export function warnOnce({ told, warn }: WarnOnceContext, message: string, matter = message) {
  if (told.has(matter)) return;
  told.add(matter);
  warn(message);
}
