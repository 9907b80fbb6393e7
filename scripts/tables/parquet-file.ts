// A table as a Parquet file that grows row group by row group.
import { fileWriter, ParquetWriter, schemaFromColumnData, type BasicType } from 'hyparquet-writer';
import { columnsOf, type ColumnType, type Row, type TableName } from '../../deception/tables/columns.ts';
import type { TableFile } from './table-file.ts';

const types = {
  text: 'STRING',
  boolean: 'BOOLEAN',
  int32: 'INT32',
  int64: 'INT64',
  double: 'DOUBLE',
} as const satisfies Record<ColumnType, BasicType>;

/** Rows are kept until there are so many, or so many characters of text: the larger a group, the less room it takes. */
const most = { rows: 10_000, characters: 4_000_000 };

/** Throws the system's error where the file cannot be written. */
export function openParquet(file: string, table: TableName): TableFile {
  const columns = columnsOf(table);
  const sources = columns.map(({ name, type, isNullable }) => ({ name, type: types[type], nullable: isNullable }));
  const schema = schemaFromColumnData({ columnData: sources.map((source) => ({ ...source, data: [] })) });
  const writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy: 'wolfgraph' });
  let rows: Row[] = [];
  let characters = 0;
  const flush = () => {
    if (rows.length === 0) return;
    const columnData = columns.map(({ name, type }) => {
      const cells = rows.map((row) => row[name]);
      return {
        name,
        data: type === 'int64' ? cells.map((cell) => (typeof cell === 'number' ? BigInt(cell) : cell)) : cells,
      };
    });
    void writer.write({ columnData, rowGroupSize: rows.length }); // a file's writer returns no promise
    rows = [];
    characters = 0;
  };
  return {
    add: (more) => {
      for (const row of more) {
        rows.push(row);
        for (const cell of Object.values(row)) if (typeof cell === 'string') characters += cell.length;
      }
      if (rows.length >= most.rows || characters >= most.characters) flush();
    },
    close: () => {
      flush();
      void writer.finish();
    },
  };
}
