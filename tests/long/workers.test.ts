// Four workers with a real PostgreSQL and a real server are killed at random moments. A fifth is suspended until other
// workers have its matches, and resumes late. Every match is stored once, as one process would play it; hardly any call
// is made twice; limits and cap are respected.
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { heartbeatSeconds, openDatabase } from '../../graph/queue/database.ts';
import { openOpenaiServer, type OpenAIServer, type Received } from '../openai-server.ts';
import { openPostgres, queryRows } from '../postgres-server.ts';
import { readAnswers } from '../record-folder.ts';
import { key, legally } from '../scripts/local-model.ts';
import { readMatches } from '../scripts/match-folder.ts';
import { run, type Running, start, startScript } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const postgres = await openPostgres();
const out = createTemporaryFolder();

/** Length of a minute in milliseconds, its calls and tokens, and the number of concurrent calls of one worker. */
const limits = { minute: 8000, rpm: 400, tpm: 200_000, underWay: 8 };

function writeInto(name: string, text: string): string {
  const file = path.join(out, name);
  writeFileSync(file, text);
  return file;
}

const countTokens = ({ body }: Received) => Math.ceil(JSON.stringify(body.messages).length / 4) + 20;

/** Finds the maximum within any window of a minute. `seen`: ordered by time. */
function findMost(seen: readonly { at: number; much: number }[]): number {
  let [most, sum, first] = [0, 0, 0];
  for (const { at, much } of seen) {
    sum += much;
    while (seen[first]!.at <= at - limits.minute) sum -= seen[first++]!.much;
    most = Math.max(most, sum);
  }
  return most;
}

const rules = 'rules: arena\nrule: { debateTurns: 1, maxRounds: 1, analysis: off }';
const folderOf = (name: string) => path.join(out, name);

/** Writes plans and models files. Returns their paths. */
function writeFiles(baseUrl: string) {
  const model = (name: string, more: string) =>
    `${name}: { model: "openai:${name}", baseUrl: "${baseUrl}", apiKeyEnv: LOCAL_KEY, prices: { in: 1, out: 1 }${more} }\n`;
  writeInto('models.yaml', model('first', '') + model('second', ''));
  const plan = (name: string, ...lines: readonly string[]) =>
    writeInto(`${name}.yaml`, [`name: ${name}`, rules, ...lines].join('\n'));
  const talkers = ['models: models.yaml', 'entrants: { one: first, two: second }', 'format: head-to-head'];
  return {
    limited: writeInto(
      'limited.yaml',
      model('first', `, limits: { rpm: ${limits.rpm} }`) + model('second', `, limits: { tpm: ${limits.tpm} }`),
    ),
    bots: plan('bots', 'entrants: { one: bot:classic, two: bot:random }', 'format: round-robin', 'deals: 200'),
    talk: plan('talk', ...talkers, 'deals: 30'),
    capped: plan('capped', ...talkers, 'deals: 20', 'seed: 1000', `maxCost: ${cap}`),
  };
}

/** Part of the message about a match during which workers died. */
const blamed = 'died or fell silent';

/** Cap in USD. */
const cap = 0.2;

/** A call, as the server saw it. */
interface Seen {
  model: string;
  at: number;
  tokens: number;
}

/**
 * Milliseconds for which the fifth worker works, and for which it is suspended. The second is longer than a job may go
 * without a heartbeat.
 */
const sleeper = { works: 5000, sleeps: 2000 * heartbeatSeconds };

/** Plays three tournaments until all are over. One of four workers is killed every few seconds, and a fifth sleeps. */
async function playThroughKills(server: OpenAIServer, env: Record<string, string>) {
  const files = writeFiles(server.baseUrl);
  for (const name of ['bots', 'talk', 'capped'] as const)
    await run('tournament', [files[name], '--out', folderOf(name), '--detach'], { env });
  const worker = path.join(import.meta.dirname, 'worker-process.ts');
  const options = ['--models', files.limited, '--concurrency', String(limits.underWay)];
  const surroundings = { env: { ...env, TMPDIR: out } }; // files of killed workers are deleted with the test's folder
  const work = () => start(process.execPath, [worker, String(limits.minute), ...options], surroundings);
  const workers: Running[] = Array.from({ length: 4 }, work);
  const late = work();
  let isOver = false;
  const follow = async (name: keyof typeof files) => {
    for (let times = 1; ; times++) {
      const ended = await startScript('tournament', [files[name], '--out', folderOf(name), '--quiet'], { env }).ended;
      // Workers are killed until a match is blamed for their deaths and fails. Running the command again retries the
      // match.
      if (times === 9 || !ended.stderr.includes(blamed)) return ended;
    }
  };
  const followed = (['bots', 'talk', 'capped'] as const).map(follow);
  const ends = Promise.all(followed).finally(() => (isOver = true));
  const wait = (time: number) => Promise.race([ends, new Promise((resolve) => setTimeout(resolve, time))]);
  const suspend = async () => {
    for (let count = 0; ; count++) {
      await wait(sleeper.works);
      if (isOver) return count;
      late.child.kill('SIGSTOP');
      await wait(sleeper.sleeps);
      late.child.kill('SIGCONT');
    }
  };
  const sleeps = suspend();
  let kills = 0;
  while (!isOver) {
    const place = kills % workers.length;
    const playing = workers[place]!.said('matches left.').catch(() => undefined); // the process may have ended by itself
    await Promise.race([playing, ends]); // on a busy machine no worker would live long enough for its first answer
    await wait(3500);
    if (isOver) break;
    workers[place]!.child.kill('SIGKILL');
    await workers[place]!.ended;
    workers[place] = work();
    kills += 1;
  }
  const [bots, talk, capped] = await ends;
  const said = await Promise.all(
    [late, ...workers].map(async ({ ended }) => {
      const { stdout, stderr } = await ended;
      return stdout + stderr;
    }),
  );
  return {
    ...{ files, kills, sleeps: await sleeps, ends: { bots: bots!, talk: talk!, capped: capped! } },
    ...{ said: said.join(''), saidLate: said[0]! },
  };
}

