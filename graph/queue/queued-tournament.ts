// A tournament that workers play from a database: queues its matches, follows them and collects their records.
import path from 'node:path';
import { sum } from '../../deception/statistics/sums.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { getMatchKey } from '../../deception/tournament/tournament-stopping.ts';
import type { TournamentRecord } from '../../deception/tournament-plan/tournament-record.ts';
import { getMachine } from '../../models/machine/machine.ts';
import type { AnswerLine, Reading } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { prepareFirstMatches, prepareSetMatch, surveyMatches, type MatchSet } from '../match-set.ts';
import { checkWordingInDatabase } from '../recorded-wording.ts';
import { getBoardAndSeed, type MatchResult } from '../earlier-match.ts';
import type { SetListener } from '../play-matches.ts';
import {
  isEndedEarly,
  openTournament,
  TournamentDecided,
  type TournamentResult,
} from '../tournament/play-tournament.ts';
import { prepareTournament, readTournament, writeTournament } from '../tournament/tournament-folder.ts';
import { countUnplayed, type ProviderPace, type TournamentStatus } from '../tournament/tournament-status.ts';
import { openCollector, type QueueOptions, readIfFinished } from './collect-records.ts';
import type { QueueDatabase } from './database.ts';
import { fillQueue, dropQueue } from './match-jobs.ts';
import { formatQueuedAnswer } from './queued-answers.ts';
import { packRecord } from './packed-record.ts';
import {
  isQueueName,
  type LiveWorker,
  type QueuedTournament,
  type QueueTotals,
  type TournamentControl,
  UnreadableRow,
} from './database-rows.ts';
import {
  addPools,
  checkNoGrowth,
  checkQueuedPlan,
  isSamePlan,
  parseQueuedPlan,
  queuePlan,
  readQueuedWording,
  UnreadablePlan,
} from './queued-plan.ts';
import { RecordedWinners } from './recorded-winners.ts';
import { isTournamentBegun } from './tournament-list.ts';
import { TournamentStore } from './tournament-store.ts';

/** State of the queue after a tournament was put into it. */
export interface QueuedMatches {
  /** Number of matches that are not over. */
  left: number;
  /** USD; null: no cap. */
  cap: number | null;
  /** Reason why the stopping rule has ended the tournament; null if it has not. */
  decided: string | null;
  /**
   * Reasons why matches that had begun are not queued: they do not fit the plan, or the addresses that are given now.
   */
  refused: readonly string[];
}

/** Contents of a tournament in the database before it was removed. */
export interface RemovedTournament {
  totals: QueueTotals;
  /** Number of finished matches whose records existed only in the database. */
  uncollected: number;
}

/**
 * Removes a tournament from the database: plan, matches, answers, uncollected records and its queue. Never removes a
 * folder. Throws a UsageError if the tournament does not exist, or if another tournament has its name. Unless
 * `isForced`, also throws if workers hold matches or records would be lost.
 */
export async function dropTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  { out, env, isForced }: Pick<QueueOptions, 'out' | 'env'> & { isForced: boolean },
): Promise<RemovedTournament> {
  const store = new TournamentStore(database, plan.name);
  await checkStanding(store, plan).catch((error: unknown) => {
    if (!(isForced && (error instanceof UnreadablePlan || error instanceof UnreadableRow))) throw error; // it is to be removed anyway
  });
  const { set } = openTournament(plan);
  const totals = await store.readTotals();
  const stored = new Set((await store.listFinished()).map(({ key }) => key));
  for await (const { place, result } of surveyMatches(set, { out, env, now: 0, isCapped: false }))
    if (result) stored.delete(getMatchKey(place as TournamentMatch)); // all places of this set are tournament matches
  if (stored.size > 0 && !isForced)
    throw new UsageError(
      `${out} lacks finished matches of ${plan.name} that are in the database (${stored.size}). Collect them first (--collect), or delete them (--remove --force).`,
    );
  const held = await store.remove({ isForced });
  if (held > 0)
    throw new UsageError(
      `Workers are playing ${held === 1 ? '1 match' : `${held} matches`} of ${plan.name}. Stop the workers first, or take the matches away from them: --remove --force.`,
    );
  await dropQueue(database, plan.name);
  return { totals, uncollected: stored.size };
}

/**
 * Puts a tournament into the queue. Finished matches in its folder are not played again, and answers of unfinished
 * matches are queued with them. Queuing the same plan again adds nothing; a plan with more deals extends the
 * tournament. A stopped tournament continues, unless its stopping rule has ended it. Throws a UsageError like
 * `playTournament`. Also throws one if the database has another tournament of that name or, without `mixWordings`,
 * matches with another wording of the prompts.
 */
