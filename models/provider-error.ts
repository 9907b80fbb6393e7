// Classifies errors of providers' packages: whether a retry may help, and the provider's message in one line.
import { flattenToOneLine, truncateBytes } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import { describeProxyAnswer, findCertificateFault, findProxyStatus, trustAdvice } from './connection-fault.ts';
import { type ErrorBody, findErrorMessage, readErrorBody } from './error-body.ts';
import { type Quotas, type RawResponse, readQuotas, readServerTime } from './rate-limit-headers.ts';
import { findErrorRefusal, type Refusal } from './refusal-table.ts';

export interface ProviderError {
  /** Kind of error. `passing`: a retry may succeed. The other kinds are explained at ProviderFailure. */
  kind: 'passing' | 'refused' | 'failed-sample' | 'bad-request' | 'too-long' | 'day-quota' | 'final';
  /** The provider's message, if any: one line of at most 300 bytes. */
  words: string;
  /** HTTP status; null if no answer came. */
  status: number | null;
  /**
   * Name of the error's type: `connection`, or e.g. `status 429`. The name is the same whatever the error's message
   * says.
   */
  sort: string;
  /** The wait that the server asks for, in milliseconds. */
  retryAfterMs?: number;
  /** The server's limits, as far as the response reports them. */
  quotas?: Quotas;
  /** The refusal; present only if the kind is `refused`. */
  refusal?: Refusal;
  /** The model's text; present only if the kind is `failed-sample`. */
  generation?: string;
  /** The exhausted limit, as the server names it; present only if the kind is `day-quota`. */
  dayQuota?: string;
  /** The provider behind a router that served the request. */
  upstream?: string;
}

interface ErrorContext {
  /** Removes keys from the message before it is cut, because half a key would not be recognized. */
  redact?: ((text: string) => string) | undefined;
  /** The server's response, if it was captured. It may have parts of the body that packages drop. */
  response?: RawResponse | undefined;
  /** The provider or host. It identifies the vendor that refused if several vendors use the same words. */
  server?: string | undefined;
}

/** Errors that are mistakes of a user or of this program. */
const ownErrors = [UsageError, TypeError, ReferenceError, RangeError];

type ErrorFields = Readonly<Record<string, unknown>>;

/** Maximum length of a message in bytes. Some servers answer with a whole page. */
const longestWords = 300;

/**
 * Classifies an error of a provider's package, or of fetch. `now`: milliseconds since 1970. Rethrows UsageErrors and
 * errors of the language (TypeError …), because no provider caused these.
 *
 * @example
 * const error = Object.assign(new Error('429 Slow down.'), { status: 429, headers: { 'retry-after': '2' } });
 * readProviderError(error, Date.now()); // { kind: 'passing', words: 'Slow down.', status: 429, retryAfterMs: 2000, … }
 */
export function readProviderError(error: unknown, now: number, context: ErrorContext = {}): ProviderError {
  const { redact = (text: string) => text, response, server = '' } = context;
  const status = findStatus(error);
  const headers = getHeaders(error);
  const body = readErrorBody(findBody(error, status, response), readServerTime(headers, now));
  const allWords = findErrorWords(error, status, body);
  const words = shortenMessage(flattenToOneLine(redact(allWords)));
  const sort = status === null ? 'connection' : `status ${status}`;
  const { code, type, name } = getFields(error);
  const codes = [...body.codes, ...[code, type, name].flatMap((one) => readText(one) ?? [])];
  const refusal = findErrorRefusal({ status, codes, words: allWords, reasons: body.reasons }, server);
  const told = {
    words,
    status,
    sort,
    ...(body.upstream === null ? {} : { upstream: flattenToOneLine(redact(body.upstream)) }),
  };
  if (refusal !== null && !ownErrors.some((kind) => error instanceof kind))
    return { kind: 'refused', ...told, refusal: { ...refusal, category: flattenToOneLine(redact(refusal.category)) } };
  if (status === null) {
    const fault = findCertificateFault(error);
    if (fault !== undefined) return { kind: 'final', words: `${words} (${fault}). ${trustAdvice}`, status, sort };
    const proxyStatus = findProxyStatus(error);
    if (proxyStatus !== undefined)
      return { kind: proxyStatus < 500 ? 'final' : 'passing', words: describeProxyAnswer(proxyStatus), status, sort };
    if (isConnectionLost(error)) return { kind: 'passing', words, status, sort };
    if (ownErrors.some((kind) => error instanceof kind)) throw error;
    return { kind: 'final', words, status, sort };
  }
  const retryAfterMs = findRetryAfter(headers, now) ?? body.retryAfterMs;
  const found = {
    quotas: readQuotas(headers, now),
    ...told,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  if (status === 429 && body.dayQuota !== null)
    return { ...found, kind: 'day-quota', dayQuota: shortenMessage(flattenToOneLine(redact(body.dayQuota))) };
  const isFormRefused = status === 400 || status === 422;
  if (isFormRefused && body.generation !== null)
    return { ...found, kind: 'failed-sample', generation: body.generation };
  return { ...found, kind: classifyError(status, [...codes, allWords].join(' ')) };
}

function shortenMessage(words: string): string {
  const first = truncateBytes(words, longestWords);
  return first === words ? words : `${first} …`;
}

/** Messages by which OpenAI and vLLM, llama-server, Gemini, Claude, LM Studio and Groq reject a prompt as too long. */
const tooLong =
  /context_length_exceeded|maximum (?:context|model) length|exceed_context_size|context size|input token count|maximum number of tokens|prompt is too long|context length of only|reduce the length of the messages/i;

/** Errors with status 400 that no change of the request can fix: a wrong key, or no money. */
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
  const { status, response, $metadata: ofAmazon } = getFields(error);
  const found = [status, getFields(response)['status'], getFields(ofAmazon)['httpStatusCode']].find(
    (value) => typeof value === 'number',
  );
  return found === undefined ? null : found;
}

