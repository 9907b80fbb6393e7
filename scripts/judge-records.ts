// Asks a judge about the statements of recorded matches, as far as it has not been asked yet: `--judge` of the reports.
import { judgeRecord, type JudgeOptions } from '../graph/judge-claims.ts';
import { sideBySide } from '../graph/side-by-side.ts';
import { RecordError } from '../models/record/record-error.ts';
import { readRecord } from '../models/record/recorder.ts';
import { openModels } from './command/model-opener.ts';

export interface JudgeRecordsOptions extends Pick<
  JudgeOptions,
  'env' | 'signal' | 'onCalls' | 'onAnswer' | 'onWarning'
> {
  /** USD; no call starts once so much is spent on these records together. */
  maxCost?: number | undefined;
  /** Calls under way at the same time; 32 by default. */
  concurrency?: number | undefined;
}

/**
 * Afterwards `readJudged` reads the judge's claims of each record. Without anything left to ask, no key is needed and no
 * call made. Records that cannot be read or whose match is not over are passed over. Throws as `judgeRecord` does.
 */
export async function judgeRecords(
  folders: readonly string[],
  spec: string,
  { maxCost, concurrency, env = process.env, ...options }: JudgeRecordsOptions = {},
): Promise<void> {
  const modelAt = openModels(spec, env);
  await sideBySide(folders, { maxCost, concurrency }, async (folder, shared) => {
    const record = finished(folder);
    if (!record) return;
    const { talkTemperature } = record.manifest.setup.rules;
    await judgeRecord(
      folder,
      record,
      { name: spec, open: () => modelAt(talkTemperature) },
      { ...options, ...shared, env, maxCost },
    );
  });
}

/** Null for what a report names and leaves out. */
function finished(folder: string) {
  try {
    const record = readRecord(folder);
    return record.isFinished ? record : null;
  } catch (error) {
    if (error instanceof RecordError) return null;
    throw error;
  }
}
