// Sets of matches, tournaments, annotations and reports that are stopped or killed, or lack a resource of the system.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { playMatch } from '../../graph/play-match.ts';
import { getReflectionsFile } from '../../graph/pool/reflect.ts';
import { hashMessages } from '../../models/call-model.ts';
import type { PromptMessage } from '../../models/model.ts';
import { readKeptAnswers } from '../../models/record/annotation-log.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { hangingServer, key, legally, reaching } from '../scripts/local-model.ts';
import { answersIn, eventsIn, filesIn } from '../scripts/match-folder.ts';
import { run, scriptArgs, short, start, startScript } from '../scripts/process.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const server = await openOpenaiServer(legally);
afterAll(() => server.close());

const model = 'openai:local?priceIn=50000&priceOut=0'; // 1 USD a call, by the test server
const set = (name: string, ...more: string[]) => ['--out', at(name), ...short, ...more];
const ofModels = (name: string, ...more: string[]) => set(name, '--model', model, '--matches', '3', ...more);
const folders = (name: string) => listFolderNames(at(name)).map((id) => at(name, id));

/** Maps pairing and match to the folder. */
const listMatches = (out: string) =>
  readdirSync(out, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => listFolderNames(path.join(out, name)).map((id) => path.join(name, id)))
    .sort();

/** Returns a pattern for the contents of a row in the closing table. */
const row = (stdout: string, head: string) => new RegExp(`^│ ${head} +│ +(.+?) +│$`, 'm').exec(stdout)?.[1];

describe('two commands on one set', () => {
  it('share its matches, wait for those of each other, and ask no question twice', async () => {
    const slow = await openOpenaiServer((request) => ({ ...legally(request), latency: 20 }));
    const begin = () => startScript('match', ofModels('shared', '--concurrency', '2'), reaching(slow));
    const commands = [begin(), begin()];
    const ended = await Promise.all(commands.map((command) => command.ended));
    await slow.close();
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    for (const { stdout } of ended) expect(row(stdout, 'Matches finished')).toBe('3 of 3');
    expect(ended.map(({ stdout }) => stdout).join('')).toContain('Another command is playing matches of this set');
    const calls = folders('shared').flatMap(answersIn).length;
    expect(slow.requests).toHaveLength(calls);
    for (const { stdout } of ended) expect(row(stdout, 'Cost')).toBe(`USD ${calls}.00`);
    expect((await run('verify', [path.join(root, 'shared')])).stdout).toBe(
      '3 records: sealed 3 of 3, replayed 3 of 3\n',
    );
  });
});

(process.platform === 'win32' ? describe.skip : describe)('few files that may be open', () => {
  const limited = (files: number, name: string) =>
    start('sh', [
      ...['-c', `ulimit -n ${files}; exec "$@"`, 'sh', process.execPath],
      ...scriptArgs('match', ...set(name, '--matches', '12', '--quiet')),
    ]).ended;

  it('are enough for fewer matches at a time, and too few are refused', async () => {
    const { code, stderr } = await limited(64, 'few');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^This process may open 64 files, enough for 6 .*\n$/),
    });
    expect(folders('few')).toHaveLength(12);
    expect(await limited(32, 'fewer')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('too few for a match'),
    });
    expect(existsSync(path.join(root, 'fewer'))).toBe(false);
  });
});