(postgres === null ? describe.skip : describe)('workers that are killed or suspended again and again', () => {
  const seen: Seen[] = [];
  const env = { WOLFGRAPH_DATABASE: postgres?.address ?? '', LOCAL_KEY: key };
  let server: OpenAIServer;
  let played: Awaited<ReturnType<typeof playThroughKills>>;

  beforeAll(async () => {
    server = await openOpenaiServer((request) => {
      const tokens = countTokens(request);
      seen.push({ model: String(request.body['model']), at: performance.now(), tokens });
      const usage = { prompt_tokens: tokens - 20, completion_tokens: 20, total_tokens: tokens };
      return { ...legally(request), latency: 60, usage };
    });
    played = await playThroughKills(server, env);
    server.requests.length = 0;
  });
  afterAll(async () => {
    await server.close();
    postgres!.close();
  });

  const readRecorded = (name: string) =>
    readdirSync(folderOf(name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('answers.ndjson'))
      .flatMap((file) => readAnswers(path.join(folderOf(name), path.dirname(file))));

  it('play every match once, as one process plays it', async () => {
    expect(played.ends).toMatchObject({ bots: { code: 0, stderr: '' }, talk: { code: 0, stderr: '' } });
    expect(played.kills).toBeGreaterThan(5);
    expect(played.sleeps).toBeGreaterThan(0);
    expect(played.saidLate).toContain('was taken over by another worker');
    for (const [name, matches] of [
      ['bots', 400],
      ['talk', 60],
    ] as const) {
      const calls = seen.length;
      const alone = folderOf(`${name}-alone`);
      await run('tournament', [played.files[name], '--out', alone, '--no-database', '--quiet'], { env });
      seen.length = calls;
      const found = readMatches(folderOf(name));
      expect(Object.keys(found)).toHaveLength(2 * matches);
      expect(found).toEqual(readMatches(alone));
    }
    const { stdout } = await run('verify', [folderOf('talk')]);
    expect(stdout).toContain('sealed 60 of 60, replayed 60 of 60');
    const failures = played.said.split('\n').filter((line) => line.includes('failed'));
    expect(failures.filter((line) => !line.includes(blamed) && !/finished here, \d+ failed\./.test(line))).toEqual([]);
  });

  it('keep the limits in every minute, and come near to them', () => {
    // The two models share the server and its key, so they share one pace: a limit given to one holds for the other
    // too.
    const list = (measure: (one: Seen) => number) => seen.map((one) => ({ at: one.at, much: measure(one) }));
    const calls = findMost(list(() => 1)) / limits.rpm;
    const tokens = findMost(list((one) => one.tokens)) / limits.tpm;
    process.stderr.write(`Of the limits: ${calls.toFixed(3)} of calls, ${tokens.toFixed(3)} of tokens a minute.\n`);
    expect(calls).toBeLessThanOrEqual(1.02);
    expect(tokens).toBeLessThanOrEqual(1.02);
    expect(Math.max(calls, tokens)).toBeGreaterThan(0.8);
  });

  it('repeat no more calls than were under way at each kill, and spend no more than the cap allows beside these', async () => {
    const { code } = played.ends.capped;
    expect(code).toBe(4);
    const database = await openDatabase(env.WOLFGRAPH_DATABASE);
    const kept = await queryRows<{ calls: number; spent: number }>(
      database,
      `select sum(m.calls)::int as calls, max(t.spent) as spent from wolfgraph.match m
       join wolfgraph.tournament t on t.name = m.tournament where t.name = 'capped'`,
    );
    await database.close();
    const repeated = seen.length - readRecorded('talk').length - kept[0]!.calls;
    const costOf = ({ tokens }: Seen) => tokens / 1e6;
    const most = Math.max(...seen.map(costOf));
    process.stderr.write(
      `${played.kills} kills, ${played.sleeps} sleeps, ${seen.length} calls, ${repeated} of them made again; capped at ${cap}: ${kept[0]!.spent}.\n`,
    );
    expect(repeated).toBeGreaterThanOrEqual(0);
    expect(repeated).toBeLessThanOrEqual((played.kills + played.sleeps) * limits.underWay);
    expect(kept[0]!.spent).toBeLessThanOrEqual(cap + 5 * limits.underWay * most);
  });
});
