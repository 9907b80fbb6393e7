// Lets only one process at a time write a match. A lock file names the process that holds the lock, and the epoch of
// its hold.
import { z } from 'zod';
import type { Clock } from '../machine/clock.ts';
import { getDisk, getMachine } from '../machine/machine.ts';
import type { ProcessIdentity } from '../machine/processes.ts';
import { checkNoLink, RecordError } from './ndjson.ts';
import { hashText } from '../../state/hash-text.ts';

/** The holder of a lock. Earlier versions wrote neither namespace nor epoch. */
const LockHolder = z.strictObject({
  pid: z.number().int(),
  started: z.string().nullable(),
  host: z.string(),
  namespace: z.string().nullable().optional(),
  boot: z.string().nullable().optional(),
  epoch: z.number().int().min(1).optional(),
});
type LockHolder = z.infer<typeof LockHolder>;

/** A lock held by this process, until it is released or another process takes it over. */
export interface Lock {
  /** Number of this hold, higher than that of every earlier one. */
  readonly epoch: number;
  /** Raises the epoch to at least this number. */
  raise: (epoch: number) => void;
  /** Returns whether this process still holds the lock. */
  isHeld: () => boolean;
  /** Throws RecordError after another process has taken the lock over. */
  check: () => void;
  release: () => void;
}

/**
 * Milliseconds between heartbeats of a holder, and milliseconds of silence after which other machines consider the
 * holder dead.
 */
export const [heartbeatEvery, heartbeatPatience] = [10_000, 60_000];

/** Milliseconds between checks of a lock that another process holds. */
const lookEvery = 500;

/** Signals that another process, or another command in this process, holds the lock. */
export class LockedElsewhere extends RecordError {
  readonly #file: string;

  constructor(file: string, message: string) {
    super(message);
    this.#file = file;
  }

