// Changes to a sealed record: every command notices them, `verify` names them, figures leave the record out, and the
// undamaged part can be recovered.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { forge, readContents, readLines, rewrite, rewriteLine, listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { eventsIn } from './match-folder.ts';
import { run, shortest } from './process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
await run('match', ['--out', at('played'), ...shortest, '--matches', '2', '--quiet']);
const [first, second] = listFolderNames(at('played')).sort() as [string, string];
const golden = path.join(import.meta.dirname, '..', 'golden');

/** Copies the first match into a new folder named `set` and changes the copy. */
function createChanged(set: string, change: (folder: string) => void): string {
  const folder = at(set, first);
  mkdirSync(at(set), { recursive: true });
  cpSync(at('played', first), folder, { recursive: true });
  change(folder);
  return folder;
}

const swapWinner = (line: string) =>
  line.replace(
    /"winner":(null|"\w+")/,
    (_, was: string) => `"winner":${was === '"werewolves"' ? 'null' : '"werewolves"'}`,
  );

const changes: readonly [what: string, file: string, change: (folder: string) => void][] = [
  [
    'another winner',
    'events.ndjson',
    (folder) => rewrite(folder, 'events.ndjson', (text) => text.split('\n').map(swapWinner).join('\n')),
  ],
  [
    'a doubled answer',
    'answers.ndjson',
    (folder) => rewriteLine(folder, 'answers.ndjson', 7, (line) => `${line}\n${line}`),
  ],
  [
    'answers cut off',
    'answers.ndjson',
    (folder) => rewrite(folder, 'answers.ndjson', (text) => text.split('\n').slice(0, -4).join('\n') + '\n'),
  ],
  [
    'the answers of another match',
    'answers.ndjson',
    (folder) => cpSync(at('played', second, 'answers.ndjson'), path.join(folder, 'answers.ndjson')),
  ],
  [
    'the events of another match',
    'events.ndjson',
    (folder) => cpSync(at('played', second, 'events.ndjson'), path.join(folder, 'events.ndjson')),
  ],
  [
    'another seat in the manifest',
    'manifest.json',
    (folder) => rewrite(folder, 'manifest.json', (text) => text.replace('"created_at": "', '"created_at": "1')),
  ],
  [
    'another summary',
    'deception_summary.json',
    (folder) => rewrite(folder, 'deception_summary.json', (text) => text.replace(/"rounds": \d+/, '"rounds": 49')),
  ],
  ['no summary', 'deception_summary.json', (folder) => rmSync(path.join(folder, 'deception_summary.json'))],
];

describe.each(changes)('a sealed record with %s', (what, file, change) => {
  const set = what.replaceAll(' ', '-');
  const folder = createChanged(set, change);

  it('is refused by every command with its file, and is no wrong usage', async () => {
    const toSet = ['--out', at(set, 'out'), '--no-baselines'];
    for (const args of [['verify'], ['replay'], ['show'], ['report'], ['report', ...toSet]] as const) {
      const [script, ...more] = args;
      const { code, stdout, stderr } = await run(script, [folder, ...more]);
      expect({ args, code, says: `${stdout}${stderr}`.includes(path.join(folder, file)) }).toEqual({
        args,
        code: 1,
        says: true,
      });
    }
  });

  it('is left out by name beside a sound one', async () => {
    cpSync(at('played', second), at(set, second), { recursive: true });
    const report = await run('report', [at(set), '--no-tables', '--no-baselines', '--resamples', '20']);
    expect(report.code).toBe(0);
    expect(report.stderr).toContain('1 match is reported, sealed 1 of 1.');
    expect(report.stderr).toContain(`${folder} (damaged): `);
    const verify = await run('verify', [at(set)]);
    expect(verify.code).toBe(1);
    expect(verify.stdout).toMatch(/\n2 records: sealed 1 of 1, replayed 1 of 1, 1 damaged\n$/);
    expect((await run('verify', [folder])).stdout).toMatch(/\n1 record: 1 damaged\n$/);
  });
});

