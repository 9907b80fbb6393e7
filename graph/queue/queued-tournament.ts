// A tournament that workers play from a database: its matches are put into the queue, followed, and their records collected.
import path from 'node:path';
import { sum } from '../../deception/statistics/sums.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { getMatchKey, type StopState, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import type { TournamentRecord } from '../../deception/tournament-plan/tournament-record.ts';
import { BudgetReached } from '../../models/budget.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import type { Environment } from '../../models/model.ts';
import { listDifferingKeys, readManifest } from '../../models/record/recorder.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { type AnswerLine, type Reading, recordFiles } from '../../state/record.ts';
import { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { prepareSetMatch, surveyMatches, type MatchSet } from '../match-set.ts';
import { readFinishedMatch, type MatchResult } from '../earlier-match.ts';
import type { SetListener } from '../play-matches.ts';
import {
  isEndedEarly,
  openTournament,
  recordStop,
  TournamentDecided,
  type TournamentResult,
} from '../tournament/play-tournament.ts';
import { prepareTournament, readTournament, writeTournament } from '../tournament/tournament-folder.ts';
import { countUnplayed, type ProviderPace, type TournamentStatus } from '../tournament/tournament-status.ts';
import type { QueueDatabase } from './database.ts';
import { fillQueue, dropQueue } from './match-jobs.ts';
import { packRecord, unpackRecord } from './packed-record.ts';
import { formatQueuedAnswer } from './queued-answers.ts';
import { checkNoGrowth, checkQueuedPlan, isSamePlan, addPools, parseQueuedPlan, queuePlan } from './queued-plan.ts';
import {
  type LiveWorker,
  type QueuedTournament,
  type QueueTotals,
  type TournamentControl,
  TournamentStore,
} from './tournament-store.ts';

export interface QueueOptions {
  /** The folder of the tournament: what is finished there is not played again, and records are collected into it. */
  out: string;
  env: Environment;
  /** USD; null: no cap. Absent, the cap stays as it is, but where the plan says another than before. */
  maxCost?: number | null | undefined;
}

/** What is in the queue. */
export interface QueuedMatches {
  /** Matches that are not over. */
  left: number;
  /** USD; null: no cap. */
  cap: number | null;
  /** Why the stopping rule has ended the tournament; null where it has not. */
  decided: string | null;
}

/** What a tournament had in the database before it was removed. */
export interface RemovedTournament {
  totals: QueueTotals;
  /** Finished matches whose records the folder does not hold: they were nowhere else. */
  uncollected: number;
}

/**
 * Removes a tournament from the database: plan, matches, answers, records that were not collected, and its queue; never a
 * folder. Throws a UsageError where it is not there or another is, and, unless `isForced`, where workers hold matches or
 * records would be lost that the folder does not hold.
 */
export async function dropTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  { out, env, isForced }: Pick<QueueOptions, 'out' | 'env'> & { isForced: boolean },
): Promise<RemovedTournament> {
  const { store } = await openQueued(database, plan);
  const { set } = openTournament(plan);
  const totals = await store.readTotals();
  const stored = new Set((await store.listFinished()).map(({ key }) => key));
  for await (const { place, result } of surveyMatches(set, { out, env, now: 0, isCapped: false }))
    if (result) stored.delete(getMatchKey(place as TournamentMatch)); // as all places of this set
  if (stored.size > 0 && !isForced)
    throw new UsageError(
      `Of the finished matches of ${plan.name} in the database ${out} lacks ${stored.size}. Collect them first (--collect), or lose them: --remove --force.`,
    );
  const held = await store.remove({ isForced });
  if (held > 0)
    throw new UsageError(
      `Workers are playing ${plan.name}: matches that they hold: ${held}. End the workers first, or take the matches away from them: --remove --force.`,
    );
  await dropQueue(database, plan.name);
  return { totals, uncollected: stored.size };
}

/** Names that PostgreSQL's queue takes. */
const queueName = /^[A-Za-z0-9._-]{1,80}$/;

/**
 * Puts a tournament into the queue: what the folder holds finished is not played again, and what it holds of others goes
 * with them. Repeating it adds nothing, extends a tournament whose deals were raised, and lets one that was stopped go on,
 * unless its stopping rule has ended it. Throws UsageError as `playTournament` does, and where the database holds another
 * tournament of that name.
 */
