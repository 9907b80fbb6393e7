// `--csv excel`: every CSV file of a command begins with the byte order mark that Excel needs.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from '../scripts/process.ts';

const out = createTemporaryFolder();
const at = (...parts: string[]) => path.join(out, ...parts);
const [x, y] = ['bot:classic?lie=1', 'bot:classic?lie=0'];
const short = ['--board', smallBoard, '--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--quiet', '--matches', '1'];
await Promise.all([
  run('match', ['--out', at('xy'), ...short, '--villagers', x, '--werewolves', y]),
  run('match', ['--out', at('yx'), ...short, '--villagers', y, '--werewolves', x]),
]);
const match = at('xy', listFolderNames(at('xy'))[0]!);
const quick = ['--resamples', '20'];

/** Files below a folder, with the number of byte order marks at their beginning. */
const listMarks = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(csv|md|json|html|svg|parquet)$/.test(name))
    .map((name) => [name, /^\uFEFF*/.exec(readFileSync(path.join(folder, name), 'utf8'))![0].length] as const)
    .sort();

const commands: Readonly<Record<string, (form: readonly string[], folder: string) => Promise<unknown>>> = {
  'a report': (form, folder) => run('report', [at('xy'), '--out', folder, '--no-baselines', ...quick, ...form]),
  'the tables of a match': (form) => run('report', [match, ...form]),
  'a figure of a paper': (form, folder) =>
    run('report', [at('xy'), '--table', 'arena-figure-1', '--out', folder, '--no-baselines', ...quick, ...form]),
  'a comparison': (form, folder) => run('compare', [at('xy'), at('yx'), '--out', folder, ...quick, ...form]),
};

describe.each(Object.keys(commands))('the CSV of %s', (name) => {
  const folder = name === 'the tables of a match' ? match : at(name);

  it('begins with one byte order mark under --csv excel and with none otherwise, whichever was written last', async () => {
    const has = (mark: number) => listMarks(folder).map(([file]) => [file, file.endsWith('.csv') ? mark : 0]);
    for (const [form, mark] of [
      [[], 0],
      [['--csv', 'excel'], 1],
      [['--csv', 'excel'], 1],
      [['--csv', 'plain'], 0],
    ] as const) {
      expect(await commands[name]!(form, folder)).toMatchObject({ code: 0 });
      expect(listMarks(folder)).toEqual(has(mark));
    }
    expect(listMarks(folder).some(([file]) => file.endsWith('.csv'))).toBe(true);
  });
});

describe('the sheet of label', () => {
  it('is read back by report, whatever it begins with', async () => {
    for (const [form, mark] of [
      ['excel', 1],
      ['plain', 0],
    ] as const) {
      const sheet = at(`${form}.csv`);
      const drawn = await run('label', [at('xy'), '--no-judge', '--n', '3', '--out', sheet, '--csv', form]);
      expect(drawn).toMatchObject({ code: 0 });
      const text = readFileSync(sheet, 'utf8');
      expect(/^\uFEFF*/.exec(text)![0]).toHaveLength(mark);
      const gold = ['--no-judge', '--gold', sheet, '--out', at(`gold-${form}`), '--no-baselines', ...quick];
      const { stderr } = await run('report', [at('xy'), ...gold]);
      expect(stderr).toContain('has no labels');
    }
  });

  it('has one of two forms', async () => {
    const { code, stderr } = await run('report', [at('xy'), '--csv', 'word']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Allowed choices are plain, excel/);
  });
});
