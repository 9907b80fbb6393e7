// Files of a report: all are replaced together, or none.
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSystemDisk } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { placeDrafts, writeDrafts } from '../../scripts/command/replace-files.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, shortest } from './process.ts';

let folder: string;
beforeEach(() => void (folder = createTemporaryFolder()));
const at = (name: string) => path.join(folder, name);
const readAll = () => Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(at(name), 'utf8')]));

/**
 * Runs `act` while a file of this name cannot be moved, as if it were open in a spreadsheet on Windows, or immutable. A
 * folder that contains the file cannot be moved either, as on Windows.
 */
const runWithHeld = <Result>(held: string, code: string, act: () => Result): Result => {
  const rename: typeof renameSync = (from, to) => {
    if (path.basename(from as string) === held || existsSync(path.join(from as string, held)))
      throw Object.assign(new Error(`${code}: held`), { code });
    renameSync(from, to);
  };
  return runOnMachine({ ...getMachine(), disk: createSystemDisk({ rename, pause: () => undefined }) }, act);
};

const replace = (files: Readonly<Record<string, string>>, outdated: readonly string[] = []) =>
  placeDrafts(writeDrafts(Object.entries(files).map(([name, text]) => [at(name), text] as const)), outdated.map(at));

describe('files that are replaced as one', () => {
  it('all have their new contents, those without a successor are gone, and nothing else is left or changed', () => {
    for (const name of ['a', 'b', 'old', 'other']) writeFileSync(at(name), 'before');
    expect(replace({ a: 'one', b: 'two', c: 'three' }, ['old', 'never'])).toEqual(['a', 'b', 'c'].map(at));
    expect(readAll()).toEqual({ a: 'one', b: 'two', c: 'three', other: 'before' });
  });

  it.each(['a', 'b', 'c', 'old'])('are all as they were where one of them cannot be replaced: %s', (held) => {
    for (const name of ['a', 'b', 'c', 'old']) writeFileSync(at(name), 'before');
    const before = readAll();
    for (const code of ['EPERM', 'EBUSY', 'EACCES', 'EIO'])
      expect(() => runWithHeld(held, code, () => replace({ a: '1', b: '2', c: '3', d: '4' }, ['old']))).toThrow(
        code === 'EIO'
          ? `${at(held)} cannot be written: EIO`
          : `${at(held)} cannot be replaced: ${code}: held. Close it`,
      );
    expect(readAll()).toEqual(before);
  });

  it('are all as they were where a draft cannot take its place', () => {
    writeFileSync(at('a'), 'before');
    expect(() => runWithHeld('b.new', 'EIO', () => replace({ a: '1', b: '2' }))).toThrow('EIO');
    expect(readAll()).toEqual({ a: 'before' });
  });

  it('leave nothing of a command that was killed between its renames', () => {
    // The first file had its new contents, the second did not yet, and the third was unchanged.
    const killed = { a: 'new', 'a.old': 'before', 'b.old': 'before', 'b.new': 'new', c: 'before', 'c.new': 'new' };
    for (const [name, text] of Object.entries({ ...killed, 'gone.old': 'before' })) writeFileSync(at(name), text);
    replace({ a: '1', b: '2', c: '3' }, ['gone']);
    expect(readAll()).toEqual({ a: '1', b: '2', c: '3' });
  });

  it('replace links, and leave what they lead to', () => {
    writeFileSync(at('target'), 'kept');
    for (const name of ['a', 'a.new', 'a.old']) symlinkSync(at('target'), at(name));
    replace({ a: 'one' });
    expect(readAll()).toEqual({ a: 'one', target: 'kept' });
  });
});

describe('a report', () => {
  it('whose table is open elsewhere changes nothing, and says what to close', async () => {
    await run('match', ['--out', at('runs'), '--seed', '1', '--id', 'first', ...shortest]);
    const report = ['report', ['--no-baselines', '--no-cache', '--out', at('report'), at('runs')]] as const;
    expect(await run(...report)).toMatchObject({ code: 0 });
    const hash = () =>
      readdirSync(at('report')).map((name) => [name, name.includes('.') && readFileSync(at(`report/${name}`), 'utf8')]);
    const before = hash();
    await run('match', ['--out', at('runs'), '--seed', '2', '--id', 'second', ...shortest]);
    const { code, stderr } = await runWithHeld('matches.csv', 'EPERM', () => run(...report));
    expect(code).toBe(1);
    expect(stderr).toContain('matches.csv cannot be replaced: EPERM: held. Close it in programs such as spreadsheets');
    expect(hash()).toEqual(before);
    expect(await run(...report)).toMatchObject({ code: 0 });
    expect(readFileSync(at('report/matches.csv'), 'utf8').split('\n')).toHaveLength(4);
  });
});
