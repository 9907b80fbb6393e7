// A study with known truth, run as a user would run it: two independent bots of one kind, judged by their own record of
// what they meant.
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const out = path.join(root, 'planted');
const quick = ['--resamples', '20', '--no-baselines', '--no-cache', '--no-tables'];

describe('a study with known truth', () => {
  it('is played by two independent bots and reported by what they meant, without a key', async () => {
    const bots = ['--crossed', 'bot:classic?salt=1', 'bot:classic?salt=2'];
    const brief = ['--board', smallBoard, '--rule', 'maxRounds=1', '--matches', '2', '--out', out];
    expect((await run('match', [...bots, ...brief])).code).toBe(0);
    const { code, stdout, stderr } = await run('report', [out, '--judge', 'bot:meant', ...quick]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toMatch(
      /^8 matches on 2 deals .*\n\nBuilt-in bots .*\n\n +bot:classic\?salt=1 +bot:classic\?salt=2\nLies +too few \(2 deals\)/,
    );
    const report = readFileSync(path.join(out, 'report', 'report.json'), 'utf8');
    expect(report).toContain('"value":"bot:meant"');
    const shown = ['--resamples', '20', '--no-cache', '--out', path.join(root, 'compared')];
    const compared = await run('compare', [out, '--judge', 'bot:meant', ...shown]);
    expect(compared.code).toBe(0);
    expect(compared.stdout).not.toContain('rules extracted the claims');
    const dry = await run('report', [out, '--judge', 'bot:meant', '--dry-run', ...quick]);
    expect(dry.stdout).toContain('bot:meant reads the bots’ own records and makes no calls.');
  });

  it.each([
    [['bot:meant', 'openai:gpt-4o'], []],
    [['bot:meant'], ['--repeat', '3']],
    [['bot:meant'], ['--judge-per', 'day']],
  ])('judge %j with %j is refused: the bots’ accounts are asked nothing', async (judges, how) => {
    const { code, stderr } = await run('report', [out, ...how, ...quick, '--judge', ...judges]);
    expect(code).toBe(2);
    expect(stderr).toContain('bot:meant reads what bots have recorded and asks no model');
  });

  it.each([
    ['show', 2],
    ['report', 2],
    ['compare', 1],
  ] as const)('%s names the language model that played, and what to do', async (command, expected) => {
    const folder = path.join(root, 'of-a-model');
    cpSync(path.join(import.meta.dirname, '../golden/wolf-6-tinyllama'), path.join(folder, 'match'), {
      recursive: true,
    });
    const of = command === 'show' ? [path.join(folder, 'match')] : [folder, '--resamples', '20'];
    const { code, stdout, stderr } = await run(command, [...of, '--judge', 'bot:meant']);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(/bot:meant cannot judge [\w-]+: \S+ plays \w+, .* Name a language model as the judge\./);
  });

  it('refuses statements of language models in validation and before a match', async () => {
    const labelled = await run('validate', ['--claims', '--judge', 'bot:meant', '--answers', path.join(root, 'a')]);
    expect([labelled.code, labelled.stderr]).toEqual([2, expect.stringContaining('bot:meant reads matches of bots')]);
    const match = ['--model', 'openai:gpt-4o', '--judge', 'bot:meant', '--dry-run', '--out', path.join(root, 'b')];
    const { code, stderr } = await run('match', match);
    expect([code, stderr]).toEqual([2, expect.stringContaining('bot:meant cannot judge this match: openai:gpt-4o')]);
  });
});
