// The tables as files hold them: rows of cells, under columns whose types follow from the shape of a row.
import { z } from 'zod';
import { tableSchemas, type MatchTables } from './row-schemas.ts';

/** `int32` and `int64` are whole numbers, `double` any. */
export type ColumnType = 'text' | 'boolean' | 'int32' | 'int64' | 'double';

export interface Column {
  name: string;
  type: ColumnType;
  isNullable: boolean;
}

export type TableName = keyof typeof tableSchemas;
export const tableNames = Object.keys(tableSchemas) as readonly TableName[];

/** A row of any table; null is what is missing. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** The rows that a match adds to each table. */
export const groupRowsByTable = ({ match, ...others }: MatchTables): Readonly<Record<TableName, readonly Row[]>> => ({
  matches: [match],
  ...others,
});

/** The columns of a table, in the order in which they stand in a file. */
export const getColumns = (table: TableName): readonly Column[] => columns.get(table)!;

/** What JSON Schema says of a value. */
interface JsonSchemaShape {
  type?: string | string[] | undefined;
  anyOf?: JsonSchemaShape[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

const columns: ReadonlyMap<TableName, readonly Column[]> = new Map(
  tableNames.map((table) => {
    const { properties } = z.toJSONSchema(tableSchemas[table]) as { properties: Record<string, JsonSchemaShape> };
    return [table, Object.entries(properties).map(([name, shape]) => createColumn(name, shape))];
  }),
);

function createColumn(name: string, shape: JsonSchemaShape): Column {
  const alternatives = (shape.anyOf ?? [shape]).flatMap((one) =>
    [one.type ?? []].flat().map((type) => ({ ...one, type })),
  );
  const [value, ...others] = alternatives.filter(({ type }) => type !== 'null');
  const types: Readonly<Record<string, ColumnType>> = {
    string: 'text',
    boolean: 'boolean',
    number: 'double',
    integer: (value?.maximum ?? Infinity) < 2 ** 31 && (value?.minimum ?? -Infinity) >= -(2 ** 31) ? 'int32' : 'int64',
  };
  const type = types[value?.type ?? ''];
  if (type === undefined || others.length > 0)
    throw new TypeError(`Column "${name}" is no text, boolean or number: ${JSON.stringify(shape)}.`);
  return { name, type, isNullable: alternatives.some((one) => one.type === 'null') };
}
