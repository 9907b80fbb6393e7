// A database in which somebody has changed rows: an unreadable row is named, affects only its own match and stops
// nothing else. Skipped, with a reason, if no PostgreSQL runs.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type QueueDatabase } from '../../graph/queue/database.ts';
import { SharedPaces } from '../../graph/queue/shared-pace.ts';
import { TournamentStore } from '../../graph/queue/tournament-store.ts';
import { createCallLimiter } from '../../models/call-limiter.ts';
import { systemClock } from '../../models/machine/clock.ts';
import { recordFiles } from '../../state/record.ts';
import { openPostgres, queryRows } from '../postgres-server.ts';
import { run, startScript } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres = await openPostgres();
const out = createTemporaryFolder();
const env = { WOLFGRAPH_DATABASE: postgres?.address ?? '' };
const bots = ['entrants: { one: bot:classic, two: bot:random }', 'format: round-robin'];
let database: QueueDatabase;

beforeAll(async () => {
  if (postgres !== null) database = await openDatabase(postgres.address);
});
afterEach(async () => {
  if (postgres !== null) await database.query('delete from wolfgraph.tournament');
  for (const name of readdirSync(out)) rmSync(path.join(out, name), { recursive: true });
});
afterAll(async () => {
  await database?.close();
  postgres?.close();
});

const folderOf = (name: string) => path.join(out, name);
const change = (text: string, ...values: unknown[]) => database.query(text, values);

/** Queues a tournament. Returns functions that run commands on it. */
async function queue(name: string, ...lines: readonly string[]) {
  const plan = writeShortPlan(out, name, ...lines);
  const command = (...options: string[]) => run('tournament', [plan, '--out', folderOf(name), ...options], { env });
  expect((await command('--detach')).code).toBe(0);
  return { plan, command, work: () => run('worker', ['--tournament', name], { env }) };
}

const listCollected = (name: string) =>
  readdirSync(folderOf(name), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('manifest.json'));

/** Returns the record of a match with one file changed. */
function forge(record: Uint8Array, file: string, edit: (text: string) => string): Buffer {
  const files = JSON.parse(gunzipSync(record).toString()) as Record<string, string>;
  files[file] = Buffer.from(edit(Buffer.from(files[file]!, 'base64').toString())).toString('base64');
  return gzipSync(JSON.stringify(files));
}

const readStoredRecord = async (name: string, place: number) =>
  (
    await queryRows<{ record: Buffer }>(
      database,
      'select record from wolfgraph.match where tournament = $1 and place = $2',
      [name, place],
    )
  )[0]!.record;

