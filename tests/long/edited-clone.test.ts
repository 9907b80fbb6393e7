// A clone with edited prompts: records distinguish the matches of the two versions, and so do `compare` and `doctor`.
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Manifest } from '../../state/record.ts';
import { start } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = path.join(import.meta.dirname, '../..');
const folder = createTemporaryFolder();
const clone = path.join(folder, 'clone');

/** Runs a command of the clone, in its folder. */
const run = (command: string, ...args: string[]) =>
  start(process.execPath, ['scripts/wolfgraph.mjs', command, ...args], { cwd: clone }).ended;

const play = (out: string) =>
  run('match', '--seed', '1', '--id', 'first', '--board', 'tests/small-board.yaml', '--rules', 'arena', '--out', out);

const readMadeBy = (out: string) =>
  Manifest.parse(JSON.parse(readFileSync(path.join(clone, out, 'first', 'manifest.json'), 'utf8'))).made_by;

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', '--shared', root, clone]);
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'), 'dir');
  expect(await play('before')).toMatchObject({ code: 0 });
  const file = path.join(clone, 'prompts/voting.ts');
  const source = readFileSync(file, 'utf8');
  const edited = source.replace(
    'The debate is over. Whom do you vote to exile?',
    'The debate has ended. Whom do you vote to exile?',
  );
  expect(edited).not.toBe(source);
  writeFileSync(file, edited);
  expect(await play('after')).toMatchObject({ code: 0 });
}, 120_000);

describe('matches of a clone before and after its prompts were edited', () => {
  it('have another hash of the wording, and mark the uncommitted change', () => {
    const [before, after] = [readMadeBy('before'), readMadeBy('after')];
    expect(before.dirty).toBeUndefined();
    expect(after).toMatchObject({ dirty: true, commit: before.commit });
    expect(after.templates_sha256).not.toBe(before.templates_sha256);
    const reworded = Object.keys(after.questions_sha256 ?? {}).filter(
      (action) => after.questions_sha256?.[action] !== before.questions_sha256?.[action],
    );
    expect(reworded).toContain('vote');
  });

  it('are told apart by compare, which names both wordings', async () => {
    const { code, stdout, stderr } = await run('compare', 'before', 'after', '--out', 'both');
    expect(code).toBe(0);
    const said = stdout + stderr + readFileSync(path.join(clone, 'both', 'comparison.md'), 'utf8');
    for (const out of ['before', 'after']) expect(said).toContain(readMadeBy(out).templates_sha256.slice(0, 12));
  });

  it('are begun by a program that doctor calls changed, with the remedy', async () => {
    expect((await run('doctor')).stdout).toMatch(/^ok +Wolfgraph .* with uncommitted changes .*commit them/m);
  });
});
