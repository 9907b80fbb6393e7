// Parts that all scripts share: start and end, errors and exit codes, and common options.
import { constants } from 'node:os';
import { types } from 'node:util';
import { Command, CommanderError, type HelpContext, InvalidArgumentError, type ParseOptions } from 'commander';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { tellServers, addCommandPolicy, readKeyPair } from '../../models/key-policy.ts';
import { createWriteError } from '../../models/record/ndjson.ts';
import type { ProviderFailure } from '../../models/retry.ts';
import { createRedactor, listSecrets } from '../../models/redact.ts';
import { sanitizeLines } from '../../report/format.ts';
import { formatCommand, nameCommand } from '../../state/command-name.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createWatchedOutput, escapeOutput, type OutputStream } from './guarded-output.ts';
import { checkNpmOptions } from './npm-options.ts';
import './start-prefix.ts';
import { openWorkProgress, type StepListener, type WorkProgress } from './work-progress.ts';

/** Default folder of matches. */
export const defaultOut = 'runs';

export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  provider: 3,
  budget: 4,
  unreadable: 5,
} as const;

/** The option for a models file, used by commands that ask models. */
export const modelsFileOption = [
  '--models <file>',
  'a YAML file of named models; the names can be used wherever a model is expected',
] as const;

/**
 * The option that lets a host receive a key, used by commands that ask models. Each such command reads the option at
 * its start.
 */
export const allowKeyOption = [
  '--allow-key <name@host>',
  'allow this host to receive the value of this variable, if a file or .env names both; repeatable',
  (text: string, before: readonly string[] = []): readonly string[] => [...before, readKeyPair('--allow-key', text)],
] as const;

/**
 * Everything that a script uses besides its arguments: streams and environment variables, of the process or of a test.
 */
export interface CommandIO {
  stdout: OutputStream;
  stderr: OutputStream;
  /** Standard input, for people who play on the terminal. Absent if nobody can type. */
  stdin?: NodeJS.ReadStream;
  env: NodeJS.ProcessEnv;
  /**
   * Returns an AbortSignal that Ctrl-C and similar signals abort with `Stopped`. From this call on, signals no longer
   * end the process immediately: the command has two seconds to end. Call this function only while model calls or
   * database connections are open, because signals are not handled during computations or reads.
   */
  listenToSignals: () => AbortSignal;
  /** Restores the default effect of signals, which end the process at once. */
  releaseSignals: () => void;
  /** Receives the steps of work without calls, which is then shown to the user. Absent with --quiet. */
  step?: StepListener | undefined;
  /** See `boundHeap`. Absent where the command runs inside another program. */
  boundHeap?: (matchesAtOnce: number) => Promise<void> | void;
  /**
   * Receives the command whose help is printed, so that a documentation page can list its options. Absent in ordinary
   * use.
   */
  onHelp?: (command: Command) => void;
}

/**
 * The main function of a script. Returns the exit code (0 by default). Throws errors, which the caller prints.
 *
 * @example const code = await runCommand(runShow, ['runs/first'], { stdout, stderr, env: {}, listenToSignals, releaseSignals });
 */
export type CommandFunction = (argv: readonly string[], io: CommandIO) => Promise<number | void> | number | void;

/** Error of a match that a system signal stopped. */
export class CommandStopped extends Error {
  override name = 'Stopped';
  readonly code: number;

  constructor(signal: StopSignal) {
    super(stopSignals[signal]);
    this.code = getStopCode(signal);
  }
}

/**
 * Signals that ask the process to stop. Batch systems send one of the last five before they kill a job. Terminals send
 * SIGHUP when they close. Windows has only the first three.
 */
const stopSignals = {
  SIGINT: 'Interrupted.',
  SIGTERM: 'Terminated.',
  SIGHUP: 'Hung up.',
  SIGQUIT: 'Quit.',
  SIGUSR1: 'Stopped by SIGUSR1.',
  SIGUSR2: 'Stopped by SIGUSR2.',
  SIGXCPU: 'Stopped by SIGXCPU: the system’s limit of CPU time is used up.',
  SIGALRM: 'Stopped by SIGALRM.',
} as const;

