// Files of one JSON value a line: read with every fault named, appended line by line.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

// A record that cannot be used: damaged, of another version, of another match, in use, or on a disk that takes no more.

export class RecordError extends Error {
  override name = 'RecordError';
}

/** A file that could not be written, with the system's reason as its cause: going on mends it once the disk is mended. */
export const createWriteError = (file: string, cause: unknown) =>
  new RecordError(
    `${file} cannot be written: ${(cause as Error).message}. Make room or mend the disk, then give the same command again.`,
    { cause },
  );

export interface NdjsonContents<Row> {
  rows: Row[];
  /** Bytes of a last line that was cut off in the middle, as by a power cut; 0 normally. */
  tornBytes: number;
}

/**
 * Reads each line by the schema, once `migrate` has brought it to today's form. Throws RecordError with file and line for
 * a line that cannot be read. A file that is not there has no rows.
 */
export function readNdjson<Row>(
  file: string,
  schema: z.ZodType<Row>,
  migrate: (stored: unknown) => unknown = (stored) => stored,
): NdjsonContents<Row> {
  if (!existsSync(file)) return { rows: [], tornBytes: 0 };
  const bytes = readFileSync(file);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const lines = whole === 0 ? [] : bytes.toString('utf8', 0, whole - 1).split('\n');
  const rows = lines.map((line, index) => readLine(file, index + 1, line, schema, migrate));
  return { rows, tornBytes: bytes.length - whole };
}

function readLine<Row>(
  file: string,
  number: number,
  line: string,
  schema: z.ZodType<Row>,
  migrate: (stored: unknown) => unknown,
): Row {
  const createDamageError = (reason: string) =>
    new RecordError(
      `${file}, line ${number} is damaged: ${reason}. Restore the file from a copy, or move the folder away and start again.`,
    );
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw createDamageError('it is not JSON');
  }
  const read = schema.safeParse(migrate(value));
  if (!read.success) throw createDamageError(z.prettifyError(read.error).replace(/\s*\n\s*/g, '; '));
  return read.data;
}

/** Cuts a torn last line off. */
export const truncateTornLine = (file: string, { tornBytes }: NdjsonContents<unknown>, size: number) => {
  if (tornBytes > 0) truncateSync(file, size - tornBytes);
};

/** Appends rows to a file; each is in the hands of the system before `append` returns. */
export function openNdjson(file: string, mode: 'append' | 'anew') {
  const descriptor = openSync(file, mode === 'append' ? 'a' : 'w');
  let failure: Error | null = null;
  return {
    append: (rows: readonly unknown[]) => {
      if (failure) throw failure; // a line may have been cut: nothing may be written behind it
      try {
        writeFileSync(descriptor, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      } catch (error) {
        failure = createWriteError(file, error);
        throw failure;
      }
    },
    /** Waits until the disk has it all. What could not be written before has been told. */
    close: () => {
      try {
        if (!failure) fsyncSync(descriptor);
      } catch (error) {
        throw createWriteError(file, error);
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
