// Workers that share a verification: each reads and replays records, in a thread.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { replayMatch } from '../../graph/play-match.ts';
import { describeLink, listLinks } from '../../models/record/ndjson.ts';
import { findRedactionFaults, isRedactedRecord } from '../../models/record/redact-record.ts';
import { checkRecord } from '../../models/record/recorder.ts';
import { getErrorMessage } from '../command/command-line.ts';
import '../command/start-prefix.ts';

/** Result of checking one record. */
export interface RecordVerdict {
  folder: string;
  /** Faults, one line each. */
  faults: readonly string[];
  /** Notes that are not faults. */
  notes: readonly string[];
  isFinished: boolean;
  isSealed: boolean;
  /** Whether people's words were removed from the record, so that it can no longer be replayed. */
  isRedacted: boolean;
  /** Result of the replay. Null if the record was not replayed, because it is damaged, unfinished or imported. */
  replayed: 'same wording' | 'other wording' | 'prompts not compared' | null;
}

interface VerifyOptions {
  /** Whether to compare only events, and to ignore prompts that differ from the recorded ones. */
  allowChangedPrompts: boolean;
}

/** Reads a record, checks its seal and replays it. Never throws: every problem becomes a fault. */
async function checkWholeRecord(folder: string, { allowChangedPrompts }: VerifyOptions): Promise<RecordVerdict> {
  const verdict = { folder, notes: [], isFinished: false, isSealed: false, isRedacted: false, replayed: null };
  try {
    const links = listLinks(folder);
    if (links.length > 0) return { ...verdict, faults: links.map(describeLink) }; // links are not followed
    if (isRedactedRecord(folder)) {
      const broken = findRedactionFaults(folder);
      return { ...verdict, faults: broken, isFinished: true, isSealed: broken.length === 0, isRedacted: true };
    }
    const { record, faults, notes } = checkRecord(folder, { isThorough: true });
    const found = { ...verdict, faults, notes, isFinished: record.isFinished, isSealed: record.seal !== null };
    if (faults.length > 0 || !record.isFinished || record.manifest.imported) return found;
    try {
      const { isReworded } = await replayMatch(folder, { allowChangedPrompts, record });
      const compared = isReworded ? 'other wording' : 'same wording';
      return { ...found, replayed: allowChangedPrompts ? 'prompts not compared' : compared };
    } catch (error) {
      return { ...found, faults: [getErrorMessage(error)] };
    }
  } catch (error) {
    return { ...verdict, faults: [getErrorMessage(error)] };
  }
}

if (!isMainThread && parentPort) {
  const port = parentPort;
  const options = workerData as VerifyOptions;
  port.on('message', (folder: string) => {
    void checkWholeRecord(folder, options).then((verdict) => port.postMessage(verdict));
  });
}

type CheckRecord = (folder: string) => Promise<RecordVerdict>;

/**
 * Minimum number of records for which threads are started. Fewer records are finished before a second thread has
 * loaded.
 */
const fewestForThreads = 24;
const mostThreads = 8;

/** Opens workers that each check one record at a time; `close` ends their threads. */
export function openVerifiers(
  records: number,
  options: VerifyOptions,
): { verifiers: readonly CheckRecord[]; close: () => Promise<void> } {
  const threads = records < fewestForThreads ? 1 : Math.min(availableParallelism(), mostThreads);
  if (threads < 2)
    return { verifiers: [(folder) => checkWholeRecord(folder, options)], close: () => Promise.resolve() };
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url), { workerData: options }));
  const verifiers = workers.map((worker): CheckRecord => async (folder) => {
    const answer = once(worker, 'message'); // rejects if the thread fails
    worker.postMessage(folder);
    return ((await answer) as [RecordVerdict])[0];
  });
  return { verifiers, close: async () => void (await Promise.all(workers.map((worker) => worker.terminate()))) };
}
