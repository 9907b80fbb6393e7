// Shares the work of a report among threads; a small report is made without any.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Measurer, type MeasurerSettings } from './measurer.ts';
import type { Call } from './thread.ts';

/** A measurer that may be in another thread. It is called once at a time. */
export type Member = {
  [Name in keyof Measurer]: (...args: Parameters<Measurer[Name]>) => Promise<Awaited<ReturnType<Measurer[Name]>>>;
};

export interface Crew {
  members: readonly Member[];
  dismiss(): Promise<void>;
}

/** Fewer matches are done before a second thread has loaded. */
const fewestForThreads = 24;
const mostThreads = 8;
/** Most objects live as long as a match is read: without a bound each thread lets much of the past pile up. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** As many threads as are worth their start for so many matches; playing by chance always is. */
export const threadsFor = (matches: number, isToPlay: boolean) =>
  matches < fewestForThreads && !isToPlay ? 1 : Math.min(availableParallelism(), mostThreads);

/** With fewer than two threads all is done in this one. */
export function engageCrew(settings: MeasurerSettings, count: number): Crew {
  if (count < 2) return { members: [localMember(settings)], dismiss: () => Promise.resolve() };
  const threads = Array.from({ length: count }, () => startThread(settings));
  return {
    members: threads.map(({ member }) => member),
    dismiss: async () => void (await Promise.all(threads.map(({ stop }) => stop()))),
  };
}

function localMember(settings: MeasurerSettings): Member {
  const measurer = new Measurer(settings);
  return {
    measure: (...args) => measurer.measure(...args),
    gathered: (...args) => Promise.resolve(measurer.gathered(...args)),
    figures: (...args) => Promise.resolve(measurer.figures(...args)),
    playByChance: (...args) => Promise.resolve(measurer.playByChance(...args)),
  };
}

function startThread(settings: MeasurerSettings): { member: Member; stop: () => Promise<number> } {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings, resourceLimits });
  let failure: Error | null = null;
  worker.on('error', (error: Error) => (failure = error)); // else one that nobody waits for would end the process
  const ask = async <Answer>(...call: Call) => {
    if (failure) throw failure;
    const answer = once(worker, 'message'); // rejects where the thread fails
    worker.postMessage(call);
    return ((await answer) as [Answer])[0];
  };
  const member: Member = {
    measure: (...args) => ask('measure', ...args),
    gathered: (...args) => ask('gathered', ...args),
    figures: (...args) => ask('figures', ...args),
    playByChance: (...args) => ask('playByChance', ...args),
  };
  return { member, stop: () => worker.terminate() };
}