type StopSignal = keyof typeof stopSignals;

const listStopSignals = () => (Object.keys(stopSignals) as StopSignal[]).filter((name) => name in constants.signals);

/** Returns the exit code that shells use for a signal: 130 for SIGINT, 143 for SIGTERM. */
const getStopCode = (signal: StopSignal) => 128 + constants.signals[signal];

/** Lists the exit codes of commands that a signal stopped. */
export const listStopCodes = (): number[] => listStopSignals().map(getStopCode);

/** Returns the exit code for the kind of error that stopped a script. */
export function getExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (error instanceof CommandStopped) return error.code;
  const codes: Readonly<Record<string, number>> = {
    UsageError: exitCodes.usage,
    ProviderFailure: exitCodes.provider,
    BudgetReached: exitCodes.budget,
    FallbacksReached: exitCodes.unreadable,
    JudgeNotReading: exitCodes.unreadable,
  };
  return (isError(error) ? codes[error.name] : undefined) ?? exitCodes.other;
}

/** Runs a script, prints the error it throws, and returns its exit code. */
export async function runCommand(main: CommandFunction, argv: readonly string[], given: CommandIO): Promise<number> {
  const io: CommandIO = { ...given, stdout: escapeOutput(given.stdout), stderr: escapeOutput(given.stderr) };
  const progress = argv.includes('--quiet') ? null : openWorkProgress(io);
  try {
    const env = addCommandPolicy(io.env, { argv, tell: createServerTeller(argv, io) });
    const code =
      (await main(argv, { ...io, ...watchOutput(io, progress), env, step: progress?.step })) ?? exitCodes.done;
    if (code === exitCodes.done) tellServers(env); // estimates make no calls, so the servers are not printed yet
    return code;
  } catch (error) {
    progress?.stop(); // an error has a line of its own
    return printError(error, io);
  } finally {
    progress?.stop();
  }
}

/** Wraps the streams so that the line of progress is cleared before anything else is written. */
const watchOutput = ({ stdout, stderr }: CommandIO, progress: WorkProgress | null) =>
  progress === null
    ? {}
    : {
        stdout: createWatchedOutput(stdout, progress.clear),
        stderr: createWatchedOutput(stderr, progress.clear),
      };

/**
 * Creates a function that prints the servers which receive calls. It prints on standard error if standard output is for
 * programs, and prints nothing with --quiet.
 */
function createServerTeller(argv: readonly string[], { stdout, stderr }: CommandIO): (line: string) => void {
  if (argv.includes('--quiet')) return () => undefined;
  const stream = argv.includes('--json') ? stderr : stdout;
  return (line) => void stream.write(`${sanitizeLines(line)}\n`);
}

/** Runs a script as this process, and sets its exit code. */
export async function runScript(main: CommandFunction): Promise<void> {
  outliveReaders();
  const { stdout, stderr, stdin, env } = process;
  const io: CommandIO = {
    stdout,
    stderr,
    env,
    listenToSignals,
    releaseSignals,
    boundHeap: async (matchesAtOnce) => (await import('./bound-heap.ts')).boundHeap(matchesAtOnce),
    ...(stdin.isTTY && { stdin }),
  };
  const code = await runCommand(main, process.argv.slice(2), io);
  if (code !== exitCodes.done) process.exitCode = code; // a failed output may already have set the exit code
}

/** Prints an error on standard error, followed by the text `more`. Returns the exit code. */
export function printError(error: unknown, { stderr, env }: Pick<CommandIO, 'stderr' | 'env'>, more = ''): number {
  // A CommanderError has already printed its message.
  if (!(error instanceof CommanderError))
    for (const text of [describeError(error, env), explainRefusal(error), more])
      if (text !== '') stderr.write(`${text}\n`);
  return getExitCode(error);
}

