// A clock for tests: its time passes only in waits, which it remembers and does not wait for.
import type { Clock } from '../models/transport.ts';

/** `jitter` is what chance always gives, from 0 to 1; time starts at noon of the first day of 2026, UTC. */
export function testClock(jitter = 1): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => waits.reduce((now, wait) => now + wait, Date.UTC(2026, 0, 1, 12)),
    sleep: (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      return Promise.resolve();
    },
    jitter: () => jitter,
  };
}
