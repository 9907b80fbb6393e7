// What the command lines of all scripts have in common.
import { writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { createWriteError } from '../../models/record/ndjson.ts';
import type { CommandIO } from './exit.ts';

/**
 * A command of which `parse` throws a CommanderError for a wrong command line, and for its help, when it has told so.
 *
 * @example const { args } = createCommand('show', 'Prints a match.', io).argument('<folder>').parse(argv, { from: 'user' });
 */
export const createCommand = (name: string, description: string, { stdout, stderr }: CommandIO) =>
  new Command(`npm run ${name} --`)
    .description(description)
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();

/** The command line of a script that takes the folder of a match. */
export const createRecordCommand = (name: string, description: string, io: CommandIO) =>
  createCommand(name, description, io).argument('<folder>', 'the folder of a match, e.g. runs/classic-8-7-1a2b3c4d');

/** Throws an InvalidArgumentError, as those below do. */
export function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
  return value;
}

export function readWhole(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** A whole number from 1 up. */
export function readCount(text: string): number {
  const value = readWhole(text);
  if (value < 1) throw new InvalidArgumentError('It must be a whole number from 1 up.');
  return value;
}

/** USD, from 0 up. */
export function readCost(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity))
    throw new InvalidArgumentError('It must be a number from 0 up.');
  return value;
}

// Writes a file that a user asked for.

/** Returns its path. Throws a RecordError that names it where it cannot be written. */
export function writeFile(file: string, text: string): string {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw createWriteError(file, error);
  }
  return file;
}
