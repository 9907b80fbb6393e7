// Makes a call to a provider with timeouts and retries. The clock is a parameter, so that tests need not wait.
import { type CallEnd, createCallLimiter } from './call-limiter.ts';
import { CallTurn } from './limiters-by-server.ts';
import type { Clock } from './machine/clock.ts';
import { readProviderError, type ProviderError } from './provider-error.ts';
import { type Quotas, type RawResponse, readQuotas, runWithResponseListener } from './rate-limit-headers.ts';

/**
 * Signals that a call failed for good. `refused`: by a content policy; `failed-sample`: the model's text does not have
 * the form that the server should have ensured; `bad-request`: the server rejects this request, perhaps because of its
 * JSON schema; `too-long`: the prompt is too long; `final`: a retry would not help (key, permission, unknown model,
 * quota); `unavailable`: the server remained down through all retries; `limited`: its rate limit asks for a longer wait
 * than allowed; `day-quota`: the daily quota is exhausted.
 */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly kind: Exclude<ProviderError['kind'], 'passing'> | 'unavailable' | 'limited';
  /** HTTP status of the last response; null if there was none. */
  readonly status: number | null;
  /** Number of attempts, including the first. */
  readonly tries: number;
  /** Further contents of the last response. */
  readonly told: Pick<ProviderError, 'words' | 'refusal' | 'generation' | 'upstream'>;

  constructor(
    kind: ProviderFailure['kind'],
    message: string,
    { status, tries, told }: Pick<ProviderFailure, 'status' | 'tries' | 'told'>,
  ) {
    super(message); // without a cause: some packages' errors contain the request with its key
    this.kind = kind;
    this.status = status;
    this.tries = tries;
    this.told = told;
  }
}

/** An attempt that failed and will be repeated. */
export interface Retry {
  /** Number of the retry, from 1. */
  retry: number;
  /** Milliseconds until the retry; 0 if the server's limiter decides. */
  waitMs: number;
  /** Milliseconds that the server asks to wait; undefined if it does not ask. */
  askedMs: number | undefined;
  /** The provider's message, or what happened to the connection. */
  words: string;
  /** Name of the error's type, which does not change from call to call; see ProviderError. */
  sort: string;
}

interface Delivery<Result> {
  /** The model string, which begins the message of a failure. */
  name?: string;
  /** The provider or host; see `findErrorRefusal`. */
  server?: string | undefined;
  /** Variable whose value is sent as the key. */
  keyVariable?: string | undefined;
  /** Timeout of each attempt in milliseconds. */
  timeoutMs: number;
  /** Largest number of retries. Default: 8. Rejections by a rate limit do not count. */
  maxRetries?: number;
  /**
   * Longest wait in milliseconds that a server may ask for. Default: 120,000 if it is down, `limitRetryWait` for a rate
   * limit.
   */
  maxWaitMs?: number | undefined;
  /**
   * The call's turn at its server. The turn is left before each further attempt; after the last attempt the caller
   * leaves it. Default: a turn that no other call shares.
   */
  turn?: CallTurn;
  /** Aborts a running attempt, and the wait for the next. */
  signal: AbortSignal;
  /** Prevents further attempts and ends the wait for one; a running attempt continues. */
  stop?: AbortSignal;
  clock: Clock;
  /** Returns the call's tokens, of prompt and answer together; null if not reported. */
  countTokens?: (result: Result) => number | null;
  /** Removes keys from the provider's message. */
  redact?: (text: string) => string;
  onRetry?: (retry: Retry) => void;
}

/**
 * Milliseconds. `base`: wait before the first retry, which doubles before each further one; `cap`: longest wait. The
 * first waits are short, because most faults pass within a moment, and all calls that were sent together wait for the
 * slowest. All waits together last about a minute.
 */
const backoff = { base: 250, cap: 60_000 };

/** Longest wait, in milliseconds, that a server may ask for while it is down. */
const longestWait = 120_000;

/** Milliseconds. If a daily limit resets within this time, the call waits for it as for any other limit. */
const shortDay = 15 * 60_000;

/** Longest time, in milliseconds, for which a call waits for a rate limit. Some limits last a day. */
export const limitRetryWait = 6 * 3_600_000;

