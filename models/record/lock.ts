// Lets one process at a time write a match: a lock file names the process that holds it, and the epoch of its hold.
import { z } from 'zod';
import type { Clock } from '../machine/clock.ts';
import { getDisk, getMachine } from '../machine/machine.ts';
import type { ProcessIdentity } from '../machine/processes.ts';
import { checkNoLink, RecordError } from './ndjson.ts';
import { hashText } from '../../state/hash-text.ts';

/** Locks of before know neither namespace nor epoch. */
const LockHolder = z.strictObject({
  pid: z.number().int(),
  started: z.string().nullable(),
  host: z.string(),
  namespace: z.string().nullable().optional(),
  boot: z.string().nullable().optional(),
  epoch: z.number().int().min(1).optional(),
});
type LockHolder = z.infer<typeof LockHolder>;

/** What a process has taken: until it is released, or another process has taken it over. */
export interface Lock {
  /** Higher than that of every process that held it before. */
  readonly epoch: number;
  /** Makes the epoch at least this. */
  raise: (epoch: number) => void;
  /** Whether no other process has taken it over. */
  isHeld: () => boolean;
  /** Throws RecordError once another process has taken it over. */
  check: () => void;
  release: () => void;
}

/** Milliseconds: so often a holder gives a sign of life, and after so long without one it counts as dead elsewhere. */
export const [heartbeatEvery, heartbeatPatience] = [10_000, 60_000];

/** Milliseconds between looks for a lock that another has. */
const lookEvery = 500;

/** Another process, or another command in this one, has the lock. */
export class LockedElsewhere extends RecordError {
  readonly #file: string;

  constructor(file: string, message: string) {
    super(message);
    this.#file = file;
  }

  /**
   * Resolves when it is time to try again: once the lock is gone, and after `heartbeatEvery` at the latest, since its holder
   * may have died. Rejects with the signal's reason.
   */
  async wait(clock: Clock, signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < heartbeatEvery && getDisk().exists(this.#file); waited += lookEvery)
      await clock.sleep(lookEvery, signal);
  }
}

/**
 * Takes the lock. That of a dead process is taken over at once where its processes can be asked from here, and else once
 * it has given no sign of life for `heartbeatPatience`. Throws LockedElsewhere while a living process holds it; `doing` is
 * what that process does, for the message.
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
        disk.link(draft, file); // fails where the lock exists, so only one process can succeed
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
      // the next append tells what is wrong
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
 * Whether somebody holds the lock, as far as can be told without writing: a living process here, or one elsewhere that gave
 * a sign of life in the last minute.
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

/** A few letters that are other ones for any other process, also of another container with the same number. */
const nameProcess = (identity: ProcessIdentity) => `${identity.pid}-${hashText(JSON.stringify(identity)).slice(0, 8)}`;

/** Removes the lock of a dead process and returns its epoch; 0 where another process was faster. Throws RecordError for what is no lock. */
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
      `${file} is empty: another process seems to be about to start ${doing}. Give the same command again in ${writingTime / 1000} seconds.`,
    );
  const aside = `${draft}.dead`;
  try {
    disk.rename(file, aside);
  } catch {
    return 0;
  }
  // Another process may have taken the lock between reading and moving: it is given it back.
  if (readIfThere(aside) !== found) disk.rename(aside, file);
  else disk.remove(aside);
  return holder?.epoch ?? 0;
}

/**
 * In milliseconds. A lock is empty for a moment where the file system has no links. One that stays empty for longer was left by a
 * process that died while it wrote it.
 */
const writingTime = 5000;

/** In bytes: who holds a match is said in a few hundred. */
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

/** Throws LockedElsewhere where the holder lives, or may. The draft says what time the file system has. */
function refuseIfAlive(file: string, holder: LockHolder, draft: string, doing: string) {
  const { processes } = getMachine();
  const own = processes.getOwn();
  const isEarlier = holder.boot === undefined; // of before there were heartbeats, on the same machine if its name is the same
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
      `${says}; it runs in another container or on another machine, and gave its last sign of life ${Math.round(silence / 1000)} seconds ago. If it is gone, give the same command again once that is ${heartbeatPatience / 1000} seconds ago.`,
    );
}

/**
 * Milliseconds since the holder's last sign of life; 0 where the lock is gone. A sign that lies ahead of the draft came
 * while this process stood still, or the clock was set: only then does it stay ahead of a draft that is renewed.
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
  const who = winner ? `process ${winner.pid} on ${winner.host} has taken it` : 'it is gone, or of another process';
  return `${file} is not this process's any more: ${who}, since this one gave no sign of life for more than ${heartbeatPatience / 1000} seconds, as on a machine that was asleep. It stops ${doing}; what it recorded until then counts.`;
}
