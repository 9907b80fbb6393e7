// Nothing that a record names is called: judges, addresses and key variables. A server counts the calls.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Manifest } from '../../state/record.ts';
import { openOpenaiServer, type OpenAIServer } from '../openai-server.ts';
import { copyUnfinished, forge, rewrite, listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { legally } from '../scripts/local-model.ts';
import { answersIn, manifestIn } from '../scripts/match-folder.ts';
import { run, shortest } from '../scripts/process.ts';

const out = createTemporaryFolder();
const at = (...names: string[]) => path.join(out, ...names);
const trap = await openOpenaiServer(legally);
const server = await openOpenaiServer(legally);
afterAll(() => Promise.all([trap.close(), server.close()]));

/** Secrets in the user's environment that a record tries to get. */
const env = { TRAP_SECRET: 'hunter2-is-secret', OPENAI_API_KEY: 'sk-of-the-user' };
const reach = ({ baseUrl }: OpenAIServer) => `baseUrl=${baseUrl}&apiKeyEnv=TRAP_SECRET`;

await run('match', [...shortest, '--seed', '7', '--id', 'm', '--out', at('bots'), '--quiet']);

const change = (folder: string, edit: (manifest: Manifest) => void) => {
  rewrite(folder, 'manifest.json', (text) => {
    const manifest = JSON.parse(text) as Manifest;
    edit(manifest);
    return `${JSON.stringify(manifest, null, 2)}\n`;
  });
  forge(folder);
};

describe('a judge that a record names', () => {
  it.each([
    ['report', (folder: string) => [folder, '--no-baselines', '--resamples', '20']],
    ['report', (folder: string) => [path.join(folder, 'm'), '--match-pages', '--no-baselines', '--resamples', '20']],
    ['plan', (folder: string) => [folder, '--effect', '.1']],
    ['show', (folder: string) => [path.join(folder, 'm')]],
    ['verify', (folder: string) => [folder]],
    ['annotate', (folder: string) => [folder, '--model', 'openai:other', '--dry-run']],
    ['replay', (folder: string) => [path.join(folder, 'm')]],
  ] as const)('is not called by %s', async (script, listArgs) => {
    const folder = at(`judged-${script}-${listArgs('x').length}`);
    await run('match', [...shortest, '--seed', '7', '--id', 'm', '--out', folder, '--quiet']);
    change(path.join(folder, 'm'), (manifest) => {
      manifest.judge = `openai:gpt?${reach(trap)}`;
    });
    const { code, stderr, stdout } = await run(script, listArgs(folder), { env });
    const wanted = script === 'plan' ? 2 : 0; // one match is too few for a plan
    expect({ code, stderr, calls: trap.requests.length }).toMatchObject({ code: wanted, calls: 0 });
    if (script === 'report')
      expect(stderr).toMatch(
        new RegExp(
          `^These matches name the judge openai:gpt, .* Its address in the record, ${trap.baseUrl}, is not used: .*: npm run report -- \\S+ --judge openai:gpt$`,
          'm',
        ),
      );
    expect(`${stderr}${stdout}`).not.toMatch(/hunter2|--judge \S*apiKeyEnv/);
  });

  it('is the same judge wherever each record says it is', async () => {
    const folder = at('two-addresses');
    await run('match', [...shortest, '--seed', '7', '--matches', '2', '--out', folder, '--quiet']);
    for (const [place, name] of listFolderNames(folder).entries())
      change(path.join(folder, name), (manifest) => {
        manifest.judge = `openai:gpt?baseUrl=http://10.0.0.${place}/v1`;
      });
    const { code, stderr } = await run('report', [folder, '--no-baselines', '--resamples', '20'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('name the judge openai:gpt, which') });
  });
});

describe('a match whose model was asked at an address', () => {
  const model = `openai:local?baseUrl=${server.baseUrl}&apiKeyEnv=TRAP_SECRET&priceIn=1&priceOut=1`;
  const typed = [...shortest, '--seed', '3', '--id', 'm', '--model', model, '--max-cost', '1000'];
  /** Creates a partly recorded match in its own folder. */
  const stopped = async (name: string) => {
    const folder = at(name, 'm');
    expect((await run('match', [...typed, '--out', at(`${name}-whole`), '--quiet'], { env })).code).toBe(0);
    copyUnfinished(at(`${name}-whole`, 'm'), folder);
    rewrite(folder, 'answers.ndjson', (text) => text.split('\n').slice(0, 3).join('\n') + '\n');
    rewrite(folder, 'events.ndjson', () => '');
    rmSync(path.join(folder, 'events.ndjson'));
    return folder;
  };

  it('goes on with the same command', async () => {
    const folder = await stopped('same');
    expect(await run('match', [...typed, '--out', at('same'), '--quiet'], { env })).toMatchObject({ code: 0 });
    expect(manifestIn(folder).made_by.addresses).toEqual({ 'openai:local': server.baseUrl });
  });

  it.each([
    ['its id', (folder: string) => ['--id', 'm', '--out', path.dirname(folder)]],
    ['its id, in a dry run', (folder: string) => ['--id', 'm', '--out', path.dirname(folder), '--dry-run']],
    ['its manifest', (folder: string) => [path.join(folder, 'manifest.json'), '--out', path.dirname(folder)]],
    ['its manifest, anew', (folder: string) => [path.join(folder, 'manifest.json'), '--out', at('anew')]],
    [
      'its manifest, many',
      (folder: string) => [path.join(folder, 'manifest.json'), '--matches', '2', '--out', at('set')],
    ],
    [
      'its id, its model without the address',
      (folder: string) => ['--id', 'm', '--out', path.dirname(folder), '--model', 'openai:local'],
    ],
  ])('does not go on by %s, and the option is told', async (_what, listArgs) => {
    const folder = await stopped(`refused-${_what.replaceAll(/\W+/g, '-')}`);
    const calls = server.requests.length;
    const { code, stderr } = await run('match', listArgs(folder), { env });
    expect({ code, stderr, calls: server.requests.length }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`baseUrl=${server.baseUrl}'`) as unknown,
      calls,
    });
    expect(stderr).toContain('openai:local was called at');
    expect(stderr).not.toContain('TRAP_SECRET');
  });

  it('goes on by the option that is told, and by the environment, and by a models file', async () => {
    const folder = await stopped('told');
    const again = ['--id', 'm', '--out', path.dirname(folder), '--quiet'];
    const { stderr } = await run('match', again, { env });
    const [, option] = /--model '([^']+)'/.exec(stderr)!;
    expect((await run('match', [...again, '--model', option!], { env })).code).toBe(0);
    const other = await stopped('told-env');
    const byEnv = await run('match', ['--id', 'm', '--out', path.dirname(other), '--quiet'], {
      env: { ...env, OPENAI_BASE_URL: server.baseUrl },
    });
    expect(byEnv).toMatchObject({ code: 0 });
    expect(answersIn(other).length).toBeGreaterThan(3);
  });

  it('is gone on with by the command that is printed when it stops', async () => {
    const dear = model.replace('priceIn=1', 'priceIn=50000');
    const capped = ['--id', 'm', '--seed', '3', '--model', dear, '--max-cost', '1', '--out', at('printed')];
    const { code, stderr } = await run('match', [...shortest, ...capped], { env });
    expect(code).toBe(4);
    expect(stderr).toContain(`npm run match -- --id m --model '${dear}' --out ${at('printed')} --max-cost …`);
  });
});

