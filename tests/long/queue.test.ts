// A tournament in a real PostgreSQL that is extended, restarted, forged, and worked at without its models. Skipped, with a
// reason, where no PostgreSQL runs.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type QueueDatabase } from '../../graph/queue/database.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { openPostgres } from '../postgres-server.ts';
import { key, legally } from '../scripts/local-model.ts';
import { readMatches } from '../scripts/match-folder.ts';
import { run, startScript } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres = await openPostgres();
const describeQueue = postgres === null ? describe.skip : describe;
const out = createTemporaryFolder();
const env = { WOLFGRAPH_DATABASE: postgres?.address ?? '' };
let database: QueueDatabase;

beforeAll(async () => {
  if (postgres !== null) database = await openDatabase(postgres.address);
});
afterAll(async () => {
  await database?.close();
  postgres?.close();
});

const writePlan = (name: string, ...lines: readonly string[]) => writeShortPlan(out, name, ...lines);
const bots = ['entrants: { one: bot:classic, two: bot:random }', 'format: round-robin'];

function writeInto(file: string, text: string): string {
  writeFileSync(file, text);
  return file;
}

describeQueue('a tournament in the queue', () => {
  it('is extended by deals, goes on from records of one machine, and plays nothing twice', async () => {
    const folder = path.join(out, 'extended');
    await run('tournament', [writePlan('more', ...bots, 'deals: 1'), '--out', folder, '--quiet']);
    const before = readMatches(folder);
    const plan = writePlan('more', ...bots, 'deals: 2');
    const { stdout } = await run('tournament', [plan, '--out', folder, '--detach'], { env });
    expect(stdout).toContain('2 matches are in the queue');
    expect((await run('tournament', [plan, '--out', folder, '--detach'], { env })).stdout).toContain('2 matches');
    expect((await run('worker', [], { env })).stdout).toContain('2 matches finished here.');
    const report = await run('report', [folder, '--no-tables', '--no-baselines', '--resamples', '19'], { env });
    expect(report.stderr).toContain('2 matches collected from the database, 0 not over, 0 failed.');
    expect(readMatches(folder)).toMatchObject(before);
    expect(Object.keys(readMatches(folder))).toHaveLength(8);
    const other = writePlan(
      'more',
      'entrants: { three: bot:classic, two: bot:random }',
      'format: round-robin',
      'deals: 1',
    );
    const refused = await run('tournament', [other, '--out', path.join(out, 'other'), '--detach'], { env });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('The database holds another tournament named more.');
  });

  it('takes addresses and keys from the worker alone, and a worker that cannot play it leaves it', async () => {
    const server = await openOpenaiServer(legally);
    const models = (model: string) =>
      writeInto(
        path.join(out, `${model}.yaml`),
        `local: { model: "openai:${model}", baseUrl: "${server.baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 } }`,
      );
    const nameless = writePlan(
      'nameless',
      `entrants: { one: "openai:x?baseUrl=${server.baseUrl}", two: bot:random }`,
      'format: head-to-head',
      'deals: 1',
    );
    const refused = await run('tournament', [nameless, '--out', path.join(out, 'nameless'), '--detach'], {
      env: { ...env, OPENAI_API_KEY: key },
    });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('Give it a name in a models file');
    const plan = writePlan(
      'named',
      `models: ${models('one-model')}`,
      'entrants: { gpt: local, bot: bot:random }',
      'format: head-to-head',
      'deals: 1',
    );
    await run('tournament', [plan, '--out', path.join(out, 'named'), '--detach'], { env });
    const [row] = await database.query<{ plan: string }>(`select plan from wolfgraph.tournament where name = 'named'`);
    expect(row!.plan).toContain('name=local');
    for (const hidden of [server.baseUrl, 'LOCAL_KEY', 'price', key]) expect(row!.plan).not.toContain(hidden);
    const work = (...options: readonly string[]) =>
      run('worker', ['--tournament', 'named', ...options], { env: { ...env, LOCAL_KEY: key } });
    expect(await work()).toMatchObject({ code: 2 });
    expect((await work()).stderr).toContain("which this worker's models file does not name");
    expect((await work('--models', models('other-model'))).stderr).toContain(
      'stands for openai:one-model?name=local there and for openai:other-model?name=local',
    );
    expect(server.requests).toHaveLength(0);
    expect((await work('--models', models('one-model'))).stdout).toContain('2 matches finished here.');
    expect(server.requests.length).toBeGreaterThan(10);
    await server.close();
  });

  it('goes on however often the database is restarted, to the records of one machine', async () => {
    const plan = writePlan('restarted', ...bots, 'deals: 60');
    const [folder, alone] = [path.join(out, 'restarted'), path.join(out, 'alone')];
    const workers = [1, 2].map(() => startScript('worker', ['--stay', '--matches', '2'], { env }));
    const followed = run('tournament', [plan, '--out', folder], { env });
    await workers[0]!.said('is over.');
    for (let restart = 0; restart < 8; restart++) {
      postgres!.kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      postgres!.start();
      await new Promise((resolve) => setTimeout(resolve, 1000 * Math.random()));
    }
    expect((await followed).code).toBe(0);
    for (const { child, ended } of workers) {
      child.kill('SIGINT');
      expect((await ended).code).toBe(130);
    }
    await run('tournament', [plan, '--out', alone, '--no-database', '--quiet'], { env });
    expect(readMatches(folder)).toEqual(readMatches(alone));
  });

  it('is not collected where the database holds something else in the place of a match', async () => {
    const plan = writePlan('forged', ...bots, 'deals: 1');
    await run('tournament', [plan, '--out', path.join(out, 'forged'), '--detach'], { env });
    await run('worker', [], { env });
    const forge = (record: Buffer) =>
      database.query(`update wolfgraph.match set record = $1 where tournament = 'forged' and place = 0`, [record]);
    const collect = () => run('tournament', [plan, '--out', path.join(out, 'forged'), '--collect'], { env });
    await forge(gzipSync(JSON.stringify({ '../../evil': 'aGVsbG8=' })));
    expect((await collect()).stderr).toContain('in the database is damaged');
    const [other] = await database.query<{ record: Buffer }>(
      `select record from wolfgraph.match where tournament = 'forged' and place = 1`,
    );
    await forge(other!.record);
    expect((await collect()).stderr).toContain('The database holds another match in the place of');
    expect(
      readdirSync(path.join(out, 'forged'), { recursive: true, encoding: 'utf8' }).some(
        (file) => file.includes('evil') || file.includes('collecting'),
      ),
    ).toBe(false);
  });
});