/**
 * Makes the call, and retries after 408, 409, 5xx, a timeout or a lost connection: after the wait in `Retry-After` or,
 * without that header, with exponential backoff. Both waits have jitter. Does not retry if a server on this machine is
 * not running. A call that a rate limit rejects (429) is repeated when its turn comes. Throws ProviderFailure, or the
 * reason of `signal` or `stop`.
 *
 * This loop is not from a package, because common packages do not accept a clock and wait as long as the server asks.
 *
 * @example
 * const options = { timeoutMs: 60_000, signal: new AbortController().signal, clock: systemClock };
 * const { result, retries } = await callWithRetries((signal) => chat.invoke(messages, { signal }), options);
 */
export async function callWithRetries<Result>(
  attempt: (signal: AbortSignal) => Promise<Result>,
  { maxRetries = 8, maxWaitMs, onRetry, ...delivery }: Delivery<Result>,
): Promise<{ result: Result; retries: number }> {
  const { name, signal, stop, clock, turn = openLoneTurn(clock) } = delivery;
  const halt = stop ? AbortSignal.any([signal, stop]) : signal;
  let [failures, refusedSince] = [0, Infinity];
  for (let retries = 0; ; retries++) {
    halt.throwIfAborted();
    await turn.enter(halt);
    halt.throwIfAborted();
    const outcome = await tryOnce(attempt, { ...delivery, turn, maxWaitMs });
    if ('result' in outcome) return { result: outcome.result, retries };
    const { kind, words, status, sort, retryAfterMs } = outcome.trouble;
    const createFailure = (as: ProviderFailure['kind'], more = '') =>
      new ProviderFailure(as, `${name === undefined ? '' : `${name}: `}${words}${more}`, {
        ...{ status, tries: retries + 1, told: outcome.trouble },
      });
    if (kind === 'day-quota' && !isWaitedFor(outcome.trouble, maxWaitMs))
      throw createFailure(kind, describeDayQuota(outcome.trouble, clock.now()));
    if (kind !== 'passing' && kind !== 'day-quota') throw createFailure(kind, describeCure(outcome.trouble, delivery));
    const isLimited = status === 429;
    const most = maxWaitMs ?? (isLimited ? limitRetryWait : longestWait);
    if (retryAfterMs !== undefined && retryAfterMs > most)
      throw createFailure(isLimited ? 'limited' : 'unavailable', describeWait(retryAfterMs, most));
    if (isLimited) {
      refusedSince = Math.min(refusedSince, clock.elapsed());
      if (clock.elapsed() - refusedSince > limitRetryWait) throw createFailure('limited', describeTries(retries));
    } else {
      const isOff = isLocalServerOff(words);
      if (failures++ >= (isOff ? Math.min(1, maxRetries) : maxRetries))
        throw createFailure('unavailable', `${describeTries(retries)}${isOff ? '. Is the server running?' : ''}`);
    }
    halt.throwIfAborted();
    turn.leave();
    const waitMs = isLimited ? 0 : computePause(failures - 1, retryAfterMs, clock);
    onRetry?.({
      ...{ retry: retries + 1, words, sort, askedMs: retryAfterMs },
      waitMs: isLimited ? (retryAfterMs ?? 0) : waitMs,
    });
    if (!isLimited) await clock.sleep(waitMs, halt);
  }
}

/**
 * Returns whether a call that a limit rejects is repeated. It is not repeated if the server asks for too long a wait,
 * or if a daily limit resets too late.
 */
const isWaitedFor = (
  { kind, retryAfterMs }: Pick<ProviderError, 'kind' | 'retryAfterMs'>,
  maxWaitMs: number | undefined,
): boolean =>
  kind === 'day-quota'
    ? retryAfterMs !== undefined && retryAfterMs <= (maxWaitMs ?? shortDay)
    : (retryAfterMs ?? 0) <= (maxWaitMs ?? limitRetryWait);

/**
 * Returns whether an error says that no server listens at an address of this machine. Waiting would only hide that the
 * server was not started.
 */
