// What an error of a provider's package means: whether it passes, and the provider's own words.
import { UsageError } from '../state/usage-error.ts';
import { firstBytes, oneLine } from '../state/words.ts';
import { jsonIn } from './json.ts';

export interface Trouble {
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

type Fields = Readonly<Record<string, unknown>>;

/** Bytes of a provider's words: some servers answer with a whole page. */
const longest = 300;

/**
 * Reads an error of the OpenAI or Google packages, or of fetch; `now` in milliseconds since 1970. `redact` takes keys
 * out of its words: half a key, left by the cut, nobody would recognise.
 * Throws a UsageError and errors of the language itself, which are mistakes of a user or a program and no provider's.
 */
export function readTrouble(error: unknown, now: number, redact = (text: string) => text): Trouble {
  const status = statusOf(error);
  const said = wordsOf(error, status);
  const words = short(oneLine(redact(said)));
  const sort = status === null ? 'connection' : `status ${status}`;
  if (status === null) {
    if (isLost(error)) return { kind: 'passing', words, status, sort };
    if (notOfProviders.some((kind) => error instanceof kind)) throw error;
    return { kind: 'final', words, status, sort };
  }
  const { code, type } = fieldsOf(error);
  const retryAfterMs = retryAfter(headersOf(error), now);
  return {
    kind: kindOf(status, [code, type, said].join(' ')),
    words,
    status,
    sort,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function short(words: string): string {
  const first = firstBytes(words, longest);
  return first === words ? words : `${first} …`;
}

/** What servers say of a prompt that is too long: OpenAI and vLLM, llama-server, Gemini, Claude, LM Studio, Groq. */
const tooLong =
  /context_length_exceeded|maximum (?:context|model) length|exceed_context_size|context size|input token count|maximum number of tokens|prompt is too long|context length of only|reduce the length of the messages/i;

/** Answers with status 400 that no other form of the request would change: wrong key, no money. */
const hopeless = /API_KEY_INVALID|API key not valid|invalid_grant|invalid_rapt|billing|credit balance/i;

function kindOf(status: number, text: string): Trouble['kind'] {
  if (status === 429) return /insufficient_quota/.test(text) ? 'final' : 'passing';
  if (status === 408 || status === 409 || status >= 500) return 'passing';
  if (status === 413) return 'too-long';
  if ((status === 400 || status === 422) && tooLong.test(text)) return 'too-long';
  if (status === 400 || status === 422) return hopeless.test(text) ? 'final' : 'bad-request';
  return 'final';
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

function statusOf(error: unknown): number | null {
  const { status, response } = fieldsOf(error);
  const found = [status, fieldsOf(response)['status']].find((value) => typeof value === 'number');
  return found === undefined ? null : found;
}

function headersOf(error: unknown): Headers {
  const { headers, response } = fieldsOf(error);
  const found = headers ?? fieldsOf(response)['headers'];
  return found instanceof Headers ? found : new Headers(fieldsOf(found) as Record<string, string>);
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const [ms, after] = [headers.get('retry-after-ms'), headers.get('retry-after')];
  const waits = [Number(ms || NaN), Number(after || NaN) * 1000, Date.parse(after ?? '') - now];
  return waits.find((wait) => wait > 0); // none, zero or gone by: our own backoff
}

/** Google's package puts the body of an answer into the message. */
const googles = /^Google request failed with status code \d+(?:: ([\s\S]*))?$/;

function wordsOf(error: unknown, status: number | null): string {
  if (status === null)
    return (
      causes(error)
        .map(({ message, code }) => text(message) ?? text(code))
        .findLast(Boolean) ?? String(error)
    );
  const { error: told, message } = fieldsOf(error);
  const [isGoogles, body] = googles.exec(text(message) ?? '') ?? [];
  const words =
    isGoogles === undefined
      ? (messageIn(told) ?? text(message)?.replace(/^\d{3} /, ''))
      : messageIn(jsonIn(body ?? ''));
  return words && words !== 'status code (no body)' ? words : `The server answered with status ${status} and no words.`;
}

/** The message in the body of an error answer, in the forms in use. */
export function messageIn(body: unknown): string | undefined {
  const { error, message, error_description: description } = fieldsOf(body);
  return (
    text(body) ??
    text(message) ??
    text(fieldsOf(error)['message']) ??
    ([text(error), text(description)].filter(Boolean).join(': ') || undefined)
  );
}

/** The error and what caused it, the deepest last. */
function causes(error: unknown): Fields[] {
  const chain: Fields[] = [];
  for (let link = error; typeof link === 'object' && link !== null && chain.length < 8; link = fieldsOf(link)['cause'])
    chain.push(fieldsOf(link));
  return chain;
}

/** The code of an error that stands for an answer with status 200 that holds none. */
export const noAnswerCode = 'ERR_NO_ANSWER';

const lostCodes =
  /^(ERR_NO_ANSWER|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_|ERR_STREAM_PREMATURE_CLOSE|TimeoutError)/;

/** Whether the connection failed or broke, before or in the answer, or brought none. */
const isLost = (error: unknown) =>
  error instanceof SyntaxError || // JSON that ends too early
  causes(error).some(
    ({ name, code, message, constructor }) =>
      lostCodes.test(text(code) ?? '') ||
      name === 'TimeoutError' ||
      /^APIConnection/.test((constructor as { name?: string } | undefined)?.name ?? '') ||
      message === 'fetch failed' ||
      message === 'terminated',
  );
