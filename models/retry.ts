// Makes a call to a provider with timeouts and retries; the clock is given from outside so that tests need not wait.
import type { Clock } from './machine/clock.ts';
import { readProviderError, type ProviderError } from './provider-error.ts';

/**
 * A call failed for good. `bad-request`: it refuses this request, maybe for its JSON schema; `too-long`: it
 * refuses the prompt for its length; `final`: trying again would not help (key, permission, unknown model, quota);
 * `unavailable`: it stayed down through all retries.
 */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly kind: 'bad-request' | 'too-long' | 'final' | 'unavailable';
  /** HTTP status of the last response; null where there was none. */
  readonly status: number | null;
  /** Number of attempts, the first included. */
  readonly tries: number;

  constructor(kind: ProviderFailure['kind'], message: string, status: number | null, tries: number) {
    super(message); // without a cause: the errors of some packages hold the request with its key
    this.kind = kind;
    this.status = status;
    this.tries = tries;
  }
}

/** An attempt that failed and will be made again. */
export interface Retry {
  /** From 1. */
  retry: number;
  waitMs: number;
  /** The provider's words, or what happened to the connection. */
  words: string;
  /** The sort of error, in words that do not change from call to call: see ProviderError. */
  sort: string;
}

interface Delivery {
  /** The model string; stands before the words of a failure. */
  name?: string;
  /** Of each attempt. */
  timeoutMs: number;
  /** After the first attempt; 6 by default. */
  maxRetries?: number;
  /** A server that asks to wait longer counts as down. 120,000 by default. */
  maxWaitMs?: number | undefined;
  /** Aborts an attempt under way, and the wait for the next. */
  signal: AbortSignal;
  /** Lets no further attempt begin and ends the wait for one; an attempt under way goes on. */
  stop?: AbortSignal;
  clock: Clock;
  /** Takes keys out of the provider's words. */
  redact?: (text: string) => string;
  onRetry?: (retry: Retry) => void;
}

/** Milliseconds: the wait before the first retry, which doubles with each further one, and the longest wait. */
const backoff = { base: 1000, cap: 60_000 };

/** Milliseconds. */
const longestWait = 120_000;

/**
 * Makes the call, again after 408, 409, 429, 5xx, a timeout or a lost connection: after what `Retry-After` asks for,
 * otherwise with exponential backoff and jitter. Throws ProviderFailure, or the reason of `signal` or `stop`.
 *
 * The loop is our own because no usual package takes a clock from outside and also waits as long as the server asks.
 *
 * @example
 * const options = { timeoutMs: 60_000, signal: new AbortController().signal, clock: systemClock };
 * const { result, retries } = await deliver((signal) => chat.invoke(messages, { signal }), options);
 */
export async function callWithRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { maxRetries = 6, maxWaitMs = longestWait, onRetry, ...delivery }: Delivery,
): Promise<{ result: T; retries: number }> {
  const { name, signal, stop, clock } = delivery;
  const throwIfStopped = () => {
    signal.throwIfAborted();
    stop?.throwIfAborted();
  };
  for (let retries = 0; ; retries++) {
    throwIfStopped();
    const outcome = await tryOnce(attempt, delivery);
    if ('result' in outcome) return { result: outcome.result, retries };
    const { kind, words, status, sort, retryAfterMs } = outcome.trouble;
    const createFailure = (as: ProviderFailure['kind'], more = '') =>
      new ProviderFailure(as, `${name === undefined ? '' : `${name}: `}${words}${more}`, status, retries + 1);
    if (kind !== 'passing') throw createFailure(kind);
    const waitMs = retryAfterMs ?? computePause(retries, clock);
    if (retryAfterMs !== undefined && waitMs > maxWaitMs)
      throw createFailure('unavailable', describeWait(waitMs, maxWaitMs));
    if (retries >= maxRetries) throw createFailure('unavailable', describeTries(retries));
    throwIfStopped();
    onRetry?.({ retry: retries + 1, waitMs, words, sort });
    await clock.sleep(waitMs, stop ? AbortSignal.any([signal, stop]) : signal);
  }
}

/** Half of the wait is random, so that calls that failed together do not come back together. */
const computePause = (retries: number, clock: Clock) =>
  Math.min(backoff.cap, backoff.base * 2 ** retries) * (0.5 + clock.jitter() / 2);

const describeTries = (retries: number) => (retries === 0 ? ' (tried once)' : ` (tried ${retries + 1} times)`);

const describeWait = (waitMs: number, maxWaitMs: number) =>
  ` (asks to wait ${Math.min(999_999, Math.ceil(waitMs / 1000))} s; --max-wait of a match allows ${maxWaitMs / 1000})`;

/** Makes one attempt. Throws the reason of `signal`, and errors that no provider caused. */
async function tryOnce<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, signal, clock, redact }: Delivery,
): Promise<{ result: T } | { trouble: ProviderError }> {
  const limit = createTimeLimit(signal, timeoutMs, clock);
  try {
    return { result: await Promise.race([attempt(limit.signal), limit.aborted]) };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted)
      return {
        trouble: { kind: 'passing', words: `No answer within ${timeoutMs / 1000} s.`, status: null, sort: 'time' },
      };
    return { trouble: readProviderError(error, clock.now(), redact) };
  } finally {
    limit.end();
  }
}

/**
 * A signal that aborts with `signal` or when the time is over, and a promise that rejects with it; `end` releases both.
 * `AbortSignal.any` with `AbortSignal.timeout` would do the same, but is kept in memory until the time is over, and with
 * it the answer to every call of a match.
 */
function createTimeLimit(signal: AbortSignal, timeoutMs: number, clock: Clock) {
  const attempt = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (reason: Error) => {
    attempt.abort(reason);
    reject(reason); // not every model takes notice of its signal
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
