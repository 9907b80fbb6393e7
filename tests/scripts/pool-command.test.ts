// `npm run pool`: from records to a pool that can be shown, checked and merged.
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, short } from './process.ts';

const out = createTemporaryFolder();
const at = (name: string) => path.join(out, name);

describe('npm run pool', () => {
  beforeAll(async () => {
    for (const [name, seed] of [
      ['one', '1'],
      ['two', '2'],
    ] as const)
      await run('match', ['--out', at(name), '--seed', seed, '--matches', '1', '--quiet', ...short]);
  });

  it('builds a pool of records, says what it holds, and builds the same again', async () => {
    const built = await run('pool', ['build', at('one'), '--out', at('pool-1')]);
    expect(built).toMatchObject({ code: 0, stderr: '' });
    expect(built.stdout).toMatch(/entries of 1 deal, reward result: \d+ good\n/);
    expect(built.stdout).toMatch(/models: bot:classic \d+\n {2}reflections by: rules/);
    const sha = /SHA-256 (\w{64})/.exec(built.stdout)![1]!;
    expect((await run('pool', ['build', at('one'), '--out', at('pool-1')])).code).toBe(0);
    const check = await run('pool', ['check', at('pool-1')]);
    expect(check.stdout).toContain(`sound, `);
    expect(check.stdout).toContain(sha);
    const shown = await run('pool', ['show', at('pool-1'), '--moment', 'ballot', '--first', '1']);
    expect(shown.stdout).toMatch(/ballot of round 1[^]*You are \[[A-H]\], \w+\. Day 1[^]* You voted for \[[A-H]\]/);
    const { shown: json } = JSON.parse((await run('pool', ['show', at('pool-1'), '--json'])).stdout) as {
      shown: unknown[];
    };
    expect(json).toHaveLength(3);
  });

  it('merges pools, and refuses a damaged one by its hash', async () => {
    await run('pool', ['build', at('two'), '--out', at('pool-2')]);
    expect((await run('pool', ['merge', at('pool-1'), at('pool-2'), '--out', at('both')])).stdout).toContain(
      'of 2 deals',
    );
    const clash = await run('pool', ['merge', at('pool-1'), '--out', at('pool-2')]);
    expect(clash.code).toBe(2);
    expect(clash.stderr).toContain('holds another pool');
    rewrite(at('pool-2'), 'entries.ndjson', (text) =>
      text.replace('Do the same', 'Never do the same').replace('Do otherwise', 'Never do it'),
    );
    const damaged = await run('pool', ['check', at('pool-1'), at('pool-2')]);
    expect(damaged).toMatchObject({ code: 1 });
    expect(damaged.stdout).toMatch(/pool-1: sound[^]*pool-2: line \d+ is not what its hash says/);
    expect((await run('pool', ['show', at('pool-2')])).code).toBe(1);
  });

  it('refuses what it has no part for, and says what parts there are', async () => {
    const unknown = await run('pool', ['make']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('build, show, check, merge');
    expect((await run('pool', ['build', at('one')])).code).toBe(2);
    expect((await run('pool', [])).stdout).toContain('docs/experience.md');
    expect((await run('pool', ['build', '--help'])).stdout).toContain(
      'Usage: npm run pool -- build [options] <records...>',
    );
  });
});