describe('a signal', () => {
  it('ends a command that waits for a pipe, or reads and computes, at once', async () => {
    const pipe = at('never-written.yaml');
    execFileSync('mkfifo', [pipe]);
    const waiting = startScript('match', [pipe, '--out', at('never')]);
    const computing = startScript('plan', ['--effect', '0.1', '--endpoint', 'lie_turn_rate', '--trials', '5000']);
    await new Promise((resolve) => setTimeout(resolve, 3000)); // by now both processes compute
    for (const { child, ended } of [waiting, computing]) {
      expect(child.exitCode).toBeNull();
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: null });
      expect(child.signalCode).toBe('SIGTERM');
    }
    expect(existsSync(at('never'))).toBe(false);
  });

  it('SIGUSR1 ends a command that waits for none, and opens no debugger', async () => {
    const program = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');
    const { child, said, ended } = start(process.execPath, [program, 'view', at(), '--port', '28641']);
    await said('http://');
    child.kill('SIGUSR1');
    const { code, stderr } = await ended;
    expect(code).toBe(128 + constants.signals.SIGUSR1);
    expect(stderr.split('\n').slice(1)).toEqual(['Stopped by SIGUSR1.', '']);
  });

  it('SIGUSR1 stops a match of the npm script, for which Node is started so that no debugger can ever open', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { match: string } };
    const [node, ...words] = scripts.match.split(' ');
    expect([node, words[0]]).toEqual(['node', '--disable-sigusr1']);
    const slow = await hangingServer(3);
    const { child, ended } = start(process.execPath, [...words, ...set('signaled', '--model', model)], reaching(slow));
    await Promise.race([slow.hangs, ended]);
    const begun = performance.now();
    child.kill('SIGUSR1');
    const { code, stderr } = await ended;
    expect(performance.now() - begun).toBeLessThan(2000);
    await slow.close();
    expect(code).toBe(128 + constants.signals.SIGUSR1);
    expect(stderr).toMatch(/^Stopped by SIGUSR1\.\nAnswers so far are recorded\. To resume: npm run match -- /);
  });

  it('SIGUSR1 ends wolfgraph at every moment of its start', async () => {
    const program = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');
    for (let delay = 0; delay <= 150; delay += 10) {
      const { child, ended } = start(process.execPath, [program, 'view', at(), '--port', '28642']);
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill('SIGUSR1');
      const { code } = await ended; // without a code the system killed it, before Node knew signals
      expect({ delay, code }).toEqual({ delay, code: code === null ? null : 128 + constants.signals.SIGUSR1 });
    }
  });

  it('stops hundreds of matches that are just beginning', async () => {
    const slow = await openOpenaiServer(() => ({ hang: true }));
    const many = ['--model', model, '--matches', '150', '--concurrency', '150'];
    const { child, ended } = startScript('match', set('beginning', ...many), reaching(slow));
    while (slow.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const asked = slow.requests.length;
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    await slow.close();
    expect(code).toBe(143);
    expect(stderr).toMatch(/^Terminated\.\n\d+ match(es were| was) stopped and \d+ matches are still to be played\./);
    expect(slow.requests.length).toBeLessThan(asked + 100); // the other matches did not begin
  });

  it('during the estimate is told with the way to go on', async () => {
    const { child, said, ended } = startScript('match', ofModels('estimating'), reaching(server));
    await said('concurrent calls to one server');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^Interrupted\.\n(3 matches are .*\n)?To resume: npm run match -- --out .* --matches 3\n$/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends pool build --reflect, whose answers are kept, and the same command goes on',
    async (signal) => {
      const name = `reflected-${signal}`;
      const plays = ['--model', model, '--matches', '3', '--quiet'];
      expect(await run('match', set(name, ...plays), reaching(server))).toMatchObject({ code: 0, stderr: '' });
      // The server gives no readable reflections. Unreadable answers are cached too.
      const build = ['build', at(name), '--reflect', model, '--max-fallbacks', '1', '--out', at(`pool-${signal}`)];
      const slow = await hangingServer(10);
      const { child, ended } = startScript('pool', build, reaching(slow));
      await slow.hangs;
      child.kill(signal);
      const { code, stderr } = await ended;
      await slow.close();
      expect({ code, stderr }).toEqual({
        code: 128 + constants.signals[signal],
        stderr: expect.stringMatching(/Answers so far are cached, and no pool is written\. Run the same command again/),
      });
      expect(existsSync(at(`pool-${signal}`))).toBe(false);
      const countKept = () => folders(name).flatMap((one) => readKeptAnswers(getReflectionsFile(one, model))).length;
      expect(countKept()).toBe(10);
      const before = server.requests.length;
      expect(await run('pool', build, reaching(server))).toMatchObject({ code: 0, stderr: '' });
      expect(server.requests.length - before).toBe(countKept() - 10);
    },
  );

  it('stops all matches at once, and the command that is then named goes on with them', async () => {
    const slow = await hangingServer(20);
    const { child, ended } = startScript('match', ofModels('stopped'), reaching(slow));
    await slow.hangs;
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    await slow.close();
    expect(code).toBe(130);
    const [, again] =
      /^Interrupted\.\n3 matches were stopped\. Answers so far are recorded\.\nTo resume: npm run match -- (.+)\n$/.exec(
        stderr,
      ) ?? [];
    const before = server.requests.length;
    const more = await run('match', again!.replaceAll("'", '').split(' '), reaching(server));
    expect(more.code).toBe(0);
    expect(more.stdout).toContain('3 matches were begun and resume after their recorded answers.');
    const calls = Number(row(more.stdout, 'Model calls'));
    expect(server.requests.length - before).toBe(calls - 20);
  });
});

