// How much of its processors' time a virtual machine did not get: figures taken meanwhile are of the host's other work.
import { readFileSync } from 'node:fs';

/** Where Linux counts the processors' time, and at which place it counts what the host kept: see proc_stat(5). */
const counters = '/proc/stat';
const stolenPlace = 7;

/** Clock ticks of all processors together, since the start of the system. */
export interface ProcessorTicks {
  stolen: number;
  all: number;
}

/** Null where the system does not tell. */
export function processorTicks(file = counters): ProcessorTicks | null {
  try {
    const ticks = readFileSync(file, 'utf8').split('\n', 1)[0]!.split(/\s+/).slice(1).map(Number);
    // The last two, of guests, are counted in the first two already.
    return { stolen: ticks[stolenPlace]!, all: ticks.slice(0, stolenPlace + 1).reduce((sum, one) => sum + one, 0) };
  } catch {
    return null;
  }
}

/** 0…1, of all the processors' time between the two; null where it is not known. */
export function stolenShare(before: ProcessorTicks | null, after: ProcessorTicks | null): number | null {
  if (before === null || after === null || after.all === before.all) return null;
  return (after.stolen - before.stolen) / (after.all - before.all);
}
