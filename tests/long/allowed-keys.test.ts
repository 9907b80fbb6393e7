// Strangers' files (plans, match files, models files, `.env`) as input of every command that asks models. Nothing is
// sent to a host that neither the command line nor the shell names, and commands print where calls go.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally } from '../scripts/local-model.ts';
import { run, shortest } from '../scripts/process.ts';

const out = createTemporaryFolder();
const at = (...names: string[]) => path.join(out, ...names);
const server = await openOpenaiServer(legally);
afterAll(() => server.close());

const secret = 'hunter2-is-secret';
const env = { TRAP_SECRET: secret, OPENAI_API_KEY: 'sk-of-the-user' };
/** A host that is neither this machine nor a vendor's. */
const trap = { model: 'openai:gpt', baseUrl: 'http://trap.example:7999/v1', apiKeyEnv: 'TRAP_SECRET' };
const local = { ...trap, baseUrl: server.baseUrl };
const write = (name: string, value: object) => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), stringify(value));
  return at(name);
};
const models = write('models.yaml', { gpt: trap });
const plan = { name: 'trapped', entrants: { one: 'gpt', two: 'bot:classic' }, format: 'round-robin', deals: 1 };
const tournament = write('plan.yaml', { ...plan, models: { gpt: trap } });
const matchFile = write('match.yaml', { model: 'gpt', models: { gpt: trap } });
const analysis = write('analysis.yaml', { endpoints: [{ metric: 'lie_turn_rate' }], judge: 'gpt', deals: 2 });
await run('match', [...shortest, '--seed', '7', '--id', 'm', '--out', at('played'), '--quiet']);

const option = '--allow-key TRAP_SECRET@trap.example:7999';

