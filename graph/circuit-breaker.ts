// A provider that stays down under many matches: they wait, and one of them tries from time to time.
import { RecordError } from '../models/record/ndjson.ts';
import { ProviderFailure, type Clock } from '../models/retry.ts';

const minute = 60_000;

/** Between attempts; the last one holds from then on. Milliseconds. */
const waits = [1, 2, 4, 8, 10].map((minutes) => minutes * minute);

/** So long a provider may stay down before the matches stop, in milliseconds. */
export const outagePatience = 6 * 60 * minute;

/** A match that fails so often while others are answered has a fault of its own. */
const strikesAllowed = 3;

/** What is known of a match under an outage; of each match, one. */
export interface MatchHealth {
  /** Its failures in a row before any answer came to it, while others had answers. */
  failures: number;
  /** The answers to all matches when it last had to stop. */
  answersBefore: number;
}

export interface CircuitBreakerListener {
  /** All matches wait; `error` is why, and `patienceMs` how long they will at most. */
  onOutage?: (outage: { error: ProviderFailure; patienceMs: number }) => void;
  /** An answer has come again, after so many milliseconds. */
  onAnswered?: (afterMs: number) => void;
}

export class CircuitBreaker {
  /** From language models, to all matches together, since the start. */
  answers = 0;
  readonly #clock: Clock;
  readonly #listener: CircuitBreakerListener;
  #since: number | null = null;
  #tries = 0;

  constructor(clock: Clock, listener: CircuitBreakerListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  get isOpen() {
    return this.#since !== null;
  }

  /** Resolves when the next attempt may be made. Rejects with the signal's reason when it aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.isOpen) await this.#clock.sleep(waits[Math.min(this.#tries++, waits.length - 1)]!, signal);
  }

  recordAnswer() {
    this.answers += 1;
    if (this.#since === null) return;
    this.#listener.onAnswered?.(this.#clock.now() - this.#since);
    this.#since = null;
    this.#tries = 0;
  }

  /** Whether the match that failed goes on later: `answers` came to it before. Begins an outage where none is. */
  shouldRetryLater(match: MatchHealth, error: unknown, answers: number): error is ProviderFailure {
    if (!(error instanceof ProviderFailure && error.kind === 'unavailable')) return false;
    if (answers > 0) match.failures = 0;
    else if (this.answers > match.answersBefore) match.failures += 1;
    match.answersBefore = this.answers;
    if (match.failures >= strikesAllowed || this.isTooLong()) return false;
    if (this.#since === null) this.#listener.onOutage?.({ error, patienceMs: outagePatience });
    this.#since ??= this.#clock.now();
    return true;
  }

  isTooLong() {
    return this.#since !== null && this.#clock.now() - this.#since >= outagePatience;
  }
}

/** Whether a provider refuses a key, or knows no such model: no other match would fare better. */
export const isRefused = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'final' && [401, 403, 404].includes(error.status ?? 0);

/** Whether the reason lies not in the match but in what all matches need: its provider, or the disk. */
export const isFromOutside = (error: unknown) =>
  error instanceof ProviderFailure ||
  (error instanceof RecordError && error.cause !== undefined) ||
  (error instanceof Error && 'syscall' in error);