export async function queueTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  { out, env, maxCost, mixWordings = false }: QueueOptions & { mixWordings?: boolean | undefined },
): Promise<QueuedMatches> {
  if (!isQueueName(plan.name))
    throw new UsageError(
      `The name "${plan.name}" cannot be the name of a queue. Use at most 80 letters, digits, ".", "_" and "-".`,
    );
  checkNoGrowth(plan);
  const { set, matches } = openTournament(plan);
  const queued = queuePlan(plan);
  const store = new TournamentStore(database, plan.name);
  const before = await store.read();
  if (before !== null) checkQueuedPlan(before, plan);
  if (before !== null && !mixWordings && (await isTournamentBegun(database, plan.name))) {
    const firsts = await prepareFirstMatches(set, { out: null, env, now: 0 });
    checkWordingInDatabase(
      plan.name,
      readQueuedWording(before),
      firsts.map(({ prepared }) => prepared.manifest),
    );
  }
  const record = addEarlierPlan(prepareTournament(out, plan), before);
  const winners = new RecordedWinners(store, plan, matches);
  await winners.learn();
  const finished: { match: TournamentMatch; result: MatchResult; paid: number }[] = [];
  const left: { match: TournamentMatch; answers: readonly AnswerLine[]; reading: Reading; paid: number }[] = [];
  const location = { out, env, now: 0, isCapped: false, refusesOtherWordings: !mixWordings };
  const refused: string[] = [];
  for await (const { place, result, answers, reading, paid, fault, isRefused } of surveyMatches(set, location)) {
    const match = place as TournamentMatch; // all places of this set are tournament matches
    if (isRefused && fault !== null) {
      refused.push(fault);
      continue;
    }
    if (result && !winners.over.has(getMatchKey(match))) finished.push({ match, result, paid });
    if (result) winners.record(match, result.summary.winner);
    if (!result) left.push({ match, answers, reading, paid });
  }
  writeTournament(out, record);
  const stop = winners.scores.evaluate();
  const decided = isEndedEarly(plan, stop) ? new TournamentDecided(stop).message : null;
  const cap = findCap(plan, before, maxCost);
  await store.write(queued, { cap, decided });
  const places = new Map(matches.map((match, place) => [getMatchKey(match), place]));
  const locate = (match: TournamentMatch) => ({ key: getMatchKey(match), place: places.get(getMatchKey(match))! });
  for (const { match, result, paid } of finished)
    await store.addFinished({ ...locate(match), ...describeEnd(result), spent: paid });
  const waiting = await store.addMatches(left.map(({ match }) => locate(match)));
  for (const { match, answers, reading, paid } of left) {
    const lines = answers.map((answer) => formatQueuedAnswer(answer, reading));
    if (lines.length > 0) await store.seedAnswers(getMatchKey(match), lines, paid);
  }
  if (decided !== null) await store.stop('decided', decided); // a worker that had not seen the added records may have withdrawn it
  await fillQueue(database, store);
  return { left: waiting.length, cap, decided, refused };
}

/** Returns the cap of a tournament that is queued again. A cap that was given on the command line before is kept. */
function findCap(
  { maxCost: planned }: TournamentPlan,
  before: (QueuedTournament & { cap: number | null }) | null,
  given: number | null | undefined,
): number | null {
  if (given !== undefined) return given;
  return before !== null && [planned, unreadable].includes(readPlannedCap(before)) ? before.cap : (planned ?? null);
}

const unreadable = 'unreadable';

/**
 * Reads the cap of the plan in the database. Returns `unreadable` for an unreadable plan, which the new plan replaces.
 */
function readPlannedCap(before: QueuedTournament): number | typeof unreadable | undefined {
  try {
    return parseQueuedPlan(before).maxCost;
  } catch (error) {
    if (error instanceof UnreadablePlan) return unreadable;
    throw error;
  }
}

/**
 * Adds the queued plan to the earlier plans of a record. Another machine may have queued the tournament under a plan
 * that is not in this folder's record.
 */
function addEarlierPlan(record: TournamentRecord, queued: QueuedTournament | null): TournamentRecord {
  const known = [record.plan_sha256, ...record.earlier_plans.map(({ plan_sha256: hash }) => hash)];
  if (queued === null || known.includes(queued.plan_sha256)) return record;
  const { deals, entrants } = parseQueuedPlan(queued);
  const earlier = { plan_sha256: queued.plan_sha256, deals, entrants: Object.keys(entrants) };
  return { ...record, earlier_plans: [...record.earlier_plans, earlier] };
}

