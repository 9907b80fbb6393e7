// The circuit breaker of all workers. While a provider is down, every match of the tournament waits, and one of them
// tries a call from time to time.
import { maxOutageWait, outageWaits, maxUnreachedWait } from '../circuit-breaker.ts';
import type { Clock } from '../../models/machine/clock.ts';
import type { ProviderFailure } from '../../models/retry.ts';
import type { TournamentControl } from './database-rows.ts';
import type { TournamentStore } from './tournament-store.ts';

/** Milliseconds between two looks at the state. */
const glance = 500;

export class SharedOutage {
  readonly #store: TournamentStore;
  readonly #clock: Clock;
  /** State of the tournament when it was last read. */
  #control: TournamentControl | null = null;
  /** Whether this worker has reported that answers arrive. */
  #isTold = false;

  /** Number of milliseconds that count as a minute; tests shorten it. */
  readonly #minuteMs: number;

  constructor(store: TournamentStore, clock: Clock, minuteMs = 60_000) {
    [this.#store, this.#clock, this.#minuteMs] = [store, clock, minuteMs];
  }

  /** Applies the newly read state of the tournament. */
  learn(control: TournamentControl): void {
    this.#control = control;
  }

  /**
   * Resolves when a match may be played. The value is true if the match tries a call during an outage, otherwise false.
   */
  async wait(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const control = await this.#store.readControl();
      if (control === null || control.stop_kind !== null || control.down_for === null) return false;
      this.#control = control;
      const waitMs = (outageWaits[Math.min(control.tries, outageWaits.length - 1)]! * this.#minuteMs) / 60_000;
      if ((control.tried_for ?? 0) * 1000 >= waitMs && (await this.#store.claimProbe(control.tries))) return true;
      await this.#clock.sleep(glance, signal);
    }
  }

  /**
   * Reports that a match has stopped because its provider is down. Returns the reason to end the tournament if the
   * outage has lasted too long.
   */
  async report(error: ProviderFailure): Promise<string | null> {
    await this.#store.reportOutage(error.message);
    const control = await this.#store.readControl();
    this.#isTold = false;
    if (control !== null) this.#control = control;
    const isReached = control?.is_reached === true || error.status !== null;
    const patience = isReached ? maxOutageWait : maxUnreachedWait;
    return (control?.down_for ?? 0) * 1000 >= patience ? error.message : null;
  }

  /** Records that a language model has answered. */
  recordAnswer(): void {
    if (this.#isTold && this.#control?.down_for == null) return;
    this.#isTold = true;
    if (this.#control !== null) this.#control = { ...this.#control, down_for: null };
    this.#store.recordAnswered().catch(() => undefined); // the next answer, or the next failing statement, reports it again
  }
}
