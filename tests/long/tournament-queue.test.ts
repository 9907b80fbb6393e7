// Tournaments through a real PostgreSQL: outdated attempts, money and pace shared by all workers, outages, and records
// equal to those of one machine. Skipped, with a reason, if no PostgreSQL runs. See also tests/long/queue.test.ts.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type QueueDatabase } from '../../graph/queue/database.ts';
import { queuePlan, readQueuedPlan } from '../../graph/queue/queued-plan.ts';
import { SharedPaces } from '../../graph/queue/shared-pace.ts';
import { LeaseLost, TournamentStore } from '../../graph/queue/tournament-store.ts';
import type { WorkerEvent } from '../../graph/queue/tournament-worker.ts';
import { runWorker } from '../../graph/queue/worker.ts';
import { createCallLimiter } from '../../models/call-limiter.ts';
import { systemClock } from '../../models/machine/clock.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { CommandStopped } from '../../scripts/command/command-line.ts';
import { readTournamentFile } from '../../scripts/command/tournament-command.ts';
import { queueTournament } from '../../graph/queue/queued-tournament.ts';
import { openPostgres, type PostgresServer, queryRows } from '../postgres-server.ts';
import { readMatches } from '../scripts/match-folder.ts';
import { run } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres: PostgresServer | null = await openPostgres();
const describeQueue = postgres === null ? describe.skip : describe;
const address = postgres?.address ?? '';
const password = 'secret-of-the-test';
const out = createTemporaryFolder();
const signal = new AbortController().signal;
const env = { WOLFGRAPH_DATABASE: address };
let database: QueueDatabase;

beforeAll(async () => {
  if (postgres !== null) database = await openDatabase(address);
});
afterAll(async () => {
  await database?.close();
  postgres?.close();
});

const writePlan = (name: string, ...lines: readonly string[]) => writeShortPlan(out, name, ...lines);
const bots = ['entrants: { one: bot:classic, two: bot:random }', 'format: round-robin'];

/** Puts a match into the database and begins its first attempt. */
async function beginMatch(name: string, cap: number | null = null) {
  const store = new TournamentStore(database, name);
  await store.write({ name, plan: '{}', plan_sha256: '0', made_with: '{}' }, { cap });
  await store.addMatches([{ key: 'm', place: 0 }]);
  const place = { key: 'm', attempt: 1 };
  await store.begin(place, 'worker');
  return { store, place };
}

const answer = (call: string) => ({ call, line: `{"call":"${call}"}`, tokens: 10, isUnpriced: false });

