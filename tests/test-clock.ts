// A clock for tests. Its time passes only in waits, which it records and skips.
import { systemClock, type Clock } from '../models/machine/clock.ts';

export interface TestClock extends Clock {
  /** Waits before further attempts, in milliseconds. */
  waits: number[];
  /** Timeouts of all attempts so far, in milliseconds. */
  timeouts: number[];
  /** Ends the timeout of all running attempts. */
  expire(): void;
}

/** `jitter`: the constant result of every random draw, 0 to 1. Time starts at noon of the first day of 2026, UTC. */
export function testClock(jitter = 1): TestClock {
  const waits: number[] = [];
  const timeouts: number[] = [];
  const running = new Set<() => void>();
  const elapsed = () => waits.reduce((sum, wait) => sum + wait, 0);
  return {
    waits,
    timeouts,
    now: () => Date.UTC(2026, 0, 1, 12) + elapsed(),
    elapsed,
    sleep: (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      return Promise.resolve();
    },
    alarm: (ms, ring) => {
      timeouts.push(ms);
      running.add(ring);
      return () => running.delete(ring);
    },
    expire: () => {
      for (const ring of [...running]) ring();
    },
    repeat: () => () => undefined,
    takeTurn: () => Promise.resolve(),
    jitter: () => jitter,
  };
}

/** Real time with waits shortened to a twentieth. `alarms`: whether to shorten time limits too. */
export const createHurriedClock = ({ alarms }: { alarms: boolean }): Clock => ({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
  alarm: (ms, ring) => systemClock.alarm(alarms ? ms / 20 : ms, ring),
});

/** Real time without timeouts, for work that must succeed however busy the machine is. */
export const patientClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
  alarm: (ms, ring) => systemClock.alarm(ms * 20, ring),
};

/** Returns the CPU seconds that some work takes in this process, which depend little on other load. */
export function countCpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * A clock that jumps to the end of the next wait as soon as there is nothing else to do. Random draws are a fixed
 * series.
 */
export function createSimulatedClock() {
  let time = 0;
  let chance = 1;
  const waits: { at: number; end: () => void }[] = [];
  const jitter = () => (chance = (chance * 16_807) % 2_147_483_647) / 2_147_483_647;
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end, fail) => {
      const wait = { at: time + ms, end };
      waits.splice(waits.findLastIndex(({ at }) => at <= wait.at) + 1, 0, wait);
      signal?.addEventListener('abort', () => {
        if (waits.includes(wait)) waits.splice(waits.indexOf(wait), 1);
        fail(signal.reason as Error);
      });
    });
  const clock: Clock = {
    ...{ now: () => time, elapsed: () => time, sleep, jitter, takeTurn: () => Promise.resolve() },
    ...{ alarm: () => () => undefined, repeat: () => () => undefined },
  };
  /** Lets time pass until the work is done. The work may wait only for this clock. */
  const run = async <Result>(work: Promise<Result>): Promise<Result> => {
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    while (!isOver) {
      for (let turns = 0; turns < 4; turns++) await new Promise((turn) => setImmediate(turn));
      const wait = waits.shift();
      if (wait) time = Math.max(time, wait.at);
      else if (!isOver) await new Promise((turn) => setImmediate(turn));
      wait?.end();
    }
    return work;
  };
  return { clock, sleep, run };
}
