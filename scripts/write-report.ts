// The files of a match's report, made from its record.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { summarizeMatch } from '../deception/summary/match-summary.ts';
import { buildTables } from '../deception/tables/match-tables.ts';
import { groupRowsByTable, tableNames } from '../deception/tables/row-schemas.ts';
import { RecordError } from '../models/record/ndjson.ts';
import { readRecord } from '../models/record/recorder.ts';
import { renderTableCsv } from '../report/csv.ts';
import { renderSummary } from '../report/match-summary.ts';
import { recordFiles } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import { goOnCommand } from './console/run-summary.ts';
import { readSources } from './report/match-inventory.ts';

/** Returns the paths of the files. Throws RecordError for a record that cannot be read, or whose match is not over. */
export async function writeReport(folder: string): Promise<string[]> {
  const record = readRecord(folder);
  if (!record.isFinished)
    throw new RecordError(
      `The match in ${folder} is not over. Play it to its end first: ${goOnCommand(record.manifest.id, path.dirname(folder))}`,
    );
  const write = ([name, contents]: [string, string]) => {
    const file = path.join(folder, name);
    writeFileSync(file, contents);
    return file;
  };
  const summary = summarizeMatch(record);
  const pages: [string, string][] = [
    [recordFiles.summary, `${JSON.stringify(summary, null, 2)}\n`],
    ['deception_summary.md', renderSummary(summary)],
  ];
  const files = pages.map(write); // also where there can be no tables
  return [...files, ...(await tableFiles(folder)).map(write)];
}

/** The tables but that of matches, whose only row would repeat the manifest and the summary. */
async function tableFiles(folder: string): Promise<[string, string][]> {
  const rows = groupRowsByTable(await soundTables(folder));
  return tableNames
    .filter((table) => table !== 'matches')
    .map((table) => [`${table}.csv`, renderTableCsv(table, rows[table])]);
}

async function soundTables(folder: string) {
  const { record, sources } = await readSources(folder);
  try {
    return buildTables(record, sources);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new RecordError(`There are no tables of the match in ${folder}: ${error.message}`, { cause: error });
  }
}
