// Estimates the time that tests would have taken on an idle machine, so that a suite that other programs slow down does
// not count as hung.
import { readdirSync, readFileSync } from 'node:fs';

/** Activity of all processes of one session so far. */
export interface SessionActivity {
  /** CPU seconds of all processes, including processes that have ended but whose parent has not yet waited for them. */
  cpu: number;
  /** Whether any thread runs, or waits for a CPU or a disk. */
  isBusy: boolean;
}

/** `/proc` counts in hundredths of a second on every Linux. */
const ticksPerSecond = 100;

/**
 * Reads the fields of a `stat` file of `/proc` from the third on, which follows the name. Returns null if the process
 * has ended.
 */
function readStat(file: string): string[] | null {
  try {
    const text = readFileSync(file, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const isBusyState = (state: string | undefined) => state === 'R' || state === 'D';

function listThreads(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/**
 * Reads the activity of the processes of session `leader`. Returns null on systems without `/proc`.
 *
 * @example readSessionActivity(child.pid) // { cpu: 3.2, isBusy: true }
 */
export function readSessionActivity(leader: number | undefined): SessionActivity | null {
  if (process.platform !== 'linux' || leader === undefined) return null;
  let [cpu, isBusy] = [0, false];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(`/proc/${pid}/stat`);
    if (stat === null || Number(stat[3]) !== leader) continue;
    for (const ticks of stat.slice(11, 15)) cpu += Number(ticks) / ticksPerSecond;
    isBusy ||= listThreads(pid).some((thread) => isBusyState(readStat(`/proc/${pid}/task/${thread}/stat`)?.[0]));
  }
  return { cpu, isBusy };
}

/**
 * Adds up the seconds that a run needs: its CPU time, and the time in which none of its processes has anything to do.
 * Seconds of waiting for a CPU that another program uses do not count. If no activity can be read, all seconds count.
 *
 * @example const spent = new SpentTime(); spent.add({ cpu: 1, isBusy: false }, 0.5)
 */
export class SpentTime {
  #total = 0;
  #lastCpu = 0;
  #idle = 0;

  /** Adds a reading. `passed`: seconds since the last reading. */
  add(activity: SessionActivity | null, passed: number): void {
    if (activity === null) {
      this.#total += passed;
      return;
    }
    // The CPU time of a killed process disappears if nobody has waited for the process.
    const grown = Math.max(0, activity.cpu - this.#lastCpu);
    this.#lastCpu = activity.cpu;
    this.#total += activity.isBusy ? grown : Math.max(grown, passed);
    this.#idle = activity.isBusy || grown > passed / 10 ? 0 : this.#idle + passed;
  }

  /** Seconds up to the last reading in which almost nothing was done. 0 if no activity can be read. */
  get idle(): number {
    return this.#idle;
  }

  /** Total in seconds. */
  get total(): number {
    return this.#total;
  }
}
