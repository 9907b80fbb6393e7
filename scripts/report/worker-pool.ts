// Shares the work of a report among threads; a small report is made without any.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Call, ReportWorker, type ReportWorkerSettings } from './report-worker.ts';

/** A report worker that may be in another thread. It is called once at a time. */
export type PooledWorker = {
  [Name in keyof ReportWorker]: (
    ...args: Parameters<ReportWorker[Name]>
  ) => ReturnType<ReportWorker[Name]> | Promise<Awaited<ReturnType<ReportWorker[Name]>>>;
};

export interface WorkerPool {
  workers: readonly PooledWorker[];
  close(): Promise<void>;
}

/** Fewer matches are done before a second thread has loaded. */
const fewestForThreads = 24;
const mostThreads = 8;
/** Most objects live as long as a match is read: without a bound each thread lets much of the past pile up. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** As many threads as are worth their start for so many matches; playing by chance always is. */
export const chooseThreads = (matches: number, isToPlay: boolean) =>
  matches < fewestForThreads && !isToPlay ? 1 : Math.min(availableParallelism(), mostThreads);

/** With fewer than two threads all is done in this one. */
export function openWorkerPool(settings: ReportWorkerSettings, threads: number): WorkerPool {
  if (threads < 2) return { workers: [new ReportWorker(settings)], close: () => Promise.resolve() };
  const started = Array.from({ length: threads }, () => startThread(settings));
  return {
    workers: started.map(({ worker }) => worker),
    close: async () => void (await Promise.all(started.map(({ thread }) => thread.terminate()))),
  };
}

function startThread(settings: ReportWorkerSettings): { worker: PooledWorker; thread: Worker } {
  const thread = new Worker(new URL('./report-worker.ts', import.meta.url), { workerData: settings, resourceLimits });
  let failure: Error | null = null;
  thread.on('error', (error: Error) => (failure = error)); // else one that nobody waits for would end the process
  const call = async <Answer>(...sent: Call) => {
    if (failure) throw failure;
    const answer = once(thread, 'message'); // rejects where the thread fails
    thread.postMessage(sent);
    return ((await answer) as [Answer])[0];
  };
  const worker: PooledWorker = {
    measure: (...args) => call('measure', ...args),
    gather: () => call('gather'),
    makeFigures: (...args) => call('makeFigures', ...args),
    playByChance: (...args) => call('playByChance', ...args),
  };
  return { worker, thread };
}

// Hands out work to whoever is free and takes the results in the order of the work.

/**
 * Calls `work` for every item, on each worker one at a time, and `take` with the results in the order of the items.
 * The first failure ends it.
 */
export async function shareWork<Worker, Item, Result>(
  workers: readonly Worker[],
  items: readonly Item[],
  work: (worker: Worker, item: Item) => Result | Promise<Result>,
  take: (result: Result) => void,
): Promise<void> {
  const waiting = new Map<number, Result>();
  let [given, taken] = [0, 0];
  const serve = async (worker: Worker) => {
    while (given < items.length) {
      const place = given++;
      waiting.set(place, await work(worker, items[place]!));
      while (waiting.has(taken)) {
        const result = waiting.get(taken)!;
        waiting.delete(taken++);
        take(result);
      }
    }
  };
  await Promise.all(workers.map(serve));
}

/** `items` in groups of `size`, the last may be smaller. */
export const splitIntoGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