function describeEnd({ id, folder, summary }: MatchResult) {
  const { calls, tokens } = summary.model_calls.total;
  return {
    ...{ id, calls, tokens: (tokens.in ?? 0) + (tokens.out ?? 0) },
    record: packRecord(folder!), // it was read from there
  };
}

/** Milliseconds between two looks at the queue. */
const glance = 1000;

export interface FollowOptions extends QueueOptions, Pick<SetListener, 'onEnd' | 'onOutage' | 'onAnswered'> {
  signal: AbortSignal;
  /** Called at every look, with the number of living workers. */
  onLook?: (workers: number) => Promise<void>;
}

/**
 * Follows a queued tournament until it is over or stopped, and collects every record when its match ends. After an
 * abort, workers continue. Throws DatabaseError, and the reason of an abort.
 */
export async function followTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  options: FollowOptions,
): Promise<TournamentResult> {
  const { clock } = getMachine();
  const store = new TournamentStore(database, plan.name);
  const collector = openCollector(store, plan, options);
  for (;;) {
    options.signal.throwIfAborted();
    const control = await store.readControl();
    if (control === null) throw new UsageError(`The tournament ${plan.name} is no longer in the database.`);
    await collector.collect();
    const { playing } = await store.readTotals();
    const workers = await store.listWorkers();
    if (control.left === 0 || (control.stop_kind !== null && (playing === 0 || workers.length === 0))) {
      await collector.collect();
      return collector.conclude(control);
    }
    await options.onLook?.(workers.length);
    await clock.sleep(glance, options.signal);
  }
}

/** Collects finished records, and returns the state of the tournament. */
export async function collectTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  options: QueueOptions & Pick<SetListener, 'onEnd'>,
): Promise<TournamentResult> {
  const { store, control } = await openQueued(database, plan);
  const record = prepareTournament(options.out, plan);
  if (readTournament(options.out) === null) writeTournament(options.out, record); // it was queued elsewhere
  const collector = openCollector(store, plan, options);
  await collector.collect();
  return collector.conclude(control);
}

/**
 * Opens a queued tournament. Throws a UsageError if the database does not have the tournament, or has another
 * tournament under its name.
 */
async function openQueued(
  database: QueueDatabase,
  plan: TournamentPlan,
): Promise<{ store: TournamentStore; control: TournamentControl }> {
  const store = new TournamentStore(database, plan.name);
  return { store, control: await checkStanding(store, plan) };
}

async function checkStanding(store: TournamentStore, plan: TournamentPlan): Promise<TournamentControl> {
  const [queued, control] = [await store.read(), await store.readControl()];
  if (queued === null || control === null)
    throw new UsageError(`No tournament named ${plan.name} is in the database. Queue it: tournament PLAN --database …`);
  if (!isSamePlan(queued, plan)) checkQueuedPlan(queued, plan);
  return control;
}

/**
 * Lets workers play matches again from their beginning. The matches' data in the database is deleted, but their cost
 * still counts as spent. `stopped`: reason why workers will not begin these matches; null if they will. `ids`: as
 * `--collect` prints them, with or without the folder of the pairing. Throws a UsageError if an id matches none or
 * several of the plan's matches, and for matches that a worker is playing or that are in the folder.
 */
export async function queueMatchesAgain(
  database: QueueDatabase,
  plan: TournamentPlan,
  ids: readonly string[],
  { out, env }: Pick<QueueOptions, 'out' | 'env'>,
): Promise<{ names: string[]; stopped: string | null }> {
  const { store, control } = await openQueued(database, plan);
  const { set, matches } = openTournament(plan);
  const found: { match: TournamentMatch; name: string }[] = [];
  for (const id of ids) {
    const named = await findNamed(id, { set, matches, out, env });
    const [one, ...others] = named;
    if (one === undefined || others.length > 0)
      throw new UsageError(
        `--requeue ${id} names ${one === undefined ? 'no match' : `several matches (${named.map(({ name }) => name).join(', ')})`} of ${plan.name}. Give the name that --collect or --status prints.`,
      );
    if (readIfFinished(one.folder, one.prepared.manifest) !== null)
      throw new UsageError(
        `${one.folder} contains the finished record of this match. To have it played again, remove that folder first.`,
      );
    found.push(one);
  }
  for (const { match, name } of found)
    if (!(await store.requeue(getMatchKey(match))))
      throw new UsageError(`${name} is being played by a worker, or is not in the queue. Queue it: tournament PLAN`);
  await fillQueue(database, store);
  return {
    names: found.map(({ name }) => name),
    stopped: control.stop_kind === null ? null : (control.stop_words ?? control.stop_kind),
  };
}

