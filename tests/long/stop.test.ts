// Matches that are stopped by a signal, a crash, a second process or kills at any moment. All resume with the same
// result.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatCallKey } from '../../state/record.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { type KilledMatch, playKilled } from '../scripts/killed-match.ts';
import { hangingServer, legally, modelMatch, reaching } from '../scripts/local-model.ts';
import { answersIn, eventsIn, filesIn, stateOf } from '../scripts/match-folder.ts';
import { run, startScript } from '../scripts/process.ts';

const out = createTemporaryFolder();
/** Each match has a set of its own: within a set, servers at several addresses would need names. */
const set = (id: string) => path.join(out, id);
const folder = (id: string) => path.join(set(id), id);

const server = await openOpenaiServer(legally);
afterAll(() => server.close());
await run('match', modelMatch(set('whole'), 'whole', '--json'), reaching(server));

/** Plays until the model has answered this many calls and leaves the next one waiting. */
async function startHanging(
  id: string,
  answered = 20,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
) {
  const slow = await hangingServer(answered);
  const running = startScript('match', modelMatch(set(id), id, ...more), { env: { ...reaching(slow).env, ...env } });
  await Promise.race([slow.hangs, running.ended]);
  return { ...running, close: () => slow.close() };
}

/** The server that is used after resuming has another address than the one that stopped answering. */
const movedOnly = /^Warning: openai:local was called at http:\S+ when this match began, and is called at [^\n]*\n$/;

/** Resumes a match by its id alone. Expects the result of an uninterrupted match, without a repeated call. */
async function expectToGoOn(id: string, args = ['--id', id, '--out', set(id)]) {
  const recorded = readFileSync(path.join(folder(id), 'answers.ndjson'), 'utf8').split('\n').length - 1;
  const { code, stdout, stderr } = await run('match', args, reaching(server));
  expect(code).toBe(0);
  expect(stdout).toContain(`Resuming after ${recorded} recorded answers;`);
  expect(eventsIn(folder(id))).toBe(eventsIn(folder('whole')));
  expect(answersIn(folder(id))).toHaveLength(answersIn(folder('whole')).length);
  expect(readdirSync(folder(id)).filter((name) => name.startsWith('lock'))).toEqual([]);
  return stderr;
}

describe('a signal in the middle of a match', () => {
  it('stops it at once, says how to go on, and the match then ends as if nothing had been', async () => {
    const { child, ended, close } = await startHanging('interrupted');
    child.kill('SIGINT');
    child.kill('SIGINT'); // as npm does, which passes on signals that the terminal has already sent
    const { code, stderr } = await ended; // though the server still holds back the answer
    await close();
    expect(code).toBe(130);
    expect(existsSync(path.join(folder('interrupted'), 'deception_summary.json'))).toBe(false);
    const [, typed] =
      /^Interrupted\.\nAnswers so far are recorded\. To resume: npm run match -- (.+)\n$/.exec(stderr) ?? [];
    expect(await expectToGoOn('interrupted', typed!.split(' '))).toMatch(movedOnly);
  });

  it('that terminates it has an exit code of its own, and leaves the cap and the calls as they were; before, a second process is refused and changes nothing', async () => {
    const limits = ['--max-cost', '500', '--concurrency', '1'];
    const { child, ended, close } = await startHanging('terminated', 3, {}, limits);
    const files = () => stateOf(folder('terminated')).filter(([name]) => name !== 'log.ndjson'); // the log is written at any time
    const before = files();
    const second = await run('match', modelMatch(set('terminated'), 'terminated'), reaching(server));
    expect(second.code).toBe(1);
    expect(second.stdout).toMatch(/^Calls go to 127\.0\.0\.1:\d+ .*\n$/); // nothing else, so no story
    expect(second.stderr).toContain(`process ${child.pid} on `);
    expect(second.stderr).toContain('is playing this match. Wait for it or stop it.');
    expect(files()).toEqual(before);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      code: 143,
      stderr: expect.stringMatching(/^Terminated\.\n.* --id terminated --out \S+ --concurrency 1 --max-cost 500\n$/),
    });
    await close();
  });

  it('that says the terminal is gone stops it as well, and it goes on', async () => {
    const { child, ended, close } = await startHanging('hung-up', 3);
    child.kill('SIGHUP');
    expect(await ended).toMatchObject({ code: 129, stderr: expect.stringMatching(/^Hung up\.\nAnswers so far/) });
    await close();
    await expectToGoOn('hung-up');
  });

  it.each([
    ['SIGQUIT', 131],
    ['SIGUSR1', constants.signals.SIGUSR1 + 128],
    ['SIGUSR2', constants.signals.SIGUSR2 + 128],
    ['SIGXCPU', constants.signals.SIGXCPU + 128],
    ['SIGALRM', 142],
  ] as const)('that a batch system sends stops it as well, and opens no debugger: %s', async (signal, code) => {
    const { child, ended, close } = await startHanging(signal, 3);
    child.kill(signal);
    const ends = await ended;
    expect(ends).toMatchObject({
      code,
      stderr: expect.stringMatching(/^(Quit|Stopped by \S+)[^\n]*\nAnswers so far/),
    });
    expect(ends.stderr).not.toContain('Debugger');
    await close();
    await expectToGoOn(signal);
  });

  it('ends it within two seconds, even where something hangs', async () => {
    // After the signal, nothing ever resolves for code that waits for running calls.
    const hang = 'Promise.allSettled = () => new Promise(() => setInterval(() => undefined, 1e6))';
    const preload = `--import=data:text/javascript,${encodeURIComponent(`process.once('SIGINT', () => { ${hang} })`)}`;
    const { child, ended, close } = await startHanging('stuck', 20, { NODE_OPTIONS: preload });
    child.kill('SIGINT');
    const { code, stderr } = await ended; // the process ends by itself
    expect(code).toBe(130);
    expect(stderr).toMatch(/^Interrupted\. Unfinished work was abandoned\. Answers so far are recorded: /);
    await close();
    await expectToGoOn('stuck');
  });

  it('kills when it comes again', async () => {
    const hang = 'Promise.allSettled = () => new Promise(() => setInterval(() => undefined, 1e6))';
    const preload = `--import=data:text/javascript,${encodeURIComponent(`process.once('SIGINT', () => { ${hang}; process.stderr.write('Seen.') })`)}`;
    const { child, said, ended, close } = await startHanging('twice', 20, { NODE_OPTIONS: preload });
    child.kill('SIGINT');
    await said('Seen.');
    await new Promise((resolve) => setTimeout(resolve, 400)); // an earlier signal would count as npm's repetition of the first
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: 'Seen.' });
    await close();
  });
});

