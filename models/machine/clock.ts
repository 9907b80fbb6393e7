// The clock: the only way to time and to chance that no seed decides, so that another can stand in its place.
import { setTimeout as wait } from 'node:timers/promises';

/**
 * All that depends on time or chance between the program and a provider. Everything that waits or measures takes a
 * clock, `systemClock` by default; tests give one whose time passes at once.
 */
export interface Clock {
  /** The time of day, in milliseconds since 1970: for timestamps. It can jump, also backwards, when it is set. */
  now(): number;
  /**
   * A monotonic time in milliseconds, from an arbitrary start: for durations. The difference of two readings is the time
   * that has passed between them, even where the time of day was set meanwhile. A single reading means nothing.
   *
   * @example
   * const start = clock.elapsed();
   * const ms = clock.elapsed() - start; // never negative
   */
  elapsed(): number;
  /** Resolves after so many milliseconds. Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `ring` once after so many milliseconds; the function returned cancels that. */
  alarm(ms: number, ring: () => void): () => void;
  /** Calls `beat` every so many milliseconds, but keeps no process alive; the function returned ends that. */
  repeat(ms: number, beat: () => void): () => void;
  /** A random number in [0, 1). */
  jitter(): number;
}

/** The machine's own clock and randomness. */
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
  repeat: (ms, beat) => {
    const timer = setInterval(beat, ms).unref();
    return () => clearInterval(timer);
  },
  jitter: () => Math.random(),
};

/**
 * The same clock, whose time of day is read once and goes on with the time that passes: setting the clock of the machine
 * moves nothing that began before.
 *
 * @example
 * const steady = createSteadyClock(systemClock);
 * steady.now() - begun; // milliseconds that have passed, also where the clock was set by two days meanwhile
 */
export function createSteadyClock(clock: Clock): Clock {
  const [start, elapsed] = [clock.now(), clock.elapsed()];
  return { ...clock, now: () => start + (clock.elapsed() - elapsed) };
}
