// Reads the errors of providers' packages: whether trying again may help, and the provider's own words in one line.
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import { parseJsonOrText } from './parse-answer.ts';
import { type Quotas, readQuotas, readServerTime } from './rate-limit-headers.ts';

export interface ProviderError {
  /** `passing`: another attempt may succeed. The others as in ProviderFailure. */
  kind: 'passing' | 'bad-request' | 'too-long' | 'final';
  /** The provider's own words, where there are any: one line of at most 300 bytes. */
  words: string;
  /** HTTP status; null where no answer came. */
  status: number | null;
  /** `connection` or `status 429`: the same for every error of its sort, whatever the words. */
  sort: string;
  /** What the server asks to wait, in milliseconds. */
  retryAfterMs?: number;
  /** What the response says of the server's limits. */
  quotas?: Quotas;
}

/** Mistakes of a user or of this program. */
const ownErrors = [UsageError, TypeError, ReferenceError, RangeError];

type ErrorFields = Readonly<Record<string, unknown>>;

/** In bytes: some servers answer with a whole page. */
const longestWords = 300;

/**
 * Reads an error of the OpenAI or Google packages, or of fetch. `now`: milliseconds since 1970. `redact` takes keys out
 * of the words before they are cut, since half a key would not be recognised.
 * Throws the error itself where it is a UsageError or one of the language (TypeError …): no provider caused it.
 *
 * @example
 * const error = Object.assign(new Error('429 Slow down.'), { status: 429, headers: { 'retry-after': '2' } });
 * readProviderError(error, Date.now()); // { kind: 'passing', words: 'Slow down.', status: 429, retryAfterMs: 2000, … }
 */
export function readProviderError(error: unknown, now: number, redact = (text: string) => text): ProviderError {
  const status = findStatus(error);
  const allWords = findErrorWords(error, status);
  const words = shortenMessage(flattenToOneLine(redact(allWords)));
  const sort = status === null ? 'connection' : `status ${status}`;
  if (status === null) {
    const fault = listCauses(error).find(({ code }) => certificateCodes.test(readText(code) ?? ''));
    if (fault !== undefined)
      return { kind: 'final', words: `${words} (${readText(fault['code'])}). ${trustAdvice}`, status, sort };
    if (isConnectionLost(error)) return { kind: 'passing', words, status, sort };
    if (ownErrors.some((kind) => error instanceof kind)) throw error;
    return { kind: 'final', words, status, sort };
  }
  const { code, type } = getFields(error);
  const headers = getHeaders(error);
  const retryAfterMs = findRetryAfter(headers, now);
  return {
    quotas: readQuotas(headers, now),
    kind: classifyError(status, [code, type, allWords].join(' ')),
    words,
    status,
    sort,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function shortenMessage(words: string): string {
  const first = truncateBytes(words, longestWords);
  return first === words ? words : `${first} …`;
}

/** How servers refuse a prompt that is too long: OpenAI and vLLM, llama-server, Gemini, Claude, LM Studio, Groq. */
const tooLong =
  /context_length_exceeded|maximum (?:context|model) length|exceed_context_size|context size|input token count|maximum number of tokens|prompt is too long|context length of only|reduce the length of the messages/i;

/** Refusals with status 400 that no change of the request would help: a wrong key, no money. */
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
  const date = Date.parse(after ?? '') - readServerTime(headers, now);
  const waits = [Number(ms || NaN), Number(after || NaN) * 1000, date];
  return waits.find((wait) => wait > 0 && Number.isFinite(wait)); // no header, zero, or a time that is over: our own backoff
}

/** Google's package puts the body of an error response into the message. */
const googleMessage = /^Google request failed with status code \d+(?:: ([\s\S]*))?$/;

function findErrorWords(error: unknown, status: number | null): string {
  if (status === null)
    return (
      listCauses(error)
        .map(({ message, code }) => readText(message) ?? readText(code))
        .findLast(Boolean) ?? String(error)
    );
  const { error: parsedBody, message } = getFields(error);
  const [fromGoogle, body] = googleMessage.exec(readText(message) ?? '') ?? [];
  const words =
    fromGoogle === undefined
      ? (findErrorMessage(parsedBody) ?? readText(message)?.replace(/^\d{3} /, ''))
      : findErrorMessage(parseJsonOrText(body ?? ''));
  return words && words !== 'status code (no body)' ? words : `The server answered with status ${status} and no words.`;
}

/** The message in the body of an error response, in whichever of the usual forms it has; undefined where there is none. */
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

/** How Node and OpenSSL say that a certificate is not trusted, too old, or another host's: no further attempt changes that. */
const certificateCodes =
  /^(?!ERR_SSL_).*(?:CERT|CRL_)|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNABLE_TO_(?:VERIFY|GET|DECODE|DECRYPT)_\w+)$/;

const trustAdvice =
  'The certificate of the server cannot be trusted: check the address, or name the authority that signed it in NODE_EXTRA_CA_CERTS.';

/** The code of our own error for a response with status 200 that holds no answer. */
export const noAnswerCode = 'ERR_NO_ANSWER';

const lostCodes =
  /^(ERR_NO_ANSWER|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_|ERR_STREAM_PREMATURE_CLOSE|TimeoutError)/;

/** Whether the connection failed, broke before the response was complete, or brought no answer. */
const isConnectionLost = (error: unknown) =>
  getFields(error)['name'] === 'SyntaxError' || // JSON that ends too early
  listCauses(error).some(
    ({ name, code, message, constructor }) =>
      lostCodes.test(readText(code) ?? '') ||
      name === 'TimeoutError' ||
      /^APIConnection/.test((constructor as { name?: string } | undefined)?.name ?? '') ||
      message === 'fetch failed' ||
      message === 'terminated',
  );

export interface WarnOnceContext {
  /** The topics of the warnings given so far; `warnOnce` adds to it. */
  warned: Set<string>;
  warn: (message: string) => void;
}

/** Warns once per topic: eight calls that wait for the same server need not say so eight times. */
export function warnOnce({ warned, warn }: WarnOnceContext, message: string, topic = message) {
  if (warned.has(topic)) return;
  warned.add(topic);
  warn(message);
}
