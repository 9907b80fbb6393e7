// The files of a match's report, made from its record.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { summarizeMatch } from '../deception/summary.ts';
import { RecordError } from '../models/record/record-error.ts';
import { readRecord } from '../models/record/recorder.ts';
import { analysesCsv, statementsCsv } from '../report/csv.ts';
import { summaryMarkdown } from '../report/markdown.ts';
import { recordFiles } from '../state/record.ts';
import { goOnCommand } from './console/next-steps.ts';

/** Returns the paths of the files. Throws RecordError for a record that cannot be read, or whose match is not over. */
export function writeReport(folder: string): string[] {
  const record = readRecord(folder);
  if (!record.isFinished)
    throw new RecordError(
      `The match in ${folder} is not over. Play it to its end first: ${goOnCommand(record.manifest.id, path.dirname(folder))}`,
    );
  const summary = summarizeMatch(record);
  const files = {
    [recordFiles.summary]: `${JSON.stringify(summary, null, 2)}\n`,
    'deception_summary.md': summaryMarkdown(summary),
    'statements.csv': statementsCsv(record),
    'analyses.csv': analysesCsv(record),
  };
  return Object.entries(files).map(([name, contents]) => {
    const file = path.join(folder, name);
    writeFileSync(file, contents);
    return file;
  });
}
