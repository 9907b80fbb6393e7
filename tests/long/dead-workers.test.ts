// A match that kills every worker that plays it, for example because it uses too much memory. Skipped, with a reason,
// if no PostgreSQL runs.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openOpenaiServer } from '../openai-server.ts';
import { openPostgres } from '../postgres-server.ts';
import { key, legally } from '../scripts/local-model.ts';
import { run, type Running, start } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres = await openPostgres();
const out = createTemporaryFolder();
const env = { WOLFGRAPH_DATABASE: postgres?.address ?? '' };

afterAll(() => postgres?.close());

(postgres === null ? describe.skip : describe)('a match that kills its worker', () => {
  it('has failed after the fourth in a row, others are played, and --requeue plays it again', async () => {
    let worker: Running | undefined;
    let killing: string | null = null; // the rules and the player of the call at which workers die
    let isDeadly = true;
    const server = await openOpenaiServer((request) => {
      const asked = request.body.messages[0]!.content;
      killing ??= asked;
      if (isDeadly && asked === killing) worker!.child.kill('SIGKILL');
      return { ...legally(request), latency: 30 };
    });
    const models = path.join(out, 'deadly-models.yaml');
    writeFileSync(
      models,
      `local: { model: "openai:one", baseUrl: "${server.baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 } }`,
    );
    const lines = [
      `models: ${models}`,
      'entrants: { gpt: local, bot: bot:random }',
      'format: head-to-head',
      'deals: 5',
    ];
    const plan = writeShortPlan(out, 'deadly', ...lines);
    const command = (...options: string[]) =>
      run('tournament', [plan, '--out', path.join(out, 'deadly'), ...options], { env });
    await command('--detach');
    const script = path.join(import.meta.dirname, 'worker-process.ts');
    const surroundings = { env: { ...env, LOCAL_KEY: key, TMPDIR: out } }; // files of killed workers are deleted with the test's folder
    const work = () =>
      (worker = start(process.execPath, [script, '100', '--tournament', 'deadly', '--models', models], surroundings));
    let kills = 0;
    let ended = await work().ended;
    for (; ended.code === null && kills < 10; kills += 1) ended = await work().ended;
    expect(ended.code).toBe(1);
    expect(kills).toBeGreaterThanOrEqual(4);
    const words = '4 workers in a row died or fell silent while they played ';
    expect(ended.stderr).toContain(words);
    const { stdout } = await command('--status');
    expect(stdout).toContain('9 of 10 matches done, 0 under way, 0 waiting, 1 failed');
    expect(stdout).toContain(words);
    const [, id] = /--requeue (\S+)/.exec(stdout)!;
    expect((await command('--collect')).code).toBe(1);
    isDeadly = false;
    expect(await command('--requeue', id!)).toMatchObject({ code: 0, stderr: '' });
    expect((await work().ended).stdout).toContain('1 matches finished here.');
    expect((await command('--collect')).code).toBe(0);
    await server.close();
  });
});
