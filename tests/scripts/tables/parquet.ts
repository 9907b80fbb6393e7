// Reads a Parquet file with an independent reader.
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';

/** Reads the rows of a Parquet file. 8-byte whole numbers are bigint. */
export const readParquet = async (file: string) => parquetReadObjects({ file: await asyncBufferFromFile(file) });

/** Returns the name, type and nullability of each column, and the numbers of row groups and rows. */
export async function shapeOf(file: string) {
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
  return {
    rows: Number(metadata.num_rows),
    groups: metadata.row_groups.length,
    columns: parquetSchema(metadata).children.map(({ element }) => ({
      name: element.name,
      type: element.converted_type ?? element.type,
      isNullable: element.repetition_type === 'OPTIONAL',
    })),
  };
}
