// A Parquet file that is written row by row: what tables of reports and banks have in common.
import { type ColumnSource, fileWriter, ParquetWriter } from 'hyparquet-writer';

type WrittenSchema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** It is held open by nobody between calls. */
export interface ParquetFile<Row> {
  add(rows: readonly Row[]): void;
  /** Writes what is left, and the file is whole. */
  close(): void;
}

interface ParquetColumns<Row> {
  schema: WrittenSchema;
  names: readonly string[];
  /** The cells of a column. */
  cellsOf: (name: string, rows: readonly Row[]) => ColumnSource['data'];
  /** Characters of text in a row. */
  weigh: (row: Row) => number;
}

/** Rows are kept until there are so many, or so many characters of text: the larger a group, the less room it takes. */
const most = { rows: 10_000, characters: 4_000_000 };

/**
 * Opens a new file. Throws the system's error where it cannot be written.
 *
 * @example openParquetFile('names.parquet', { schema, names: ['name'], cellsOf: (name, rows) => rows.map((row) => row[name]), weigh: () => 20 })
 */
export function openParquetFile<Row>(
  file: string,
  { schema, names, cellsOf, weigh }: ParquetColumns<Row>,
): ParquetFile<Row> {
  const writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy: 'wolfgraph' });
  let rows: Row[] = [];
  let characters = 0;
  const flush = () => {
    if (rows.length === 0) return;
    const columnData = names.map((name) => ({ name, data: cellsOf(name, rows) }));
    void writer.write({ columnData, rowGroupSize: rows.length }); // a file's writer returns no promise
    rows = [];
    characters = 0;
  };
  return {
    add: (more) => {
      for (const row of more) {
        rows.push(row);
        characters += weigh(row);
      }
      if (rows.length >= most.rows || characters >= most.characters) flush();
    },
    close: () => {
      flush();
      void writer.finish();
    },
  };
}
