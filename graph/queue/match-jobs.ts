// The jobs of pg-boss by which workers take matches: one for each that is left.
import { heartbeatSeconds, type QueueDatabase } from './database.ts';
import type { QueuedJob } from './database-rows.ts';
import type { TournamentStore } from './tournament-store.ts';

/** The queue of a tournament's matches. */
export const getQueueName = (tournament: string) => `match.${tournament}`;

/** A match's job lasts so long at most, in seconds; PostgreSQL's queue allows no more. A later attempt goes on with it. */
const longestJob = 86_400;

/** Jobs that are written with one statement. */
const jobsAtOnce = 1000;

/**
 * Gives every match that is left a job, unless it has one: of a command that died between the two, say. Repeating it adds
 * nothing.
 */
export async function fillQueue(database: QueueDatabase, store: TournamentStore): Promise<void> {
  const { boss } = database;
  const queue = getQueueName(store.name);
  const matches = await store.listLeft();
  await database.repeat(() =>
    boss.createQueue(queue, {
      ...{ policy: 'exclusive', heartbeatSeconds, expireInSeconds: longestJob },
      ...{ retryLimit: 1_000_000, retryDelay: 0, deleteAfterSeconds: 1, retentionSeconds: 365 * 86_400 },
    }),
  );
  for (let from = 0; from < matches.length; from += jobsAtOnce) {
    const jobs = matches.slice(from, from + jobsAtOnce).map(({ key, attempt, place }) => {
      const data: QueuedJob = { key, attempts: attempt };
      return { data, singletonKey: key, priority: -place }; // one job a match, the earlier ones first
    });
    await database.repeat(() => boss.insert(queue, jobs));
  }
}

/** Takes the queue of a tournament away, with its jobs. Repeating it does nothing. */
export async function dropQueue(database: QueueDatabase, tournament: string): Promise<void> {
  await database.repeat(() => database.boss.deleteQueue(getQueueName(tournament)));
}
