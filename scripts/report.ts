// Writes a match's summary again from its record alone: `npm run report -- <folder>`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { summarizeMatch } from '../deception/summary.ts';
import { RecordError } from '../models/record-error.ts';
import { readRecord } from '../models/recorder.ts';
import { analysesCsv, statementsCsv } from '../report/csv.ts';
import { summaryMarkdown } from '../report/markdown.ts';
import { recordFiles } from '../state/record.ts';
import { runScript } from './exit.ts';
import { recordCommand } from './record-command.ts';

await runScript(() => {
  const program = recordCommand(
    'report',
    'Writes deception_summary.json, .md and the CSV tables from the record.',
  ).parse();
  const folder = program.args[0]!;
  const record = readRecord(folder);
  if (!record.isFinished)
    throw new RecordError(
      `${folder} holds a match that is not finished. Play it to its end first: npm run match -- --id ${record.manifest.id} --out ${path.dirname(folder)}`,
    );
  const summary = summarizeMatch(record);
  const files = {
    [recordFiles.summary]: `${JSON.stringify(summary, null, 2)}\n`,
    'deception_summary.md': summaryMarkdown(summary),
    'statements.csv': statementsCsv(record),
    'analyses.csv': analysesCsv(record),
  };
  for (const [name, contents] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), contents);
    process.stdout.write(`${path.join(folder, name)}\n`);
  }
  return Promise.resolve();
});
