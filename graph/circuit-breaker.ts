// The circuit breaker: while a provider is down, all matches wait, and one of them tries it from time to time.
import { RecordError } from '../models/record/ndjson.ts';
import { ProviderFailure } from '../models/retry.ts';
import type { Clock } from '../models/machine/clock.ts';

const minute = 60_000;

/** Milliseconds between attempts; the last wait is repeated. */
export const outageWaits = [1, 2, 4, 8, 10].map((minutes) => minutes * minute);

/** Milliseconds that a provider may stay down before the matches stop. */
export const maxOutageWait = 6 * 60 * minute;

/** The same where no server was ever reached: an address that was wrong from the start stays so. */
export const maxUnreachedWait = 10 * minute;

/** A match that fails so often in a row while others get answers is itself at fault. */
export const maxFailures = 3;

/** The failures of one match, kept across its attempts. */
export interface MatchHealth {
  /** Attempts in a row that brought it no answer while other matches got some. */
  failures: number;
  /** How many answers all matches had got when it last had to stop. */
  answersBefore: number;
}

export interface CircuitBreakerListener {
  /** All matches wait now, because of `error`, for `patienceMs` at most; `isUnreached` where nobody has ever answered. */
  onOutage?: (outage: { error: ProviderFailure; patienceMs: number; isUnreached: boolean }) => void;
  /** The outage is over: an answer has come, after so many milliseconds. */
  onAnswered?: (afterMs: number) => void;
}

/**
 * Shared by all matches of a set. It opens when a provider is unavailable and closes with the next answer.
 *
 * @example
 * const breaker = new CircuitBreaker(clock);
 * await breaker.wait(signal); // before a match is played
 * breaker.recordAnswer(); // for each answer of a language model
 * if (breaker.shouldRetryLater(match, error, answers)) queue.push(match);
 */
export class CircuitBreaker {
  /** Answers of language models to all matches together. */
  answers = 0;
  readonly #clock: Clock;
  readonly #listener: CircuitBreakerListener;
  /** When the outage began, in milliseconds since 1970; null where there is none. */
  #since: number | null = null;
  #tries = 0;
  /** Whether any server has ever been reached: by these matches, or when they were begun. */
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

  /** Resolves when the next attempt may be made: at once where there is no outage. Rejects with the signal's reason. */
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

  /** Whether a match that failed, after it got `answers`, should go on later. Opens the breaker if so. */
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

  /** Whether the provider has been down for longer than `maxOutageWait`, or `maxUnreachedWait`. */
  isTooLong() {
    return this.#since !== null && this.#clock.now() - this.#since >= this.#patienceMs;
  }
}

/** Whether a provider refuses the key or does not know the model, which would stop every other match too. */
export const isKeyRefused = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'final' && [401, 403, 404].includes(error.status ?? 0);

/** Whether what may be called in a day is used up, which stops every other match too. */
export const isDayQuotaUsedUp = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'day-quota';

/** Whether a match failed for what all matches need, its provider or the disk, and not for itself. */
export const isOutsideFailure = (error: unknown) =>
  error instanceof ProviderFailure ||
  (error instanceof RecordError && error.cause !== undefined) ||
  (error instanceof Error && 'syscall' in error);
