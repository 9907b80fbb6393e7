// A tournament with a judge that workers play: the judge reads each collected match under the cap of the workers, and
// the study ends with its pages. Skipped, with a reason, if no PostgreSQL runs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { confirmRules, openOpenaiServer } from '../openai-server.ts';
import { openPostgres } from '../postgres-server.ts';
import { key } from '../scripts/local-model.ts';
import { run, type Running, start } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres = await openPostgres();
const out = createTemporaryFolder();
const env = { WOLFGRAPH_DATABASE: postgres?.address ?? '', LOCAL_KEY: key, TMPDIR: out };

afterAll(() => postgres?.close());

const entry = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');

/** Writes a plan whose judge costs `price` USD per million tokens that it reads. */
function writePlan(name: string, baseUrl: string, price: number, ...lines: string[]): { plan: string; models: string } {
  const models = path.join(out, `${name}-models.yaml`);
  writeFileSync(
    models,
    `local: { model: "openai:judge", baseUrl: "${baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: ${price}, out: 0 } }`,
  );
  const entrants = 'entrants: { liar: "bot:classic?lie=.9", other: "bot:classic?lie=.1" }';
  const all = [`models: ${models}`, entrants, 'format: crossed', 'deals: 2', 'judge: local', ...lines];
  return { plan: writeShortPlan(out, name, ...all), models };
}

(postgres === null ? describe.skip : describe)('a tournament with a judge that workers play', () => {
  it('ends with its pages although a worker and then the collecting process are killed while the judge reads', async () => {
    let victim: Running | null = null;
    const server = await openOpenaiServer((request) => {
      victim?.child.kill('SIGKILL');
      return { ...confirmRules(request), latency: 20 };
    });
    const { plan, models } = writePlan('judged', server.baseUrl, 1);
    const folder = path.join(out, 'judged');
    const command = [plan, '--out', folder];
    const follow = () => start(process.execPath, [entry, 'tournament', ...command], { env });
    const work = () =>
      start(process.execPath, [entry, 'worker', '--tournament', 'judged', '--models', models, '--matches', '1'], {
        env,
      });
    const following = follow();
    victim = work();
    await victim.ended; // at the first question of the judge, with other matches left to play
    const second = work();
    victim = following;
    const killed = await following.ended;
    expect([killed.code, existsSync(path.join(folder, 'report'))]).toEqual([null, false]);
    victim = null;
    const ended = await follow().ended;
    await second.ended;
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('8 matches are reported')]);
    const read = (...file: string[]) => readFileSync(path.join(folder, ...file), 'utf8');
    for (const page of [
      read('report', 'report.md'),
      read('report', 'leaderboard.md'),
      read('comparison', 'comparison.md'),
    ])
      // prettier-ignore
      expect(page.split('\n').slice(0, 4).join('\n')).toMatch(
        /8 matches on 2 deals · each model against each and against itself · .* · judge local, read 100% of statements/,
      );
    expect(ended.stdout).toContain(path.join(folder, 'comparison', 'comparison.md'));
    // One question for each match; those under way when the process was killed are asked again.
    expect(server.requests.length).toBeLessThanOrEqual(8 + 8);
    await server.close();
  });

  it('shares its cap with the judge, also over the runs of the command', async () => {
    const server = await openOpenaiServer(confirmRules);
    const { plan, models } = writePlan('capped', server.baseUrl, 1_000_000, 'maxCost: 1');
    const follow = (...more: string[]) =>
      run('tournament', [plan, '--out', path.join(out, 'capped'), '--no-report', ...more], { env });
    const following = follow();
    const worker = start(process.execPath, [entry, 'worker', '--tournament', 'capped', '--models', models], { env });
    const stopped = await following;
    await worker.ended;
    expect([stopped.code, stopped.stderr]).toEqual([4, expect.stringContaining('The budget of $1 is reached')]);
    const asked = server.requests.length;
    expect(asked).toBeLessThan(20);
    const again = await follow();
    expect([again.code, server.requests.length]).toEqual([4, asked]);
    const raised = await follow('--max-cost', '1000000000');
    expect([raised.code, raised.stdout]).toEqual([0, expect.stringContaining('has judged 8 matches')]);
    const all = server.requests.length;
    expect(all).toBeGreaterThan(asked);
    const last = await follow();
    expect([last.code, server.requests.length]).toEqual([0, all]);
    expect(last.stdout).toContain('has judged 8 matches: all questions were already answered.');
    await server.close();
  });
});
