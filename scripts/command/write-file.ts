// Writes a file that a user asked for.
import { writeFileSync } from 'node:fs';
import { createWriteError } from '../../models/record/record-error.ts';

/** Returns its path. Throws a RecordError that names it where it cannot be written. */
export function writeFile(file: string, text: string): string {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw createWriteError(file, error);
  }
  return file;
}
