// Writes a Parquet file row by row, for the tables of reports and of banks.
import { type ColumnSource, fileWriter, ParquetWriter } from 'hyparquet-writer';

type WrittenSchema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** A Parquet file that is being written. The file is not kept open between calls. */
export interface ParquetFile<Row> {
  add(rows: readonly Row[]): void;
  /** Writes the remaining rows and completes the file. */
  close(): void;
}

interface ParquetColumns<Row> {
  schema: WrittenSchema;
  names: readonly string[];
  /** Returns the cells of a column. */
  cellsOf: (name: string, rows: readonly Row[]) => ColumnSource['data'];
  /** Returns the number of text characters in a row. */
  weigh: (row: Row) => number;
}

/** Limits of a row group: rows, and characters of text. Larger groups take less space. */
const most = { rows: 10_000, characters: 4_000_000 };

/**
 * Opens a new file. Throws the system's error if it cannot be written.
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
    void writer.write({ columnData, rowGroupSize: rows.length }); // this kind of writer returns no promise
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