const isLocalServerOff = (words: string) => /ECONNREFUSED (?:127\.|::1|\[::1|localhost)/.test(words);

/** Opens the turn of a call that shares its server with no other call. */
const openLoneTurn = (clock: Clock) =>
  new CallTurn(createCallLimiter(clock), {
    ...{ model: '', pace: '' },
    tokens: 0,
    limits: {},
    mostUnderWay: 1,
    priority: 0,
    ticket: 0,
  });

/**
 * Computes the pause in milliseconds. A wait chosen here is multiplied by 0.75 to 1.25. To a wait that the server asks
 * for, up to a tenth is added. So calls that failed together are not repeated together.
 */
const computePause = (failures: number, retryAfterMs: number | undefined, clock: Clock) =>
  retryAfterMs === undefined
    ? Math.min(backoff.cap, backoff.base * 2 ** failures * (0.75 + clock.jitter() / 2))
    : retryAfterMs * (1 + clock.jitter() / 10);

/**
 * Names the rejected key, if there is one, and suggests the vendor's option that would fix the request, if it is known.
 */
function describeCure(
  { kind, status, words }: ProviderError,
  { keyVariable }: { keyVariable?: string | undefined },
): string {
  if (kind === 'final' && (status === 401 || status === 403) && keyVariable !== undefined)
    return ` (key: ${keyVariable})`;
  return kind === 'bad-request' && /\benable_thinking\b/.test(words)
    ? '. To fix it in a models file, add: extraBody: { enable_thinking: false }'
    : '';
}

/**
 * Describes a daily quota. Gemini asks to wait for less than a minute although its quota lasts until the next day, so
 * its wait is not shown.
 */
function describeDayQuota({ dayQuota, retryAfterMs }: ProviderError, now: number): string {
  const until =
    retryAfterMs !== undefined && retryAfterMs > shortDay
      ? ` until ${new Date(now + retryAfterMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
      : '';
  return ` The quota of the day is used up${until} (${dayQuota}).`;
}

const describeTries = (retries: number) => (retries === 0 ? ' (tried once)' : ` (tried ${retries + 1} times)`);

const describeWait = (waitMs: number, maxWaitMs: number) =>
  ` (asks to wait ${Math.min(999_999, Math.ceil(waitMs / 1000))} s; --max-wait allows ${maxWaitMs / 1000} s)`;

/** Makes one attempt. Throws the reason of `signal`, and errors that no provider caused. */
async function tryOnce<Result>(
  attempt: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, signal, clock, redact, turn, countTokens, server, maxWaitMs }: Delivery<Result> & { turn: CallTurn },
): Promise<{ result: Result } | { trouble: ProviderError }> {
  const limit = createTimeLimit(signal, timeoutMs, clock);
  let quotas: Quotas = {};
  let end: CallEnd = { kind: 'failed' };
  let response: RawResponse | undefined;
  const onResponse = (heard: RawResponse) => {
    quotas = readQuotas(heard.headers, clock.now());
    response = heard.status < 400 ? undefined : heard;
  };
  try {
    const sent = runWithResponseListener(onResponse, () => attempt(limit.signal));
    const result = await Promise.race([sent, limit.aborted]);
    end = { kind: 'answered', tokens: countTokens?.(result) ?? null };
    return { result };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted)
      return {
        trouble: { kind: 'passing', words: `No answer within ${timeoutMs / 1000} s.`, status: null, sort: 'time' },
      };
    const trouble = readProviderError(error, clock.now(), { redact, response, server });
    quotas = { ...trouble.quotas, ...quotas };
    const isLimited = trouble.status === 429 && (trouble.kind === 'passing' || trouble.kind === 'day-quota');
    if (isLimited && isWaitedFor(trouble, maxWaitMs)) end = { kind: 'refused', retryAfterMs: trouble.retryAfterMs };
    // This call does not wait for the limit, so other calls must not learn a pause of hours from it.
    else if (isLimited) quotas = {};
    return { trouble };
  } finally {
    limit.end();
    turn.end({ ...end, quotas });
  }
}

/**
 * Returns a signal that aborts when `signal` aborts or the time is over, and a promise that rejects at that moment.
 * `end`: releases signal and promise. `AbortSignal.any` with `AbortSignal.timeout` would do the same, but would stay in
 * memory until the time is over, together with the answer to every call of a match.
 */
function createTimeLimit(signal: AbortSignal, timeoutMs: number, clock: Clock) {
  const attempt = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (reason: Error) => {
    attempt.abort(reason);
    reject(reason); // not every model heeds its signal
  };
  const follow = () => stop(signal.reason as Error);
  const cancelAlarm = clock.alarm(timeoutMs, () => stop(new DOMException('The time is over.', 'TimeoutError')));
  signal.addEventListener('abort', follow, { once: true });
  const end = () => {
    cancelAlarm();
    signal.removeEventListener('abort', follow);
  };
  return { signal: attempt.signal, aborted: promise, end };
}
