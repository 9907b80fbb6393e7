// Runs the npm scripts as a user does: each in a process of its own, with nothing of the tester's environment.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import pLimit from 'p-limit';

const root = path.join(import.meta.dirname, '../..');

export interface Ended {
  /** Null where a signal killed it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** Resolves once this was written to either stream; rejects where the process ends before. */
  said: (text: string) => Promise<void>;
  ended: Promise<Ended>;
}

export interface Surroundings {
  env?: Readonly<Record<string, string>>;
  /** The folder to start in; that of the project by default. */
  cwd?: string;
}

/** What a shell gives, without colours, keys or settings of whoever runs the tests. */
const bareEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  TERM: 'xterm',
  NODE_COMPILE_CACHE: path.join(tmpdir(), 'wolfgraph-compile-cache'), // loading is most of what a short match takes
};

/** A test that fails leaves no process behind. */
const running = new Set<ChildProcessWithoutNullStreams>();
afterAll(() => running.forEach((child) => child.kill('SIGKILL')));

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

type Script = 'match' | 'show' | 'report' | 'replay' | 'import' | 'annotate' | 'compare' | 'simulate';

/** The command line of one of the scripts, e.g. to be given to a shell. */
export const scriptArgs = (script: Script, ...args: readonly string[]) => [
  path.join(root, 'scripts', `${script}.ts`),
  ...args,
];

export const startScript = (script: Script, args: readonly string[], surroundings?: Surroundings) =>
  start(process.execPath, scriptArgs(script, ...args), surroundings);

/** A process is mostly busy loading: more at once than this would only make each slower. */
const limit = pLimit(3);

export const run = (script: Script, args: readonly string[], surroundings?: Surroundings): Promise<Ended> =>
  limit(() => startScript(script, args, surroundings).ended);

/** A match of built-in bots that is soon over. */
export const short = ['--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];
