// Prints the peak memory of a process when it ends. Loaded before all other modules.
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    process.stderr.write(`peak ${Math.round(Number(peak) / 1024)} MB\n`);
  });
