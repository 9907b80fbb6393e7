// Delivers a call to a provider: each attempt with its own timeout, passing trouble tried again, the rest told plainly.
import { setTimeout as wait } from 'node:timers/promises';
import { readProviderError, type ProviderError } from './provider-error.ts';

/** Time and chance, given from outside so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment. What is between two readings has passed, even where the time of day was set. */
  elapsed(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Rings once after so many milliseconds; what is returned stops it. */
  alarm(ms: number, ring: () => void): () => void;
  /** A number in [0, 1). */
  jitter(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
  jitter: () => Math.random(),
};

/**
 * A provider did not answer. `bad-request`: it refuses this request, maybe for its JSON schema; `too-long`: it
 * refuses the prompt for its length; `final`: trying again would not help (key, permission, unknown model, quota);
 * `unavailable`: it stayed down.
 */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure';
  readonly kind: 'bad-request' | 'too-long' | 'final' | 'unavailable';
  /** HTTP status of the last answer; null where there was none. */
  readonly status: number | null;
  /** Attempts made, the first included. */
  readonly tries: number;

  constructor(kind: ProviderFailure['kind'], message: string, status: number | null, tries: number) {
    super(message); // without a cause: the errors of some packages hold the request with its key
    this.kind = kind;
    this.status = status;
    this.tries = tries;
  }
}

export interface Retry {
  /** From 1. */
  retry: number;
  waitMs: number;
  /** The provider's words, or what happened on the way. */
  words: string;
  /** What kind of trouble it was, in words that do not change from call to call. */
  sort: string;
}

export interface Delivery {
  /** Stands before the words of a failure. */
  name?: string;
  /** Of each attempt. */
  timeoutMs: number;
  /** After the first attempt; 6 by default. */
  maxRetries?: number;
  /** Stops at once. */
  signal: AbortSignal;
  /** Lets no further attempt begin and ends the wait for one; an attempt under way goes on. */
  stop?: AbortSignal;
  clock: Clock;
  /** Takes keys out of the provider's words. */
  redact?: (text: string) => string;
  onRetry?: (retry: Retry) => void;
}

/** Of the wait before a retry: it starts at the first, doubles, and never exceeds the second. Milliseconds. */
const backoff = { base: 1000, cap: 60_000 };

/** A server that asks for a longer wait is down. Milliseconds. */
const longestWait = 3_600_000;

/**
 * Makes the call, again after 408, 409, 429, 5xx, a timeout or a lost connection: after what `Retry-After` asks for,
 * else with exponential backoff and jitter. Throws ProviderFailure, or the reason of `signal` or `stop`.
 *
 * The loop is our own: of the usual packages none takes a clock from outside and waits as the server asks.
 */
export async function deliver<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { maxRetries = 6, onRetry, ...delivery }: Delivery,
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
    if (waitMs > longestWait) throw createFailure('unavailable', describeWait(waitMs));
    if (retries >= maxRetries) throw createFailure('unavailable', describeTries(retries));
    throwIfStopped();
    onRetry?.({ retry: retries + 1, waitMs, words, sort });
    await clock.sleep(waitMs, stop ? AbortSignal.any([signal, stop]) : signal);
  }
}

/** Half of the wait is left to chance, so that calls that failed together do not come back together. */
const computePause = (retries: number, clock: Clock) =>
  Math.min(backoff.cap, backoff.base * 2 ** retries) * (0.5 + clock.jitter() / 2);

const describeTries = (retries: number) => (retries === 0 ? ' (tried once)' : ` (tried ${retries + 1} times)`);

const describeWait = (waitMs: number) => {
  const minutes = Math.round(waitMs / 60_000);
  return ` (asks to wait ${minutes > 9999 ? 'more than 9999' : minutes} minutes)`;
};

/** Throws the reason of `signal`, and errors that are no provider's. */
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
 * A signal that aborts with `signal` or when the time is over, until it is ended. By hand: what `AbortSignal.any` and
 * `AbortSignal.timeout` make is kept until the time has run out, and with it the answer to every call of a match.
 */
function createTimeLimit(signal: AbortSignal, timeoutMs: number, clock: Clock) {
  const attempt = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (reason: Error) => {
    attempt.abort(reason);
    reject(reason); // not every model heeds its signal
  };
  const follow = () => stop(signal.reason as Error);
  const silence = clock.alarm(timeoutMs, () => stop(new DOMException('The time is over.', 'TimeoutError')));
  signal.addEventListener('abort', follow, { once: true });
  const end = () => {
    silence();
    signal.removeEventListener('abort', follow);
  };
  return { signal: attempt.signal, aborted: promise, end };
}
