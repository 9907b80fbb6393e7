// What a match is played on: a disk, a clock and processes, the system's own or simulated ones.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, systemClock } from './clock.ts';
import { type Disk, systemDisk } from './disk.ts';
import { type Processes, systemProcesses } from './processes.ts';

/** All ways from the program to files, time and other processes; the network is behind the models in the seats. */
export interface Machine {
  disk: Disk;
  clock: Clock;
  processes: Processes;
}

const systemMachine: Machine = { disk: systemDisk, clock: systemClock, processes: systemProcesses };

const simulated = new AsyncLocalStorage<Machine>();

/**
 * Runs something on another machine, with all that it awaits; several can run side by side, as processes of their own.
 *
 * @example
 * const other = { ...getMachine(), processes: { getOwn: () => stranger, isAlive: () => null } };
 * await runOnMachine(other, () => playMatch(plan));
 */
export const runOnMachine = <Result>(machine: Machine, run: () => Result): Result => simulated.run(machine, run);

export const getMachine = (): Machine => simulated.getStore() ?? systemMachine;

/** The disk of the machine that this runs on. */
export const getDisk = (): Disk => getMachine().disk;
