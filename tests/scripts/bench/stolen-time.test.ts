// What a virtual machine's host keeps of the processors' time.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { processorTicks, stolenShare } from '../../../scripts/bench/stolen-time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = temporaryFolder();

describe('stolen time', () => {
  it('is read from the line of all processors together', () => {
    const file = path.join(folder, 'stat');
    writeFileSync(file, 'cpu  100 20 30 700 10 0 5 40 50 60\ncpu0 1 2 3 4 5 6 7 8 9 10\n');
    expect(processorTicks(file)).toEqual({ stolen: 40, all: 905 });
  });

  it('is a share of all time between two readings', () => {
    expect(stolenShare({ stolen: 40, all: 1000 }, { stolen: 90, all: 1200 })).toBe(0.25);
  });

  it('is not known where the system does not tell it, nor of no time', () => {
    expect(processorTicks(path.join(folder, 'none'))).toBeNull();
    expect(stolenShare(null, { stolen: 0, all: 1 })).toBeNull();
    expect(stolenShare({ stolen: 3, all: 9 }, { stolen: 3, all: 9 })).toBeNull();
  });
});
