// Numbers on a command line.
import { InvalidArgumentError } from 'commander';

/** A whole number. Throws an InvalidArgumentError, as those below do. */
export function wholeFlag(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** USD, from 0 up. */
export function costFlag(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity))
    throw new InvalidArgumentError('It must be a number from 0 up.');
  return value;
}

/** A whole number from 1 up. */
export function countFlag(text: string): number {
  const value = wholeFlag(text);
  if (value < 1) throw new InvalidArgumentError('It must be a whole number from 1 up.');
  return value;
}
