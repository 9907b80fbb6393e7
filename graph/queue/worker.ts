// A worker: plays the tournaments queued in a database one after another, until nothing is left.
import { randomUUID } from 'node:crypto';
import { createCallLimiters } from '../../models/limiters-by-server.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { QueueDatabase } from './database.ts';
import { isQueueName, UnreadableRow } from './database-rows.ts';
import { checkDecision } from './recorded-winners.ts';
import { SharedPaces } from './shared-pace.ts';
import { listOpenTournaments, listTournaments } from './tournament-list.ts';
import { TournamentStore } from './tournament-store.ts';
import { tellStopped, TournamentWorker, type WorkerOptions, type WorkerResult } from './tournament-worker.ts';

/** Milliseconds between two looks for a tournament, for a worker that stays. */
const glance = 2000;

/**
 * Plays until nothing is left of any tournament that this machine can play, or until `signal` aborts. After an abort,
 * the worker's matches are left to other workers, and running calls are lost. Throws DatabaseError, a UsageError if
 * there is no such tournament, and faults of this machine's disk, which are not the matches' fault.
 *
 * @example await runWorker(database, { named: readModelsFile('models.yaml'), env: process.env, signal });
 */
export async function runWorker(database: QueueDatabase, options: WorkerOptions): Promise<WorkerResult> {
  const { clock = getMachine().clock, signal, tournament, isStaying = false } = options;
  const paces = new SharedPaces(database, clock, options.minuteMs);
  const shared = {
    ...{ id: randomUUID(), clock, paces },
    limiters: createCallLimiters(clock, options.minuteMs, (limiter) => paces.share(limiter)),
  };
  const result: WorkerResult = { finished: 0, failed: 0, refusals: [], stopped: null, told: new Set() };
  if (tournament !== undefined && !isStaying) await checkName(database, tournament);
  const refused = new Set<string>();
  const believed = new Set<string>();
  const refuse = (name: string, error: UsageError) => {
    refused.add(name);
    const { message } = error;
    const named = message.includes(name)
      ? error
      : new UsageError(`${name} is left alone: ${message}`, { cause: error });
    result.refusals.push(named);
    options.onEvent?.({ kind: 'refused', tournament: name, error: named });
  };
  try {
    while (!signal.aborted) {
      const open = (await listOpenTournaments(database)).filter(
        ({ name }) => !refused.has(name) && (tournament === undefined || name === tournament),
      );
      const doubted = open.find(({ name, stop }) => stop?.kind === 'decided' && !believed.has(name));
      if (doubted !== undefined) {
        believed.add(doubted.name); // if the decision is withdrawn, the tournament is open
        await checkDecision(database, doubted.name);
        continue;
      }
      const next = open.find(({ stop }) => stop === null)?.name;
      if (next === undefined) {
        if (!isStaying) {
          for (const { name, stop } of open) tellStopped(name, stop!, result, options); // all that are left are stopped
          break;
        }
        await clock.sleep(glance, signal).catch(() => undefined); // an abort ends the loop
        continue;
      }
      if (!isQueueName(next)) {
        refuse(
          next,
          new UsageError(
            `The database has a tournament with the invalid name "${flattenToOneLine(next)}". This worker does not play it.`,
          ),
        );
        continue;
      }
      try {
        const fault = await new TournamentWorker(database, next, options, shared, result).play();
        if (fault === null) continue;
        refused.add(next); // others may have a better key
        options.onEvent?.({ kind: 'left', tournament: next, error: fault });
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof UnreadableRow) refuse(next, new UsageError(`${next} is left alone. ${error.message}`));
        else if (error instanceof UsageError) refuse(next, error);
        else throw error;
      }
    }
  } finally {
    await new TournamentStore(database, '').removeWorker(shared.id).catch(() => undefined);
  }
  return result;
}

async function checkName(database: QueueDatabase, tournament: string): Promise<void> {
  const names = await listTournaments(database);
  if (!names.includes(tournament))
    throw new UsageError(
      `No tournament named ${tournament} is in the database. It has: ${names.join(', ') || 'none'}. Queue it first, or wait for it: --stay.`,
    );
}