describe('a tournament of language models', () => {
  const asked: string[] = [];
  let hold = Infinity;
  let held = Promise.withResolvers<void>();
  const opened = openOpenaiServer((request) => {
    asked.push(hashMessages(request.body.messages as PromptMessage[]));
    if (asked.length <= hold) return legally(request);
    held.resolve();
    return { hang: true };
  });
  afterAll(async () => (await opened).close());

  it('that is killed twice asks nothing again that was answered, and ends as one that was not', async () => {
    const server = await opened;
    const out = path.join(root, 'killed');
    const entrants = { small: 'openai:small?priceIn=1&priceOut=1', calm: 'bot:classic' };
    const rule = { debateTurns: 1, maxRounds: 1, analysis: 'off' };
    const plan = at('killed.yaml');
    const format = 'round-robin';
    writeFileSync(plan, stringify({ name: 'killed', format, entrants, rule, deals: 2, rules: 'arena' }));
    const args = [plan, '--out', out, '--concurrency', '2'];
    for (const calls of [9, 23]) {
      [hold, held] = [calls, Promise.withResolvers()];
      const { child, ended } = startScript('tournament', args, reaching(server));
      await Promise.race([held.promise, ended]);
      child.kill('SIGKILL');
      expect((await ended).code).toBeNull();
    }
    hold = Infinity;
    const { code, stdout } = await run('tournament', args, reaching(server));
    expect(code).toBe(0);
    expect(stdout).toMatch(/resumes after its recorded answers|resume after their recorded answers/);
    const answers = listMatches(out).flatMap((match) => answersIn(path.join(out, match)));
    const paid = answers.filter(({ model }) => model.startsWith('openai:'));
    expect(asked.length - paid.length).toBeLessThanOrEqual(2 * 2); // calls under way at each kill
    expect(asked.length).toBeGreaterThan(paid.length); // some calls were under way at the kills
    const again = asked.length;
    expect((await run('tournament', args, reaching(server))).stdout).toContain('All 4 matches are already finished.');
    const [fresh] = [path.join(root, 'unharmed')];
    expect((await run('tournament', [plan, '--out', fresh, '--quiet'], reaching(server))).code).toBe(0);
    expect(asked.length - again).toBe(paid.length);
    for (const match of listMatches(fresh))
      expect(eventsIn(path.join(out, match))).toBe(eventsIn(path.join(fresh, match)));
  });
});

