// What the error that stopped a match means to whoever asked for it.
import { RecordError } from '../../models/record/record-error.ts';
import { UsageError } from '../../state/usage-error.ts';

/** A record that does not fit is not mended by going on; one that could not be written is. */
export const isResumable = (error: unknown) => !(error instanceof RecordError) || error.cause !== undefined;

/** Nobody's usage is wrong any more once a match has begun: it is a mistake of the program. */
export const afterStart = (error: unknown) => (error instanceof UsageError ? new Error(error.stack) : error);

/** An error of the file system, told with its cure; others as they are. */
export function unwritable(error: unknown, out: string): unknown {
  const isSystems = error instanceof Error && 'syscall' in error;
  return isSystems
    ? new Error(`The folder ${out} cannot be written: ${error.message}. Name another with --out.`, { cause: error })
    : error;
}