describe('addresses and variables that a record names', () => {
  it.each([
    ['as the model string', (identity: string) => `${identity}?${reach(trap)}`],
    ['in other letters', (identity: string) => `${identity}?${reach(trap).replace('baseUrl', '%62aseUrl')}`],
    ['of another model', () => `openai:gpt-4o?${reach(trap)}`],
  ])('%s are not taken', async (what, describeModel) => {
    const folder = at(`forged-${what.replaceAll(' ', '-')}`);
    await run('match', [...shortest, '--seed', '7', '--id', 'm', '--out', folder, '--quiet']);
    change(path.join(folder, 'm'), ({ setup, made_by: by }) => {
      const names = Object.keys(setup.models);
      setup.models = Object.fromEntries(names.map((name) => [name, 'openai:gpt']));
      setup.bots = [];
      by.model_strings = { 'openai:gpt': describeModel('openai:gpt') };
    });
    const calls = trap.requests.length;
    const manifest = path.join(folder, 'm', 'manifest.json');
    const { code } = await run('match', [manifest, '--out', at('again'), '--dry-run'], { env });
    expect([code === 0 || code === 2, trap.requests.length]).toEqual([true, calls]);
    const asked = await run(
      'match',
      [manifest, '--out', at(`again-${what}`), '--model', `openai:gpt?baseUrl=${server.baseUrl}`],
      {
        env,
      },
    );
    expect([asked.code, trap.requests.length]).toEqual([0, calls]);
    expect(server.requests.at(-1)!.headers.authorization).toBe(`Bearer ${env.OPENAI_API_KEY}`);
  });

  it.each([
    ['in its set-up', `openai:gpt?${reach(trap)}`, {}],
    ['in its model strings, against its list of addresses', 'openai:gpt', { addresses: {} }],
  ])('%s are not dropped in silence: its vendor would be asked instead', async (what, identity, madeBy) => {
    const folder = at(`dropped-${what.slice(0, 12).replaceAll(' ', '-')}`);
    await run('match', [...shortest, '--seed', '7', '--id', 'm', '--out', folder, '--quiet']);
    change(path.join(folder, 'm'), ({ setup, made_by: by }) => {
      setup.models = Object.fromEntries(Object.keys(setup.models).map((name) => [name, identity]));
      setup.bots = [];
      Object.assign(by, madeBy, { model_strings: { [identity]: `openai:gpt?${reach(trap)}` } });
    });
    const manifest = path.join(folder, 'm', 'manifest.json');
    const { code, stderr } = await run('match', [manifest, '--out', at('never'), '--dry-run'], { env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`openai:gpt was called at ${trap.baseUrl}, according to the record.`) as unknown,
    });
  });

  it('may be those of the provider itself', async () => {
    const folder = at('home');
    await run('match', [...shortest, '--seed', '7', '--id', 'm', '--out', folder, '--quiet']);
    change(path.join(folder, 'm'), ({ setup, made_by: by }) => {
      setup.models = Object.fromEntries(Object.keys(setup.models).map((name) => [name, 'openai:gpt']));
      setup.bots = [];
      Object.assign(by, {
        addresses: {},
        model_strings: { 'openai:gpt': 'openai:gpt?baseUrl=https://api.openai.com/v1/' },
      });
    });
    const manifest = path.join(folder, 'm', 'manifest.json');
    const { code, stdout } = await run('match', [manifest, '--out', at('never'), '--dry-run'], { env });
    expect(code).toBe(0);
    expect(stdout).toContain('Calls go to api.openai.com');
  });
});
