// Prints the progress of a folder's matches: `match --status`.
import path from 'node:path';
import { type CommandIO, defaultOut, exitCodes } from '../command/command-line.ts';
import { type MatchFlags, readMatchFile } from '../command/match-options.ts';
import { formatStudy, formatStudyJson } from '../console/study-text.ts';
import { surveyStudy } from '../study/survey-study.ts';

/**
 * Prints the progress of the study in `--out`, or in the file's `out`. All other options may stay as in the command
 * that plays it. Throws a UsageError for a folder without matches.
 */
export async function printStudyStatus(
  { out, json }: Pick<MatchFlags, 'out' | 'json'>,
  file: string | undefined,
  { stdout, step }: CommandIO,
): Promise<number> {
  const study = surveyStudy(out ?? findOutOfFile(file) ?? defaultOut, step);
  await new Promise<void>((written) => stdout.write(`${json ? formatStudyJson(study) : formatStudy(study)}\n`, () => written())); // prettier-ignore
  return exitCodes.done;
}

/** Finds the `out` of a file. Paths in a file are relative to the file. */
function findOutOfFile(file: string | undefined): string | undefined {
  const out = file === undefined ? undefined : readMatchFile(file).plan.out;
  return out === undefined || file === undefined ? undefined : path.resolve(path.dirname(file), out);
}
