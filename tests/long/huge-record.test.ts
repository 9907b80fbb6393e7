// A record of half a gigabyte, which is longer than any text can be.
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Disk } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { readNdjson } from '../../models/record/ndjson.ts';

const ignore = () => undefined;

it('a file that is longer than any text is read line by line', () => {
  // The disk returns the same line again and again, until more has been read than one string can hold.
  const line = Buffer.from(`${JSON.stringify({ words: 'x'.repeat(1 << 20) })}\n`);
  const { disk, ...rest } = getMachine();
  const lines = 560;
  const open: Disk['open'] = () => {
    let left = lines;
    let rest = Buffer.alloc(0);
    const read = (into: Uint8Array) => {
      if (rest.length === 0 && left-- > 0) rest = line;
      const length = Math.min(rest.length, into.length);
      into.set(rest.subarray(0, length));
      rest = rest.subarray(length);
      return length;
    };
    return { read, write: ignore, sync: ignore, close: ignore };
  };
  const Row = z.strictObject({ words: z.string().transform((words) => words.length) }) as unknown as z.ZodType<object>;
  const endless = { ...rest, disk: { ...disk, exists: () => true, open } };
  const { rows } = runOnMachine(endless, () => readNdjson('endless', Row));
  expect(rows).toHaveLength(lines);
});
