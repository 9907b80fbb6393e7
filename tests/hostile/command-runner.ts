// Runs many commands in a few processes with limits. A command that hangs or uses too much memory is killed and
// reported.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Ended, scriptArgs } from '../scripts/process.ts';

export interface CommandJob {
  script: Parameters<typeof scriptArgs>[0];
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface EndedJob extends Ended {
  /** Peak memory in MB, without the memory that the process still held from earlier commands. */
  peak: number;
  /** CPU time in milliseconds. */
  cpu: number;
  /** Whether a property from a file now exists on every object (a polluted prototype). */
  isPolluted: boolean;
}

/** Limit of virtual memory in kB. A process reserves much more than it uses. */
const mostVirtual = 8_000_000;

/**
 * Memory limit of a command in MB. Alone, commands stay below 300. On a busy machine garbage is collected later; 318
 * was measured.
 */
export const mostMemory = 350;

/** Memory in MB at which a process is killed. It is far above the allowed limit, so that the excess can be reported. */
const endingMemory = 900;

/** Time limit in milliseconds, far more than any command takes, so that a busy machine ends no command. */
const mostTime = 120_000;

const flags = [
  ...['--expose-gc', '--max-semi-space-size=8', '--heap-growing-percent=50', '--disable-warning=ExperimentalWarning'],
];
const program = path.join(import.meta.dirname, 'command-child.ts');

/** Reads the memory of a process in MB; 0 if the process has ended. */
function readMemory(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A process that runs jobs. If a job ends it, the next job starts another. */
class Child {
  #process: ChildProcess | null = null;
  readonly #core: number;

  constructor(core: number) {
    this.#core = core;
  }

  #start(): ChildProcess {
    // On one core, no command starts threads. Each thread would use additional memory, whatever a record contains.
    const limited = `ulimit -v ${mostVirtual}; exec taskset -c ${this.#core} "$@"`;
    const node = [process.execPath, ...flags, program];
    return spawn('sh', ['-c', limited, 'sh', ...node], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    });
  }

  /** Returns null if the command ended its process or was killed. */
  run(job: CommandJob): Promise<EndedJob | null> {
    const child = (this.#process ??= this.#start());
    child.stderr!.resume();
    return new Promise((resolve) => {
      const finish = (ended: EndedJob | null) => {
        clearTimeout(timer);
        clearInterval(watch);
        child.removeAllListeners();
        if (ended === null) {
          child.kill('SIGKILL');
          this.#process = null;
        }
        resolve(ended);
      };
      const timer = setTimeout(() => finish(null), mostTime);
      const watch = setInterval(() => {
        if (readMemory(child.pid!) > endingMemory) finish(null);
      }, 50);
      child.once('message', (ended) => finish(ended as EndedJob));
      child.once('exit', () => finish(null));
      child.once('error', () => finish(null));
      child.send(job, () => undefined);
    });
  }

  close(): void {
    this.#process?.kill('SIGKILL');
  }
}

/**
 * Runs chains of jobs in two processes; the jobs of a chain run in order. Returns how each job ended; null if it ended
 * its process or was killed for its time.
 */
export async function runJobs(chains: readonly (readonly CommandJob[])[]): Promise<(EndedJob | null)[][]> {
  const ended: (EndedJob | null)[][] = chains.map(() => []);
  let next = 0;
  const work = async (core: number) => {
    const child = new Child(core);
    while (next < chains.length) {
      const at = next++;
      for (const job of chains[at]!) ended[at]!.push(await child.run(job));
    }
    child.close();
  };
  await Promise.all([work(0), work(availableParallelism() > 1 ? 1 : 0)]);
  return ended;
}