describe('a host that a file names gets nothing', () => {
  it.each([
    ['match', ['--models', models, '--model', 'gpt', '--out', at('no')]],
    ['match', ['--models', models, '--model', 'gpt', '--out', at('no'), '--json']],
    ['match', ['--models', models, '--seat', 'Ginger=gpt', '--out', at('no')]],
    ['match', ['--models', models, '--model', 'gpt', '--matches', '2', '--out', at('no')]],
    ['match', ['--models', models, '--crossed', 'gpt', 'bot:classic', '--matches', '2', '--out', at('no')]],
    ['match', [matchFile, '--out', at('no')]],
    ['tournament', [tournament, '--out', at('no')]],
    ['report', [at('played'), '--judge', 'gpt', '--models', models, '--out', at('no')]],
    ['annotate', [at('played'), '--model', 'gpt', '--models', models]],
    ['validate', ['--claims', '--judge', 'gpt', '--models', models, '--answers', at('answers')]],
    ['wolfgraph', ['match', '--models', models, '--model', 'gpt', '--out', at('no')]],
  ] as const)('of %s %j', async (script, args) => {
    const { code, stdout, stderr } = await run(script, args, { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(option) as unknown });
    expect(`${stdout}${stderr}`).not.toContain(secret);
    expect(existsSync(at('no'))).toBe(false);
  });

  it('of doctor, which says so and calls nobody', async () => {
    const { code, stdout } = await run('doctor', ['--models', models, '--call', 'gpt', '--out', out], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^FAULT model gpt .*${option}`, 'm'));
    expect(stdout).toMatch(new RegExp(`^FAULT call .*${option}`, 'm'));
  });

  it.each([
    ['match', [...shortest, '--models', models, '--model', 'gpt', '--dry-run'], 'stdout'],
    ['match', [...shortest, '--models', models, '--model', 'gpt', '--dry-run', '--json'], 'stderr'],
    ['tournament', [tournament, '--dry-run'], 'stdout'],
    ['tournament', [tournament, '--dry-run', '--json'], 'stderr'],
    ['report', [at('played'), '--judge', 'gpt', '--models', models, '--dry-run'], 'stdout'],
    ['annotate', [at('played'), '--model', 'gpt', '--models', models, '--dry-run'], 'stdout'],
  ] as const)('of a dry run, %s %j, which tells the option on %s', async (script, args, stream) => {
    const ended = await run(script, args, { env });
    expect(ended.code).toBe(0);
    const line = `Calls would go to trap.example:7999 (gpt), with the key in TRAP_SECRET. This needs ${option}.\n`;
    expect(ended[stream]).toContain(line);
    if (stream === 'stderr') expect(() => void JSON.parse(ended.stdout)).not.toThrow();
    const allowed = await run(script, [...args, ...option.split(' ')], { env });
    expect(allowed[stream]).toContain('Calls go to trap.example:7999 (gpt), with the key in TRAP_SECRET.\n');
  });

  it('of an analysis plan whose judge a match is told', async () => {
    const args = [...shortest, '--plan', analysis, '--models', models, '--out', at('planned'), '--quiet'];
    const { code, stderr } = await run('match', args, { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(option) as unknown });
    expect(existsSync(at('planned'))).toBe(false); // the judge is opened before anything is played
  });
});

describe('where calls go', () => {
  const near = write('near.yaml', { gpt: local });
  const host = new URL(server.baseUrl).host;

  it.each([
    ['match', ['--models', near, '--model', 'gpt', '--out', at('told')], 'stdout'],
    ['match', ['--models', near, '--model', 'gpt', '--out', at('told-json'), '--json'], 'stderr'],
    ['annotate', [at('played'), '--model', 'gpt', '--models', near], 'stdout'],
  ] as const)('is told before the first call: %s', async (script, args, stream) => {
    let callsBefore: number | null = null;
    const calls = server.requests.length;
    const line = `Calls go to ${host} (gpt), with the key in TRAP_SECRET.`;
    const ended = await run(script, script === 'match' ? [...shortest, ...args] : args, {
      env,
      hear: (text) => {
        if (text.includes(line)) callsBefore = server.requests.length - calls;
      },
    });
    expect({ code: ended.code, callsBefore }).toEqual({ code: 0, callsBefore: 0 });
    expect(ended[stream].split(line)).toHaveLength(2);
    expect(server.requests.length).toBeGreaterThan(calls);
  });

  it('is asked before a model reflects on what it played', async () => {
    const args = ['build', at('told'), '--reflect', 'gpt', '--models', models, '--out', at('pool')];
    const { code, stderr } = await run('pool', args, { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(option) as unknown });
    expect(existsSync(at('pool'))).toBe(false);
    const dry = await run('pool', [...args, '--dry-run'], { env });
    expect(dry.stdout).toContain(`This needs ${option}.`);
  });

  it('is not told where only bots play, and with --quiet', async () => {
    const bots = await run('match', [...shortest, '--out', at('bots')]);
    expect(bots.stdout).not.toContain('Calls');
    const quiet = await run(
      'match',
      [...shortest, '--models', near, '--model', 'gpt', '--out', at('quiet'), '--quiet'],
      { env },
    );
    expect(quiet).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a file decides about its own folder alone', () => {
  it.each([
    ['match', 'a path upward', () => write('stranger/up.yaml', { out: '../elsewhere' })],
    ['match', 'a whole path', () => write('stranger/whole.yaml', { out: at('elsewhere') })],
    [
      'tournament',
      'a path upward',
      () =>
        write('stranger/plan.yaml', {
          ...plan,
          entrants: { one: 'bot:random', two: 'bot:classic' },
          out: '../elsewhere',
        }),
    ],
    [
      'match',
      'a link',
      () => {
        const file = write('linked/match.yaml', { out: 'runs/deep' });
        mkdirSync(at('elsewhere-too'));
        symlinkSync(at('elsewhere-too'), at('linked', 'runs'));
        return file;
      },
    ],
    [
      'match',
      'a folder that holds a link',
      () => {
        const file = write('holding/match.yaml', { out: 'held' }); // not in `runs`, which may also exist in the working directory
        mkdirSync(at('holding', 'held'), { recursive: true });
        mkdirSync(at('elsewhere-three'));
        symlinkSync(at('elsewhere-three'), at('holding', 'held', 'x'));
        return file;
      },
    ],
  ] as const)('%s, by %s', async (script, _what, make) => {
    const file = make();
    const { code, stderr } = await run(script, script === 'match' ? [...shortest, file] : [file]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/A file may only name a folder below its own\. .*--out \S+\.\n$/) as unknown,
    });
    expect(existsSync(at('elsewhere'))).toBe(false);
    const typed = await run(script, [
      ...(script === 'match' ? shortest : ['--dry-run']),
      file,
      '--out',
      at('typed', script),
    ]);
    expect(typed.code).toBe(0);
  });
});

/** Tests with separate processes are in `tests/long/env-file.test.ts`. */
describe('a file .env of somebody else', () => {
  it.each([
    ['a host', 'postgres://me@db.example/wolfgraph'],
    ['a host behind a loopback one', 'postgres://me@127.0.0.1/wolfgraph?host=db.example'],
  ])('sends no password of the shell to a database at %s', async (_what, address) => {
    const given = { WOLFGRAPH_DATABASE: address, WOLFGRAPH_FROM_ENV_FILE: 'WOLFGRAPH_DATABASE', PGPASSWORD: secret };
    const bots = write('bots.yaml', { ...plan, entrants: { one: 'bot:random', two: 'bot:classic' } });
    const { code, stderr } = await run('tournament', [bots, '--status'], { env: given });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--allow-key PGPASSWORD@db.example,') as unknown,
    });
    expect(stderr).not.toContain(secret);
  });

  it('keeps no password from a database that the shell itself names', async () => {
    const address = 'postgres://me@127.0.0.1:1/wolfgraph?host=127.0.0.1';
    const given = { WOLFGRAPH_DATABASE: address, WOLFGRAPH_FROM_ENV_FILE: '', PGPASSWORD: secret };
    const bots = write('shell.yaml', { ...plan, entrants: { one: 'bot:random', two: 'bot:classic' } });
    const { stderr } = await run('tournament', [bots, '--status'], { env: given });
    expect(stderr).toMatch(/database/i);
    expect(stderr).not.toContain('--allow-key');
  });

  it('names no credentials that fetch or run what they like', async () => {
    const file = at('external.json');
    writeFileSync(file, JSON.stringify({ type: 'external_account', token_url: 'http://trap.example:7999' }));
    const given = { GOOGLE_APPLICATION_CREDENTIALS: file, WOLFGRAPH_FROM_ENV_FILE: 'GOOGLE_APPLICATION_CREDENTIALS' };
    const args = [...shortest, '--model', 'vertexai:gemini-2.5-pro', '--dry-run', '--out', at('google')];
    expect(
      (
        await run(
          'match',
          args.filter((word) => word !== '--dry-run'),
          { env: given },
        )
      ).stderr,
    ).toContain('which is not a plain service account or login');
    const shell = { ...given, WOLFGRAPH_FROM_ENV_FILE: '' };
    expect(await run('match', args, { env: shell })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Calls go to aiplatform.googleapis.com') as unknown,
    });
  });
});

describe('a command that is told to be typed', () => {
  it('allows again every key that was allowed', async () => {
    const refusing = await openOpenaiServer([{ status: 401, body: failure('No such key.') }]);
    const allowed = ['--allow-key', 'ONE@a.example', '--allow-key', 'TWO@b.example'];
    const args = [...shortest, '--model', 'openai:local', '--id', 'again', '--out', at('again'), ...allowed];
    const { code, stderr } = await run('match', args, {
      env: { OPENAI_API_KEY: secret, OPENAI_BASE_URL: refusing.baseUrl },
    });
    await refusing.close();
    expect(code).toBe(3);
    expect(stderr).toContain(`To resume: npm run match -- --id again ${allowed.join(' ')}`);
  });

  it('holds no address and no variable that a file has named: typed, they would be the own ones', async () => {
    const judge = `${trap.model}?baseUrl=${trap.baseUrl}&apiKeyEnv=TRAP_SECRET`;
    const strange = write('strange.yaml', { endpoints: [{ metric: 'lie_turn_rate' }], judge, deals: 2 });
    await run('match', [...shortest, '--matches', '2', '--seed', '7', '--out', at('pair'), '--quiet']);
    const { code, stdout, stderr } = await run('compare', [at('pair'), at('played'), '--plan', strange], { env });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(
      `npm run report -- FOLDER --judge openai:gpt. The address ${trap.baseUrl} is left out`,
    );
    expect(stdout + stderr).not.toContain('apiKeyEnv');
  });
});
