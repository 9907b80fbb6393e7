// The tidy tables of many matches as CSV and Parquet files, written match by match.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BasicType, schemaFromColumnData } from 'hyparquet-writer';
import {
  type ColumnType,
  getColumns,
  groupRowsByTable,
  type MatchTables,
  type TableRow,
  type TableName,
  tableNames,
} from '../../deception/tables/match-tables.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { createWriteError, RecordError } from '../../models/record/ndjson.ts';
import { renderCsvHead, renderCsvRows } from '../../report/csv.ts';
import { type CsvForm, formatCsvFile } from '../../report/csv-form.ts';
import { type Draft, dropFile, nameDraft, placeDrafts } from '../command/replace-files.ts';
import { openParquetFile } from './parquet-file.ts';

/** A table's file that is being written. The file is not kept open between calls. */
interface TableFile {
  add(rows: readonly TableRow[]): void;
  /** Writes the remaining rows and completes the file. */
  close(): void;
}

/** Creates a CSV file. Throws the system's error if the file cannot be written. */
function openCsv(file: string, table: TableName, csv: CsvForm): TableFile {
  writeFileSync(file, formatCsvFile(renderCsvHead(table), csv), { flag: 'wx' });
  return {
    add: (rows) => appendFileSync(file, renderCsvRows(table, rows)),
    close: () => undefined,
  };
}

const types = {
  text: 'STRING',
  boolean: 'BOOLEAN',
  int32: 'INT32',
  int64: 'INT64',
  double: 'DOUBLE',
} as const satisfies Record<ColumnType, BasicType>;

/** Creates a Parquet file. Throws the system's error if the file cannot be written. */
function openParquet(file: string, table: TableName): TableFile {
  const columns = getColumns(table);
  const sources = columns.map(({ name, type, isNullable }) => ({ name, type: types[type], nullable: isNullable }));
  const large = new Set(columns.filter(({ type }) => type === 'int64').map(({ name }) => name));
  return openParquetFile<TableRow>(file, {
    schema: schemaFromColumnData({ columnData: sources.map((source) => ({ ...source, data: [] })) }),
    names: columns.map(({ name }) => name),
    cellsOf: (name, rows) => {
      const cells = rows.map((row) => row[name]);
      return large.has(name) ? cells.map((cell) => (typeof cell === 'number' ? BigInt(cell) : cell)) : cells;
    },
    weigh: (row) => {
      let characters = 0;
      for (const cell of Object.values(row)) if (typeof cell === 'string') characters += cell.length;
      return characters;
    },
  });
}

const openers = { csv: openCsv, parquet: openParquet } as const;

type TableFormat = keyof typeof openers;
const tableFormats = Object.keys(openers) as readonly TableFormat[];

/** Lists the files that `openTables` writes. */
export const listTableFiles = (folder: string, formats = tableFormats): string[] =>
  tableNames.flatMap((table) => formats.map((format) => path.join(folder, `${table}.${format}`)));

export interface TableFiles {
  /** Writes the rows of a match. Memory does not grow with the number of matches. */
  add(match: MatchTables): void;
  /**
   * Completes the files, which keep their draft names until they are moved: matches.csv, matches.parquet,
   * statements.csv and so on.
   */
  finish(): Draft[];
  /** Completes the files, renames them to their final names, and returns their paths. */
  close(): string[];
  /**
   * Removes everything written so far, and keeps earlier files. Call this method if something else fails before
   * `close`.
   */
  discard(): void;
}

/**
 * Opens the files of the tables in each of the formats (default: all), and creates the folder if it does not exist.
 * Until `close`, the names of all files end in `.new`, so that nobody sees incomplete tables. `csv`: form of CSV files.
 * Throws a RecordError that names the folder if it cannot be written; `add` and `close` throw one that names the file.
 * The new files are then removed.
 *
 *     const tables = openTables(folder, ['csv', 'parquet']);
 *     for (const match of matches) tables.add(tablesOf(match));
 *     const files = tables.close();
 */
export function openTables(
  folder: string,
  formats: readonly TableFormat[] = tableFormats,
  csv: CsvForm = 'plain',
): TableFiles {
  const open: { table: TableName; path: string; file: TableFile }[] = [];
  const discard = () => {
    for (const file of open) dropFile(nameDraft(file.path));
  };
  const orDiscard = (act: () => void, told: (error: unknown) => unknown) => {
    try {
      act();
    } catch (error) {
      discard();
      throw told(error);
    }
  };
  const each = (act: (file: (typeof open)[number]) => void) => {
    for (const file of open)
      orDiscard(
        () => act(file),
        (error) => createWriteError(file.path, error),
      );
  };

  orDiscard(
    () => {
      getDisk().makeFolder(folder);
      for (const table of tableNames)
        for (const format of formats) {
          const file = path.join(folder, `${table}.${format}`);
          dropFile(nameDraft(file)); // the draft may be left from a killed report, or may be a link
          open.push({ table, path: file, file: openers[format](nameDraft(file), table, csv) });
        }
    },
    (error) =>
      new RecordError(
        `The folder ${folder} cannot be written: ${(error as Error).message}. Name another folder, or make it writable.`,
        { cause: error },
      ),
  );
  const finish = () => {
    each(({ file }) => file.close());
    return open.map(({ path: file }) => ({ draft: nameDraft(file), file }));
  };
  return {
    add: (match) => {
      const rows = groupRowsByTable(match);
      each(({ table, file }) => file.add(rows[table]));
    },
    finish,
    close: () => placeDrafts(finish()),
    discard,
  };
}
