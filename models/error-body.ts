// Reads the bodies of error responses in all usual forms: the server's message, its codes, and details from routers and
// vendors.
import { parseDuration } from './rate-limit-headers.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ErrorBody {
  /** The server's own message; undefined if there is none. */
  words: string | undefined;
  /** Codes, types and statuses. If a router forwards the error of another server, they include that server's. */
  codes: readonly string[];
  /** Findings of a moderation service. */
  reasons: readonly string[];
  /** The provider behind a router that served the request. */
  upstream: string | null;
  /** The model's text, if the server rejected it because of its form. */
  generation: string | null;
  /** A daily limit that is exhausted, as the server names it. */
  dayQuota: string | null;
  /** The wait that the body asks for, in milliseconds. */
  retryAfterMs: number | undefined;
}

const getFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const readText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);

/** Parses a text that contains JSON, and unwraps a list with a single error, as in Gemini's OpenAI interface. */
function unwrap(body: unknown): unknown {
  const value = typeof body === 'string' ? parseJson(body) : body;
  return Array.isArray(value) && value.length > 0 ? (value[0] as unknown) : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Messages of routers that say nothing. The message of the server behind the router is used instead. */
const emptyWords = /^(?:provider returned error|upstream error|bad request|error)\.?$/i;

/** Returns the message in the body of an error response; undefined if there is none. */
export function findErrorMessage(body: unknown): string | undefined {
  const { words, upstreamWords, upstream } = readWords(body);
  if (upstreamWords === undefined) return words;
  const told = upstream === null ? upstreamWords : `${upstream}: ${upstreamWords}`;
  return words === undefined || emptyWords.test(words) ? told : `${words} (${told})`;
}

function readWords(body: unknown) {
  const given = unwrap(body);
  const { error, message, error_description: description } = getFields(given);
  const words =
    readText(given) ??
    readText(message) ??
    readText(getFields(error)['message']) ??
    ([readText(error), readText(description)].filter(Boolean).join(': ') || undefined);
  const metadata = getFields(getFields(error)['metadata'] ?? getFields(given)['metadata']);
  const inner = unwrap(metadata['raw']);
  const upstreamWords: string | undefined = metadata['raw'] === undefined ? undefined : findErrorMessage(inner);
  return {
    given,
    error: getFields(error),
    words,
    metadata,
    inner,
    upstreamWords,
    upstream: readText(metadata['provider_name']) ?? null,
  };
}

/** Names of daily limits at Gemini, OpenRouter and others. */
const ofDay = /per[-_ ]?day|\bdaily\b|\b(?:RPD|TPD)\b/i;

/** A wait in words: "Please try again in 7m12s", "Please retry in 41.2s". */
const waitInWords = /\b(?:try again|retry)(?: in| after) ((?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+|\d+(?:\.\d+)?(?= ?sec))/i;

/** Reads the body of an error response. `now`: milliseconds since 1970, by the server's clock. */
export function readErrorBody(body: unknown, now: number): ErrorBody {
  const { given, error, metadata, inner, upstream } = readWords(body);
  const words = findErrorMessage(body);
  const levels = [
    getFields(given),
    error,
    getFields(error['innererror']),
    getFields(inner),
    getFields(getFields(inner)['error']),
  ];
  const codes = levels.flatMap((level) =>
    ['code', 'type', 'status', 'error_type', 'param'].flatMap((name) => {
      const value = level[name];
      return typeof value === 'number' ? [String(value)] : (readText(value) ?? []);
    }),
  );
  const details = listFields(error['details']);
  const violations = details.flatMap((detail) => listFields(detail['violations']));
  const headers = new Headers(
    Object.entries(getFields(metadata['headers'])).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
  const dayQuota = findDayQuota(violations, [words ?? '', ...codes]);
  // Even if a daily limit is exhausted, Gemini asks to wait less than a minute, which would be pointless.
  const isVague = dayQuota !== null && violations.length > 0;
  const waits = [
    ...(isVague ? [] : details.map((detail) => readText(detail['retryDelay']))),
    ...(headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
      ? [headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? undefined]
      : []),
    isVague ? undefined : waitInWords.exec(words ?? '')?.[1],
  ];
  return {
    words,
    codes,
    reasons: [...listTexts(metadata['reasons']), ...listFiltered(error)],
    upstream,
    generation: findGeneration(levels, words),
    dayQuota,
    retryAfterMs: waits
      .map((wait) => (wait === undefined ? undefined : parseDuration(wait, now)))
      .find((wait) => wait !== undefined && wait > 0),
  };
}

const listFields = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(getFields) : []);

const listTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((one) => readText(one) ?? []) : [];

/** Lists the categories for which Azure says that it filtered the prompt or the answer. */
function listFiltered(error: Fields): string[] {
  const result = getFields(getFields(error['innererror'])['content_filter_result'] ?? error['content_filter_result']);
  return Object.entries(result).flatMap(([category, one]) => (getFields(one)['filtered'] === true ? [category] : []));
}

/** Codes by which Groq and others report that the model's text does not have the required form. */
const failedSample = /^(?:json_validate_failed|tool_use_failed|output_parse_failed)$/;

/** Messages that say in words that the model's text does not have the required form. */
const failedInWords =
  /\b(?:generated|model(?:'s)? (?:output|response)|completion)\b.{0,60}\b(?:does not|did not|doesn't|didn't|failed to) (?:match|conform|follow|satisfy|validate)|\bfailed to (?:generate|produce) (?:a )?(?:valid )?json/i;

function findGeneration(levels: readonly Fields[], words = ''): string | null {
  for (const { failed_generation: generation, code } of levels)
    if (typeof generation === 'string' || failedSample.test(String(code)))
      return typeof generation === 'string' ? generation : '';
  return failedInWords.test(words) ? '' : null;
}

function findDayQuota(violations: readonly Fields[], texts: readonly string[]): string | null {
  const violation = violations.find(({ quotaId, quotaMetric }) =>
    ofDay.test(`${String(quotaId)} ${String(quotaMetric)}`),
  );
  if (violation) {
    const value = violation['quotaValue'];
    const name = readText(violation['quotaId']) ?? readText(violation['quotaMetric'])!;
    return typeof value === 'string' || typeof value === 'number' ? `${name}: ${value}` : name;
  }
  if (violations.length > 0) return null; // another limit is named
  const told = texts.find((text) => ofDay.test(text));
  return told === undefined ? null : (/\b[\w-]*per-day[\w-]*/i.exec(told)?.[0] ?? told);
}
