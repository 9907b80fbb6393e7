// A worker whose models file names a host that neither its command line nor its shell allows. Nothing is sent to that
// host, and other tournaments are played. Skipped, with a reason, if no PostgreSQL runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openOpenaiServer } from '../openai-server.ts';
import { openPostgres } from '../postgres-server.ts';
import { key, legally } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres = await openPostgres();
const out = createTemporaryFolder();
const env = { WOLFGRAPH_DATABASE: postgres?.address ?? '', LOCAL_KEY: key };
const server = await openOpenaiServer(legally);
afterAll(async () => {
  await server.close();
  postgres?.close();
});

/** The text does not show that this is an address of this machine, although requests reach the machine. */
const host = `0.0.0.0:${new URL(server.baseUrl).port}`;
const models = path.join(out, 'models.yaml');
writeFileSync(
  models,
  `local: { model: "openai:one", baseUrl: "http://${host}/v1", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 } }`,
);
const pair = `LOCAL_KEY@${host}`;
const refusal = `abroad is left alone: local would be called at ${host}, with the key in LOCAL_KEY. Nothing was sent: neither the command line nor the shell allows this host. If you trust the host, add --allow-key ${pair}, or set WOLFGRAPH_ALLOW_KEYS=${pair} in the shell.\n`;

async function queue(name: string, ...lines: readonly string[]) {
  const plan = writeShortPlan(out, name, ...lines, 'deals: 1');
  const command = (...options: string[]) =>
    run('tournament', [plan, '--out', path.join(out, name), ...options], { env });
  expect((await command('--detach')).code).toBe(0);
  return command;
}

(postgres === null ? describe.skip : describe)('a worker whose key would go to a host that nobody has allowed', () => {
  it('leaves the tournament with one line, sends nothing, plays the others, and plays it once the host is allowed', async () => {
    const talk = [`models: ${models}`, 'entrants: { gpt: local, bot: bot:random }', 'format: head-to-head'];
    const abroad = await queue('abroad', ...talk);
    const home = await queue('home', 'entrants: { one: bot:classic, two: bot:random }', 'format: round-robin');
    const work = (options: readonly string[] = [], more: Record<string, string> = {}) =>
      run('worker', ['--models', models, ...options], { env: { ...env, ...more } });

    const first = await work();
    expect(first).toMatchObject({ code: 0, stderr: refusal });
    expect(first.stdout).toContain('2 matches finished here.');
    expect((await home('--collect')).code).toBe(0);
    for (const options of [[], ['--tournament', 'abroad'], ['--allow-key', 'LOCAL_KEY@0.0.0.0:1']])
      expect(await work(options)).toMatchObject({ code: 2, stderr: refusal });
    expect((await abroad('--status')).stdout).toContain('0 of 2 matches done, 0 under way, 2 waiting, 0 failed');
    expect(server.requests).toEqual([]);

    const allowed = await work(['--allow-key', pair, '--matches', '1']);
    expect(allowed).toMatchObject({ code: 0, stderr: '' });
    expect(allowed.stdout).toContain(`Calls go to ${host} (local), with the key in LOCAL_KEY.\n`);
    expect(allowed.stdout).toContain('2 matches finished here.');
    expect(server.requests.length).toBeGreaterThan(10);
    expect(new Set(server.requests.map(({ headers }) => headers['authorization']))).toEqual(new Set([`Bearer ${key}`]));

    const again = await queue('again', ...talk);
    expect(await work([], { WOLFGRAPH_ALLOW_KEYS: pair })).toMatchObject({ code: 0, stderr: '' });
    expect((await again('--collect')).code).toBe(0);
  });
});
