// Runs the npm scripts without the tester's environment: in this process, or in a separate process as a user would.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import { runAnnotate } from '../../scripts/annotate.ts';
import { runLabel } from '../../scripts/label.ts';
import { runCommand, type CommandIO, type CommandFunction } from '../../scripts/command/command-line.ts';
import { runCompare } from '../../scripts/compare.ts';
import { runFork } from '../../scripts/fork.ts';
import { runDoctor } from '../../scripts/doctor.ts';
import { runBank } from '../../scripts/bank.ts';
import { runExport } from '../../scripts/export.ts';
import { runImport } from '../../scripts/import.ts';
import { runMatch } from '../../scripts/match.ts';
import { runPlan } from '../../scripts/plan.ts';
import { runPool } from '../../scripts/pool.ts';
import { runRedact } from '../../scripts/redact.ts';
import { runReplay } from '../../scripts/replay.ts';
import { runVerify } from '../../scripts/verify.ts';
import { runReport } from '../../scripts/report.ts';
import { runShow } from '../../scripts/show.ts';
import { runSimulate } from '../../scripts/simulate.ts';
import { runTournament } from '../../scripts/tournament.ts';
import { runValidation } from '../../tools/validate.ts';
import { runWorkerCommand } from '../../scripts/worker.ts';
import { runView } from '../../scripts/view.ts';
import { runWolfgraph } from '../../scripts/wolfgraph.ts';

const root = path.join(import.meta.dirname, '../..');

export interface Ended {
  /** Exit code; null if a signal killed the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** Resolves when this text is written to either stream. Rejects if the process ends first. */
  said: (text: string) => Promise<void>;
  ended: Promise<Ended>;
}

export interface Surroundings {
  env?: Readonly<Record<string, string>>;
  /** Folder in which the process starts. Default: the project's. */
  cwd?: string;
}

/** A shell's environment, without colors, and without keys or settings of the person who runs the tests. */
const bareEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  XDG_CACHE_HOME: path.join(tmpdir(), 'wolfgraph-test-cache'), // with chance baselines, which take long to compute
  TERM: 'xterm',
  NODE_COMPILE_CACHE: path.join(tmpdir(), 'wolfgraph-compile-cache'), // loading is most of what a short match takes
  ...getProbes(),
};

/**
 * Returns the environment that makes a process report the places of mutants that it reaches (`tools/mutate/reach.mjs`).
 */
function getProbes(): Record<string, string> {
  const { MUTANT_REACHED, NODE_OPTIONS } = process.env;
  return MUTANT_REACHED === undefined ? {} : { MUTANT_REACHED, NODE_OPTIONS: NODE_OPTIONS ?? '' };
}

/** Processes that are still running. They are ended after the suites, so that a failing test leaves none behind. */
const running = new Set<ChildProcessWithoutNullStreams>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts any program. */
export function start(program: string, args: readonly string[], { env = {}, cwd = root }: Surroundings = {}): Running {
  const child = spawn(program, args, { cwd, env: { ...bareEnv, ...env } });
  running.add(child);
  const heard = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.on('error', () => undefined); // the process may be gone already
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      running.delete(child);
      resolve({ code, ...heard });
    });
  });
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const listener = () => {
        if (heard.stdout.includes(text) || heard.stderr.includes(text)) resolve();
      };
      listeners.add(listener);
      listener();
      void ended.then(() => reject(new Error(`ended without saying "${text}":\n${heard.stdout}${heard.stderr}`)));
    });
  return { child, said, ended };
}

const mains = {
  match: runMatch,
  tournament: runTournament,
  worker: (argv, io) => runWorkerCommand(argv, io),
  show: runShow,
  view: runView,
  report: runReport,
  redact: runRedact,
  replay: runReplay,
  verify: runVerify,
  export: runExport,
  bank: runBank,
  import: runImport,
  plan: runPlan,
  pool: runPool,
  annotate: runAnnotate,
  label: runLabel,
  compare: runCompare,
  fork: runFork,
  simulate: runSimulate,
  validate: runValidation,
  doctor: runDoctor,
  wolfgraph: runWolfgraph,
} satisfies Record<string, CommandFunction>;

type Script = keyof typeof mains;

interface OwnSurroundings extends Pick<Surroundings, 'env'>, Pick<CommandIO, 'boundHeap'> {
  /** Signal that aborts as the process's own signal does when the process is stopped. Default: never aborts. */
  signal?: AbortSignal;
  /** Called with each text that is written. */
  hear?: (text: string) => void;
}

/**
 * Runs a script in this process, which saves the start. Use it for everything except kills, signals, terminals and
 * pipes.
 */
export async function run(
  script: Script,
  args: readonly string[],
  { env = {}, signal = new AbortController().signal, hear, boundHeap }: OwnSurroundings = {},
): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof said) => ({
    write: (text: string, written?: () => void) => {
      said[name] += text;
      hear?.(text);
      written?.();
    },
  });
  const io: CommandIO = {
    ...{ stdout: collect('stdout'), stderr: collect('stderr'), env: { ...bareEnv, ...env } },
    listenToSignals: () => signal,
    releaseSignals: () => undefined,
    ...(boundHeap && { boundHeap }),
  };
  return { code: await runCommand(mains[script], args, io), ...said };
}

/** Returns the command line of a script, e.g. to pass it to a shell. */
export const scriptArgs = (script: Script, ...args: readonly string[]) => [
  path.join(root, 'scripts', `${script}.ts`),
  ...args,
];

export const startScript = (script: Script, args: readonly string[], surroundings?: Surroundings) =>
  start(process.execPath, scriptArgs(script, ...args), surroundings);

/** A process mostly loads code. If more ran at the same time, each would only be slower. */
const limit = pLimit(3);

/** Runs a script like `run`, but in a separate process. */
export const runProcess = (script: Script, args: readonly string[], surroundings?: Surroundings): Promise<Ended> =>
  limit(() => startScript(script, args, surroundings).ended);

/** Options for a short match of built-in bots. */
export const short = ['--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];

/** Path of a board for six players. */
export const smallBoard = path.join(import.meta.dirname, '../small-board.yaml');

/** Options for the fewest players, which halve the time. */
export const shortest = ['--board', smallBoard, ...short];
