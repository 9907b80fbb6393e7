// A world in memory with one disk, one clock and several processes. Each of their steps can be made to fail.
import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../models/machine/clock.ts';
import type { Disk, OpenFile } from '../../models/machine/disk.ts';
import { type Machine, runOnMachine } from '../../models/machine/machine.ts';
import type { ProcessIdentity } from '../../models/machine/processes.ts';
import { draw, type RandomSource } from '../../state/random.ts';
import { createSystemError, SimulatedStorage } from './simulated-disk.ts';

/** One use of the disk, the clock or a provider, which can fail. `file`: null unless the disk is used. */
export interface WorldStep {
  kind: string;
  file: string | null;
}

/** A way in which a step can fail. */
export type FaultWay = keyof typeof stepsByFaultWay;

type Area = 'look' | 'open' | 'append' | 'write' | 'change' | 'sync' | 'time' | 'timer' | 'call';

/** Way of failing → kinds of steps that can fail in this way. */
export const stepsByFaultWay = {
  /** The disk reports an error once, and does nothing else. */
  io: ['look', 'open', 'append', 'write', 'change', 'sync'],
  /** The disk is full until the process has ended; the current write is partial. */
  full: ['append', 'write', 'change'],
  /** Too many files are open, once. */
  crowded: ['open'],
  /** The process dies before the step. */
  kill: ['look', 'open', 'append', 'write', 'change', 'sync', 'time', 'timer', 'call'],
  /** The process dies after the step. */
  killAfter: ['open', 'append', 'write', 'change', 'sync'],
  /** The process dies after a partial write. */
  tear: ['append', 'write'],
  /** The process dies, and its write reaches the disk later, while another process plays. */
  late: ['append'],
  /** The power fails before the step; unflushed data is partly lost. */
  cut: ['open', 'append', 'write', 'change', 'sync', 'call'],
  cutAfter: ['open', 'append', 'write', 'change', 'sync'],
  /** The clock is set back by two days before the step. The process continues. */
  back: ['time', 'timer', 'call'],
  /** The clock is set forward by two days before the step. */
  forward: ['time', 'timer', 'call'],
  /** The process freezes until another process has begun to play. */
  freeze: ['timer', 'call'],
  /** No answer comes, once. */
  hang: ['call'],
  /** An answer is lost in transit, once. The provider has charged for it. */
  lose: ['call'],
  /** The server fails, once. */
  fail: ['call'],
  /** The server fails until the process has ended. */
  down: ['call'],
} as const satisfies Readonly<Record<string, readonly Area[]>>;

const areaOf: Readonly<Record<string, Area>> = {
  ...{ exists: 'look', find: 'look', isForeignLink: 'look', read: 'look', readText: 'look', list: 'look' },
  ...{ readPiece: 'look', open: 'open', append: 'append', write: 'write', sync: 'sync', syncFolder: 'sync' },
  ...{ truncate: 'change', rename: 'change', link: 'change', touch: 'change', remove: 'change', makeFolder: 'change' },
  ...{ now: 'time', elapsed: 'time', sleep: 'timer', alarm: 'timer', repeat: 'timer', call: 'call' },
};

/** Lists the ways in which this step can fail. */
export const listFaultWays = ({ kind }: Pick<WorldStep, 'kind'>): FaultWay[] =>
  (Object.keys(stepsByFaultWay) as FaultWay[]).filter((way) =>
    (stepsByFaultWay[way] as readonly Area[]).includes(areaOf[kind]!),
  );

/**
 * A planned fault: it happens at the first step from this number on that can fail in this way. Each process counts its
 * steps from 0.
 */
export interface PlannedFault {
  step: number;
  way: FaultWay;
}

/** Thrown at every step of a process that has died. This is not an error of the product. */
export class ProcessGone extends Error {
  override name = 'ProcessGone';
}

/** A failed call to a server. */
export class ServerFailure extends Error {
  readonly status = 503;
}

const day = 24 * 3600 * 1000;

/** Maximum number of steps of other processes before a late write reaches the disk, or a frozen process resumes. */
const soon = 120;

interface Timer {
  at: number;
  process: SimulatedProcess;
  ring: () => void;
  /**
   * Kind of wait. Simulated time never advances for heartbeats alone. It advances to the time limit of a call only if
   * nothing else is pending.
   */
  kind: 'wait' | 'limit' | 'beat';
}

