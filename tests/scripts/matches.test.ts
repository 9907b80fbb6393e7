// `npm run match -- --matches N`, run as a user would: lines, table, exit codes, resuming, and --dry-run.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { rewrite, listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';
import { key, legally, reaching } from './local-model.ts';
import { filesIn, stateOf } from './match-folder.ts';
import { run, shortest } from './process.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const server = await openOpenaiServer(legally);
const mute = await openOpenaiServer([{ text: 'I would rather listen.' }]);
afterAll(() => Promise.all([server.close(), mute.close()]));

const model = 'openai:local?priceIn=50000&priceOut=0'; // 1 USD a call, by the test server
const set = (name: string, ...more: string[]) => ['--out', path.join(root, name), ...shortest, ...more];
const ofModels = (name: string, ...more: string[]) => set(name, '--model', model, '--matches', '3', ...more);
const folders = (name: string) => listFolderNames(path.join(root, name)).map((id) => path.join(root, name, id));
const states = (name: string) => folders(name).map(stateOf);

/** Returns a pattern for the contents of a row in the closing table. */
const row = (stdout: string, head: string) => new RegExp(`^│ ${head} +│ +(.+?) +│$`, 'm').exec(stdout)?.[1];

interface Line {
  id: string;
  folder: string;
  summary?: unknown;
  error?: string;
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('a warning that several matches give in the same words', () => {
  it('is told once, with the number of the others', async () => {
    const matches = ['--matches', '3', '--seed', '5'];
    await run('match', [...set('cut'), ...matches, '--quiet']);
    for (const folder of folders('cut')) {
      rmSync(path.join(folder, 'deception_summary.json'));
      rewrite(folder, 'answers.ndjson', (text) => text.slice(0, -5));
    }
    const { code, stdout, stderr } = await run('match', [...set('cut'), ...matches]);
    expect(code).toBe(0);
    expect(stderr.match(/the last line is incomplete/g)).toHaveLength(1);
    expect(stdout).toContain('2 warnings of other matches had the same text; see their log.ndjson.');
  });
});

describe('matches whose provider is down', () => {
  itLong('wait for it, which stands in the log of each, and are played once it answers', async () => {
    const recovering = await openOpenaiServer((request, index) =>
      index < 40 ? { status: 503, body: failure('Down.') } : legally(request),
    );
    const machine = { ...getMachine(), clock: testClock() };
    const args = [...set('outage'), '--model', 'openai:local', '--matches', '2'];
    const { code, stdout } = await runOnMachine(machine, () => run('match', args, reaching(recovering)));
    await recovering.close();
    expect({ code, finished: row(stdout, 'Matches finished') }).toEqual({ code: 0, finished: '2 of 2' });
    const logs = folders('outage').map((folder) => readFileSync(path.join(folder, 'log.ndjson'), 'utf8'));
    expect(logs.filter((log) => /"waiting"/.test(log) && log.includes('Down.'))).not.toEqual([]);
  });
});

describe('several matches', () => {
  it('are told in a line each, with a table at the end, and the same command then calls nothing', async () => {
    const atOnce: number[] = [];
    const boundHeap = (count: number) => void atOnce.push(count);
    const first = await run('match', ofModels('told'), { ...reaching(server), boundHeap });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(atOnce).toEqual([3]); // fewer than may be played at the same time
    expect(first.stdout).toMatch(/^3 matches: board small, 6 players .*; seeds 1 to 3\.$/m);
    expect(first.stdout).toMatch(/^Estimate for 3 matches, from \d+ match(es)? of bots: .* calls, .* cost USD /m);
    const ended = [...first.stdout.matchAll(/^small-([123])-[0-9a-f]{8}: .* in 1 round; \d+ calls, .* of 3 done/gm)];
    expect(ended.map(([, seed]) => seed).sort()).toEqual(['1', '2', '3']);
    expect(first.stdout).not.toContain('\r');
    expect(first.stdout).not.toContain('\u001b');
    expect(first.stdout).not.toContain('Night 1');
    expect(row(first.stdout, 'Matches finished')).toBe('3 of 3');
    expect(row(first.stdout, 'Cost')).toBe(`USD ${row(first.stdout, 'Model calls')}.00`);
    expect(first.stdout).toContain(`npm run show -- ${path.join(root, 'told')}`);
    for (const folder of folders('told')) {
      expect(filesIn(folder)['log.ndjson']).toContain('Night 1');
      expect(Object.keys(filesIn(folder))).toContain('deception_summary.json');
      expect(Object.values(filesIn(folder)).join('')).not.toContain(key);
    }
    const [made, before] = [server.requests.length, states('told')];
    const again = await run('match', ofModels('told'), reaching(server));
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('All 3 matches are already finished.');
    expect(row(again.stdout, 'Cost')).toBe(row(first.stdout, 'Cost'));
    expect(server.requests.length).toBe(made);
    expect(states('told')).toEqual(before);
  });

  it('go on without a log that cannot be written, and say so', async () => {
    const bots = (name: string) => set(name, '--seed', '1', '--matches', '2');
    await run('match', bots('logged'));
    for (const folder of folders('logged'))
      mkdirSync(path.join(root, 'unlogged', path.basename(folder), 'log.ndjson'), { recursive: true });
    const { code, stdout, stderr } = await run('match', bots('unlogged'));
    const lost = /^Warning: (\S+): The log in \S+ can no longer be written: EISDIR/;
    const told = stderr
      .trimEnd()
      .split('\n')
      .map((line) => lost.exec(line)?.[1]);
    expect(told.sort()).toEqual(
      folders('logged')
        .map((folder) => path.basename(folder))
        .sort(),
    );
    expect(code).toBe(0);
    expect(row(stdout, 'Matches finished')).toBe('2 of 2');
  });

  it('can stand in a file, or come from the manifest of a match; --json prints a line each', async () => {
    const file = path.join(root, 'set.yaml');
    writeFileSync(file, 'matches: 2\nseed: 3\njson: true\n');
    const { code, stdout, stderr } = await run('match', [file, ...set('file')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = linesOf(stdout);
    expect(lines.map(({ folder }) => folder).sort()).toEqual(folders('file'));
    const seeds = (printed: Line[]) => printed.map(({ summary }) => DeceptionSummary.parse(summary).seed).sort();
    expect(seeds(lines)).toEqual([3, 4]);
    const manifest = path.join(folders('file')[1]!, 'manifest.json');
    const anew = await run('match', [manifest, ...set('anew', '--matches', '2', '--json')]);
    expect(seeds(linesOf(anew.stdout))).toEqual([4, 5]);
  });
});

describe('a cap on the cost of all matches', () => {
  it('stops them with exit code 4, and the same command goes on with a higher one', async () => {
    const capped = (cap: string) => run('match', ofModels('capped', '--max-cost', cap), reaching(server));
    const first = await capped('20');
    expect(first.code).toBe(4);
    expect(first.stdout).toContain('By this estimate the cap of USD 20 will be reached before the end.');
    expect(first.stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^The budget of \$20 is reached: \$[2-5]\d\.\d+ spent\. Resume with a higher --max-cost\.$/,
      ),
      expect.stringMatching(/^\d match.*\. Answers so far are recorded\.$/),
      expect.stringMatching(/^To resume with a higher --max-cost: npm run match -- .* --matches 3 --max-cost …$/),
      '',
    ]);
    const made = server.requests.length;
    expect((await capped('20')).code).toBe(4);
    expect(server.requests.length).toBe(made);
    expect((await capped('1000')).code).toBe(0);
  });
});

describe('matches that fail', () => {
  it('are listed at the end, and the others are played', async () => {
    await run('match', set('damaged', '--matches', '3', '--quiet'));
    const [one, other] = folders('damaged');
    appendFileSync(path.join(one!, 'answers.ndjson'), 'no JSON\n');
    rmSync(path.join(other!, 'manifest.json'));
    const { code, stdout, stderr } = await run('match', set('damaged', '--matches', '4', '--json'));
    expect(code).toBe(1);
    const lines = linesOf(stdout);
    expect(lines.filter(({ summary }) => summary !== undefined)).toHaveLength(2);
    const errors = lines.filter(({ error }) => error !== undefined);
    expect(errors.map(({ folder }) => folder).sort()).toEqual([one, other]);
    for (const { id, error } of errors) expect(stderr).toContain(`${id}: ${error}\n`);
    expect(stderr).toMatch(
      /^2 matches were stopped\. Answers so far are recorded\.\nTo resume: npm run --silent match -- /m,
    );
  });

  it('for the same reason are told once, with the exit code of the reason', async () => {
    const strict = await openOpenaiServer([{ status: 401, body: failure('Wrong key.', 'invalid_api_key') }]);
    const { code, stdout, stderr } = await run('match', ofModels('refused'), reaching(strict));
    await strict.close();
    expect(code).toBe(3);
    expect(stderr).toMatch(/^3 matches \(small-\S+, small-\S+, small-\S+\): openai:local\S+ Wrong key\./m);
    expect(stderr.split('Wrong key.')).toHaveLength(2);
    expect(row(stdout, 'Matches finished')).toBe('0 of 3');
  });
});

describe('a model without readable answers', () => {
  itLong(
    'stops its matches with exit code 5, told once with what to do, and none of its matches is begun any more',
    async () => {
      const limits = ['--max-fallbacks', '0.5', '--concurrency', '1'];
      const { code, stderr } = await run('match', ofModels('mute', ...limits), reaching(mute));
      expect(code).toBe(5);
      expect(stderr).toMatch(/openai:local gave no readable answer to 20 of 20 questions.*a share of 0\.5\./);
      expect(stderr.split('gave no readable answer')).toHaveLength(2);
      expect(stderr).toMatch(/^(1 match was stopped and )?\d match(es are| is) still to be played\./m);
      expect(stderr).toMatch(/^To resume: npm run match -- .* --max-fallbacks 0\.5 --concurrency 1$/m);
      expect(mute.requests.length).toBeLessThan(80); // other matches asked once or twice
      const alone = ['--out', path.join(root, 'mute alone'), '--id', 'alone', '--model', model, '--max-wait', '60'];
      const one = await run('match', alone, reaching(mute));
      expect(one).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/ To resume: .* --id alone .* --max-wait 60$/m),
      });
    },
  );
});

