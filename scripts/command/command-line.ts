// What all scripts have in common: how they begin and end, their errors and exit codes, and parts of their command lines.
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
import { escapeOutput, type OutputStream } from './guarded-output.ts';
import { checkNpmOptions } from './npm-options.ts';
import './start-prefix.ts';

/** Where the folders of matches are if nothing else is said. */
export const defaultOut = 'runs';

export const exitCodes = {
  done: 0,
  other: 1,
  usage: 2,
  provider: 3,
  budget: 4,
  unreadable: 5,
} as const;

/** The option that names a models file, for commands that take models. */
export const modelsFileOption = [
  '--models <file>',
  'a YAML file that gives models names, which may stand wherever a model is named',
] as const;

/** The option that lets a host have a key, for commands that ask models. What it allows is read where a command starts. */
export const allowKeyOption = [
  '--allow-key <name@host>',
  'let this host have the value of this variable, where a file or .env names the two; repeatable',
  (text: string, before: readonly string[] = []): readonly string[] => [...before, readKeyPair('--allow-key', text)],
] as const;

/** What a script is run with besides its arguments: the process's own, or what a test gives. */
export interface CommandIO {
  stdout: OutputStream;
  stderr: OutputStream;
  env: NodeJS.ProcessEnv;
  /**
   * Aborts with `Stopped` at Ctrl-C and its like, which no longer kill at once from this call on: the command has two seconds to
   * end. To be called where calls or rows of a queue are open, since no signal is seen while something is computed or read.
   */
  listenToSignals: () => AbortSignal;
  /** Signals kill at once again. */
  releaseSignals: () => void;
  /** Receives the command whose help is printed, so that a page can list its options; absent: nobody asks. */
  onHelp?: (command: Command) => void;
}

/**
 * What a script does. Returns its exit code, 0 if none; throws what is told as an error.
 *
 * @example const code = await runCommand(runShow, ['runs/first'], { stdout, stderr, env: {}, listenToSignals, releaseSignals });
 */
export type CommandFunction = (argv: readonly string[], io: CommandIO) => Promise<number | void> | number | void;

/** The match was stopped from outside by a signal. */
export class CommandStopped extends Error {
  override name = 'Stopped';
  readonly code: number;

  constructor(signal: StopSignal) {
    super(stopSignals[signal]);
    this.code = getStopCode(signal);
  }
}

/**
 * The signals that ask to stop. Batch systems warn with any of the last five before they kill, and terminals send SIGHUP when
 * they close. Windows has only the first three.
 */
const stopSignals = {
  SIGINT: 'Interrupted.',
  SIGTERM: 'Terminated.',
  SIGHUP: 'Hung up.',
  SIGQUIT: 'Quit.',
  SIGUSR1: 'Stopped by SIGUSR1.',
  SIGUSR2: 'Stopped by SIGUSR2.',
  SIGXCPU: 'Stopped by SIGXCPU: the CPU time that the system allows is used up.',
  SIGALRM: 'Stopped by SIGALRM.',
} as const;

type StopSignal = keyof typeof stopSignals;

const listStopSignals = () => (Object.keys(stopSignals) as StopSignal[]).filter((name) => name in constants.signals);

/** As shells count: 130 for SIGINT, 143 for SIGTERM. */
const getStopCode = (signal: StopSignal) => 128 + constants.signals[signal];

/** The exit codes of commands that a signal stopped. */
export const listStopCodes = (): number[] => listStopSignals().map(getStopCode);

/** The exit code that says what kind of error stopped a script. */
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

/** Runs a script to its end, tells what it throws, and returns its exit code. */
export async function runCommand(main: CommandFunction, argv: readonly string[], given: CommandIO): Promise<number> {
  const io: CommandIO = { ...given, stdout: escapeOutput(given.stdout), stderr: escapeOutput(given.stderr) };
  try {
    const env = addCommandPolicy(io.env, { argv, tell: createServerTeller(argv, io) });
    const code = (await main(argv, { ...io, env })) ?? exitCodes.done;
    if (code === exitCodes.done) tellServers(env); // what only estimates, and was told nothing on its way
    return code;
  } catch (error) {
    return printError(error, io);
  }
}

/** Tells where calls go: on standard error where standard output is for programs, and nothing where that was typed. */
function createServerTeller(argv: readonly string[], { stdout, stderr }: CommandIO): (line: string) => void {
  if (argv.includes('--quiet')) return () => undefined;
  const stream = argv.includes('--json') ? stderr : stdout;
  return (line) => void stream.write(`${sanitizeLines(line)}\n`);
}

/** Runs a script as this process, and sets its exit code. */
export async function runScript(main: CommandFunction): Promise<void> {
  outliveReaders();
  const { stdout, stderr, env } = process;
  const code = await runCommand(main, process.argv.slice(2), { stdout, stderr, env, listenToSignals, releaseSignals });
  if (code !== exitCodes.done) process.exitCode = code; // which an output that cannot be written may have set
}