/** A world with a disk, a clock and processes. All randomness comes from its seed. */
export class SimulatedWorld {
  readonly storage: SimulatedStorage;
  /** Lines that reached the disk after their process had died. */
  readonly lateLines: string[] = [];
  /** Whether the power ever failed. */
  isCut = false;
  readonly random: RandomSource;
  /** Milliseconds since the start of the world. */
  #time = 0;
  /** Offset of the wall clock, which faults change. */
  #wall = Date.UTC(2026, 0, 1, 12);
  #boot = 1;
  #steps = 0;
  #processes = 0;
  readonly #living = new Set<SimulatedProcess>();
  readonly #timers = new Set<Timer>();
  /** Effects that happen after a number of further steps of any process. */
  #later: { steps: number; happen: () => void }[] = [];
  /**
   * Folders of matches whose prompts are being compressed. Compression takes real time, so simulated time waits for it.
   */
  readonly #finishing = new Set<string>();

  constructor(seed: number) {
    this.random = draw(seed, 'world');
    this.storage = new SimulatedStorage(() => this.now());
  }

  now = () => this.#wall + this.#time;
  elapsed = () => this.#time;

  setClock(by: number) {
    this.#wall += by;
  }

  /** Lets simulated time pass without any activity. */
  pass(ms: number) {
    this.#time += ms;
  }