describe('verify', () => {
  it('finds sound records sealed and replayed, and those of schema 1 without a seal', async () => {
    expect(await run('verify', [at('played')])).toEqual({
      code: 0,
      stdout: '2 records: sealed 2 of 2, replayed 2 of 2\n',
      stderr: '',
    });
    const { code, stdout } = await run('verify', [
      path.join(golden, 'wolf-bots'),
      path.join(golden, 'wolf-bots-sealed'),
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 records: sealed 1 of 2, replayed 2 of 2( \(.*\))?, 1 of schema 1, which has no seal\n$/);
  });

  it('finds in a replay what somebody sealed who knew how', async () => {
    const folder = createChanged('forged', (copy) => {
      changes[0]![2](copy);
      forge(copy);
    });
    const { code, stdout } = await run('verify', [folder]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/events\.ndjson, line \d+: recorded as/);
  });

  it('names every link in a record, and follows none', async () => {
    const elsewhere = at('elsewhere');
    const names = ['answers.ndjson', 'log.ndjson', 'prompts.ndjson.gz'];
    const folder = createChanged('linked', (copy) => {
      for (const name of names) {
        rmSync(path.join(copy, name));
        symlinkSync(elsewhere, path.join(copy, name));
      }
    });
    const { code, stdout } = await run('verify', [folder]);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      ...names.map((name) => expect.stringContaining(`${path.join(folder, name)} is a link`)),
      '1 record: 1 damaged',
      '',
    ]);
  });

  it('passes over line ends of Windows, empty lines and byte order marks', async () => {
    const folder = createChanged('edited', (copy) => {
      for (const name of ['answers.ndjson', 'events.ndjson'])
        rewrite(copy, name, (text) => `\ufeff${text.replaceAll('\n', '\r\n')}\r\n`);
      rewrite(copy, 'manifest.json', (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`);
    });
    expect((await run('verify', [folder])).stdout).toBe('1 record: sealed 1 of 1, replayed 1 of 1\n');
  });

  it('names the way on where answers are cut off', async () => {
    const folder = createChanged('shortened', (copy) =>
      rewrite(copy, 'answers.ndjson', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)),
    );
    const { code, stdout, stderr } = await run('verify', [folder]);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('npm run verify -- --recover');
  });

  it('recovers nothing under a manifest that was changed after it was sealed', async () => {
    const folder = createChanged('attributed', (copy) =>
      rewrite(copy, 'manifest.json', (text) => text.replaceAll('"bot:classic"', '"bot:classic?lie=0.9"')),
    );
    const { code, stderr } = await run('verify', ['--recover', folder]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('was changed after it was sealed') });
    expect(existsSync(at('attributed', 'recovered'))).toBe(false);
  });

  it('recovers what comes before a fault, with which the same match is played to its end', async () => {
    const folder = createChanged('torn', (copy) =>
      rewriteLine(copy, 'answers.ndjson', 9, (line) => line.replace('"player"', '"plaxer"')),
    );
    const before = readContents(folder);
    const { code, stdout, stderr } = await run('verify', ['--recover', folder]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/answers\.ndjson, line 9 is damaged: [^\n]*\.\n$/);
    expect(stderr).not.toContain('--recover'); // the record has just been recovered
    expect(readContents(folder)).toEqual(before);
    const recovered = at('torn', 'recovered', first);
    expect(readdirSync(recovered).sort()).toEqual(['answers.ndjson', 'manifest.json']);
    expect(readLines(path.join(recovered, 'answers.ndjson'))).toEqual(
      readLines(at('played', first, 'answers.ndjson')).slice(0, 8),
    );
    const again = /To resume: npm run match -- (.*)\n/.exec(stdout)![1]!.split(' ');
    expect((await run('match', [...again, '--quiet'])).code).toBe(0);
    expect(eventsIn(recovered)).toBe(readFileSync(at('played', first, 'events.ndjson'), 'utf8'));
    expect((await run('verify', ['--recover', folder])).code).toBe(2);
  });
});
