// Runs commands one after another in this process for its parent. Reports how each ended, and its memory.
import { readFileSync, writeFileSync } from 'node:fs';
import { run } from '../scripts/process.ts';
import type { CommandJob, EndedJob } from './command-runner.ts';

/** Memory in MB of a process that has loaded the program but no record. */
const bareMemory = 140;

/**
 * Memory in MB above which garbage of earlier commands is collected, if memory grew by `mostGarbage` since the last
 * collection. A collection takes longer than most commands.
 */
const cleanMemory = 190;
const mostGarbage = 20;
let collected = 0;

declare const gc: () => void;

/** Reads the peak memory of this process, in MB. */
const readPeak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;

/** Reads the current memory of this process, in MB. */
const readMemory = () => process.memoryUsage.rss() / 1024 / 1024;

const readCpu = (since: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

process.on('message', (job: CommandJob) => {
  if (readMemory() > Math.max(cleanMemory, collected + mostGarbage)) {
    gc();
    collected = readMemory();
  }
  writeFileSync('/proc/self/clear_refs', '5'); // reset the peak
  const kept = Math.max(0, readPeak() - bareMemory);
  const busy = process.cpuUsage();
  void run(job.script, job.args, { env: job.env ?? {} }).then((ended) => {
    process.send!({
      ...ended,
      peak: readPeak() - kept,
      cpu: readCpu(busy),
      isPolluted: 'polluted' in {},
    } satisfies EndedJob);
  });
});
process.on('disconnect', () => process.exit());
