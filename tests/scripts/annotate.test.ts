// `npm run annotate` as users run it: it is killed and resumed, reaches the cap, has no server, and leaves out records.
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { readKeptAnswers } from '../../models/record/annotation-log.ts';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { forge, rewrite, rewriteLine } from '../record-folder.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally, reaching } from './local-model.ts';
import { run } from './process.ts';

const out = createTemporaryFolder();
const matches = path.join(out, 'matches');
beforeAll(async () => {
  const plan = { board: createBoard(2, 1, 0, 3), rule: { maxRounds: 1, debateTurns: 3 } };
  for (const seed of [1, 2]) await playMatch({ out: matches, id: `m${seed}`, seed, ...plan });
});

/** Copies both matches, with the files beside them. */
function copied(name: string) {
  const folder = path.join(out, name);
  cpSync(matches, folder, { recursive: true });
  return { folder, kept: (file: string) => ['m1', 'm2'].flatMap((id) => readKeptAnswers(path.join(folder, id, file))) };
}

const local = ['--model', 'openai:local'];

describe('annotate', () => {
  it('says what it would take without a key, a call or a file', async () => {
    const { folder, kept } = copied('dry');
    const { code, stdout } = await run('annotate', [folder, '--model', 'openai:gpt-4o', '--repeat', '3', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Calls go to api\.openai\.com \(openai:gpt-4o\), with the key in OPENAI_API_KEY\.\n2 matches, \d+ questions\. To ask: \d+ calls, about [\d,]+ tokens in .*; cost USD [\d.]+\.\nNo calls were made and nothing was written\.\n$/,
    );
    expect(kept('annotations.openai-gpt-4o.ndjson')).toEqual([]);
  });

  it.each([
    [
      'the budget',
      ['--model', 'openai:local?priceIn=50000&priceOut=0', '--max-cost', '2', '--concurrency', '1'],
      4,
      'The budget of $2 is reached',
    ],
    ['the provider', [...local, '--concurrency', '2'], 3, 'openai:local: No such key.'],
    ['a long wait', [...local, '--max-wait', '1'], 3, '--max-wait'],
  ])('stopped by %s has its own exit code and can go on', async (who, flags, code, words) => {
    const { folder } = copied(who.replace(' ', '-'));
    const server = await openOpenaiServer((request) =>
      who === 'a long wait'
        ? { status: 429, headers: { 'retry-after': '60' }, body: failure('Slow down.') }
        : code === 3
          ? { status: 401, body: failure('No such key.') }
          : legally(request),
    );
    const ended = await run('annotate', [folder, ...flags, '--quiet'], reaching(server));
    await server.close();
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(words);
    expect(ended.stderr).toContain('Run the same command again to resume.');
  });

  it('names the records that it leaves out, and annotates the others', async () => {
    const { folder, kept } = copied('damaged');
    rewriteLine(path.join(folder, 'm1'), 'events.ndjson', 3, () => 'no JSON');
    writeFileSync(path.join(folder, 'notes.txt'), 'of no match');
    const { code, stdout, stderr } = await run('annotate', [folder, '--model', 'bot:classic']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Left out: .*m1\. .*events\.ndjson, line 3 is damaged/);
    expect(stdout).toContain('1 match, ');
    expect(kept('annotations.bot-classic.ndjson').length).toBeGreaterThan(3);
  });

  it('writes nothing where a link in the named folder leads, and annotates the others', async () => {
    const { folder } = copied('elsewhere');
    const shared = path.join(out, 'shared');
    mkdirSync(shared);
    cpSync(path.join(matches, 'm2'), path.join(shared, 'm2'), { recursive: true });
    symlinkSync(path.join(folder, 'm1'), path.join(shared, 'm1'));
    const hasAnswers = (match: string) => existsSync(path.join(match, 'annotations.bot-classic.ndjson'));
    const { code, stderr } = await run('annotate', [shared, '--model', 'bot:classic']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^Left out: .*m1 is reached through a symbolic link, .* Name the folder itself\.\n/,
      ),
    });
    expect([path.join(folder, 'm1'), path.join(shared, 'm2')].map(hasAnswers)).toEqual([false, true]);
    expect(await run('annotate', [path.join(shared, 'm1'), '--model', 'bot:classic'])).toMatchObject({ code: 0 });
  });

  it('names a record that cannot have happened, and annotates the others', async () => {
    const { folder, kept } = copied('impossible');
    rewrite(path.join(folder, 'm1'), 'events.ndjson', (text) => text.replaceAll(/"by":"\w+"/g, '"by":"Nobody"'));
    forge(path.join(folder, 'm1'));
    const { code, stdout, stderr } = await run('annotate', [folder, '--model', 'bot:classic']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Left out: .*m1\. .*Nobody/);
    expect(stdout).toContain('1 match, ');
    expect(kept('annotations.bot-classic.ndjson').length).toBeGreaterThan(3);
  });

  it.each([
    [['nowhere', ...local], 'nowhere is not the folder of a match'],
    [[matches], "required option '--model <model>' not specified"],
    [[matches, ...local], 'OPENAI_API_KEY is not set'],
  ])('%j is wrong usage', async (args, words) => {
    const { code, stderr } = await run('annotate', args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