function getHeaders(error: unknown): Headers {
  const { headers, response, $response: ofAmazon } = getFields(error);
  const found = headers ?? getFields(response)['headers'] ?? getFields(ofAmazon)['headers'];
  return found instanceof Headers ? found : new Headers(getFields(found) as Record<string, string>);
}

function findRetryAfter(headers: Headers, now: number): number | undefined {
  const [ms, after] = [headers.get('retry-after-ms'), headers.get('retry-after')];
  const date = Date.parse(after ?? '') - readServerTime(headers, now);
  const waits = [Number(ms || NaN), Number(after || NaN) * 1000, date];
  return waits.find((wait) => wait > 0 && Number.isFinite(wait)); // without a valid header, our own backoff applies
}

/** Message of Google's package, which contains the body of the error response. */
const googleMessage = /^Google request failed with status code \d+(?:: ([\s\S]*))?$/;

/** Returns the body of the response behind an error, as complete as possible; undefined if there is none. */
function findBody(error: unknown, status: number | null, response: RawResponse | undefined): unknown {
  const { body, error: parsed, message, response: inError } = getFields(error);
  if (body !== undefined) return body;
  if (status === null) return listCauses(error).find((cause) => cause['body'] !== undefined)?.['body'];
  if (response && response.status === status) return response.text;
  const fromGoogle = googleMessage.exec(readText(message) ?? '')?.[1];
  if (fromGoogle !== undefined) return fromGoogle;
  if (parsed === undefined) return getFields(inError)['data'];
  return getFields(parsed)['error'] === undefined ? { error: parsed } : parsed;
}

function findErrorWords(error: unknown, status: number | null, body: ErrorBody): string {
  if (status === null)
    return (
      body.words ??
      listCauses(error)
        .map(({ message, code }) => readText(message) ?? readText(code))
        .findLast(Boolean) ??
      String(error)
    );
  const { error: parsedBody, message } = getFields(error);
  const words =
    body.words ??
    findErrorMessage(parsedBody) ??
    (googleMessage.test(readText(message) ?? '') ? undefined : readText(message)?.replace(/^\d{3} /, ''));
  return words && words !== 'status code (no body)'
    ? words
    : `The server answered with status ${status} and no message.`;
}

/** Lists the error and its causes, deepest last. */
function listCauses(error: unknown): ErrorFields[] {
  const chain: ErrorFields[] = [];
  for (let link = error; typeof link === 'object' && link !== null && chain.length < 8; link = getFields(link)['cause'])
    chain.push(getFields(link));
  return chain;
}

/** Code of this program's own error for a response with status 200 that contains no answer. */
export const noAnswerCode = 'ERR_NO_ANSWER';

const lostCodes =
  /^(ERR_NO_ANSWER|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_|ERR_STREAM_PREMATURE_CLOSE|TimeoutError)/;

/** Returns whether the connection failed, broke before the response was complete, or brought no answer. */
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
  /** Topics of the warnings so far. `warnOnce` adds to them. */
  warned: Set<string>;
  warn: (message: string) => void;
}

/** Warns once per topic: if eight calls wait for the same server, one warning is enough. */
export function warnOnce({ warned, warn }: WarnOnceContext, message: string, topic = message) {
  if (warned.has(topic)) return;
  warned.add(topic);
  warn(message);
}