/** Explains the usual cause if a server refused the request. Empty for any other error. */
export function explainRefusal(error: unknown): string {
  if (!isError(error) || error.name !== 'ProviderFailure') return ''; // loading the class itself would be slow
  const { kind, status } = error as ProviderFailure;
  if (kind !== 'final' || status === null) return '';
  const answered = `The server answered with status ${status}`;
  if (status === 401 || status === 403)
    return `${answered}. The usual cause is the key. ${formatCommand('doctor')} lists the variable of each provider's key.`;
  if (status === 404)
    return `${answered}. The usual cause is the name of the model, or an address (baseUrl) without /v1 at its end.`;
  return `${answered}.`;
}

/** Returns the text of an error, without keys and without characters that would control the terminal. */
export const describeError = (error: unknown, env = process.env) =>
  sanitizeLines(createRedactor(listSecrets(env))(getErrorMessage(error)));

/** Returns the message of an error. For JavaScript's own errors, which are bugs of the program, returns the stack. */
export function getErrorMessage(error: unknown): string {
  if (!isError(error)) return String(error);
  return engineErrors.includes(error.name) ? (error.stack ?? error.message) : error.message;
}

const engineErrors = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'];

/** Returns whether the value is an error. Errors from another realm count too, e.g. from a thread or a test. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/**
 * Maximum number of milliseconds between a signal and its repetition. npm repeats a Ctrl-C that the terminal has
 * already sent to the process.
 */
const echo = 300;

/**
 * Time for a command to end after it was asked to stop, in milliseconds. The process that sent the signal may kill the
 * command afterwards.
 */
const patience = 1500;

let listening: { signal: AbortSignal; handlers: readonly (readonly [StopSignal, () => void])[] } | null = null;

/**
 * Stops a match at the first signal and leaves it resumable. Unfinished calls are abandoned soon after the first
 * signal, and immediately after a second one. No answer is lost, because each was written when it arrived.
 */
function listenToSignals(): AbortSignal {
  if (listening) return listening.signal;
  const controller = new AbortController();
  const { clock } = getMachine();
  let firstAt = 0;
  const handlers = listStopSignals().map((name) => {
    const handle = () => {
      const stopped = new CommandStopped(name);
      if (!controller.signal.aborted) {
        firstAt = clock.elapsed();
        controller.abort(stopped);
        const end = clock.repeat(patience, () => {
          end();
          abandon(stopped);
        });
      } else if (clock.elapsed() - firstAt > echo) process.exit(stopped.code);
    };
    process.on(name, handle);
    return [name, handle] as const;
  });
  listening = { signal: controller.signal, handlers };
  return controller.signal;
}

/** Stops listening to signals. If a signal has already stopped the command, the command remains stopped. */
function releaseSignals(): void {
  if (!listening || listening.signal.aborted) return;
  for (const [name, handle] of listening.handlers) process.off(name, handle);
  listening = null;
}

function abandon({ message, code }: CommandStopped): never {
  process.stderr.write(
    `${message} Unfinished work was abandoned. Answers so far are recorded: run the same command again to resume.\n`,
  );
  process.exit(code);
}

/**
 * Ignores errors of an output that its reader closed, e.g. after `| head`, because the record must still be written.
 */
function outliveReaders() {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || process.exitCode !== undefined) return;
    process.exitCode = exitCodes.other;
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
  });
}

class ScriptCommand extends Command {
  readonly #script: string;
  readonly #io: Pick<CommandIO, 'env' | 'onHelp'>;

  constructor(script: string, io: Pick<CommandIO, 'env' | 'onHelp'>) {
    super(nameCommand(script));
    this.#script = script;
    this.#io = io;
  }

  override helpInformation(context?: HelpContext): string {
    this.#io.onHelp?.(this);
    return super.helpInformation(context);
  }

  override parse(argv: readonly string[], options?: ParseOptions): this {
    checkNpmOptions(this, this.#script, this.#io.env);
    this.#refuseRepeatedOptions();
    return super.parse(argv, options);
  }

  /** Throws for a single-valued option that is typed twice, because the last value would silently win. */
  #refuseRepeatedOptions() {
    for (const option of this.options.filter(
      ({ variadic, description }) => !variadic && !/repeatable/.test(description),
    )) {
      let isGiven = false;
      this.on(`option:${option.name()}`, () => {
        if (isGiven) this.error(`error: ${option.long} is given twice: remove one`, { exitCode: 2 });
        isGiven = true;
      });
    }
  }
}

