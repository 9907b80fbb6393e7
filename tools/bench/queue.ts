// Performance of play through a database: matches per hour by number of workers, the queue's own time per match, and
// the load of a large tournament on PostgreSQL.
import { z } from 'zod';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase, type QueueDatabase } from '../../graph/queue/database.ts';
import { queueTournament } from '../../graph/queue/queued-tournament.ts';
import { TournamentStore } from '../../graph/queue/tournament-store.ts';
import { readTournamentFile } from '../../scripts/command/tournament-command.ts';
import { type BenchFigure, roundTo } from './bench-figure.ts';
import { runWithModelServer } from './servers.ts';

/** Size of the measurement: the matches played, and the load simulated. */
export interface QueueLoad {
  latencyMs: number;
  /** Number of matches per worker. */
  matches: number;
  workers: readonly number[];
  /** Number of simulated matches, of answers in each match, and of simulated workers. */
  simulated: { matches: number; answers: number; workers: number };
}

/** Measures play through the database at `address`, and then removes the data of the measurement. */
export async function measureQueue(address: string, load: QueueLoad, folder: string): Promise<BenchFigure[]> {
  const database = await openDatabase(address);
  try {
    return [...(await measureWorkers(database, address, load, folder)), await simulateLoad(database, load.simulated)];
  } finally {
    await database.query(`delete from wolfgraph.tournament where name like 'bench-%'`);
    await database.close();
  }
}

async function measureWorkers(
  database: QueueDatabase,
  address: string,
  { latencyMs, matches, workers }: QueueLoad,
  folder: string,
): Promise<BenchFigure[]> {
  mkdirSync(folder, { recursive: true });
  const rates = await runWithModelServer({ latencyMs }, async (baseUrl) => {
    const models = path.join(folder, 'models.yaml');
    writeFileSync(models, `local: { model: "openai:local", baseUrl: "${baseUrl}", prices: { in: 1, out: 1 } }`);
    const found: { name: string; perHour: number }[] = [];
    for (const count of workers) {
      const name = `bench-${count}-workers`;
      const file = path.join(folder, `${name}.yaml`);
      const plan = [
        ...[`name: ${name}`, 'rules: arena', 'rule: { debateTurns: 2, maxRounds: 2 }', 'models: models.yaml'],
        ...['entrants: { model: local, bot: bot:classic }', 'format: head-to-head', `deals: ${(matches * count) / 2}`],
      ];
      writeFileSync(file, plan.join('\n'));
      const env = { ...process.env, OPENAI_API_KEY: 'none', WOLFGRAPH_DATABASE: address };
      await queueTournament(database, readTournamentFile(file).plan, { out: path.join(folder, name), env });
      const begun = performance.now();
      const options = ['--tournament', name, '--models', models, '--quiet'];
      await Promise.all(Array.from({ length: count }, () => runProcess(['scripts/worker.ts', ...options], env)));
      found.push({ name: String(count), perHour: (matches * count * 3_600_000) / (performance.now() - begun) });
    }
    return found;
  });
  return [
    {
      what: `Matches an hour at ${latencyMs} ms a call, ${matches} for each worker, by workers (their start included)`,
      values: rates.map(({ name, perHour }) => ({ name, ...roundTo(0, perHour) })),
    },
  ];
}

function runProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, ['--import', './scripts/prepare.mjs', ...args], {
    ...{ cwd: path.join(import.meta.dirname, '../..'), env, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`A worker ended with ${code}.`));
    });
  });
}

/** Bytes of one line of answers and of a packed record, as measured for matches under `wolf`. */
const sizes = { answer: 2900, record: 141_000 };

/** Simulates workers that play no matches: they send a real worker's queries as fast as the database accepts them. */
async function simulateLoad(database: QueueDatabase, { matches, answers, workers }: QueueLoad['simulated']) {
  const name = 'bench-simulated';
  const first = new TournamentStore(database, name);
  await first.write({ name, plan: '{}', plan_sha256: '0', made_with: '{}' }, { cap: 1e9 });
  const waiting = await first.addMatches(Array.from({ length: matches }, (_, place) => ({ key: `m${place}`, place })));
  const [line, record] = ['x'.repeat(sizes.answer), Buffer.alloc(sizes.record, 7)];
  const before = await readActivity(database);
  const begun = performance.now();
  const playAll = async () => {
    const store = new TournamentStore(database, name);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const place = { key: next.key, attempt: 1 };
      await store.begin(place, 'bench');
      for (let from = 0; from < answers; from += wave) {
        await Promise.all(
          Array.from({ length: Math.min(wave, answers - from) }, async (_, index) => {
            await store.reserve({ ...place, usd: 0.001 });
            const answer = { call: `c${from + index}`, line, tokens: 1000, isUnpriced: false };
            await store.save({ ...place, held: 0.001, cost: 0.001, answer });
          }),
        );
      }
      await store.finish(place, { id: next.key, record, spent: 0.3, calls: answers, tokens: 1 });
    }
  };
  await Promise.all(Array.from({ length: workers }, playAll));
  const seconds = (performance.now() - begun) / 1000;
  const after = await readActivity(database);
  const per = (from: number, to: number) => (to - from) / matches;
  return {
    what: `PostgreSQL under ${workers} workers that wait for nothing else, ${matches} matches of ${answers} answers`,
    values: [
      { name: 'answers kept a second', ...roundTo(0, (matches * answers) / seconds) },
      { name: 'transactions a second', ...roundTo(0, (after.transactions - before.transactions) / seconds) },
      { name: 'transactions a match', ...roundTo(0, per(before.transactions, after.transactions)) },
      { name: 'milliseconds a match', ...roundTo(1, (1000 * seconds) / matches) },
      { name: 'rows written a match', ...roundTo(0, per(before.rows, after.rows)) },
      { name: 'kept when it is over, kB a match', ...roundTo(0, after.bytes / matches / 1000) },
    ],
  } satisfies BenchFigure;
}

/** Number of concurrent calls in a match. */
const wave = 8;

const Activity = z.object({ transactions: z.number(), rows: z.number(), bytes: z.number() });

async function readActivity(database: QueueDatabase): Promise<z.infer<typeof Activity>> {
  await new Promise((resolve) => setTimeout(resolve, 1500)); // PostgreSQL's statistics lag by a second
  const [row] = await database.query(
    `select xact_commit::float8 as transactions, (tup_inserted + tup_updated + tup_deleted)::float8 as rows,
       (select coalesce(sum(length(record)), 0)::float8 from wolfgraph.match where tournament like 'bench-%') as bytes
     from pg_stat_database where datname = current_database()`,
  );
  return Activity.parse(row);
}
