// Makes the Parquet schema of rows with lists and structures from the zod schema of a row.
import type { ParquetWriter } from 'hyparquet-writer';
import { z } from 'zod';

type SchemaElements = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type SchemaElement = SchemaElements[number];

/** Part of a JSON Schema that describes a value. */
interface Shape {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
}

const leaves: Readonly<Record<string, Partial<SchemaElement>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
};

/**
 * Creates the Parquet schema of a row. Columns may be texts, booleans, numbers, and lists and structures of these.
 * Throws a TypeError for anything else.
 *
 * @example createRowSchema(z.strictObject({ words: z.array(z.string()) })).map(({ name }) => name) // ['root', 'words', 'list', 'element']
 */
export function createRowSchema(row: z.ZodObject): SchemaElements {
  const { properties = {} } = z.toJSONSchema(row) as Shape;
  const columns = Object.entries(properties);
  return [
    { name: 'root', num_children: columns.length },
    ...columns.flatMap(([name, shape]) => listElements(name, shape)),
  ];
}

function listElements(name: string, shape: Shape): SchemaElement[] {
  const options = (shape.anyOf ?? [shape]).flatMap((one) => [one.type ?? []].flat().map((type) => ({ ...one, type })));
  const [value, ...others] = options.filter(({ type }) => type !== 'null');
  if (value === undefined || others.length > 0)
    throw new TypeError(`Column "${name}" must have exactly one type besides null.`);
  const repetition_type = options.length > 1 ? 'OPTIONAL' : 'REQUIRED';
  if (value.type === 'array')
    return [
      { name, repetition_type, converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...listElements('element', value.items ?? {}),
    ];
  if (value.type === 'object') {
    const fields = Object.entries(value.properties ?? {});
    return [
      { name, repetition_type, num_children: fields.length },
      ...fields.flatMap(([field, one]) => listElements(field, one)),
    ];
  }
  const leaf = leaves[value.type];
  if (leaf === undefined) throw new TypeError(`Column "${name}" cannot be written: ${JSON.stringify(value)}.`);
  return [{ name, repetition_type, ...leaf }];
}
