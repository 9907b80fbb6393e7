// V8's limit on the heap, in processes of their own: it holds for a whole process.
import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

/** Number of garbage collections of the whole heap while it grows to some 150 MB, by number of concurrent matches. */
function countCollections(matchesAtOnce: number): number {
  const program = `
    import { boundHeap } from './scripts/command/bound-heap.ts';
    boundHeap(${matchesAtOnce});
    const kept = [];
    for (let i = 0; i < 3e5; i++) kept[i] = Array.from({ length: 60 }, () => i);`;
  const args = ['--trace-gc', '--max-semi-space-size=8', '--input-type=module', '--eval', program];
  const told = execFileSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  return told.match(/Mark-Compact/g)?.length ?? 0;
}

it('makes collections more frequent, set late as it is, but not for a few matches', () => {
  const [few, many] = [countCollections(4), countCollections(5)];
  expect(few).toBeGreaterThan(0);
  expect(many).toBeGreaterThan(few);
});
