// One process at a time on a match: a lock file with the process that holds it.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { RecordError } from './ndjson.ts';

const LockHolder = z.strictObject({ pid: z.number().int(), started: z.string().nullable(), host: z.string() });
type LockHolder = z.infer<typeof LockHolder>;

/**
 * Takes the lock and returns how to release it. A lock whose process is dead is taken over at once.
 * Throws RecordError, which says what its holder is `doing`, while another process lives that holds it.
 */
export function takeLock(file: string, doing = 'playing this match'): () => void {
  const mine: LockHolder = { pid: process.pid, started: findProcessStart(process.pid), host: hostname() };
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(mine));
    for (;;) {
      try {
        linkSync(draft, file); // fails where the lock exists: nobody else can hold it at the same time
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

/** Moves a dead process's lock out of the way. */
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
    return; // somebody else was faster
  }
  if (read(aside) !== found) {
    // Between reading and moving, another process had taken over: give it back its lock.
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

/** A process elsewhere counts as alive: it cannot be asked. A number that was given to a new process does not. */
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

/** Fields 3 and following of what Linux says of a process, counted after its name; null elsewhere. */
function readProcessStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Dead, but not yet buried by its parent, as happens in containers without an init. */
const isZombie = (pid: number) => readProcessStat(pid)?.[0] === 'Z';

/** When a process started, in whatever words the system has for it; null where it has none. */
function findProcessStart(pid: number): string | null {
  const stat = readProcessStat(pid);
  if (stat || process.platform === 'linux' || process.platform === 'win32') return stat?.[19] ?? null; // field 22
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
