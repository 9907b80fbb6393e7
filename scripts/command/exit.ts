// How a script ends: errors become one clear message and a distinct exit code.
import { CommanderError } from 'commander';
import { redactor, secretsIn } from '../../models/record/redact.ts';
import { plainLines } from '../../report/plain-text.ts';

export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  provider: 3,
  budget: 4,
  interrupted: 130,
  terminated: 143,
} as const;

const redact = redactor(secretsIn(process.env));

/** The match was stopped from outside by a signal. */
export class Stopped extends Error {
  override name = 'Stopped';
  readonly code: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.');
    this.code = signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
  }
}

/** The exit code that says what kind of error stopped a script. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof Stopped) return error.code;
  const name = error instanceof Error ? error.name : '';
  const codes: Readonly<Record<string, number>> = {
    UsageError: exitCodes.usage,
    ProviderFailure: exitCodes.provider,
    BudgetReached: exitCodes.budget,
  };
  return codes[name] ?? exitCodes.other;
}

/** Runs a script to its end and sets the process's exit code. */
export async function runScript(main: () => Promise<void> | void): Promise<void> {
  outliveReaders();
  try {
    await main();
  } catch (error) {
    fail(error);
  }
}

/** Tells an error on standard error, with `more` below it, and sets the process's exit code. */
export function fail(error: unknown, more = ''): void {
  process.exitCode = exitCodeOf(error);
  if (error instanceof CommanderError) return; // has spoken itself
  process.stderr.write(`${wordsOf(error)}\n${more === '' ? '' : `${more}\n`}`);
}

/** An error as it may be shown: without keys, and nothing that a terminal would act on. */
export const wordsOf = (error: unknown) => plainLines(redact(messageOf(error)));

const engineErrors = [TypeError, ReferenceError, RangeError, SyntaxError];

/** The language's own errors, mistakes of a program, are shown with their stack; all others speak for themselves. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isMistake = engineErrors.some((kind) => error instanceof kind);
  return isMistake ? (error.stack ?? error.message) : error.message;
}

/** Output that nobody reads any more, as after `| head`, is no reason to stop: the record is what counts. */
function outliveReaders() {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || process.exitCode !== undefined) return;
    process.exitCode = exitCodes.other;
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
  });
}
