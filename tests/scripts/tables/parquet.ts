// Reads a Parquet file with an independent reader.
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';

/** The rows; whole numbers of eight bytes are bigint. */
export const readParquet = async (file: string) => parquetReadObjects({ file: await asyncBufferFromFile(file) });

/** Name, type and whether it may be null, of each column; and how many row groups and rows there are. */
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