/**
 * Creates a command. Its `parse` throws a UsageError for options that npm consumed. For a wrong command line and for
 * --help, it prints the message or the help and then throws a CommanderError.
 *
 * @example const { args } = createCommand('show', 'Prints a match.', io).argument('<folder>').parse(argv, { from: 'user' });
 */
export const createCommand = (name: string, description: string, io: CommandIO): Command =>
  new ScriptCommand(name, io)
    .description(description)
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .exitOverride();

/** Runs a part of a command with the arguments after its name. Returns its exit code. */
export type CommandPart = (argv: readonly string[], io: CommandIO) => Promise<number> | number;

/** A command that consists of parts with their own options. */
export interface CommandWithParts {
  name: string;
  parts: Readonly<Record<string, CommandPart>>;
  formatHelp: () => string;
}

/**
 * Creates the command line of a part, like `createCommand` for a command.
 *
 * @example createCommandPart('pool', 'merge', 'Makes one pool of several.', io).argument('<pools...>').parse(argv, { from: 'user' });
 */
export const createCommandPart = (command: string, part: string, description: string, io: CommandIO): Command =>
  createCommand(command, description, io).name(`${nameCommand(command)} ${part}`);

/**
 * Runs the part that the first argument names, or prints the command's help. Throws a UsageError for an unknown part.
 */
export async function runCommandPart(
  { name, parts, formatHelp }: CommandWithParts,
  [part = '--help', ...rest]: readonly string[],
  io: CommandIO,
): Promise<number> {
  if (['--help', '-h', 'help'].includes(part)) {
    io.stdout.write(formatHelp());
    return exitCodes.done;
  }
  const run = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (!run)
    throw new UsageError(
      `${formatCommand(name)} has no "${part}". It must be one of: ${Object.keys(parts).join(', ')}.`,
    );
  return run(rest, io);
}

/** Creates the command line of a script that takes a match's folder. */
export const createRecordCommand = (name: string, description: string, io: CommandIO) =>
  createCommand(name, description, io).argument('<folder>', 'folder of a match, e.g. runs/classic-8-7-1a2b3c4d');

/**
 * Suggests the share to type instead of a percentage. Empty if the text is no percentage.
 *
 * @example explainPercent('25'); // ' For 25 % write .25.'
 */
export function explainPercent(text: string): string {
  const [, number, sign] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(text) ?? [];
  const percent = Number(number);
  if (!(percent > 0 && percent <= 100) || (sign === '' && percent <= 1)) return '';
  return ` For ${percent} % write ${String(percent / 100).replace(/^0\./, '.')}.`;
}

/**
 * Creates a reader of numbers. The reader accepts numbers for which `isRight` returns true. For any other text, the
 * reader throws an InvalidArgumentError that says what the number must be (`what`). `hint`: returns advice about a
 * wrong text.
 */
export const createReader =
  (what: string, isRight: (value: number) => boolean, hint: (text: string) => string = () => '') =>
  (text: string) => {
    if (text.trim() === '' || !isRight(Number(text)))
      throw new InvalidArgumentError(`It must be ${what}.${hint(text)}`);
    return Number(text);
  };

export const readNumber = createReader('a number', Number.isFinite);
export const readWhole = createReader('a whole number', Number.isSafeInteger);
export const readCount = createReader('a whole number from 1 up', (value) => Number.isSafeInteger(value) && value >= 1);
/** Reads an amount in USD. */
export const readCost = createReader('a number from 0 up', (value) => value >= 0 && value < Infinity);

/**
 * Writes a file that a user asked for, and returns the file's path. Throws a RecordError that names a file which cannot
 * be written.
 */
export function writeFile(file: string, text: string): string {
  try {
    getDisk().writeOutput(file, text);
  } catch (error) {
    throw createWriteError(file, error);
  }
  return file;
}
