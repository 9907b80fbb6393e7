// The golden records, each read and measured once for all suites of a process.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { buildTables, type MatchTables } from '../deception/tables/match-tables.ts';
import { readRecord } from '../models/record/recorder.ts';

const folder = path.join(import.meta.dirname, 'golden');

export const goldenNames: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const records = new Map<string, ReturnType<typeof readRecord>>();
const measured = new Map<string, MatchTables>();

export function readGoldenRecord(name: string) {
  const record = records.get(name) ?? readRecord(path.join(folder, name));
  records.set(name, record);
  return record;
}

/** Returns the tables of a golden record as `buildTables` makes them without a judge. */
export function buildGoldenTables(name: string): MatchTables {
  const tables = measured.get(name) ?? buildTables(readGoldenRecord(name));
  measured.set(name, tables);
  return tables;
}
