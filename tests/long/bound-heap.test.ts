// V8's limit on the heap. It applies to a whole process, so each test starts one.
import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

/**
 * Counts the full garbage collections while the heap of a process for this many concurrent matches grows to about 150
 * MB.
 */
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
