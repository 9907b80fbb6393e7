// Starts a command as npm does, on one core with limits of memory and time, and reports its memory.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type Running, start } from '../scripts/process.ts';

const root = path.join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Limit of virtual memory in kB. A process reserves much more than it uses. */
const mostVirtual = 8_000_000;

/** Time limit in milliseconds: four times the time that any command here needs on a quiet machine. */
const mostTime = 300_000;

/** Script whose last line states the peak memory of a process. */
const watcher = path.join(import.meta.dirname, 'tell-peak.mjs');

let started = 0;

/** Starts `npm run NAME -- ARGS` in a folder, without npm itself. */
export function startLimited(
  name: string,
  args: readonly string[],
  { env = {}, cwd = root }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Running {
  const words = scripts[name]!.split(' ').slice(1); // without `node`
  const typed = words.map((word) => (/^(\.\/)?(scripts|tools)\//.test(word) ? path.join(root, word) : word));
  // On one core, no command starts threads. Each thread would use additional memory, whatever a file contains.
  const limited = `ulimit -v ${mostVirtual}; exec taskset -c ${started++ % availableParallelism()} "$@"`;
  const node = [process.execPath, `--import=${watcher}`, '--disable-warning=ExperimentalWarning', ...typed];
  const running = start('sh', ['-c', limited, 'sh', ...node, ...args], { env, cwd });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), mostTime);
  void running.ended.finally(() => clearTimeout(timer));
  return running;
}

/** Peak memory so far of a process that was started here, in MB. */
export const readPeak = (pid: number): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

/** Splits standard error into the peak memory that the process reported, in MB, and its other output. */
export function splitPeak(stderr: string): { peak: number; stderr: string } {
  const [whole, before, peak] = /^([^]*)peak (\d+) MB\n$/.exec(stderr) ?? [stderr, stderr, '0'];
  void whole;
  return { peak: Number(peak), stderr: before };
}
