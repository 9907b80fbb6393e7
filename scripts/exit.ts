// How a script ends: errors become one clear message and a distinct exit code.
import { CommanderError } from 'commander';

export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  provider: 3,
  budget: 4,
  interrupted: 130,
  terminated: 143,
} as const;

/** The match was stopped from outside by a signal. */
export class Stopped extends Error {
  override name = 'Stopped';
  readonly code: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(signal === 'SIGINT' ? 'Interrupted.' : 'Terminated.');
    this.code = signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof Stopped) return error.code;
  const name = error instanceof Error ? error.name : '';
  const codes: Readonly<Record<string, number>> = {
    RangeError: exitCodes.usage,
    ProviderFailure: exitCodes.provider,
    BudgetReached: exitCodes.budget,
  };
  return codes[name] ?? exitCodes.other;
}

/** Runs a script to its end and sets the process's exit code. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    if (!(error instanceof CommanderError)) process.stderr.write(`${messageOf(error)}\n`);
  }
}

/** A programming error is shown with its stack, since only that helps; all others speak for themselves. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof TypeError || error instanceof ReferenceError ? (error.stack ?? error.message) : error.message;
}
