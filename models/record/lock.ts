// Lets one process at a time write a match: a lock file names the process that holds it.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { RecordError } from './ndjson.ts';

const LockHolder = z.strictObject({ pid: z.number().int(), started: z.string().nullable(), host: z.string() });
type LockHolder = z.infer<typeof LockHolder>;

/**
 * Takes the lock and returns a function that releases it. A lock whose process is dead is taken over at once.
 * Throws RecordError while a living process holds it; `doing` is what that process does, for the message.
 *
 * @example
 * const release = takeLock('runs/a/lock.json');
 */
export function takeLock(file: string, doing = 'playing this match'): () => void {
  const mine: LockHolder = { pid: process.pid, started: findProcessStart(process.pid), host: hostname() };
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(mine));
    for (;;) {
      try {
        linkSync(draft, file); // fails where the lock exists, so only one process can succeed
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      removeDead(file, doing);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the lock of a dead process. */
function removeDead(file: string, doing: string) {
  const found = read(file);
  if (found === null) return;
  const holder = parse(found);
  if (holder && isAlive(holder))
    throw new RecordError(
      `${file} says that process ${holder.pid} on ${holder.host} is ${doing}. Wait for it or stop it${holder.host === hostname() ? '' : '; if that machine is gone, delete the file'}.`,
    );
  const aside = `${file}.dead.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // another process was faster
  }
  if (read(aside) !== found) {
    // Another process took the lock between reading and moving: give it back.
    renameSync(aside, file);
    return;
  }
  rmSync(aside, { force: true });
}

const read = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

function parse(text: string): LockHolder | null {
  try {
    return LockHolder.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * A process on another machine counts as alive, since that cannot be checked. A process that started later than the
 * lock's has been given its number again, and does not hold the lock.
 */
function isAlive({ pid, started, host }: LockHolder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  if (isZombie(pid)) return false;
  const now = findProcessStart(pid);
  return started === null || now === null || started === now;
}

/** The fields of /proc/PID/stat from the third on, which follow the name of the process; null where there is no such file. */
function readProcessStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Whether a process has ended without its parent having waited for it, as happens in containers without an init. */
const isZombie = (pid: number) => readProcessStat(pid)?.[0] === 'Z';

/** When a process started, in the system's own format; null where the system does not say. */
function findProcessStart(pid: number): string | null {
  const stat = readProcessStat(pid);
  if (stat || process.platform === 'linux' || process.platform === 'win32') return stat?.[19] ?? null; // field 22
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