/** Tells an error on standard error, with `more` below it, and returns the exit code. */
export function printError(error: unknown, { stderr, env }: Pick<CommandIO, 'stderr' | 'env'>, more = ''): number {
  // A CommanderError has spoken itself.
  if (!(error instanceof CommanderError))
    for (const text of [describeError(error, env), explainRefusal(error), more])
      if (text !== '') stderr.write(`${text}\n`);
  return getExitCode(error);
}

/** What a server's refusal mostly comes from; empty for any other error. */
function explainRefusal(error: unknown): string {
  if (!isError(error) || error.name !== 'ProviderFailure') return ''; // the class itself would be slow to load
  const { kind, status } = error as ProviderFailure;
  if (kind !== 'final' || status === null) return '';
  const answered = `The server answered with status ${status}`;
  if (status === 401 || status === 403)
    return `${answered}: mostly the key. ${formatCommand('doctor')} says in which variable each provider's is looked for.`;
  if (status === 404)
    return `${answered}: mostly the name of the model, or an address (baseUrl) without the /v1 at its end.`;
  return `${answered}.`;
}

/** An error as it may be shown: without keys, and nothing that a terminal would act on. */
export const describeError = (error: unknown, env = process.env) =>
  sanitizeLines(createRedactor(listSecrets(env))(getErrorMessage(error)));

/** The language's own errors, mistakes of a program, are shown with their stack; all others speak for themselves. */
export function getErrorMessage(error: unknown): string {
  if (!isError(error)) return String(error);
  return engineErrors.includes(error.name) ? (error.stack ?? error.message) : error.message;
}

const engineErrors = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'];

/** Also one of another realm, as a thread's or a test's. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/** npm passes on the Ctrl-C that the terminal has sent already: what comes so soon is no second one. Milliseconds. */
const echo = 300;

/** A command that was asked to stop has so long to end, in milliseconds: whoever asked kills those that do not end soon. */
const patience = 1500;

let listening: { signal: AbortSignal; handlers: readonly (readonly [StopSignal, () => void])[] } | null = null;

/**
 * The first signal stops a match and leaves it resumable. What has not ended soon is abandoned, at once where another signal
 * comes: answers have been passed to the system as they came.
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

/** Of one that has already stopped the command the rest stays in force. */
function releaseSignals(): void {
  if (!listening || listening.signal.aborted) return;
  for (const [name, handle] of listening.handlers) process.off(name, handle);
  listening = null;
}

function abandon({ message, code }: CommandStopped): never {
  process.stderr.write(
    `${message} What had not ended was abandoned where it was. What was answered is recorded: the same command goes on with it.\n`,
  );
  process.exit(code);
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

  /** Where an option has one value, the last one typed would win silently. */
  #refuseRepeatedOptions() {
    for (const option of this.options.filter(
      ({ variadic, description }) => !variadic && !/repeatable/.test(description),
    )) {
      let isGiven = false;
      this.on(`option:${option.name()}`, () => {
        if (isGiven) this.error(`error: ${option.long} is given twice: leave out one of the two`, { exitCode: 2 });
        isGiven = true;
      });
    }
  }
}

/**
 * A command of which `parse` throws a UsageError for options that npm kept for itself, and a CommanderError for a wrong
 * command line, and for its help, when it has told so.
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

/** What a part of a command does with the arguments that follow its name. Returns its exit code. */
export type CommandPart = (argv: readonly string[], io: CommandIO) => Promise<number> | number;

/** A command that does nothing by itself, but has parts with options of their own. */
export interface CommandWithParts {
  name: string;
  parts: Readonly<Record<string, CommandPart>>;
  formatHelp: () => string;
}

/**
 * Creates the command line of a part, as `createCommand` does that of a command.
 *
 * @example createCommandPart('pool', 'merge', 'Makes one pool of several.', io).argument('<pools...>').parse(argv, { from: 'user' });
 */
export const createCommandPart = (command: string, part: string, description: string, io: CommandIO): Command =>
  createCommand(command, description, io).name(`${nameCommand(command)} ${part}`);

/** Runs the part that is named first, or prints the help of the command. Throws a UsageError for an unknown part. */
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

/** The command line of a script that takes the folder of a match. */
export const createRecordCommand = (name: string, description: string, io: CommandIO) =>
  createCommand(name, description, io).argument('<folder>', 'the folder of a match, e.g. runs/classic-8-7-1a2b3c4d');

/**
 * What to write in place of per cent where a share is expected; empty for what is none.
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
 * What reads a number of which `isRight` holds; it throws an InvalidArgumentError that says `what` it must be. `hint`: what else to
 * say of a wrong text.
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
/** In USD. */
export const readCost = createReader('a number from 0 up', (value) => value >= 0 && value < Infinity);

/** Writes a file that a user asked for, and returns its path. Throws a RecordError that names it where it cannot be written. */
export function writeFile(file: string, text: string): string {
  try {
    getDisk().writeOutput(file, text);
  } catch (error) {
    throw createWriteError(file, error);
  }
  return file;
}
