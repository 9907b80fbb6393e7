// Jobs of pg-boss by which workers take matches: one for each match left.
import { heartbeatSeconds, type QueueDatabase } from './database.ts';
import type { QueuedJob } from './database-rows.ts';
import type { TournamentStore } from './tournament-store.ts';

/** Returns the name of the queue of a tournament's matches. */
export const getQueueName = (tournament: string) => `match.${tournament}`;

/** Longest duration of a match's job in seconds, which is PostgreSQL's maximum. A later attempt continues the match. */
const longestJob = 86_400;

/** Number of jobs written with one statement. */
const jobsAtOnce = 1000;

/** Creates a job for every remaining match that has none, e.g. because a command died in between. Safe to repeat. */
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
      return { data, singletonKey: key, priority: -place }; // one job for each match, earlier matches first
    });
    await database.repeat(() => boss.insert(queue, jobs));
  }
}

/** Removes the queue of a tournament with its jobs. Safe to repeat. */
export async function dropQueue(database: QueueDatabase, tournament: string): Promise<void> {
  await database.repeat(() => database.boss.deleteQueue(getQueueName(tournament)));
}
