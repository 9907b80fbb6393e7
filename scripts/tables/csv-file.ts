// A table as a CSV file that grows match by match.
import { appendFileSync, writeFileSync } from 'node:fs';
import type { TableName } from '../../deception/tables/columns.ts';
import { csvHead, csvRows } from '../../report/table-csv.ts';
import type { TableFile } from './table-file.ts';

/** Throws the system's error where the file cannot be written. */
export function openCsv(file: string, table: TableName): TableFile {
  writeFileSync(file, csvHead(table));
  return {
    add: (rows) => appendFileSync(file, csvRows(table, rows)),
    close: () => undefined,
  };
}
