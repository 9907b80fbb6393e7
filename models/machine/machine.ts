// The environment in which a match is played: a disk, a clock and processes. They are the system's own, or simulated.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, systemClock } from './clock.ts';
import { type Disk, systemDisk } from './disk.ts';
import { type Processes, systemProcesses } from './processes.ts';

/** All access of the program to files, time and other processes. The network is accessed only through models. */
export interface Machine {
  disk: Disk;
  clock: Clock;
  processes: Processes;
}

const systemMachine: Machine = { disk: systemDisk, clock: systemClock, processes: systemProcesses };

const simulated = new AsyncLocalStorage<Machine>();

/**
 * Runs a function and everything that it awaits on another machine. Several can run side by side, like separate
 * processes.
 *
 * @example
 * const other = { ...getMachine(), processes: { getOwn: () => stranger, isAlive: () => null } };
 * await runOnMachine(other, () => playMatch(plan));
 */
export const runOnMachine = <Result>(machine: Machine, run: () => Result): Result => simulated.run(machine, run);

export const getMachine = (): Machine => simulated.getStore() ?? systemMachine;

/** Returns the disk of the current machine. */
export const getDisk = (): Disk => getMachine().disk;
