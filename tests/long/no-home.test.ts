// A user without an account and without HOME, as in many containers: no command fails for lack of a cache folder.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { shortest, start } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const program = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');
const homeless = [
  '--reuid',
  '12345',
  '--regid',
  '12345',
  '--clear-groups',
  'env',
  '-u',
  'HOME',
  '-u',
  'XDG_CACHE_HOME',
];
const isPossible = spawnSync('setpriv', [...homeless, 'test', '-r', program]).status === 0;
const runHomeless = (cwd: string, args: readonly string[]) =>
  start('setpriv', [...homeless, process.execPath, program, ...args], { cwd }).ended;

(isPossible ? describe : describe.skip)('without a home directory', () => {
  const folder = createTemporaryFolder();
  chmodSync(folder, 0o777);

  it('a match is played and reported, and only the caches are missing', async () => {
    const played = await runHomeless(folder, ['match', ...shortest, '--seed', '1', '--id', 'first']);
    expect(played).toMatchObject({ code: 0, stderr: '' });
    const report = await runHomeless(folder, ['report', 'runs', '--no-baselines', '--out', 'report']);
    expect(report.code).toBe(0);
    const told = 'Nothing is cached, because there is no home directory: set HOME or XDG_CACHE_HOME';
    expect(report.stderr.split(told)).toHaveLength(2);
    expect(existsSync(path.join(folder, 'report', 'report.md'))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['report', 'runs']);
  });

  it.each([['verify', 'runs'], ['doctor'], ['show', 'runs/first'], ['compare', 'runs', 'runs', '--out', 'both']])(
    'no other command ends for want of one: %s',
    async (...args) => {
      const { stderr } = await runHomeless(folder, args);
      expect(stderr).not.toMatch(/homedir|ENOENT|ERR_/);
    },
  );

  it('doctor says that nothing is kept, and what to set', async () => {
    const { stdout } = await runHomeless(folder, ['doctor']);
    expect(stdout).toMatch(/^- +caches +nothing is cached.*set HOME or XDG_CACHE_HOME to a folder$/m);
  });
});
