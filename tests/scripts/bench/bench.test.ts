// `npm run bench` as a user runs it, with everything tiny.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { start } from '../process.ts';

const script = path.join(import.meta.dirname, '../../../scripts/bench.ts');
const bench = (...args: string[]) => start(process.execPath, [script, ...args]).ended;

describe('npm run bench', () => {
  it('takes every figure and says how', async () => {
    const { code, stdout } = await bench('--quick');
    expect(code).toBe(0);
    const figures = ['Wall time', 'Latencies', 'CPU per model call', 'Bot matches', 'Memory', 'Calls under way'];
    for (const figure of [...figures, 'Prompt tokens', 'Tokens', 'Record', 'Traced', 'npm run match -- --help'])
      expect(stdout).toMatch(new RegExp(`^│ ${figure}`, 'm'));
    expect(stdout).toMatch(/Latencies .* tiny: 7 /);
    expect(stdout).toMatch(/Calls under way .* 8 at most /);
    expect(stdout).not.toMatch(/NaN|undefined|Infinity|: –|: 0\.00 MB/);
    expect(stdout).toMatch(/ cores, Node \d+/);
  });

  it('refuses a number that is none of its own', async () => {
    const { code, stderr } = await bench('--only', '1,6');
    expect(code).toBe(2);
    expect(stderr).toContain('"6" is none of 1, 2, 3, 4, 5.');
  });
});