/** Output that people cannot read: stacks, dumps of schemas, and characters that a terminal obeys. */
const unreadable = /^\s+at |ZodError|"code":|\[object|NaN|\p{Cc}(?<![\n\r])/mu;

(postgres === null ? describe.skip : describe)('a database that somebody has written into', () => {
  it('has every sound record collected, the damaged ones named, and these played again by --requeue', async () => {
    const { command, work } = await queue('damaged', ...bots, 'deals: 5');
    await work();
    const sound = await readStoredRecord('damaged', 0);
    const bad = [
      Buffer.from('nothing'),
      gzipSync('[]'),
      gzipSync(Buffer.alloc(300 * 1024 * 1024)), // unpacks to more than any record
      forge(await readStoredRecord('damaged', 4), recordFiles.events, (text) =>
        text.replace('"werewolves"', '"villagers"').replace('"night"', '"day"'),
      ),
      sound,
      null,
    ];
    for (const [index, record] of bad.entries())
      await change(
        `update wolfgraph.match set record = $1 where tournament = 'damaged' and place = $2`,
        record,
        index + 1,
      );
    const { code, stderr } = await command('--collect');
    expect(code).toBe(1);
    const ids = [...stderr.matchAll(/--requeue (\S+)/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(6);
    expect(stderr).not.toMatch(unreadable);
    expect(listCollected('damaged')).toHaveLength(4);
    const report = await run('report', [folderOf('damaged'), '--no-tables', '--no-baselines', '--resamples', '19'], {
      env,
    });
    expect(report).toMatchObject({ code: 0 });
    for (const id of ids) expect(report.stderr).toContain(`The record of ${id} in the database is damaged`);
    const again = await command(...ids.flatMap((id) => ['--requeue', id]));
    expect(again).toMatchObject({ code: 0, stderr: '' });
    for (const id of ids) expect(again.stdout).toContain(`${id} is in the queue again`);
    expect((await work()).stdout).toContain('6 matches finished here.');
    expect(await command('--collect')).toMatchObject({ code: 0, stderr: '' });
    expect(listCollected('damaged')).toHaveLength(10);
    expect((await run('verify', [folderOf('damaged')])).stdout).toContain('sealed 10 of 10, replayed 10 of 10');
    const needless = await command('--requeue', ids[0]!);
    expect(needless.code).toBe(2);
    expect(needless.stderr).toContain('contains the finished record of this match');
    expect((await command('--requeue', 'nobody')).stderr).toContain('names no match of damaged');
    expect((await command('--requeue', 'classic-8-1')).stderr).toContain('names several matches');
  });

  it('has a match fail after three attempts whose kept answer cannot be read, and the reason told', async () => {
    const { command, work } = await queue('unread', ...bots, 'deals: 2');
    const [match] = await new TournamentStore(database, 'unread').listLeft();
    await change(
      `insert into wolfgraph.answer (tournament, key, call, line) values ('unread', $1, 'a', $2)`,
      match!.key,
      '{"round":"\u001b[2J',
    );
    const worker = await work();
    expect(worker).toMatchObject({ code: 1 });
    expect(worker.stdout).toContain('3 matches finished here, 1 failed.');
    expect(worker.stderr).toContain('is tried again, at most 3 times.');
    expect(worker.stderr).not.toMatch(unreadable);
    const rows = await queryRows(database, `select attempt, faults from wolfgraph.match where key = $1`, [match!.key]);
    expect(rows).toEqual([{ attempt: 3, faults: 3 }]);
    const { stdout } = await command('--status');
    expect(stdout).toContain('1 failed');
    const [, id] = /The database holds an unreadable answer of the match \S+\..* --requeue (\S+)/.exec(stdout)!;
    expect((await command('--requeue', id!)).code).toBe(0);
    expect((await work()).stdout).toContain('1 matches finished here.');
    expect((await command('--collect')).code).toBe(0);
  });

  it('has a match fail, not its tournament, that is none of the plan or whose own figures are no numbers', async () => {
    const { command, work } = await queue('strange', ...bots, 'deals: 2');
    await change(`insert into wolfgraph.match (tournament, key, place) values ('strange', '["\u001b[31m"]', 99)`);
    await change(
      `update wolfgraph.match set spent = 'NaN', reserved = 'NaN' where tournament = 'strange' and place = 1`,
    );
    await run('worker', [], { env }); // the queue does not contain the strange match yet
    const { stdout, stderr } = await command('--status');
    expect(stdout).toContain('3 of 4 matches done, 0 under way, 0 waiting, 2 failed');
    expect(stdout).toContain('has a match in the database that does not belong to its plan.');
    expect(stdout).toContain('The figures of 1 match in the database cannot be read, and are left out above.');
    expect(stdout + stderr).not.toMatch(unreadable);
    const [, id] = /--requeue (\S+)/.exec((await command('--collect')).stderr) ?? [undefined, 'one-vs-two'];
    expect(id).toBeDefined();
    const control = await new TournamentStore(database, 'strange').readControl();
    expect(control!.spent).toBe(0);
    await work();
  });

  it.each([
    ['it is not JSON', '{"deals": \u001b[2J'],
    ['name must be a text', '{}'],
    ['it is named other', JSON.stringify({ name: 'other' })],
  ])('has the oldest tournament left alone by name where its plan %s, and the next one played', async (words, text) => {
    const first = await queue('garbage', ...bots, 'deals: 1');
    const second = await queue('after', ...bots, 'deals: 1');
    const [row] = await queryRows<{ plan: string }>(
      database,
      `select plan from wolfgraph.tournament where name = 'garbage'`,
    );
    const plan = text.includes('"other"') ? row!.plan.replace('"garbage"', '"other"') : text;
    await change(`update wolfgraph.tournament set plan = $1 where name = 'garbage'`, plan);
    const worker = await run('worker', [], { env });
    expect(worker).toMatchObject({ code: 0 });
    expect(worker.stdout).toContain('2 matches finished here.');
    expect(worker.stderr).toContain(`The plan of garbage in the database cannot be read: ${words}`);
    expect(worker.stderr).not.toMatch(unreadable);
    expect((await second.command('--collect')).code).toBe(0);
    expect((await first.command('--detach')).code).toBe(0); // queuing the same plan again repairs the row
    expect((await first.work()).stdout).toContain('2 matches finished here.');
    await change(
      `update wolfgraph.tournament set plan = $1, plan_sha256 = 'x', cap = 'NaN' where name = 'garbage'`,
      text,
    );
    const refused = await first.command('--remove');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).not.toMatch(unreadable);
    expect((await first.command('--remove', '--force')).code).toBe(0);
  });

  it('has tournaments of impossible names, versions or money left alone, and the next one played', async () => {
    await queue('sound', ...bots, 'deals: 1');
    await change(
      `insert into wolfgraph.tournament (name, plan, plan_sha256, made_with, cap, created_at) select v.name, t.plan, t.plan_sha256, v.made, v.cap, '2000-01-01'
       from wolfgraph.tournament t, (values (E'\\x1b[2J ../x', t.made_with, null), ('made', '{', null), ('money', t.made_with, 'NaN'::float8)) as v(name, made, cap) where t.name = 'sound'`.replace(
        't, (values',
        't cross join lateral (values',
      ),
    );
    await change(
      `insert into wolfgraph.match (tournament, key, place) select t.name, m.key, m.place from wolfgraph.tournament t, wolfgraph.match m where t.name <> 'sound'`,
    );
    const worker = await run('worker', [], { env });
    expect(worker.stdout).toContain('2 matches finished here.');
    expect(worker.stderr).toContain('a tournament with the invalid name');
    expect(worker.stderr).toContain('The plan of made in the database cannot be read');
    expect(worker.stderr).toContain('A row of money in the database cannot be read: cap must be a number.');
    expect(worker.stderr).not.toMatch(unreadable);
    const unknown = await run('worker', ['--tournament', 'unknown'], { env });
    expect(unknown.stderr).toContain('No tournament named unknown is in the database');
    expect(unknown.stderr).not.toMatch(unreadable);
  });

  it('has jobs that nobody can read dropped, and their matches played', async () => {
    const { work } = await queue('jobs', ...bots, 'deals: 1');
    await change(`update wolfgraph_queue.job set data = '{"key": 7, "attempts": "many"}' where name = 'match.jobs'`);
    const worker = await work();
    expect(worker.stdout).toContain('2 matches finished here.');
    expect(worker.stderr).toContain('A job in the database cannot be read and is dropped.');
  });

  it('has rows of workers and outages that say nonsense counted as far as they can be read', async () => {
    const { command } = await queue('nonsense', ...bots, 'deals: 1');
    const paces = ['{', '{"openai":{}}', '[]', '{"\u001b[2J":{"calls":1,"tokens":2}}'];
    for (const [index, pace] of paces.entries())
      await change(
        `insert into wolfgraph.worker (id, tournament, matches, calls, pace) values ($1, 'nonsense', -1, 2, $2)`,
        `w${index}`,
        pace,
      );
    await change(
      `update wolfgraph.tournament set down_since = '-infinity', tries = -7, down_words = $1, stop_kind = 'provider', stop_words = $1 where name = 'nonsense'`,
      'Down.\u001b[2J\nAll is well.',
    );
    const { code, stdout, stderr } = await command('--status');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('4 workers alive.');
    expect(stdout).not.toMatch(unreadable);
    expect((await command('--status', '--json')).code).toBe(0);
    const worker = await run('worker', ['--tournament', 'nonsense'], { env });
    expect(worker.code).toBe(3);
    expect(worker.stderr).toContain('nonsense is stopped: Down. [2J All is well.\n');
    await change(`update wolfgraph.tournament set stop_kind = 'whatever' where name = 'nonsense'`);
    const strange = await command('--status');
    expect(strange.code).toBe(1);
    expect(strange.stderr).toContain(
      'A row of nonsense in the database cannot be read: stop_kind must be one of budget, decided, provider.',
    );
    expect(strange.stderr).not.toMatch(unreadable);
    await change('delete from wolfgraph.worker');
  });

  it('does not hold calls for ever, or let them all pass, where the row of a pace is nonsense', async () => {
    const signal = new AbortController().signal;
    const limited = {
      model: 'm',
      pace: 'm',
      tokens: 100,
      limits: { rpm: 6000 },
      mostUnderWay: 9,
      priority: 0,
      ticket: 0,
      signal,
    };
    for (const value of ['NaN', 'Infinity', '1e300']) {
      await change(
        `insert into wolfgraph.pace (model, calls_at, tokens_at) values ('m', $1, $1) on conflict (model) do update set calls_at = $1, tokens_at = $1`,
        value,
      );
      const waits: number[] = [];
      const clock = { ...systemClock, sleep: (ms: number) => Promise.resolve(void waits.push(ms)) };
      const limiter = new SharedPaces(database, clock, 1000).share(createCallLimiter(systemClock));
      for (let call = 0; call < 3; call++) (await limiter.reserve(limited)).settle({ kind: 'failed' });
      expect(waits.every((ms) => ms < 1000)).toBe(true);
      const [row] = await queryRows<{ is_sound: boolean }>(
        database,
        `select calls_at < 1e13 as is_sound from wolfgraph.pace where model = 'm'`,
      );
      expect(row).toEqual({ is_sound: true });
    }
    await change(`update wolfgraph.pace set hold_until = 'Infinity' where model = 'm'`);
    const holds = await new TournamentStore(database, 'none').beat('w', { matches: 0, calls: 0, pace: {} });
    expect(holds).toEqual([]);
    await change('delete from wolfgraph.worker');
    await change('delete from wolfgraph.pace');
  });
});

(postgres === null ? describe.skip : describe)('the stopping rule of a queued tournament', () => {
  const rule = [bots[0]!, 'format: head-to-head', 'stop: { precision: 0.5 }'];

  it('goes by the records, whatever the columns of the database say', async () => {
    const { command, work } = await queue('ruled', ...rule, 'deals: 12');
    await change(
      `update wolfgraph.tournament set stop_kind = 'decided', stop_words = 'The stopping rule ended the tournament after 1 deals.' where name = 'ruled'`,
    );
    const followed = await command('--collect');
    expect(followed.code).toBe(1);
    expect(followed.stderr).toContain('its records do not confirm this');
    const worker = await work(); // the worker plays the tournament nevertheless, until its records end it
    expect(worker.code).toBe(0);
    expect(worker.stderr).toContain('ruled is stopped: The stopping rule ended the tournament after 8 deals.');
    const { stop } = JSON.parse((await command('--status', '--json')).stdout) as { stop: object };
    expect(stop).toMatchObject({ decided_deals: 8 });
    expect((await work()).stdout).toContain('0 matches finished here.'); // the tournament is not played further

    // A changed winner, and a record in another's place, are not evidence, so the first deals are incomplete.
    const record = await readStoredRecord('ruled', 0);
    const swap = (text: string) =>
      text.replace(/"winner":[^,]+/, (winner) =>
        winner.includes('werewolves') ? '"winner":"villagers"' : '"winner":"werewolves"',
      );
    for (const forged of [forge(record, recordFiles.events, swap), await readStoredRecord('ruled', 1)]) {
      await change(`update wolfgraph.match set record = $1 where tournament = 'ruled' and place = 0`, forged);
      const status = JSON.parse((await command('--status', '--json')).stdout) as {
        stop: object;
        deals_complete: number;
      };
      expect(status).toMatchObject({ stop: { decided_deals: null }, deals_complete: 0 });
    }
  });
});

(postgres === null ? describe.skip : describe)('three commands that collect at once', () => {
  it('write every record once, and none of them reports damage', async () => {
    const { plan, work } = await queue('thrice', ...bots, 'deals: 10');
    await work();
    const folder = folderOf('thrice');
    rmSync(folder, { recursive: true });
    const commands = [1, 2, 3].map(() => startScript('tournament', [plan, '--out', folder, '--collect'], { env }));
    for (const { ended } of commands) expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(listCollected('thrice')).toHaveLength(20);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    expect((await run('verify', [folder])).stdout).toContain('sealed 20 of 20');
  });

  it('leave no draft for long where one is killed', async () => {
    const { plan, command, work } = await queue('killed', ...bots, 'deals: 10');
    await work();
    const { child, ended } = startScript('tournament', [plan, '--out', folderOf('killed'), '--collect'], { env });
    const listDrafts = () =>
      (existsSync(folderOf('killed')) ? readdirSync(folderOf('killed')) : []).filter((name) => name.startsWith('.'));
    while (listDrafts().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await ended;
    expect((await command('--collect')).code).toBe(0);
    expect(listDrafts()).toEqual([]);
    expect(listCollected('killed')).toHaveLength(20);
  });
});

(postgres === null ? describe.skip : describe)('a worker', () => {
  it('that starts after the cap was reached ends with 4, and says so', async () => {
    const { work, command } = await queue('capped', ...bots, 'deals: 1');
    await new TournamentStore(database, 'capped').stop('budget', 'USD 1 are spent.');
    for (const args of [['--tournament', 'capped'], []]) {
      const worker = await run('worker', args, { env });
      expect(worker).toMatchObject({ code: 4, stderr: 'capped is stopped: USD 1 are spent.\n' });
    }
    await command('--detach', '--max-cost', 'none');
    expect(await work()).toMatchObject({ code: 0 });
  });
});

(postgres === null ? describe.skip : describe)('a database that takes nothing', () => {
  it.each([
    ['is read-only', '25006'],
    ['is full', '53100'],
    ['is shutting down', '57P01'],
  ])('is called that: it %s', async (words, code) => {
    const { command } = await queue('closed', ...bots, 'deals: 1');
    await change(
      `create or replace function wolfgraph.refuse() returns trigger language plpgsql as $$ begin raise exception 'No.' using errcode = '${code}'; end $$`,
    );
    await change(
      'create trigger refuse before insert or update on wolfgraph.match for each statement execute function wolfgraph.refuse()',
    );
    const told = new Promise<string>((resolve) => {
      const { child, ended } = startScript(
        'tournament',
        [path.join(out, 'closed.yaml'), '--out', folderOf('closed'), '--detach'],
        { env },
      );
      void ended.then(({ stderr }) => resolve(stderr));
      child.stderr.once('data', (text: string) => {
        resolve(text);
        child.kill('SIGKILL'); // the command would wait, because such an error may be temporary
      });
    });
    expect(await told).toContain(`The database ${words}`);
    expect(await told).not.toContain('cannot be reached');
    await change('drop trigger refuse on wolfgraph.match');
    expect((await command('--detach')).code).toBe(0);
  });

  it('is called read-only by a worker whose user may only read', async () => {
    await queue('replica', ...bots, 'deals: 1');
    await change('create role reader login');
    await change('alter role reader set default_transaction_read_only = on');
    await change('grant all on all tables in schema wolfgraph, wolfgraph_queue to reader');
    await change('grant all on schema wolfgraph, wolfgraph_queue to reader');
    const address = new URL(postgres!.address);
    address.username = 'reader';
    const { code, stderr } = await run('worker', ['--database', address.href]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      'The database is read-only. If this is the address of a replica, give the address of the primary server (25006).\n',
    );
  });
});
