// The clock: the only source of time and of randomness without a seed, so that tests can replace it.
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Source of the time, and of randomness without a seed. All code that waits or measures time takes a clock, by default
 * `systemClock`. In tests, time passes without waiting.
 */
export interface Clock {
  /**
   * Returns the time of day in milliseconds since 1970, for timestamps. It can jump, also backwards, when the clock is
   * set.
   */
  now(): number;
  /**
   * Returns a monotonic time in milliseconds from an arbitrary start, for durations. The difference of two readings is
   * the time that has passed, even if the time of day was changed in between. A single reading means nothing.
   *
   * @example
   * const start = clock.elapsed();
   * const ms = clock.elapsed() - start; // never negative
   */
  elapsed(): number;
  /** Resolves after this many milliseconds. Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /**
   * Resolves in a turn of the event loop that no other caller has, in the order of the calls. Without turns, work that
   * becomes ready for many matches at once would run without a break, and signals and displays would wait.
   */
  takeTurn(): Promise<void>;
  /** Calls `ring` once after this many milliseconds. The returned function cancels it. */
  alarm(ms: number, ring: () => void): () => void;
  /** Calls `beat` every `ms` milliseconds without keeping the process alive. The returned function stops it. */
  repeat(ms: number, beat: () => void): () => void;
  /** Returns a random number in [0, 1). */
  jitter(): number;
}

/** Callers that wait for a turn of the event loop, in their order. */
const waitingForTurn: (() => void)[] = [];

function giveTurn(): void {
  waitingForTurn.shift()?.();
  if (waitingForTurn.length > 0) setImmediate(giveTurn);
}

/** The clock and randomness of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
  takeTurn: () =>
    new Promise((begin) => {
      waitingForTurn.push(begin);
      if (waitingForTurn.length === 1) setImmediate(giveTurn);
    }),
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
  repeat: (ms, beat) => {
    const timer = setInterval(beat, ms).unref();
    return () => clearInterval(timer);
  },
  jitter: () => Math.random(),
};

/**
 * Returns a clock that reads the time of day once and then adds the time that passes. Setting the machine's clock does
 * not affect it.
 *
 * @example const steady = createSteadyClock(systemClock); steady.now() - begun; // milliseconds that have passed, even
 * if the machine's clock was set in between
 */
export function createSteadyClock(clock: Clock): Clock {
  const [start, elapsed] = [clock.now(), clock.elapsed()];
  return { ...clock, now: () => start + (clock.elapsed() - elapsed) };
}