/**
 * Finds the matches that an id refers to. The id is a folder's name, or a board and seed, optionally after the folder
 * of the pairing.
 */
async function findNamed(
  id: string,
  {
    set,
    matches,
    out,
    env,
  }: { set: MatchSet; matches: readonly TournamentMatch[] } & Pick<QueueOptions, 'out' | 'env'>,
) {
  const [folder, name] = [path.posix.dirname(id), path.posix.basename(id)];
  const isMeant = (match: TournamentMatch) =>
    (folder === '.' || folder === match.folder || folder.endsWith(`/${match.folder}`)) &&
    [name, getBoardAndSeed(name)].includes(`${match.board.name}-${match.seed}`);
  const near = await Promise.all(
    matches.filter(isMeant).map(async (match) => {
      const { id: own, folder: place, prepared } = await prepareSetMatch(set, match, { out, env, now: 0 });
      return { match, name: `${match.folder}/${own}`, own, folder: place!, prepared };
    }),
  );
  return near.filter(({ own, match }) => [own, `${match.board.name}-${match.seed}`].includes(name));
}

/** State of a tournament in the database. */
export interface QueuedStatus extends TournamentStatus {
  /** Number of living workers. */
  workers: number;
  /** Number of the plan's matches that were never queued. They count as waiting. */
  unqueued: number;
  /** Number of matches with unreadable figures, which are not in calls, tokens and cost. */
  unreadable: number;
  /**
   * Seconds for which all matches have been waiting for their provider, and the reason; null if they are not waiting.
   */
  outage: { seconds: number; words: string } | null;
}

/**
 * Returns the state of a queued tournament from the database alone. Throws a UsageError if the tournament does not
 * exist, or if another tournament has its name.
 */
export async function surveyQueuedTournament(database: QueueDatabase, plan: TournamentPlan): Promise<QueuedStatus> {
  const { store, control } = await openQueued(database, plan);
  const { matches } = openTournament(plan);
  const winners = new RecordedWinners(store, plan, matches);
  await winners.learn();
  const { scores } = winners;
  const totals = await store.readTotals();
  const workers = await store.listWorkers();
  const failed = await store.listFailed();
  const unqueued = Math.max(0, matches.length - totals.matches);
  const left = totals.waiting + totals.playing;
  const { recent, recent_for: since } = totals;
  const stop = scores.evaluate();
  const isOver = isEndedEarly(plan, stop);
  const canTell = recent >= 2 && since !== null && workers.length > 0 && control.stop_kind === null;
  return {
    ...{ matches: matches.length, done: totals.finished, underWay: totals.playing, failed: totals.failed },
    ...countUnplayed({ waiting: totals.waiting + unqueued }, isOver),
    ...{ unqueued: isOver ? 0 : unqueued, finishedBlocks: scores.listFinishedBlocks().length },
    ...{ calls: totals.calls, tokens: totals.tokens, cost: totals.cost, callsOfUnknownCost: totals.unpriced },
    secondsLeft: canTell ? (left * since) / recent : null,
    pace: addPaces(workers),
    errors: Object.fromEntries(
      [...Map.groupBy(failed, ({ words }) => words)].map(([words, own]) => [words, own.length]),
    ),
    unreadable: totals.unreadable,
    ...{ stop, workers: workers.length },
    outage: control.down_for === null ? null : { seconds: control.down_for, words: control.down_words ?? '' },
  };
}

/** Adds up the last minute of all workers, by provider. */
function addPaces(workers: readonly LiveWorker[]): ProviderPace[] {
  const all = workers.flatMap(({ pace }) => Object.entries(pace));
  return [...Map.groupBy(all, ([provider]) => provider)].map(([provider, own]) => ({
    provider,
    calls: sum(own.map(([, { calls }]) => calls)),
    tokens: sum(own.map(([, { tokens }]) => tokens)),
  }));
}

/**
 * Returns the plan with its pools in the folders that the queue names. Null if the database does not have this
 * tournament; the number of deals may differ.
 */
export async function findQueuedPlan(database: QueueDatabase, plan: TournamentPlan): Promise<TournamentPlan | null> {
  const queued = await new TournamentStore(database, plan.name).read();
  return queued !== null && isSamePlan(queued, plan) ? addPools(queued, plan) : null;
}