export async function queueTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  { out, env, maxCost }: QueueOptions,
): Promise<QueuedMatches> {
  if (!queueName.test(plan.name))
    throw new UsageError(
      `The name "${plan.name}" cannot be that of a queue: letters, digits, ".", "_" and "-", 80 at most.`,
    );
  checkNoGrowth(plan);
  const { set, matches } = openTournament(plan);
  const queued = queuePlan(plan);
  const store = new TournamentStore(database, plan.name);
  const before = await store.read();
  if (before !== null) checkQueuedPlan(before, plan);
  const record = addEarlierPlan(prepareTournament(out, plan), before);
  const scores = new TournamentScores(plan, matches);
  const over = await recordWinners(store, scores, matches);
  const location = { out, env, now: 0, isCapped: false };
  const finished: { match: TournamentMatch; result: MatchResult; paid: number }[] = [];
  const left: { match: TournamentMatch; answers: readonly AnswerLine[]; reading: Reading; paid: number }[] = [];
  for await (const { place, result, answers, reading, paid } of surveyMatches(set, location)) {
    const match = place as TournamentMatch; // as all places of this set
    if (result) scores.record(match, result.summary.winner);
    if (result && !over.has(getMatchKey(match))) finished.push({ match, result, paid });
    if (!result) left.push({ match, answers, reading, paid });
  }
  writeTournament(out, record);
  const stop = scores.evaluate();
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
  await fillQueue(database, store);
  return { left: waiting.length, cap, decided };
}

/** The cap of a tournament that is queued again: one that was given on the command line stays. */
function findCap(
  { maxCost: planned }: TournamentPlan,
  before: (QueuedTournament & { cap: number | null }) | null,
  given: number | null | undefined,
): number | null {
  if (given !== undefined) return given;
  return before !== null && parseQueuedPlan(before).maxCost === planned ? before.cap : (planned ?? null);
}

/** A folder may know nothing of a plan under which another machine has queued the tournament. */
function addEarlierPlan(record: TournamentRecord, queued: QueuedTournament | null): TournamentRecord {
  const known = [record.plan_sha256, ...record.earlier_plans.map(({ plan_sha256: hash }) => hash)];
  if (queued === null || known.includes(queued.plan_sha256)) return record;
  const { deals, entrants } = parseQueuedPlan(queued);
  const earlier = { plan_sha256: queued.plan_sha256, deals, entrants: Object.keys(entrants) };
  return { ...record, earlier_plans: [...record.earlier_plans, earlier] };
}

/** Tells the scores who won what is over in the database; returns the keys of these matches. */
async function recordWinners(
  store: TournamentStore,
  scores: TournamentScores,
  matches: readonly TournamentMatch[],
): Promise<Set<string>> {
  const byKey = new Map(matches.map((match) => [getMatchKey(match), match]));
  const finished = await store.listFinished();
  for (const { key, winner } of finished) {
    const match = byKey.get(key);
    if (match !== undefined) scores.record(match, Team.safeParse(winner).data ?? null);
  }
  return new Set(finished.map(({ key }) => key));
}

function describeEnd({ id, folder, summary }: MatchResult) {
  const { calls, tokens } = summary.model_calls.total;
  return {
    ...{ id, winner: summary.winner, calls, tokens: (tokens.in ?? 0) + (tokens.out ?? 0) },
    record: packRecord(folder!), // it was read there
  };
}

/** Milliseconds between two looks at the queue. */
const glance = 1000;

export interface FollowOptions extends QueueOptions, Pick<SetListener, 'onEnd' | 'onOutage' | 'onAnswered'> {
  signal: AbortSignal;
  /** Called at every look, with the number of workers alive. */
  onLook?: (workers: number) => Promise<void>;
}

/**
 * Follows a queued tournament until all is over or it is stopped, and collects every record as its match ends. An abort
 * leaves the workers going. Throws DatabaseError, and the reason of an abort.
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

/** Collects what is finished, and says how the tournament stands. */
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

/** Throws a UsageError where the tournament is not in the database, or another under its name. */
async function openQueued(
  database: QueueDatabase,
  plan: TournamentPlan,
): Promise<{ store: TournamentStore; control: TournamentControl }> {
  const store = new TournamentStore(database, plan.name);
  const [queued, control] = [await store.read(), await store.readControl()];
  if (queued === null || control === null)
    throw new UsageError(`No tournament named ${plan.name} is in the database. Queue it: tournament PLAN --database …`);
  if (!isSamePlan(queued, plan)) checkQueuedPlan(queued, plan);
  return { store, control };
}

