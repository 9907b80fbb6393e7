// Files with one JSON value per line (NDJSON): reading with errors that name file and line, and appending.
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { z } from 'zod';

/** A record that cannot be used: damaged, of a later version or another match, in use, or on a disk that fails. */
export class RecordError extends Error {
  override name = 'RecordError';
}

/** The error for a file that could not be written; its cause is the system's error. */
export const createWriteError = (file: string, cause: unknown) =>
  new RecordError(
    `${file} cannot be written: ${(cause as Error).message}. Make room or mend the disk, then give the same command again.`,
    { cause },
  );

/** Whether a file is a link to somewhere else. A device is nobody's file. */
export const isForeignLink = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true &&
  statSync(file, { throwIfNoEntry: false })?.isCharacterDevice() !== true;

/**
 * Throws RecordError for a file of a record that is a link: a record that came from elsewhere could have any file read
 * or written.
 */
export function checkNoLink(file: string): void {
  if (isForeignLink(file))
    throw new RecordError(`${file} is a link, which no file of a record may be. Put the file itself in its place.`);
}

interface NdjsonContents<Row> {
  rows: Row[];
  /** Bytes of a last line that was cut off in the middle, e.g. by a power cut; usually 0. */
  tornBytes: number;
}

/**
 * Reads each line by the schema, after `migrate` has brought it to today's form. A file that does not exist has no rows.
 * Throws RecordError with file and line for a line that cannot be read.
 *
 * @example const { rows } = readNdjson('runs/a/events.ndjson', GameEvent);
 */
export function readNdjson<Row>(
  file: string,
  schema: z.ZodType<Row>,
  migrate: (stored: unknown) => unknown = (stored) => stored,
): NdjsonContents<Row> {
  checkNoLink(file);
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

/** Removes a torn last line from a file of `size` bytes. */
export const truncateTornLine = (file: string, { tornBytes }: NdjsonContents<unknown>, size: number) => {
  if (tornBytes > 0) truncateSync(file, size - tornBytes);
};

/**
 * Opens a file for writing rows; each row has been passed to the system when `append` returns. Both functions throw
 * RecordError where the disk is full or fails.
 */
export function openNdjson(file: string, mode: 'append' | 'anew') {
  checkNoLink(file);
  const descriptor = openSync(file, mode === 'append' ? 'a' : 'w');
  let failure: Error | null = null;
  return {
    append: (rows: readonly unknown[]) => {
      if (failure) throw failure; // a line may have been cut off: nothing may follow it
      try {
        writeFileSync(descriptor, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      } catch (error) {
        failure = createWriteError(file, error);
        throw failure;
      }
    },
    /** Waits until everything is on the disk. Does not repeat an error that `append` has thrown. */
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
