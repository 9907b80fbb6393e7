// The circuit breaker: while a provider is down, all matches wait, and one of them tries a call from time to time.
import { RecordError } from '../models/record/ndjson.ts';
import { ProviderFailure } from '../models/retry.ts';
import type { Clock } from '../models/machine/clock.ts';

const minute = 60_000;

/** Milliseconds between probes. The last value applies to all further probes. */
export const outageWaits = [1, 2, 4, 8, 10].map((minutes) => minutes * minute);

/** Milliseconds for which a provider may be down before the matches stop. */
export const maxOutageWait = 6 * 60 * minute;

/**
 * Maximum number of milliseconds for which matches wait if no server has ever answered. The limit is short, because the
 * address is probably wrong.
 */
export const maxUnreachedWait = 10 * minute;

/**
 * Number of consecutive failures after which a match counts as faulty, if other matches get answers in the meantime.
 */
export const maxFailures = 3;

/** The failures of one match over all its attempts. */
export interface MatchHealth {
  /** Consecutive attempts without an answer while other matches got answers. */
  failures: number;
  /** Number of answers that all matches together had received when this match last stopped. */
  answersBefore: number;
}

export interface CircuitBreakerListener {
  /**
   * Called when all matches begin to wait because of `error`. `patienceMs`: maximum length of the wait; `isUnreached`:
   * whether no server has ever answered.
   */
  onOutage?: (outage: { error: ProviderFailure; patienceMs: number; isUnreached: boolean }) => void;
  /** Called when an answer ends the outage. `afterMs`: duration of the outage in milliseconds. */
  onAnswered?: (afterMs: number) => void;
}

/**
 * Circuit breaker shared by all matches of a set. It opens when a provider is unavailable and closes with the next
 * answer.
 *
 * @example
 * const breaker = new CircuitBreaker(clock);
 * await breaker.wait(signal); // before a match is played
 * breaker.recordAnswer(); // for each answer of a language model
 * if (breaker.shouldRetryLater(match, error, answers)) queue.push(match);
 */
export class CircuitBreaker {
  /** Number of answers of language models that all matches have received. */
  answers = 0;
  readonly #clock: Clock;
  readonly #listener: CircuitBreakerListener;
  /** Start of the outage in milliseconds since 1970; null if there is none. */
  #since: number | null = null;
  #tries = 0;
  /** Whether any server has ever answered, in this run or in an earlier run of these matches. */
  #isReached: boolean;

  constructor(clock: Clock, listener: CircuitBreakerListener, hasAnswered = false) {
    this.#clock = clock;
    this.#listener = listener;
    this.#isReached = hasAnswered;
  }

  get #patienceMs() {
    return this.#isReached ? maxOutageWait : maxUnreachedWait;
  }

  get isOpen() {
    return this.#since !== null;
  }

  /**
   * Resolves when the next attempt may be made: immediately if there is no outage. Rejects with the signal's reason.
   */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.isOpen) await this.#clock.sleep(outageWaits[Math.min(this.#tries++, outageWaits.length - 1)]!, signal);
  }

  recordAnswer() {
    this.answers += 1;
    this.#isReached = true;
    if (this.#since === null) return;
    this.#listener.onAnswered?.(this.#clock.now() - this.#since);
    this.#since = null;
    this.#tries = 0;
  }

  /**
   * Returns whether a failed match should be resumed later, and opens the breaker if so. `answers`: number of answers
   * in the failed attempt.
   */
  shouldRetryLater(match: MatchHealth, error: unknown, answers: number): error is ProviderFailure {
    if (!(error instanceof ProviderFailure && error.kind === 'unavailable')) return false;
    if (answers > 0) match.failures = 0;
    else if (this.answers > match.answersBefore) match.failures += 1;
    match.answersBefore = this.answers;
    if (error.status !== null) this.#isReached = true;
    if (match.failures >= maxFailures || this.isTooLong()) return false;
    if (this.#since === null)
      this.#listener.onOutage?.({ error, patienceMs: this.#patienceMs, isUnreached: !this.#isReached });
    this.#since ??= this.#clock.now();
    return true;
  }

  /**
   * Returns whether the outage lasts longer than its limit: `maxOutageWait`, or `maxUnreachedWait` if no server ever
   * answered.
   */
  isTooLong() {
    return this.#since !== null && this.#clock.now() - this.#since >= this.#patienceMs;
  }
}

/** Whether a provider rejects the key or does not know the model. Such an error would stop all other matches too. */
export const isKeyRefused = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'final' && [401, 403, 404].includes(error.status ?? 0);

/** Whether the daily quota is exhausted, which stops all other matches too. */
export const isDayQuotaUsedUp = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'day-quota';

/** Whether a match failed because of its provider or the disk. All matches need both. */
export const isOutsideFailure = (error: unknown) =>
  error instanceof ProviderFailure ||
  (error instanceof RecordError && error.cause !== undefined) ||
  (error instanceof Error && 'syscall' in error);