describe('a cap on the cost of a match', () => {
  it.each(['typed', 'in a file'])('that is reached asks for a higher one, also where it was %s', async (where) => {
    const id = `capped-${where.length}`;
    const file = path.join(out, `${id}.yaml`);
    writeFileSync(file, 'maxCost: 20\nconcurrency: 2\n');
    const limits = where === 'typed' ? ['--max-cost', '20', '--concurrency', '2'] : [file];
    const { code, stderr } = await run('match', modelMatch(set(id), id, ...limits), reaching(server));
    expect(code).toBe(4);
    const [, typed] =
      /\nAnswers so far are recorded\. To resume with a higher --max-cost: npm run match -- (.+)\n$/.exec(stderr) ?? [];
    expect(typed).toBe(`--id ${id} --out ${set(id)} --concurrency 2 --max-cost …`);
    await expectToGoOn(id, typed!.replace('…', '500').split(' '));
  });
});

describe('a process that is killed in the middle of a match', () => {
  it('leaves a lock that is taken over at once, and a torn line whose call is made again', async () => {
    const { child, ended, close } = await startHanging('killed');
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    await close();
    expect(readdirSync(folder('killed'))).toContain('lock.json');
    appendFileSync(path.join(folder('killed'), 'answers.ndjson'), '{"round":1,"st');
    const warning = await expectToGoOn('killed');
    expect(warning).toMatch(/^Warning: .*answers\.ndjson: the last line is incomplete; .*$/m);
  });
});

const kills = 3;
const seed = 1;
const concurrency = 6; // fewer than the parallel calls of a wave

const shelf = createTemporaryFolder();
const folderOn = (where: string) => path.join(shelf, where, 'match');
const matchOn = (where: string) => [
  ...['--out', path.join(shelf, where), '--id', 'match', '--seed', '3', '--model', 'openai:local', '--quiet'],
  ...['--rule', 'debateTurns=2', '--rule', 'maxRounds=2', '--concurrency', String(concurrency)],
];

/** Calls that the record does not contain. */
const lost = ({ asked, after }: KilledMatch['last']) => asked.filter((call) => !after.includes(call));

describe(`a match that is killed ${kills} times, at moments drawn with seed ${seed}`, () => {
  let killed: KilledMatch;
  beforeAll(async () => {
    const server = await openOpenaiServer(legally);
    [killed] = await Promise.all([
      playKilled(folderOn('killed'), matchOn('killed'), kills, seed),
      run('match', matchOn('whole'), reaching(server)),
    ]);
    await server.close();
  });

  it('goes on each time with the same command, to its end', () => {
    expect(killed.ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(killed.lives.length).toBe(kills);
    expect(killed.lives.some(({ unanswered }) => unanswered.size > 1)).toBe(true);
  });

  it('has the same events, byte for byte, and the same answers, each once', () => {
    expect(eventsIn(folderOn('killed'))).toBe(eventsIn(folderOn('whole')));
    const names = answersIn(folderOn('killed')).map(formatCallKey).sort();
    expect(names).toEqual(answersIn(folderOn('whole')).map(formatCallKey).sort());
    expect(new Set(names).size).toBe(names.length);
    expect(filesIn(folderOn('killed'))['prompts.ndjson.gz']).toBe(filesIn(folderOn('whole'))['prompts.ndjson.gz']);
  });

  it('never asks what was recorded', () => {
    for (const { before, asked } of [...killed.lives, killed.last])
      expect(asked.filter((call) => before.includes(call))).toEqual([]);
  });

  // A call frees its slot when its answer is recorded. So a kill loses at most as many answers as there are slots,
  // including answers that arrived at the moment of the kill.
  it('loses with each kill the calls under way and no more', () => {
    for (const life of killed.lives) {
      expect(lost(life)).toEqual(expect.arrayContaining([...life.unanswered]));
      expect(lost(life).length).toBeLessThanOrEqual(concurrency);
    }
    expect(lost(killed.last)).toEqual([]);
  });

  it('makes no call twice but those', () => {
    const made = [...killed.lives, killed.last].reduce((sum, { asked }) => sum + asked.length, 0);
    const repeated = killed.lives.reduce((sum, life) => sum + lost(life).length, 0);
    expect(made).toBe(answersIn(folderOn('killed')).length + repeated);
  });

  it('leaves no lock behind', () => {
    expect(readdirSync(folderOn('killed'))).not.toContain('lock.json');
  });
});
