// Has a judge draw the claims of recorded matches, as far as it has not done so before: `--judge` of the reports.
import { type JudgeOptions, judgeRecord } from '../../graph/annotation/judge-claims.ts';
import { runConcurrently } from '../../graph/annotation/annotation-run.ts';
import { openModel, readModelSpec } from '../../models/providers/index.ts';
import type { Environment, PlayerModel } from '../../models/model.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import { countCalls, hasTerminal } from '../console/progress.ts';
import { findMatches } from '../command/match-folder.ts';
import { readFinishedRecord } from './match-inventory.ts';

/**
 * Opens the model once for each temperature that the rules of matches ask for. Throws a UsageError for a model string
 * that cannot be read; the function as `openModel` does.
 */
export function openModels(spec: string, env: Environment): (temperature: number | null) => Promise<PlayerModel> {
  readModelSpec(spec);
  const opened = new Map<number | null, Promise<PlayerModel>>();
  return (temperature) => {
    const model = opened.get(temperature) ?? openModel(spec, { temperature, env });
    opened.set(temperature, model);
    return model;
  };
}

interface JudgeRecordsOptions extends Pick<JudgeOptions, 'env' | 'signal' | 'onCalls' | 'onAnswer' | 'onWarning'> {
  /** USD; no call starts once so much is spent on these records together. */
  maxCost?: number | undefined;
  /** Calls under way at the same time; 32 by default. */
  concurrency?: number | undefined;
}

/**
 * Afterwards `readJudged` reads the judge's claims of each record. Without anything left to ask, no key is needed and no
 * call made. Records that cannot be read or whose match is not over are passed over. Throws as `judgeRecord` does.
 */
async function judgeRecords(
  folders: readonly string[],
  spec: string,
  { maxCost, concurrency, env = process.env, ...options }: JudgeRecordsOptions = {},
): Promise<void> {
  const modelAt = openModels(spec, env);
  await runConcurrently(folders, { maxCost, concurrency }, async (folder, shared) => {
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
    return readFinishedRecord(folder);
  } catch (error) {
    if (error instanceof RecordError) return null;
    throw error;
  }
}

/** `maxCost`: USD. Throws as `judgeRecords` does; what was answered by then is kept. */
export async function askJudge(
  folders: readonly string[],
  judge: string,
  maxCost: number | undefined,
  io: CommandIO,
): Promise<void> {
  const progress = countCalls(hasTerminal(io));
  try {
    await judgeRecords([...new Set(findMatches(folders))], judge, {
      maxCost,
      env: io.env,
      signal: io.listenToSignals(),
      onWarning: (message) => io.stderr.write(`${describeError(message)}\n`),
      onCalls: (more) => progress.add(more),
      onAnswer: (line, isRecorded) => void (isRecorded || progress.answer(line)),
    });
  } finally {
    progress.stop();
  }
}