describe('--reveal', () => {
  it('is refused with several matches, which tell no stories', async () => {
    const { code, stderr } = await run('match', set('revealed', '--matches', '2', '--reveal'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--reveal shows secrets in the story of one match, but --matches tells no stories/);
    expect(existsSync(path.join(root, 'revealed'))).toBe(false);
  });
});

describe('--dry-run', () => {
  it('calls nothing, writes nothing and needs no key', async () => {
    const dry = set(
      'dry',
      '--dry-run',
      '--matches',
      '5',
      '--villagers',
      'openai:gpt-4o',
      '--werewolves',
      'openai:mine',
    );
    const { code, stdout, stderr } = await run('match', dry);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Estimate for 5 matches:$/m);
    expect(stdout).toMatch(/^│ openai:gpt-4o +│ +\d+ │ +[\d,]+ │ +[\d,]+ │ +USD [\d.]+ │$/m);
    expect(stdout).toMatch(/^│ openai:mine +│ .* │ +unknown │$/m);
    expect(stdout).toMatch(/^│ all +│ .* │ +unknown │$/m);
    expect(stdout).toMatch(/^Time: about \d+ s, with 3 s per answer, 4 successive answers/m);
    expect(stdout).toMatch(/Scaled from 10 matches of built-in bots .* seeds 1 to 10/);
    expect(stdout).toContain('No calls were made and nothing was written.');
    expect(existsSync(path.join(root, 'dry'))).toBe(false);
  });

  it('prints JSON, sends no trace, and leaves out what is over already', async () => {
    const [made, before] = [server.requests.length, states('told')];
    const tracing = { LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: server.baseUrl, LANGSMITH_API_KEY: 'none' };
    const dry = set('told', '--model', model, '--matches', '5', '--dry-run', '--json');
    const { code, stdout } = await run('match', dry, { env: { ...reaching(server).env, ...tracing } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ matches: 2, assumptions: { seconds_per_answer: 3 } });
    expect(server.requests.length).toBe(made);
    expect(states('told')).toEqual(before);
  });
});
