// Presentation of a set of matches during and after play.
import type { MatchEnd, SetListener, SetResult } from '../../graph/play-matches.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import type { MatchCommand } from '../command/match-command.ts';
import { openLogger } from './logger.ts';
import { hasTerminal } from './progress.ts';

export interface Presentation {
  /** Reports events during play. */
  listener: SetListener;
  /** Prints the result, and returns the exit code. */
  tellResult: (result: SetResult) => number;
  /** Prints the error that stopped the set, and returns the exit code. Throws the error if no match had begun. */
  tellFailure: (error: unknown) => number;
  /** Resolves when everything is written. */
  close: () => Promise<void>;
}

/** Opens the console of a command. `json` and `quiet` decide how much is printed. */
export function openConsole(
  { json = false, quiet = false }: Pick<MatchCommand['manner'], 'json' | 'quiet'>,
  io: CommandIO,
) {
  const isShown = !json && !quiet;
  const log = openLogger(io, { story: isShown, warnings: !quiet });
  return { isShown, hasLine: isShown && hasTerminal(io), log };
}

/**
 * Prints a match's result as JSON. Resolves when the output has accepted it, because a reader may be slow and matches
 * many.
 */
export function printLine(end: MatchEnd, { stdout }: CommandIO): Promise<void> {
  const { id, folder } = end;
  const line = 'error' in end ? { id, folder, error: describeError(end.error) } : { id, folder, summary: end.summary };
  return new Promise((resolve) => void stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}
