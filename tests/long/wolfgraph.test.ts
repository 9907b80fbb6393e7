// The command `wolfgraph`, which starts all other commands, and `doctor`, which reports what a machine lacks.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { commandNames } from '../../scripts/wolfgraph.ts';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run, short, start } from '../scripts/process.ts';

const out = createTemporaryFolder();

describe('wolfgraph', () => {
  it('tells of all commands on one screen', async () => {
    const { code, stdout, stderr } = await run('wolfgraph', []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    for (const name of commandNames) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(await run('wolfgraph', ['--help'])).toMatchObject({ code: 0, stdout });
  });

  it('knows every script of package.json that is not for developers alone, but the dev server and an earlier name', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const forDevelopers = [
      'bench',
      'docs',
      'forms',
      'test',
      'test:long',
      'mutate',
      'faults',
      'types',
      'lint',
      'prepack',
      'postpack',
      'prices',
    ];
    const others = Object.keys(scripts).filter((name) => ![...forDevelopers, 'studio', 'replay'].includes(name));
    expect([...commandNames].sort()).toEqual(others.sort());
  });

  it('starts Node with the flags of the npm scripts', async () => {
    const { href } = new URL('../../scripts/restart.mjs', import.meta.url);
    const { commandFlags } = (await import(href)) as { commandFlags: Record<string, string[]> };
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const name of [...commandNames, 'replay']) {
      const flags = scripts[name]!.split(' ').filter((word) => /^--(?!import)/.test(word));
      expect({ name, flags }).toEqual({ name, flags: commandFlags[name] ?? [] });
    }
  });

  it('refuses an unknown command with those there are, and gives exit codes on', async () => {
    expect(await run('wolfgraph', ['mach'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `Unknown command "mach". Did you mean "match"? It must be one of: ${commandNames.join(', ')}.\n`,
    });
    expect((await run('wolfgraph', ['show', path.join(out, 'nowhere')])).code).toBe(2);
  });

  it('tells its version', async () => {
    expect((await run('wolfgraph', ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a message', () => {
  const wolfgraph = (args: readonly string[], env = {}) =>
    start(process.execPath, ['scripts/wolfgraph.mjs', ...args], { env }).ended;

  it.each<[string, Record<string, string>]>([
    ['wolfgraph', {}],
    ['npx wolfgraph', { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'wolfgraph' }],
  ])('names commands as they were started: %s', async (prefix, env) => {
    const id = prefix.replace(' ', '-');
    const played = await wolfgraph(['match', '--out', out, '--id', id, ...short], env);
    expect(played.code).toBe(0);
    expect(played.stdout).toMatch(new RegExp(`: +${prefix} show ${path.join(out, id)}\n`));
    expect(played.stdout).not.toContain('npm run');
    const help = await wolfgraph(['match', '--help'], env);
    expect(help.stdout).toContain(`Usage: ${prefix} match [options]`);
    expect(help.stdout).toContain(`\n  ${prefix} match --json `);
    expect(help.stdout).not.toContain('npm run');
  });

  it('of a thread names them likewise', async () => {
    const [one, ...others] = Array.from({ length: 24 }, (_, index) => path.join(out, 'many', `m${index}`));
    await run('match', ['--out', path.dirname(one!), '--id', 'm0', ...short]);
    for (const other of others) cpSync(one!, other, { recursive: true });
    const answers = path.join(one!, 'answers.ndjson');
    writeFileSync(answers, readFileSync(answers, 'utf8').replace('"answer"', '"answre"'));
    const { code, stdout } = await wolfgraph(['verify', path.dirname(one!)]);
    expect(code).toBe(1);
    expect(stdout).toContain(`wolfgraph verify --recover ${one}`);
    expect(stdout).not.toContain('npm run');
  });
});

describe('doctor', () => {
  const key = 'sk-live-0123456789abcdefghij';

  it('names what is found and what is missing with its cure, and shows no key', async () => {
    const env = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: '' };
    const { code, stdout, stderr } = await run('doctor', ['--out', out], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ok +openai: +key found in OPENAI_API_KEY$/m);
    expect(stdout).toMatch(/^- +anthropic: +no key: set ANTHROPIC_API_KEY$/m);
    expect(stdout).toMatch(/^- +bedrock: +AWS_REGION is not set: every bedrock: model needs it\.$/m);
    expect(stdout).toMatch(/^ok +ollama: +needs no key$/m);
    expect(stdout).toMatch(/^ok +records +\S+ can be written, [\d.]+ GB free/m);
    expect(stdout).toContain('npm run doctor -- --call');
    expect(stdout).not.toContain(key);
  });

  it('finds fault with traces that have no key, and a folder that cannot be', async () => {
    const file = path.join(out, 'file');
    writeFileSync(file, '');
    const { code, stdout } = await run('doctor', ['--out', path.join(file, 'runs')], {
      env: { LANGSMITH_TRACING: 'true' },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAULT LangSmith +LANGSMITH_TRACING is true, but LANGSMITH_API_KEY is not set$/m);
    expect(stdout).toMatch(/^FAULT records +.*Name another folder with --out\.$/m);
  });

  it('looks at each model of a models file without a call, and tells of optional packages and credentials', async () => {
    const models = path.join(out, 'doctor-models.yaml');
    writeFileSync(
      models,
      'near: { model: openai:m, apiKeyEnv: NEAR_KEY }\nfar: { model: openai:m, apiKeyEnv: FAR_KEY }\nelse: { model: openai:m, baseUrl: https://x.example/v1, apiKeyEnv: NEAR_KEY }\n',
    );
    const credentials = path.join(out, 'doctor-credentials.json');
    writeFileSync(credentials, '{}');
    const env = { NEAR_KEY: key, GOOGLE_APPLICATION_CREDENTIALS: credentials };
    const { code, stdout } = await run(
      'doctor',
      ['--out', out, '--models', models, '--allow-key', 'NEAR_KEY@api.openai.com'],
      { env },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +model near +asked at https:\/\/api\.openai\.com\/v1$/m);
    expect(stdout).toMatch(/^FAULT model far +FAR_KEY is not set/m);
    expect(stdout).toMatch(/^FAULT model else +.* --allow-key NEAR_KEY@x\.example,/m);
    expect(stdout).toMatch(/^Calls go to api\.openai\.com \(near\), with the key in NEAR_KEY\.$/m);
    expect(stdout).not.toContain(key);
    expect(stdout).toMatch(/^ok +vertexai: +Google's own credentials found$/m);
    expect(stdout).toMatch(/ pg-boss .*--database/);
    expect(stdout).toMatch(/ @lat\.md\/embed .*pool embed/);
  });

  it('calls no bot, and asks whether a server of this machine that is not there is running', async () => {
    const off = 'openai:m?baseUrl=http://127.0.0.1:9/v1&apiKeyEnv=PATH';
    const { code, stdout } = await run('doctor', ['--out', out, '--call', 'bot:classic', off], {
      env: { PATH: 'any' },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +call +bot:classic answers at once, without a call$/m);
    expect(stdout).toMatch(/^FAULT call +openai:m: .*ECONNREFUSED.*[Ii]s the server running\?/m);
  });

  const servers = [
    openOpenaiServer([{ text: 'ready' }]),
    openOpenaiServer([{ status: 401, body: failure(`Wrong key ${key}.`, 'invalid') }]),
  ];
  afterAll(async () => {
    for (const server of servers) await (await server).close();
  });

  it('calls the models that are named, once each, and no other', async () => {
    const [answering, refusing] = await Promise.all(servers);
    const fine = await run('doctor', ['--out', out, '--call', 'openai:local'], reaching(answering!));
    expect(fine.code).toBe(0);
    expect(fine.stdout).toMatch(/^ok +call +openai:local answered in [\d.]+ s, \d+ tokens$/m);
    expect(answering!.requests).toHaveLength(1);
    const { env } = reaching(refusing!);
    const refused = await run('doctor', ['--out', out, '--call', 'openai:local', 'gpt-4o'], {
      env: { ...env, OPENAI_API_KEY: key },
    });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/^FAULT call +openai:local: .*Wrong key/m);
    expect(refused.stdout).toMatch(/^FAULT call +gpt-4o: .*openai:gpt-4o/m);
    expect(refused.stdout).not.toContain(key);
    expect(refusing!.requests).toHaveLength(1);
  });
});
