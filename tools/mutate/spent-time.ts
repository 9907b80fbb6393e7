// How long tests would have taken on a machine of their own, so that other programs on it do not make a suite look endless.
import { readdirSync, readFileSync } from 'node:fs';

/** What the processes of a session have done until now. */
export interface SessionActivity {
  /** Seconds of CPU, with those of processes that have ended and whose parent has not. */
  cpu: number;
  /** Whether a thread of them runs, waits for a CPU, or for a disk. */
  isBusy: boolean;
}

/** `/proc` counts in hundredths of a second on every Linux. */
const ticksPerSecond = 100;

/** The fields of a `stat` file of `/proc` from the third on, which follow the name; null where the process is gone. */
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
 * Reads what the processes of the session `leader` have done; null on systems without `/proc`.
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
 * Adds up the seconds that a run spends: those of CPU, and those in which none of its processes had anything to do. Seconds in
 * which a process waits for a CPU that another program has are left out. Where no activity can be read, all seconds count.
 *
 * @example const spent = new SpentTime(); spent.add({ cpu: 1, isBusy: false }, 0.5)
 */
export class SpentTime {
  #total = 0;
  #lastCpu = 0;

  /** Takes in what was read `passed` seconds after the last reading. */
  add(activity: SessionActivity | null, passed: number): void {
    if (activity === null) {
      this.#total += passed;
      return;
    }
    // A process that is killed takes its time with it where nobody has waited for it.
    const grown = Math.max(0, activity.cpu - this.#lastCpu);
    this.#lastCpu = activity.cpu;
    this.#total += activity.isBusy ? grown : Math.max(grown, passed);
  }

  /** In seconds. */
  get total(): number {
    return this.#total;
  }
}