  isAlive(pid: number, boot: string): boolean {
    return boot === this.bootName && [...this.#living].some((one) => one.identity.pid === pid);
  }

  get bootName() {
    return `boot-${this.#boot}`;
  }

  /**
   * Starts a process. `isElsewhere`: whether it runs in another container, where it cannot be seen whether other
   * processes are alive.
   */
  start(fault: PlannedFault | null, isElsewhere = false): SimulatedProcess {
    this.#processes += 1;
    const identity = {
      ...{ pid: 100 + this.#processes, started: String(this.#processes), host: 'simulated', boot: this.bootName },
      namespace: isElsewhere ? `container-${this.#processes}` : 'first',
    };
    const process = new SimulatedProcess(this, identity, fault);
    this.#living.add(process);
    return process;
  }

  end(process: SimulatedProcess) {
    this.#living.delete(process);
    for (const timer of this.#timers) if (timer.process === process) this.#timers.delete(timer);
  }

  cutPower() {
    this.isCut = true;
    for (const process of this.#living) process.vanish();
    this.storage.cutPower(this.random);
    this.#boot += 1;
    this.pass(3 * 60_000);
  }

  addTimer(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  happenLater(happen: () => void) {
    this.#later.push({ steps: 1 + this.random.integer(soon), happen });
  }

  /** Applies all pending effects now. */
  happenNow() {
    for (const { happen } of this.#later.splice(0)) happen();
  }

  /** Called before every step of any process. */
  see({ kind, file }: WorldStep) {
    this.#steps += 1;
    for (const one of this.#later) one.steps -= 1;
    const due = this.#later.filter(({ steps }) => steps <= 0);
    this.#later = this.#later.filter(({ steps }) => steps > 0);
    for (const { happen } of due) happen();
    const folder = file?.slice(0, file.lastIndexOf('/')) ?? '';
    if (kind === 'remove' && file?.endsWith('lock.json')) this.#finishing.delete(folder);
  }

  /** Called after bytes were appended to a file. */
  seeAppended(file: string, bytes: Buffer) {
    if (file.includes('events.ndjson') && bytes.includes('{"type":"ended"'))
      this.#finishing.add(file.slice(0, file.lastIndexOf('/')));
  }

  /** Runs tasks of these processes until each is settled or its process is dead. Throws if they hang. */
  async live(runs: readonly Promise<unknown>[]): Promise<void> {
    let isOver = false;
    void Promise.allSettled(runs).then(() => (isOver = true));
    const begun = systemClock.elapsed();
    let [seen, since] = [-1, begun];
    for (;;) {
      await turn();
      if (isOver) return;
      const now = systemClock.elapsed();
      if (now - begun > longestRun) throw new Error(`A run has not ended after ${longestRun / 1000} s of real time.`);
      if (seen !== this.#steps) [seen, since] = [this.#steps, now];
      if (this.#finishing.size === 0) this.#ringNext(now - since > idle);
    }
  }

  /** Advances time to the next event that a process waits for. `isIdle`: whether time limits count too. */
  #ringNext(isIdle: boolean) {
    const timers = [...this.#timers].filter(({ process }) => !process.isFrozen);
    const isDue = ({ kind }: Timer) => kind === 'wait' || (isIdle && kind === 'limit');
    const until = timers.reduce((first, timer) => (isDue(timer) ? Math.min(first, timer.at) : first), Infinity);
    if (until === Infinity) return;
    const [next] = timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at) as [Timer];
    this.#time = Math.max(this.#time, next.at);
    this.#timers.delete(next);
    next.ring();
  }

  /** Forgets pending compressions if every process that could finish them has ended. */
  forgetFinishing() {
    this.#finishing.clear();
  }
}

/**
 * Milliseconds of real time after which a run counts as hung, and milliseconds without a step after which it is idle.
 */
const [longestRun, idle] = [60_000, 20];

/** A process in the simulated world, from its start to its end. */
export class SimulatedProcess {
  readonly identity: ProcessIdentity;
  readonly machine: Machine;
  readonly #world: SimulatedWorld;
  readonly #fault: PlannedFault | null;
  readonly #gone = Promise.withResolvers<never>();
  /** Every step so far. */
  readonly steps: WorldStep[] = [];
  /** The step that failed; null if no step has failed. */
  failed: WorldStep | null = null;
  isGone = false;
  /** Whether the process is frozen now, and whether it ever was. */
  isFrozen = false;
  wasFrozen = false;
  /** A fault that lasts until the process has ended. */
  #trouble: 'full' | 'down' | null = null;

  constructor(world: SimulatedWorld, identity: ProcessIdentity, fault: PlannedFault | null) {
    [this.#world, this.identity, this.#fault] = [world, identity, fault];
    this.#gone.promise.catch(() => undefined);
    const { namespace } = identity;
    this.machine = {
      disk: this.#watchDisk(world.storage.connect()),
      clock: this.#createClock(),
      processes: {
        getOwn: () => identity,
        isAlive: (other) =>
          other.namespace === namespace && other.boot === identity.boot
            ? world.isAlive(other.pid, other.boot ?? '')
            : null,
        readOutput: () => null,
      },
    };
  }

  /** Runs a task as this process, until the task is settled or the process is dead. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const running = runOnMachine(this.machine, task);
    running.catch(() => undefined); // ignores what a dead process throws
    try {
      return await Promise.race([running, this.#gone.promise]);
    } finally {
      this.isGone = true;
      this.#world.end(this);
    }
  }

  /** Kills the process: nothing that it does from now on has any effect. */
  vanish() {
    this.isGone = true;
    this.isFrozen = false;
    this.#world.end(this);
    this.#world.forgetFinishing();
    this.#gone.reject(new ProcessGone('The process is gone.'));
  }

  /** Freezes the process for long enough that other processes begin to play and take over its locks. */
  #freeze() {
    [this.isFrozen, this.wasFrozen] = [true, true];
    this.#frozen.resolve();
    this.#world.happenLater(() => (this.isFrozen = false));
  }

  readonly #frozen = Promise.withResolvers<void>();
  /** Resolves when the process freezes for the first time. */
  readonly whenFrozen = this.#frozen.promise;

  /** Makes a call to a provider that returns `answer`; `arrived` is called when the answer arrives. */
  async call<Answer>(answer: () => Answer, signal: AbortSignal | undefined): Promise<Answer> {
    const way = this.#begin({ kind: 'call', file: null });
    if (way === 'down') this.#trouble = 'down';
    await this.#wait(20 + this.#world.random.integer(2000), signal);
    if (this.isGone) return new Promise(() => undefined);
    if (way === 'fail' || this.#trouble === 'down') throw new ServerFailure('Service unavailable');
    if (way === 'hang') return new Promise(() => undefined);
    const made = answer();
    if (way === 'lose') throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
    return made;
  }

  /**
   * Counts the step, and makes it fail if that is planned. Handles the faults that affect all steps in the same way.
   */
  #begin(step: WorldStep): FaultWay | null {
    if (this.isGone) throw new ProcessGone('The process is gone.');
    if (!this.isFrozen) this.#world.see(step);
    const number = this.steps.push(step) - 1;
    if (!this.#fault || this.failed || number < this.#fault.step) return null;
    const { way } = this.#fault;
    if (!listFaultWays(step).includes(way)) return null;
    this.failed = step;
    if (way === 'kill') this.#leave();
    if (way === 'cut') this.#cut();
    if (way === 'io') throw createSystemError('EIO', 'i/o error', step.kind, step.file ?? '');
    if (way === 'crowded') throw createSystemError('EMFILE', 'too many open files', step.kind, step.file ?? '');
    if (way === 'back') this.#world.setClock(-2 * day);
    if (way === 'forward') this.#world.setClock(2 * day);
    if (way === 'full') this.#trouble = 'full';
    if (way === 'freeze') this.#freeze();
    return way;
  }

  #leave(): never {
    this.vanish();
    throw new ProcessGone('The process is gone.');
  }

  #cut(): never {
    this.#world.cutPower();
    throw new ProcessGone('The power is cut.');
  }

  #end(way: FaultWay | null) {
    if (way === 'killAfter') this.#leave();
    if (way === 'cutAfter') this.#cut();
  }

  /** Makes a disk step that takes effect completely or not at all. */
  #step<Result>(kind: string, file: string, act: () => Result): Result {
    const way = this.#begin({ kind, file });
    if (this.#trouble === 'full' && ['link', 'makeFolder', 'rename'].includes(kind)) throw this.#createFullError(file);
    const result = act();
    this.#end(way);
    return result;
  }

  /** Makes a step that writes bytes to a file. A fault may write only some of the bytes. */
  #put(kind: 'append' | 'write', file: string, bytes: Buffer, put: (bytes: Buffer) => void) {
    const way = this.#begin({ kind, file });
    if (this.#trouble === 'full' || way === 'tear') put(bytes.subarray(0, this.#world.random.integer(bytes.length)));
    if (way === 'tear') this.#leave();
    if (this.#trouble === 'full') throw this.#createFullError(file);
    if (way === 'late') {
      const write = this.#world.storage.prepareLateWrite(file);
      this.#world.lateLines.push(bytes.toString());
      this.#world.happenLater(() => write(bytes));
      this.#leave();
    }
    put(bytes);
    if (kind === 'append') this.#world.seeAppended(file, bytes);
    this.#end(way);
  }

  #createFullError = (file: string) => createSystemError('ENOSPC', 'no space left on device', 'write', file);

  #watchDisk(disk: Disk): Disk {
    const watch = <Name extends keyof Disk>(name: Name, place = 0): Disk[Name] => {
      const act = (...args: string[]) =>
        this.#step(name, args[place]!, () => (disk[name] as (...given: string[]) => unknown)(...args));
      return act as Disk[Name];
    };
    return {
      ...disk,
      ...{ exists: watch('exists'), find: watch('find'), isForeignLink: watch('isForeignLink'), list: watch('list') },
      ...{ read: watch('read'), readText: watch('readText'), readEnd: watch('readEnd') },
      ...{ truncate: watch('truncate'), touch: watch('touch') },
      ...{ remove: watch('remove'), makeFolder: watch('makeFolder'), syncFolder: watch('syncFolder') },
      ...{ rename: watch('rename', 1), link: watch('link', 1) },
      open: (file, mode) =>
        this.#watchFile(
          file,
          this.#step('open', file, () => disk.open(file, mode)),
        ),
      write: (file, contents, isFlushed) =>
        this.#put('write', file, Buffer.from(contents as Uint8Array), (bytes) => disk.write(file, bytes, isFlushed)),
    };
  }

  #watchFile(file: string, open: OpenFile): OpenFile {
    return {
      read: (into) =>
        this.#step('readPiece', file, () =>
          open.read(into.subarray(0, 1 + this.#world.random.integer(Math.min(into.length, longestPiece)))),
        ),
      write: (contents) => this.#put('append', file, Buffer.from(contents as Uint8Array), (bytes) => open.write(bytes)),
      sync: () => this.#step('sync', file, () => open.sync()),
      close: () => undefined, // a dead process closes its files too
    };
  }

  #createClock(): Clock {
    const world = this.#world;
    const time = (kind: string) => void this.#begin({ kind, file: null });
    const addTimer = (ms: number, ring: () => void, kind: Timer['kind']) =>
      world.addTimer({ at: world.elapsed() + ms, process: this, ring, kind });
    return {
      now: () => {
        time('now');
        return world.now();
      },
      elapsed: () => {
        time('elapsed');
        return world.elapsed();
      },
      sleep: async (ms, signal) => {
        time('sleep');
        await this.#wait(ms, signal);
      },
      takeTurn: () => Promise.resolve(),
      alarm: (ms, ring) => {
        time('alarm');
        return addTimer(ms, ring, 'limit');
      },
      repeat: (ms, beat) => {
        time('repeat');
        let cancel = () => {};
        const wait = () => {
          cancel = addTimer(
            ms,
            () => {
              wait();
              try {
                beat();
              } catch (error) {
                if (!(error instanceof ProcessGone)) throw error; // it died while giving a sign of life
              }
            },
            'beat',
          );
        };
        wait();
        return () => cancel();
      },
      jitter: () => world.random.fraction(),
    };
  }

  /** Resolves after this much simulated time; never if the process is dead. */
  #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const stop = () => {
        cancel();
        reject(signal!.reason as Error);
      };
      const ring = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const at = this.#world.elapsed() + ms;
      const cancel = this.#world.addTimer({ at, process: this, ring, kind: 'wait' });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Maximum bytes that a read returns. A system may return fewer than requested at any time. */
const longestPiece = 20_000;
