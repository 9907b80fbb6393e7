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
