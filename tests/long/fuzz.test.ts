// Damaged records as input of every command that reads records: each command says what is wrong, or that the record is
// sound.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomDamages, findFuzzFaults, playSoundRecords } from '../../tools/faults/fuzz-commands.ts';
import { damageKinds } from '../../tools/faults/record-damage.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const work = createTemporaryFolder();
const golden = path.join(import.meta.dirname, '../golden');
const sound = await playSoundRecords(work, [path.join(golden, 'wolf-6-tinyllama')]);

describe('a damaged record', () => {
  it('ends every command in words, and none takes it for sound', async () => {
    const isWordy = fc.asyncProperty(randomDamages, async (damaged) => {
      expect(await findFuzzFaults(sound, damaged)).toEqual([]);
    });
    await fc.assert(isWordy, { seed: 1, numRuns: Number(process.env['WOLFGRAPH_RUNS'] ?? 10), endOnFailure: true });
  });

  it('whose answers are damaged in each way is not taken for sound', async () => {
    const found: string[] = [];
    for (const how of damageKinds) {
      const damage = { file: 'answers.ndjson', how, at: 0.4, choice: 10, isForged: false };
      found.push(...(await findFuzzFaults(sound, { record: 0, damages: [damage] }, ['verify', 'show', 'replay'])));
    }
    expect(found).toEqual([]);
  });
});
