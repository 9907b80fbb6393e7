// Access to processes: the identity of this process, and whether other processes are alive. Tests can replace it.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Globally unique identity of a process. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in the system's own format, because a pid can be reused. Null if the system does not say. */
  started: string | null;
  /** Name of the machine. Only for messages: containers may share one. */
  host: string;
  /** Scope in which the pid is unique: the PID namespace, or the machine if there are none. Null if unknown. */
  namespace: string | null;
  /** Identifier of the machine's boot. Null if the system does not say. */
  boot: string | null;
}

export interface Processes {
  getOwn(): ProcessIdentity;
  /**
   * Returns whether a process is alive; null if that cannot be known here, because it belongs to another machine,
   * container or boot.
   */
  isAlive(other: ProcessIdentity): boolean | null;
  /** Returns the output of a program; null if it fails or does not exist. */
  readOutput(program: string, args: readonly string[], folder?: string): string | null;
}

const isLinux = process.platform === 'linux';

/** Reads something from the system, e.g. a file or a link; null if that fails. */
const ask = (read: () => string): string | null => {
  try {
    return read().trim() || null;
  } catch {
    return null;
  }
};

const findNamespace = () => (isLinux ? ask(() => readlinkSync('/proc/self/ns/pid')) : hostname());
const findBoot = () => ask(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));

/**
 * Reads the fields of /proc/PID/stat from the third on, which follow the name of the process; null if there is no such
 * file.
 */
function readProcessStat(pid: number): string[] | null {
  const stat = ask(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * Returns whether a process has ended without its parent having waited for it, as happens in containers without an
 * init.
 */
const isZombie = (pid: number) => readProcessStat(pid)?.[0] === 'Z';

function findStart(pid: number): string | null {
  const stat = readProcessStat(pid);
  if (stat || isLinux || process.platform === 'win32') return stat?.[19] ?? null; // field 22
  return readOutput('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

const readOutput = (program: string, args: readonly string[], folder = '.') =>
  ask(() => execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

let own: ProcessIdentity | undefined;

const getOwn = (): ProcessIdentity =>
  (own ??= {
    pid: process.pid,
    started: findStart(process.pid),
    host: hostname(),
    namespace: findNamespace(),
    boot: findBoot(),
  });

/** Returns whether the process is still running, and not another one that was given the same pid later. */
function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (isZombie(pid)) return false;
  const now = findStart(pid);
  return started === null || now === null || started === now;
}

/** Processes of this machine. */
export const systemProcesses: Processes = {
  getOwn,
  readOutput,
  isAlive: (other) => {
    const { namespace, boot } = getOwn();
    const canAsk = namespace !== null && other.namespace === namespace && other.boot === boot;
    return canAsk ? isRunning(other) : null;
  },
};
