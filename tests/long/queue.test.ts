// A tournament in a real PostgreSQL. It is extended, stopped, restarted, disconnected and forged, and its workers lack
// models, key or disk. Skipped, with a reason, if no PostgreSQL runs.
import { readdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type QueueDatabase } from '../../graph/queue/database.ts';
import { maxFailures } from '../../graph/circuit-breaker.ts';
import type { WorkerEvent } from '../../graph/queue/tournament-worker.ts';
import { runWorker } from '../../graph/queue/worker.ts';
import { readTournament } from '../../graph/tournament/tournament-folder.ts';
import { readModelsFile } from '../../models/providers/models-file.ts';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { openPostgres, queryRows } from '../postgres-server.ts';
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

/**
 * Opens a proxy in front of the database. The proxy can stop passing on data of its current connections, while new
 * connections work.
 */
async function openProxy(behind: string) {
  const target = new URL(behind);
  const [host, port] = [target.hostname, Number(target.port)];
  const pairs: { near: Socket; far: Socket; isDead: boolean }[] = [];
  const server = createServer((near) => {
    const pair = { near, far: connect(port, host), isDead: false };
    pairs.push(pair);
    near.on('data', (bytes) => void (pair.isDead || pair.far.write(bytes)));
    pair.far.on('data', (bytes) => void (pair.isDead || near.write(bytes)));
    for (const socket of [near, pair.far]) socket.on('error', () => undefined);
    near.on('close', () => pair.far.destroy());
    pair.far.on('close', () => void (pair.isDead || near.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target.port = String((server.address() as AddressInfo).port);
  return {
    address: target.href,
    swallow: () => {
      for (const pair of pairs) pair.isDead = true;
    },
    close: () => {
      server.close();
      for (const socket of pairs.flatMap(({ near, far }) => [near, far])) socket.destroy();
    },
  };
}

describeQueue('a tournament in the queue', () => {
  it('is played before those that were queued after it', async () => {
    const names = ['zoe', 'ann'];
    for (const name of names) {
      const plan = writePlan(name, ...bots, 'deals: 1');
      await run('tournament', [plan, '--out', path.join(out, name), '--detach'], { env });
    }
    const worker = await openDatabase(postgres!.address, { isWorker: true });
    const played: string[] = [];
    const onEvent = (event: WorkerEvent) => void (event.kind === 'finished' && played.push(event.tournament));
    const options = { env: {}, named: new Map<string, string>(), signal: new AbortController().signal, onEvent };
    await runWorker(worker, options);
    await worker.close();
    expect([...new Set(played)]).toEqual(names);
    expect(played.toSorted((one, other) => names.indexOf(one) - names.indexOf(other))).toEqual(played);
  });

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
    expect(report.stderr).toContain('2 matches collected from the database, 0 unfinished, 0 failed.');
    const quick = [folder, '--no-tables', '--no-baselines', '--resamples', '19'];
    const away = await run('report', quick, { env: { WOLFGRAPH_DATABASE: 'postgres://wolf@127.0.0.1:1/none' } });
    expect(away).toMatchObject({ code: 0 });
    expect(away.stderr).toContain('Nothing is collected from it; --no-database hides this message.');
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
    expect(refused.stderr).toContain('The database already has another tournament named more. It differs in entrants.');
    const elsewhere = path.join(out, 'elsewhere'); // the folder of a second machine
    const more = await run('tournament', [writePlan('more', ...bots, 'deals: 3'), '--out', elsewhere, '--detach'], {
      env,
    });
    expect(more.stdout).toContain('2 matches are in the queue');
    expect(readTournament(elsewhere)?.earlier_plans).toMatchObject([{ deals: 2 }]);
    await run('worker', [], { env });
    await run('tournament', [plan, '--out', elsewhere, '--collect'], { env });
    expect(readMatches(elsewhere)).toMatchObject(before);
    const third = path.join(out, 'third'); // the folder of a machine that only collects
    await run('tournament', [plan, '--out', third, '--collect'], { env });
    expect(readTournament(third)).toMatchObject({ plan: { name: 'more' } });
  });

  it('is extended while a worker plays it', async () => {
    const queue = (deals: number) =>
      run(
        'tournament',
        [writePlan('growing', ...bots, `deals: ${deals}`), '--out', path.join(out, 'growing'), '--detach'],
        {
          env,
        },
      );
    await queue(10);
    const extensions: Promise<unknown>[] = [];
    const worker = await run('worker', ['--tournament', 'growing', '--matches', '1'], {
      env,
      hear: (text) => {
        if (text.includes('is finished.') && extensions.length === 0) extensions.push(queue(12));
      },
    });
    await Promise.all(extensions);
    expect(worker.stdout).toContain('24 matches finished here.');
  });

  it('is ended by its stopping rule on what was played before too, and stays ended', async () => {
    const folder = path.join(out, 'decided');
    const plan = (deals: number) =>
      writePlan('decided', bots[0]!, 'format: head-to-head', 'stop: { precision: 0.5 }', `deals: ${deals}`);
    const play = (deals: number, ...options: readonly string[]) =>
      run('tournament', [plan(deals), '--out', folder, ...options], { env });
    await play(7, '--no-database', '--quiet');
    expect((await play(30, '--detach')).stdout).toContain('46 matches are in the queue');
    const worker = await run('worker', ['--tournament', 'decided', '--matches', '2'], { env });
    expect(worker.stderr).toContain('decided is stopped: The stopping rule ended the tournament after 8 deals.');
    const status = JSON.parse((await play(30, '--status', '--json')).stdout) as { done: number; stop: object };
    expect(status.stop).toMatchObject({ decided_deals: 8 });
    expect(status.done).toBeLessThan(20);
    const again = await play(30); // no worker plays the tournament
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('The stopping rule ended the tournament after 8 deals. None of them is played.');
    expect(readTournament(folder)?.stopped).toEqual({ deals: 8, reason: 'precision' });
    expect((await run('worker', ['--tournament', 'decided'], { env })).stdout).toContain('0 matches finished here.');
  });

  it('is left to others by a worker whose key is refused, or whose disk takes nothing', async () => {
    const server = await openOpenaiServer([{ status: 401, body: failure('Incorrect API key', 'invalid_api_key') }]);
    const models = writeInto(
      path.join(out, 'refused-models.yaml'),
      `local: { model: "openai:one", baseUrl: "${server.baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 } }`,
    );
    const queue = (name: string, ...lines: readonly string[]) =>
      run('tournament', [writePlan(name, ...lines), '--out', path.join(out, name), '--detach'], { env });
    await queue(
      'refused',
      `models: ${models}`,
      'entrants: { gpt: local, bot: bot:random }',
      'format: head-to-head',
      'deals: 3',
    );
    const refused = await run('worker', ['--tournament', 'refused', '--models', models], {
      env: { ...env, LOCAL_KEY: key },
    });
    expect(refused).toMatchObject({ code: 3 });
    expect(refused.stderr).toContain('refused is left to other workers.');
    expect(server.requests.length).toBeLessThan(60);
    await server.close();
    await queue('no-room', ...bots, 'deals: 1');
    const missing = path.join(out, 'no-such-folder');
    const worker = startScript('worker', ['--tournament', 'no-room', '--stay'], { env: { ...env, TMPDIR: missing } });
    const ended = await worker.ended;
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stderr).toContain(missing);
    const states = await queryRows<{ state: string }>(
      database,
      `select distinct state from wolfgraph.match where tournament in ('refused', 'no-room')`,
    );
    expect(states).toEqual([{ state: 'waiting' }]);
    await database.query(`delete from wolfgraph.tournament where name in ('refused', 'no-room')`);
  });

  it('gives a match up whose calls alone fail again and again, and plays the others', async () => {
    const readPlayers = (text: string) => /The players are [^.]+/.exec(text)![0];
    let shunned: string | null = null; // players of the first deal about which a question arrives
    const server = await openOpenaiServer((request) => {
      const players = readPlayers(request.body.messages[0]!.content);
      shunned ??= players;
      return players === shunned
        ? { status: 503, headers: { 'retry-after': '999' }, body: failure('overloaded') }
        : { ...legally(request), latency: 30 };
    });
    const models = writeInto(
      path.join(out, 'shunned-models.yaml'),
      `local: { model: "openai:one", baseUrl: "${server.baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 } }`,
    );
    const lines = [
      `models: ${models}`,
      'entrants: { gpt: local, bot: bot:random }',
      'format: head-to-head',
      'deals: 5',
    ];
    const plan = writePlan('shunned', ...lines);
    await run('tournament', [plan, '--out', path.join(out, 'shunned'), '--detach'], { env });
    const worker = await openDatabase(postgres!.address, { isWorker: true });
    const options = { env: { LOCAL_KEY: key }, signal: new AbortController().signal, minuteMs: 100, matches: 3 };
    const named = readModelsFile(models);
    expect(await runWorker(worker, { ...options, named, tournament: 'shunned' })).toMatchObject({
      finished: 8,
      failed: 2,
    });
    await worker.close();
    const { stdout } = await run('tournament', [plan, '--status'], { env });
    expect(stdout).toContain('8 of 10 matches done, 0 under way, 0 waiting, 2 failed');
    await server.close();
  });

  it('does not give up the match that finds out, again and again, whether a provider is back', async () => {
    let refused = 0;
    const server = await openOpenaiServer((request) =>
      refused < 2 * maxFailures
        ? (refused++, { status: 503, headers: { 'retry-after': '999' }, body: failure('overloaded') })
        : legally(request),
    );
    const models = writeInto(
      path.join(out, 'patient-models.yaml'),
      `local: { model: "openai:one", baseUrl: "${server.baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 } }`,
    );
    const entrants = 'entrants: { gpt: local, bot: bot:random }';
    const plan = writePlan('patient', `models: ${models}`, entrants, 'format: head-to-head', 'deals: 1');
    await run('tournament', [plan, '--out', path.join(out, 'patient'), '--detach'], { env });
    const worker = await openDatabase(postgres!.address, { isWorker: true });
    const options = { env: { LOCAL_KEY: key }, signal: new AbortController().signal, minuteMs: 10, matches: 1 };
    const named = readModelsFile(models);
    const done = await runWorker(worker, { ...options, named, tournament: 'patient', concurrency: 1 });
    await worker.close();
    await server.close();
    expect(done).toMatchObject({ finished: 2, failed: 0 });
  });

  it('has its matches played though the command that queued them died before they had their jobs', async () => {
    const plan = writePlan('orphan', ...bots, 'deals: 1');
    await run('tournament', [plan, '--out', path.join(out, 'orphan'), '--detach'], { env });
    await database.query(`delete from wolfgraph_queue.job where name = 'match.orphan'`);
    expect((await run('worker', ['--tournament', 'orphan'], { env })).stdout).toContain('2 matches finished here.');
  });

  it('goes on where a network swallows what is sent over the connections that there are', async () => {
    const proxy = await openProxy(postgres!.address);
    await run('tournament', [writePlan('cut', ...bots, 'deals: 4'), '--out', path.join(out, 'cut'), '--detach'], {
      env,
    });
    const cutOff = await openDatabase(proxy.address, { isWorker: true, statementMs: 5000 });
    const signal = new AbortController().signal;
    let finished = 0;
    const onEvent = ({ kind }: { kind: string }) => {
      if (kind === 'finished' && ++finished === 2) proxy.swallow();
    };
    await runWorker(cutOff, { named: new Map(), env: {}, signal, tournament: 'cut', matches: 2, onEvent });
    await cutOff.close();
    proxy.close();
    const [row] = await queryRows<{ count: number }>(
      database,
      `select count(*)::int from wolfgraph.match where tournament = 'cut' and state = 'finished'`,
    );
    expect(row).toEqual({ count: 8 });
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
    expect(refused.stderr).toContain('Name the model in a models file');
    const plan = writePlan(
      'named',
      `models: ${models('one-model')}`,
      'entrants: { gpt: local, bot: bot:random }',
      'format: head-to-head',
      'deals: 1',
    );
    await run('tournament', [plan, '--out', path.join(out, 'named'), '--detach'], { env });
    const [row] = await queryRows<{ plan: string }>(
      database,
      `select plan from wolfgraph.tournament where name = 'named'`,
    );
    expect(row!.plan).toContain('name=local');
    for (const hidden of [server.baseUrl, 'LOCAL_KEY', 'price', key]) expect(row!.plan).not.toContain(hidden);
    const work = (...options: readonly string[]) =>
      run('worker', ['--tournament', 'named', ...options], { env: { ...env, LOCAL_KEY: key } });
    expect(await work()).toMatchObject({ code: 2 });
    expect((await work()).stderr).toContain("which this worker's models file does not name");
    expect((await work('--models', models('other-model'))).stderr).toContain(
      'stands for openai:one-model?name=local in the queue, but for openai:other-model?name=local',
    );
    expect(server.requests).toHaveLength(0);
    expect((await work('--models', models('one-model'))).stdout).toContain('2 matches finished here.');
    expect(server.requests.length).toBeGreaterThan(10);
    await server.close();
  });

  it('goes on however often the database is restarted, to the records of one machine', async () => {
    const plan = writePlan('restarted', ...bots, 'deals: 30');
    const [folder, alone] = [path.join(out, 'restarted'), path.join(out, 'alone')];
    const workers = [1, 2].map(() => startScript('worker', ['--stay', '--matches', '2'], { env }));
    const followed = run('tournament', [plan, '--out', folder], { env });
    await workers[0]!.said('is finished.');
    for (let restart = 0; restart < 4; restart++) {
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
    const [other] = await queryRows<{ record: Buffer }>(
      database,
      `select record from wolfgraph.match where tournament = 'forged' and place = 1`,
    );
    await forge(other!.record);
    expect((await collect()).stderr).toContain('in the database is damaged: it is another match, which differs in id');
    expect(
      readdirSync(path.join(out, 'forged'), { recursive: true, encoding: 'utf8' }).some(
        (file) => file.includes('evil') || file.includes('collecting'),
      ),
    ).toBe(false);
  });
});
