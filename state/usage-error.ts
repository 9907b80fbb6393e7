// The error for a mistake of whoever uses the project, in contrast to one of the program.

/**
 * What a user gave cannot be used: an option, a file, a board, a model, a record. The message names the value, what was
 * expected and the known ones. A script prints it without a stack and exits with code 2.
 *
 * @example throw new UsageError(`Unknown role "${name}". Known roles: ${known.join(', ')}.`);
 */
export class UsageError extends Error {
  override name = 'UsageError';
}
