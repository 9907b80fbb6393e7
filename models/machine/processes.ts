// The processes: who this one is, and whether another still lives, so that others can stand in their place.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process as no other process anywhere has it. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the system's own format: a number is given again. Null where the system does not say. */
  started: string | null;
  /** The name of the machine, for messages alone: containers may share one. */
  host: string;
  /** What the number is unique in: the PID namespace, or the machine where there are none. Null where nobody can tell. */
  namespace: string | null;
  /** The start of the machine. Null where the system does not say. */
  boot: string | null;
}

export interface Processes {
  getOwn(): ProcessIdentity;
  /** Null where that cannot be asked from here: of another machine, container or start of this machine. */
  isAlive(other: ProcessIdentity): boolean | null;
  /** What a program prints; null where it fails or is not there. */
  readOutput(program: string, args: readonly string[], folder?: string): string | null;
}

const isLinux = process.platform === 'linux';

/** What the system says in a file or a link; null where it does not. */
const ask = (read: () => string): string | null => {
  try {
    return read().trim() || null;
  } catch {
    return null;
  }
};

const findNamespace = () => (isLinux ? ask(() => readlinkSync('/proc/self/ns/pid')) : hostname());
const findBoot = () => ask(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));

/** The fields of /proc/PID/stat from the third on, which follow the name of the process; null where there is no such file. */
function readProcessStat(pid: number): string[] | null {
  const stat = ask(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Whether a process has ended without its parent having waited for it, as happens in containers without an init. */
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

/** A process that started later than the one meant has been given its number again. */
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

/** The processes of the machine. */
export const systemProcesses: Processes = {
  getOwn,
  readOutput,
  isAlive: (other) => {
    const { namespace, boot } = getOwn();
    const canAsk = namespace !== null && other.namespace === namespace && other.boot === boot;
    return canAsk ? isRunning(other) : null;
  },
};