describe('annotate', () => {
  const matches = at('to-annotate');
  const local = ['--model', 'openai:local'];
  beforeAll(async () => {
    for (const seed of [1, 2]) await playMatch({ out: matches, id: `m${seed}`, seed, rule: { maxRounds: 1 } });
  });

  /** Copies both matches, with the files beside them. */
  function copied(name: string) {
    const folder = at(`annotated-${name}`);
    cpSync(matches, folder, { recursive: true });
    const file = 'annotations.openai-local.ndjson';
    return { folder, kept: () => ['m1', 'm2'].flatMap((id) => readKeptAnswers(path.join(folder, id, file))) };
  }

  it('that is killed goes on with the calls that were under way, and then makes none', async () => {
    const { folder, kept } = copied('killed');
    const hanging = await hangingServer(5);
    const first = startScript('annotate', [folder, ...local, '--concurrency', '3'], reaching(hanging));
    await hanging.hangs;
    first.child.kill('SIGKILL');
    await first.ended;
    await hanging.close();
    const before = kept().length;
    expect(before).toBeGreaterThanOrEqual(3);
    const server = await openOpenaiServer(legally);
    const second = await run('annotate', [folder, ...local], reaching(server));
    expect(second).toMatchObject({ code: 0, stderr: '' });
    const all = kept().length;
    expect(server.requests).toHaveLength(all - before);
    expect(second.stdout).toContain(
      `2 matches, ${all} questions, ${before} answered already. To ask: ${all - before} calls`,
    );
    expect(second.stdout).toContain(`${all - before} questions answered.`);
    const third = await run('annotate', [folder, ...local], reaching(server));
    expect(third.stdout).toContain('All questions are answered.');
    expect(server.requests).toHaveLength(all - before);
    await server.close();
    expect(JSON.stringify(kept())).not.toContain(key);
  });

  it('stopped by Ctrl-C keeps what was answered', async () => {
    const { folder, kept } = copied('interrupted');
    const hanging = await hangingServer(4);
    const running = startScript('annotate', [folder, ...local, '--concurrency', '1'], reaching(hanging));
    await hanging.hangs;
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    await hanging.close();
    expect(kept()).toHaveLength(4);
  });
});

describe('a report', () => {
  it('that is stopped leaves nothing half written', async () => {
    await run('match', set('reported', '--matches', '3', '--quiet'));
    const out = at('stopped-report');
    const args = [at('reported'), '--out', out, '--resamples', '100000', '--baselines', at('chance')];
    const { child, said, ended } = startScript('report', args);
    await said('random games'); // the tables are open
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^Interrupted\.$/m);
    expect(existsSync(out)).toBe(false);
  });
});

describe('an import', () => {
  it('that is killed leaves nothing in --out, and the next one removes what it left beside', async () => {
    const published = path.join(import.meta.dirname, '../published-games');
    const [session] = readdirSync(published).filter((name) => name.startsWith('session_'));
    const [games, parent] = [at('games'), at('imported')];
    const sessions = Array.from({ length: 20 }, (_, index) => path.join(games, `game-${index}`));
    for (const folder of sessions) cpSync(path.join(published, session!), folder, { recursive: true });
    mkdirSync(parent);
    const out = path.join(parent, 'runs');
    const args = ['--format', 'arena', ...sessions, '--out', out];
    const { child, ended } = startScript('import', args);
    const listDrafts = () => readdirSync(parent).filter((name) => name.startsWith('.wolfgraph-draft-'));
    const isWriting = () =>
      listDrafts().some(
        (name) =>
          existsSync(path.join(parent, name, 'draft')) && readdirSync(path.join(parent, name, 'draft')).length > 0,
      );
    while (!isWriting()) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(out)).toBe(false);
    expect(listDrafts()).toHaveLength(1);
    expect((await run('import', args)).code).toBe(0);
    expect(readdirSync(parent)).toEqual(['runs']);
    expect(readdirSync(out)).toHaveLength(20);
  });
});

describe('what a match prints', () => {
  const small = (id: string, ...more: string[]) => ['--out', root, '--id', id, '--seed', '7', ...short, ...more];

  it('may lose its reader: the match goes on and its record is whole', async () => {
    const [shell, ...args] = [
      'sh',
      '-c',
      '"$0" "$@" | head -1',
      process.execPath,
      ...scriptArgs('match', ...small('piped')),
    ];
    const { stdout, stderr } = await start(shell, args).ended;
    expect(stdout).toMatch(/^Match piped: .*\n$/);
    expect(stderr).toBe('');
    expect(Object.keys(filesIn(at('piped')))).toContain('deception_summary.json');
  });

  it('says so where it cannot be written, and still keeps the record', async () => {
    const program = [
      '-c',
      '"$0" "$@" > /dev/full',
      process.execPath,
      ...scriptArgs('match', ...small('full', '--json')),
    ];
    const { code, stderr } = await start('sh', program).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The output cannot be written: ENOSPC.*\n$/);
    expect(Object.keys(filesIn(at('full')))).toContain('deception_summary.json');
  });
});
