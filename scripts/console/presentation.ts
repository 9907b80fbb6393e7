// How a set of matches is presented while it is played and when it is over.
import type { MatchEnd, SetListener, SetResult } from '../../graph/play-matches.ts';
import { type CommandIO, describeError } from '../command/command-line.ts';
import type { MatchCommand } from '../command/match-command.ts';
import { openLogger } from './logger.ts';
import { hasTerminal } from './progress.ts';

export interface Presentation {
  /** Tells what happens meanwhile. */
  listener: SetListener;
  /** Tells what came of it, and returns the exit code. */
  tellResult: (result: SetResult) => number;
  /** Tells what stopped it, and returns the exit code; throws where nothing had begun. */
  tellFailure: (error: unknown) => number;
  /** Resolves when everything is written. */
  close: () => Promise<void>;
}

/** How much is told, and where. */
export function openConsole(
  { json = false, quiet = false }: Pick<MatchCommand['manner'], 'json' | 'quiet'>,
  io: CommandIO,
) {
  const isShown = !json && !quiet;
  const log = openLogger(io, { story: isShown, warnings: !quiet });
  return { isShown, hasLine: isShown && hasTerminal(io), log };
}

/** Prints what came of a match as JSON. Resolves when it is handed over: a reader may be slow, and matches many. */
export function printLine(end: MatchEnd, { stdout }: CommandIO): Promise<void> {
  const { id, folder } = end;
  const line = 'error' in end ? { id, folder, error: describeError(end.error) } : { id, folder, summary: end.summary };
  return new Promise((resolve) => void stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}