describeQueue('a tournament in the queue', () => {
  it('is played by workers to the records of one machine, collected, and reported', async () => {
    const plan = writePlan('study', ...bots, 'deals: 3');
    const [queued, alone] = [path.join(out, 'queued'), path.join(out, 'alone')];
    const detached = await run('tournament', [plan, '--out', queued, '--detach'], { env });
    expect(detached).toMatchObject({ code: 0, stderr: '' });
    expect(detached.stdout).toContain('6 matches are in the queue');
    const early = await run('tournament', [plan, '--out', queued, '--collect'], { env });
    expect(early.code).not.toBe(0);
    expect(early.stderr).toContain('6 matches');
    const [worker, followed] = await Promise.all([
      run('worker', ['--matches', '2'], { env }),
      run('tournament', [plan, '--out', queued], { env }),
    ]);
    expect(worker).toMatchObject({ code: 0, stderr: '' });
    expect(worker.stdout).toContain('6 matches finished here.');
    expect(followed).toMatchObject({ code: 0, stderr: '' });
    await run('tournament', [plan, '--out', alone, '--no-database', '--quiet'], { env });
    expect(readMatches(queued)).toEqual(readMatches(alone));
    expect((await run('verify', [queued])).stdout).toContain('sealed 6 of 6, replayed 6 of 6');
    const status = await run('tournament', [plan, '--out', queued, '--status', '--json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ done: 6, waiting: 0, under_way: 0, failed: 0, workers: 0 });
    const said = [detached, early, worker, followed, status].map(({ stdout, stderr }) => stdout + stderr).join();
    expect(said + JSON.stringify(readMatches(queued))).not.toContain(password);
  });

  it('is told of every 30 seconds, and stopped with the command that follows it again', async () => {
    const plan = writePlan('followed', ...bots, 'deals: 1');
    const folder = path.join(out, 'followed');
    await run('tournament', [plan, '--out', folder, '--detach'], { env });
    const stop = new AbortController();
    let seconds = 0;
    const sleep = async (ms: number, signal: AbortSignal) => {
      seconds += ms / 1000;
      if (seconds > 61) stop.abort(new CommandStopped('SIGINT'));
      await new Promise(setImmediate);
      signal.throwIfAborted();
    };
    const machine = getMachine();
    const clock = { ...machine.clock, sleep, elapsed: () => seconds * 1000 };
    const { code, stdout, stderr } = await runOnMachine({ ...machine, clock }, () =>
      run('tournament', [plan, '--out', folder, '--database', address], { env, signal: stop.signal }),
    );
    expect(code).toBe(130);
    expect(stdout.match(/^0 finished, 0 under way, 2 waiting.*No worker is running/gm)).toHaveLength(3); // at 0, 30 and 60 s
    expect(stderr).toContain(`To resume: npm run tournament -- ${plan} --out ${folder} --database …\n`);
    expect((await run('tournament', [plan, '--out', folder, '--collect'], { env })).stderr).toContain(
      `To resume: npm run tournament -- ${plan} --out ${folder}\n`,
    );
  });

  it('has its report fail where the database fails while it is collected from', async () => {
    const plan = writePlan('failing', ...bots, 'deals: 1');
    const folder = path.join(out, 'failing');
    await run('tournament', [plan, '--out', folder, '--detach'], { env });
    await run('worker', ['--tournament', 'failing'], { env });
    await database.query('alter table wolfgraph.match rename column record to hidden');
    const report = await run('report', [folder, '--no-tables', '--no-baselines', '--resamples', '19'], { env });
    await database.query('alter table wolfgraph.match rename column hidden to record');
    expect(report.code).toBe(1);
    expect(report.stderr).toContain('record');
    expect(report.stderr).not.toContain('Nothing is collected');
  });

  it('finds the pool of its players where the plan names it, on workers and as it is collected', async () => {
    const past = writePlan('past', ...bots, 'deals: 6');
    await run('tournament', [past, '--out', path.join(out, 'past'), '--no-database', '--quiet'], { env });
    await run('pool', ['build', path.join(out, 'past'), '--out', path.join(out, 'pool')]);
    const plan = writePlan('memory', ...bots, 'deals: 1', 'seed: 7', 'experience: { pool: pool, k: 1, seats: [one] }');
    const [queued, alone] = [path.join(out, 'remembering'), path.join(out, 'remembering-alone')];
    expect(await run('tournament', [plan, '--out', queued, '--detach'], { env })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await run('worker', ['--tournament', 'memory'], { env })).toMatchObject({ code: 0, stderr: '' });
    const { stderr } = await run(
      'report',
      [queued, '--out', path.join(out, 'report'), '--no-baselines', '--no-judge'],
      {
        env,
      },
    );
    expect(stderr).toContain('memory: 2 matches collected from the database, 0 unfinished');
    await run('tournament', [plan, '--out', alone, '--no-database', '--quiet'], { env });
    expect(readMatches(queued)).toEqual(readMatches(alone));
    expect(JSON.stringify(readMatches(queued))).toContain('remembered');
  });

  it("keeps the cap that was given until another is, and takes no options that are its workers'", async () => {
    const plan = writePlan('kept', ...bots, 'deals: 1');
    const queue = (...options: readonly string[]) =>
      run('tournament', [plan, '--out', path.join(out, 'kept'), '--detach', ...options], { env });
    const readCap = async () => (await new TournamentStore(database, 'kept').readControl())!.cap;
    expect((await queue('--max-cost', '0.001')).stdout).toContain('No call begins once USD 0.001 is spent in total.');
    await queue();
    expect(await readCap()).toBe(0.001);
    await queue('--max-cost', 'none');
    expect(await readCap()).toBeNull();
    const { code, stderr } = await queue('--max-fallbacks', '1');
    expect(code).toBe(2);
    expect(stderr).toContain('--max-fallbacks is an option of the workers that play the matches');
    const more = [writePlan('kept', ...bots, 'deals: 3'), '--out', path.join(out, 'kept'), '--status'];
    const { stdout } = await run('tournament', more, { env });
    expect(stdout).toContain('0 of 6 matches done, 0 under way, 6 waiting');
    expect(stdout).toContain('4 matches are not in the queue');
    const other = writePlan('kept', ...bots, 'seed: 9', 'deals: 1');
    expect((await run('tournament', [other, '--status'], { env })).stderr).toContain('It differs in seed (1, now 9).');
    expect((await run('worker', ['--tournament', 'keptt'], { env })).stderr).toContain(
      'No tournament named keptt is in',
    );
    await database.query(`delete from wolfgraph.tournament where name = 'kept'`);
  });

  it('is removed with all it has there, unless a worker holds a match or records are nowhere else, and can be queued anew', async () => {
    const plan = writePlan('gone', ...bots, 'deals: 1');
    const [folder, elsewhere] = [path.join(out, 'gone'), path.join(out, 'gone-elsewhere')];
    const command = (at: string, ...options: readonly string[]) =>
      run('tournament', [plan, '--out', at, ...options], { env });
    const store = new TournamentStore(database, 'gone');
    await command(folder, '--detach');
    await run('worker', ['--tournament', 'gone'], { env });
    const lost = await command(elsewhere, '--remove');
    expect(lost.code).toBe(2);
    expect(lost.stderr).toMatch(/lacks finished matches of gone that are in the database \(2\)\./);
    await command(folder, '--collect');
    const removed = await command(folder, '--remove');
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(removed.stdout).toContain('gone is removed from the database: 2 matches, 2 of them finished.');
    const count = async (text: string) => (await queryRows<{ count: number }>(database, text))[0]!.count;
    expect(await count(`select count(*)::int from wolfgraph.match where tournament = 'gone'`)).toBe(0);
    expect(await count(`select count(*)::int from wolfgraph_queue.queue where name = 'match.gone'`)).toBe(0);
    expect(readMatches(folder)).not.toEqual({});
    expect((await command(folder, '--remove')).stderr).toContain('No tournament named gone is in the database.');
    expect((await command(elsewhere, '--detach')).stdout).toContain('2 matches are in the queue');
    const [match] = await store.listLeft();
    await store.begin({ key: match!.key, attempt: 1 }, 'holder');
    await store.beat('holder', { matches: 1, calls: 0, pace: {} });
    const held = await command(elsewhere, '--remove');
    expect(held.code).toBe(2);
    expect(held.stderr).toContain('Workers are playing 1 match of gone.');
    const forced = await command(elsewhere, '--remove', '--force', '--json');
    expect(JSON.parse(forced.stdout)).toMatchObject({ removed: 'gone', matches: 2, finished: 0 });
    expect(await store.read()).toBeNull();
    await store.removeWorker('holder');
  });

  it('is refused by a worker of another version', async () => {
    const plan = readTournamentFile(writePlan('old', ...bots, 'deals: 1')).plan;
    await queueTournament(database, plan, { out: path.join(out, 'old'), env: {} });
    const change = (from: string, to: string) =>
      database.query(`update wolfgraph.tournament set made_with = replace(made_with, $1, $2) where name = 'old'`, [
        from,
        to,
      ]);
    for (const field of ['templates_sha256', 'engine_sha256']) {
      await change(`"${field}":"`, `"${field}":"00`);
      const { code, stderr } = await run('worker', ['--tournament', 'old'], { env });
      expect(code).toBe(2);
      expect(stderr).toContain(`old was queued by another version of Wolfgraph: ${field} 00`);
      await change(`"${field}":"00`, `"${field}":"`);
    }
    await database.query(`delete from wolfgraph.tournament where name = 'old'`);
  });

  it('of language models does not go on in another wording, unless it is said to', async () => {
    const plan = readTournamentFile(
      writePlan('reworded', 'entrants: { one: openai:one, two: openai:two }', 'format: round-robin', 'deals: 1'),
    ).plan;
    const options = { out: path.join(out, 'reworded'), env: { OPENAI_API_KEY: 'none' } };
    await queueTournament(database, plan, options);
    await database.query(
      `update wolfgraph.tournament set made_with = replace(made_with, '"templates_sha256":"', '"templates_sha256":"00') where name = 'reworded'`,
    );
    // No question has been asked yet, so all matches will have the same wording.
    expect((await queueTournament(database, plan, options)).left).toBe(2);
    await database.query(
      `update wolfgraph.tournament set made_with = replace(made_with, '"templates_sha256":"', '"templates_sha256":"00') where name = 'reworded'`,
    );
    const store = new TournamentStore(database, 'reworded');
    const [match] = await queryRows<{ key: string }>(
      database,
      `select key from wolfgraph.match where tournament = 'reworded'`,
    );
    await store.seedAnswers(match!.key, [{ call: 'a', line: '{"call":"a"}' }], 0);
    await expect(queueTournament(database, plan, options)).rejects.toThrow(
      'The database holds matches of reworded whose prompts have another wording (templates_sha256 00',
    );
    expect((await store.read())!.made_with).toContain('"templates_sha256":"00');
    expect((await queueTournament(database, plan, { ...options, mixWordings: true })).left).toBe(2);
    await database.query(`delete from wolfgraph.tournament where name = 'reworded'`);
  });
});

describe('a tournament whose pools grow', () => {
  it('is for no worker: each block needs the pool of the one before', async () => {
    const plan = writePlan('learning', ...bots, 'deals: 4', 'experience: { grow: 2 }');
    const refused = await run('tournament', [plan, '--database', 'postgres://nowhere.invalid/none', '--detach']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('learning cannot be played by workers: with experience.grow');
    const queued = queuePlan(readTournamentFile(plan).plan); // as if an earlier version had queued it
    expect(() => readQueuedPlan(queued, new Map())).toThrow('learning cannot be played by workers');
  });
});

describeQueue('an attempt', () => {
  it('that a later one has followed keeps, spends and ends nothing any more', async () => {
    const { store, place } = await beginMatch('fenced', 10);
    await store.save({ ...place, held: 0, cost: 1, answer: answer('a') });
    expect(await store.reserve({ ...place, usd: 2 })).toBe('granted');
    const next = { key: 'm', attempt: 2 };
    expect(await store.begin(next, 'other')).toEqual({ lines: ['{"call":"a"}'], spent: 1 });
    await expect(store.save({ ...place, held: 2, cost: 2, answer: answer('b') })).rejects.toThrow(LeaseLost);
    await expect(store.reserve({ ...place, usd: 1 })).rejects.toThrow(LeaseLost);
    const end = { id: 'm', record: Buffer.from('x'), spent: 5, calls: 2, tokens: 0 };
    expect(await store.finish(place, end)).toBe(false);
    expect(await store.begin(place, 'worker')).toBeNull();
    expect((await store.readControl())!.spent).toBe(3); // the amount reserved for the call under way counts as spent
    expect(await store.finish(next, { ...end, spent: 4 })).toBe(true);
    expect((await store.readControl())!.spent).toBe(6); // 1 in the record of the match, and 2 that were lost, 4 and 2
    expect(await store.begin({ key: 'm', attempt: 3 }, 'third')).toBeNull();
  });

  it('keeps an answer once, though the statement that kept it was sent again', async () => {
    const { store, place } = await beginMatch('again');
    await Promise.all(['a', 'b', 'a'].map((call) => store.save({ ...place, held: 0, cost: 0, answer: answer(call) })));
    expect((await store.begin({ key: 'm', attempt: 2 }, 'other'))!.lines).toEqual(['{"call":"a"}', '{"call":"b"}']);
  });
});

describeQueue('a reply that is lost when the statement has been carried out', () => {
  /** Breaks the connection once for each of these statements: after it is run and before the reply. */
  function loseReplies(lossy: QueueDatabase, statements: string[]): void {
    const db = lossy.boss.getDb();
    const executeSql: typeof db.executeSql = async (text, values) => {
      const result = await db.executeSql(text, values);
      const lost = statements.findIndex((words) => text.includes(words));
      if (lost < 0) return result;
      statements.splice(lost, 1);
      throw Object.assign(new Error('terminating connection'), { code: '57P01' });
    };
    lossy.boss.getDb = () => ({ executeSql });
  }

  it('leaves no match behind, and counts each once', async () => {
    const { plan } = readTournamentFile(writePlan('lossy', ...bots, 'deals: 1'));
    await queueTournament(database, plan, { out: path.join(out, 'lossy'), env: {} });
    const lossy = await openDatabase(address, { isWorker: true });
    const statements = ["state = 'playing', reserved = 0", "state = 'finished', id"];
    loseReplies(lossy, statements);
    const events: string[] = [];
    const onEvent = ({ kind }: WorkerEvent) => void events.push(kind);
    const result = await runWorker(lossy, { named: new Map(), env: {}, signal, tournament: 'lossy', onEvent });
    await lossy.close();
    expect(statements).toEqual([]);
    expect(result).toMatchObject({ finished: 2, failed: 0 });
    expect(events).toEqual(['opened', 'finished', 'finished']);
  });
});

describeQueue('the money of all workers', () => {
  it('is not reserved beyond the cap, also by calls that ask together', async () => {
    const { store, place } = await beginMatch('capped', 3);
    const other = new TournamentStore(database, 'capped');
    const reserve = (one: TournamentStore) => one.reserve({ ...place, usd: 1 });
    for (let call = 0; call < 3; call++) expect(await reserve(call % 2 ? store : other)).toBe('granted');
    expect(await reserve(store)).toBe('wait'); // waits until the costs of the three calls are known
    for (let call = 0; call < 3; call++)
      await store.save({ ...place, held: 1, cost: 0.9, answer: answer(String(call)) });
    expect(await reserve(other)).toBe('granted');
    await store.save({ ...place, held: 1, cost: 0.9, answer: answer('3') });
    const reached = await reserve(store);
    expect(reached).toMatchObject({ cap: 3 });
    expect((reached as { spent: number }).spent).toBeCloseTo(3.6);
  });
});

describeQueue('the pace of all workers', () => {
  const reserve = (paces: SharedPaces, limits: { rpm?: number; tpm?: number }, model: string, tokens = 100) =>
    paces
      .share(createCallLimiter(systemClock))
      .reserve({ ...{ model, pace: model, tokens, limits, mostUnderWay: 99, priority: 0, ticket: 0 }, signal });

  /** Lists the start times, in milliseconds, of 90 calls by three workers that never wait. */
  const listTurns = async (limits: { rpm?: number; tpm?: number }, model: string) => {
    const turns: number[] = [];
    const workers = [1, 2, 3].map(() => {
      let waited = 0;
      const clock = { ...systemClock, sleep: (ms: number) => Promise.resolve(void (waited = ms)) };
      const paces = new SharedPaces(database, clock, 1000);
      return async () => {
        waited = 0;
        await paces
          .share({
            reserve: () => Promise.resolve({ settle: () => undefined }),
            describe: () => ({ underWay: 0, waiting: 0, perMinute: null, heldMs: 0 }),
          })
          .reserve({
            ...{ model, pace: model, tokens: 100, limits, mostUnderWay: 99, priority: 0, ticket: 0 },
            signal,
          });
        turns.push(systemClock.elapsed() + waited);
      };
    });
    for (let call = 0; call < 90; call++) await workers[call % 3]!();
    return turns.sort((one, other) => one - other);
  };

  it.each([
    ['calls', { rpm: 50 }],
    ['tokens', { tpm: 5000 }],
  ])('lets no more %s begin than the limit in any minute, and hardly fewer', async (_what, limits) => {
    const turns = await listTurns(limits, `openai:paced-${JSON.stringify(limits)}`);
    const last = turns.at(-1)! - turns[0]!;
    expect(last).toBeGreaterThan(((90 - 2) * 1000) / 50); // of 50 a minute 97 % are used, and one or two may catch up
    expect(last).toBeLessThan((1.1 * 90 * 1000) / 50);
  });

  it('is held for all by what a server asked one to wait', async () => {
    const [one, other] = [new SharedPaces(database, systemClock, 1000), new SharedPaces(database, systemClock, 1000)];
    const permit = await reserve(one, { rpm: 6000 }, 'openai:held');
    permit.settle({ kind: 'refused', retryAfterMs: 700 });
    await new Promise((resolve) => setTimeout(resolve, 100)); // time for the SQL statement that reports the refusal
    const start = systemClock.elapsed();
    await reserve(other, { rpm: 6000 }, 'openai:held');
    expect(systemClock.elapsed() - start).toBeGreaterThan(400);
  });
});

describeQueue('an outage', () => {
  it('is one for all workers: one of them tries, and an answer ends it', async () => {
    const { store } = await beginMatch('down');
    const other = new TournamentStore(database, 'down');
    await Promise.all([store.reportOutage('503'), other.reportOutage('504')]);
    expect(await store.readControl()).toMatchObject({ tries: 0, is_reached: false });
    expect((await Promise.all([store.claimProbe(0), other.claimProbe(0)])).filter(Boolean)).toHaveLength(1);
    await other.recordAnswered();
    expect(await store.readControl()).toMatchObject({ down_for: null, is_reached: true });
  });
});

describe('a database', () => {
  it.each([
    ['what is no address', 'nonsense', 'must be an address such as postgres://'],
    ['a server that is not there', `postgres://wolf:${password}@127.0.0.1:1/none`, 'nothing listens there'],
  ])('that is %s is refused in words without its address', async (_what, wrong, words) => {
    const { code, stderr } = await run('worker', ['--database', wrong]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain(password);
  });

  it('must be named for what takes one', async () => {
    const plan = writePlan('bare', ...bots, 'deals: 1');
    expect((await run('worker', [])).stderr).toContain('A worker needs a database');
    expect((await run('tournament', [plan, '--detach'])).stderr).toContain('Name their database');
    expect((await run('tournament', [plan, '--collect', '--status'], { env })).stderr).toContain('Keep one');
  });
});