  /**
   * Resolves when it is time to try again: when the lock is gone or, at the latest, after `heartbeatEvery`, because its
   * holder may have died. Rejects with the signal's reason.
   */
  async wait(clock: Clock, signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < heartbeatEvery && getDisk().exists(this.#file); waited += lookEvery)
      await clock.sleep(lookEvery, signal);
  }
}

/**
 * Takes the lock. If a dead process holds it, the lock is taken over: immediately if this process can check that the
 * other is dead, otherwise after `heartbeatPatience` without a heartbeat. Throws LockedElsewhere while a living process
 * holds the lock. `doing`: describes that process's work in the message.
 *
 * @example
 * const lock = takeLock('runs/a/lock.json');
 * lock.check();
 * lock.release();
 */
export function takeLock(file: string, doing = 'playing this match'): Lock {
  const { disk, clock, processes } = getMachine();
  const own = processes.getOwn();
  const draft = `${file}.${nameProcess(own)}`;
  let epoch = 1;
  let text = '';
  const write = () => disk.write(draft, (text = JSON.stringify({ ...own, epoch })));
  const isOurs = () => readIfThere(file) === text;
  try {
    for (;;) {
      write();
      try {
        disk.link(draft, file); // fails if the lock exists, so only one process can succeed
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      epoch = Math.max(epoch, removeDead(file, draft, doing) + 1);
    }
  } finally {
    disk.remove(draft);
  }
  const check = () => {
    if (!isOurs()) throw new RecordError(describeLoss(file, doing));
  };
  const stopBeating = clock.repeat(heartbeatEvery, () => {
    try {
      if (isOurs()) disk.touch(file);
    } catch {
      // The error is ignored, because the next append reports it.
    }
  });
  return {
    get epoch() {
      return epoch;
    },
    raise: (least) => {
      if (least <= epoch) return;
      check();
      epoch = least;
      write();
      disk.rename(draft, file);
    },
    isHeld: isOurs,
    check,
    release: () => {
      stopBeating();
      if (isOurs()) disk.remove(file);
    },
  };
}

/**
 * Returns whether a process holds the lock, as far as this can be known without writing. The holder must be a living
 * process on this machine, or a process elsewhere with a heartbeat in the last minute.
 *
 * @example isLocked('runs/a/lock.json')
 */
export function isLocked(file: string): boolean {
  const { disk, clock, processes } = getMachine();
  const found = readIfThere(file);
  const holder = parseHolder(found ?? 'null');
  const age = clock.now() - (disk.find(file)?.changedAt ?? 0);
  if (holder === null) return found === '' && age < writingTime;
  const known = { ...holder, namespace: holder.namespace ?? null, boot: holder.boot ?? null };
  return processes.isAlive(known) ?? age < heartbeatPatience;
}

/** Returns a short name that is unique to a process, even if processes in several containers have the same pid. */
const nameProcess = (identity: ProcessIdentity) => `${identity.pid}-${hashText(JSON.stringify(identity)).slice(0, 8)}`;

/**
 * Removes the lock of a dead process and returns its epoch; 0 if another process was faster. Throws RecordError if the
 * file is not a lock.
 */
function removeDead(file: string, draft: string, doing: string): number {
  const { disk } = getMachine();
  checkNoLink(file);
  const found = readIfThere(file);
  if (found === null) {
    const kind = disk.find(file)?.kind ?? 'file';
    if (kind !== 'file')
      throw new RecordError(`${file} is a ${kind === 'folder' ? 'folder' : 'device'}, not a lock. Remove it.`);
    return 0;
  }
  const holder = parseHolder(found);
  if (holder) refuseIfAlive(file, holder, draft, doing);
  else if (found === '' && measureSilence(file, draft) < writingTime)
    throw new LockedElsewhere(
      file,
      `${file} is empty: another process is probably about to start ${doing}. Run the same command again in ${writingTime / 1000} seconds.`,
    );
  const aside = `${draft}.dead`;
  try {
    disk.rename(file, aside);
  } catch {
    return 0;
  }
  // Another process may have taken the lock between reading and moving. If so, move it back.
  if (readIfThere(aside) !== found) disk.rename(aside, file);
  else disk.remove(aside);
  return holder?.epoch ?? 0;
}

/**
 * Milliseconds that writing a lock may take. If the file system has no hard links, a lock is empty for a short time. If
 * it remains empty for longer, its process died while writing it.
 */
const writingTime = 5000;

/** Maximum size of a lock file in bytes. A real lock needs a few hundred. */
const largestLock = 64 * 1024;

function readIfThere(file: string): string | null {
  try {
    return getMachine().disk.readText(file, largestLock);
  } catch {
    return null;
  }
}

function parseHolder(text: string): LockHolder | null {
  try {
    return LockHolder.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Throws LockedElsewhere if the holder is alive, or may be alive. The draft file serves to read the file system's
 * clock.
 */
function refuseIfAlive(file: string, holder: LockHolder, draft: string, doing: string) {
  const { processes } = getMachine();
  const own = processes.getOwn();
  const isEarlier = holder.boot === undefined; // the lock of a version without heartbeats; its host is this machine if the names are equal
  const known = { ...holder, namespace: holder.namespace ?? null, boot: holder.boot ?? null };
  const asked = isEarlier && holder.host === own.host ? { ...known, namespace: own.namespace, boot: own.boot } : known;
  const isAlive = processes.isAlive(asked);
  if (isAlive === false) return;
  const says = `${file} says that process ${holder.pid} on ${holder.host} is ${doing}. Wait for it or stop it`;
  if (isAlive) throw new LockedElsewhere(file, `${says}.`);
  if (isEarlier) throw new LockedElsewhere(file, `${says}; if that machine is gone, delete the file.`);
  const silence = measureSilence(file, draft);
  if (silence < heartbeatPatience)
    throw new LockedElsewhere(
      file,
      `${says}; it runs in another container or on another machine, and its last heartbeat was ${Math.round(silence / 1000)} seconds ago. If it is gone, run the same command again once the heartbeat is ${heartbeatPatience / 1000} seconds old.`,
    );
}

/**
 * Returns the milliseconds since the holder's last heartbeat; 0 if the lock is gone. The heartbeat can be newer than
 * this process's draft file if the process was suspended or the clock was changed. If it is still newer after the draft
 * is written again, the clock was changed.
 */
function measureSilence(file: string, draft: string): number {
  const { disk } = getMachine();
  const look = () => {
    disk.touch(draft);
    const [now, lock] = [disk.find(draft), disk.find(file)];
    return now && lock ? { silence: now.changedAt - lock.changedAt, sign: lock.changedAt } : { silence: 0, sign: 0 };
  };
  const first = look();
  if (first.silence >= 0) return first.silence;
  const again = look();
  return again.sign === first.sign ? Math.abs(again.silence) : Math.max(0, again.silence);
}

function describeLoss(file: string, doing: string): string {
  const winner = parseHolder(readIfThere(file) ?? 'null');
  const who = winner
    ? `process ${winner.pid} on ${winner.host} has taken it`
    : 'it is gone, or belongs to another process';
  return `${file} no longer belongs to this process: ${who}, because this one had no heartbeat for more than ${heartbeatPatience / 1000} seconds, for example because the machine was asleep. It stops ${doing}; what it has recorded so far counts.`;
}