/** Takes finished records out of the database into the folder of their tournament, each once. */
function openCollector(
  store: TournamentStore,
  plan: TournamentPlan,
  { out, env, onEnd }: QueueOptions & Pick<SetListener, 'onEnd'>,
) {
  const { set, matches } = openTournament(plan);
  const byKey = new Map(matches.map((match) => [getMatchKey(match), match]));
  const scores = new TournamentScores(plan, matches);
  const seen = new Set<string>();
  let isSurveyed = false;
  const add = async (match: TournamentMatch, result: MatchResult, isPlayed: boolean) => {
    seen.add(getMatchKey(match));
    scores.record(match, result.summary.winner);
    await onEnd?.({ id: result.id, folder: result.folder, summary: result.summary, isPlayed }, match);
  };
  return {
    collect: async () => {
      if (!isSurveyed)
        for await (const { place, result } of surveyMatches(set, { out, env, now: 0, isCapped: false }))
          if (result) await add(place as TournamentMatch, result, false); // as all places of this set
      isSurveyed = true;
      for (const { key } of await store.listFinished()) {
        const match = byKey.get(key);
        if (match === undefined || seen.has(key)) continue;
        const packed = await store.readRecord(key);
        if (packed !== null) await add(match, await writeRecord(set, match, packed.record, { out, env }), true);
      }
    },
    conclude: async (control: TournamentControl): Promise<TournamentResult> => {
      const failed = await store.listFailed();
      for (const { key, name, words } of failed) {
        const error = Object.assign(new Error(words), { name });
        const match = byKey.get(key);
        if (match !== undefined) await onEnd?.({ id: describeMatch(match), folder: null, error }, match);
      }
      const stop: StopState | null = scores.evaluate();
      recordStop(out, plan, stop);
      const waiting = matches.length - seen.size - failed.length;
      const reason = describeStop(control, stop);
      return { finished: seen.size, stopped: failed.length, waiting, reason, stop };
    },
  };
}

const describeMatch = ({ folder, board, seed }: TournamentMatch) => `${folder}/${board.name}-${seed}`;

function describeStop({ stop_kind: kind, stop_words: words }: TournamentControl, stop: StopState | null): unknown {
  if (kind === 'decided' && stop !== null) return new TournamentDecided(stop);
  if (kind === null) return null;
  const error = kind === 'budget' ? new BudgetReached(words ?? '') : new Error(words ?? '');
  return kind === 'provider' ? Object.assign(error, { name: 'ProviderFailure' }) : error;
}

/**
 * Writes a record into its folder, whole or not at all. Throws RecordError for a record that is not that of the match, or is
 * damaged: whoever can write to the database could have changed it.
 */
async function writeRecord(
  set: MatchSet,
  match: TournamentMatch,
  packed: Buffer,
  { out, env }: Pick<QueueOptions, 'out' | 'env'>,
): Promise<MatchResult> {
  const { id, folder, prepared } = await prepareSetMatch(set, match, { out, env, now: 0 });
  const disk = getDisk();
  const draft = `${folder!}.collecting`;
  disk.remove(draft);
  try {
    unpackRecord(packed, draft, id);
    const manifest = readManifest(path.join(draft, recordFiles.manifest));
    const differing = listDifferingKeys(manifest.setup, prepared.manifest.setup);
    if (manifest.id !== id || differing.length > 0)
      throw new RecordError(
        `The database holds another match in the place of ${id}: it differs in ${['id', ...differing].slice(manifest.id === id ? 1 : 0).join(', ')}.`,
      );
    if (readFinishedMatch(draft, prepared.manifest) === null)
      throw new RecordError(`The record of ${id} in the database is not that of a finished match.`);
    disk.remove(folder!); // what an earlier command had begun of it, which the record holds too
    disk.rename(draft, folder!);
    disk.syncFolder(path.dirname(folder!));
  } finally {
    disk.remove(draft);
  }
  return readFinishedMatch(folder!, prepared.manifest)!;
}

/** How a tournament stands in the database. */
export interface QueuedStatus extends TournamentStatus {
  /** Workers that give signs of life. */
  workers: number;
  /** Matches of the plan that nobody has put into the queue; they count as waiting. */
  unqueued: number;
  /** Since when, in seconds, every match waits for its provider, and why; null where none does. */
  outage: { seconds: number; words: string } | null;
}

/** How a queued tournament stands, from the database alone. Throws a UsageError where it is not there, or another is. */
export async function surveyQueuedTournament(database: QueueDatabase, plan: TournamentPlan): Promise<QueuedStatus> {
  const { store, control } = await openQueued(database, plan);
  const { matches } = openTournament(plan);
  const scores = new TournamentScores(plan, matches);
  await recordWinners(store, scores, matches);
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
    ...{ stop, workers: workers.length },
    outage: control.down_for === null ? null : { seconds: control.down_for, words: control.down_words ?? '' },
  };
}

/** What all workers had in the last minute, by provider. */
function addPaces(workers: readonly LiveWorker[]): ProviderPace[] {
  const all = workers.flatMap(({ pace }) => Object.entries(pace));
  return [...Map.groupBy(all, ([provider]) => provider)].map(([provider, own]) => ({
    provider,
    calls: sum(own.map(([, { calls }]) => calls)),
    tokens: sum(own.map(([, { tokens }]) => tokens)),
  }));
}

/**
 * The plan with its pools where the queue names them; null where the database does not hold this very tournament, perhaps with
 * other deals.
 */
export async function findQueuedPlan(database: QueueDatabase, plan: TournamentPlan): Promise<TournamentPlan | null> {
  const queued = await new TournamentStore(database, plan.name).read();
  return queued !== null && isSamePlan(queued, plan) ? addPools(queued, plan) : null;
}
