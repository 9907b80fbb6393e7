// A tournament that workers play from a database: its matches are put into the queue, followed, and their records collected.
import path from 'node:path';
import type { TournamentPlan } from '../../deception/tournament/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament/tournament-schedule.ts';
import { getMatchKey, type StopState, TournamentScores } from '../../deception/tournament/tournament-scores.ts';
import { BudgetReached } from '../../models/budget.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import type { Environment } from '../../models/model.ts';
import { listDifferingKeys, readManifest } from '../../models/record/recorder.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { type AnswerLine, formatCallKey, recordFiles } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { prepareSetMatch, surveyMatches, type MatchSet } from '../match-set.ts';
import { readFinishedMatch, type MatchResult } from '../play-match.ts';
import type { SetListener } from '../play-matches.ts';
import { openTournament, TournamentDecided, type TournamentResult } from '../tournament/play-tournament.ts';
import { prepareTournament, writeTournament } from '../tournament/tournament-folder.ts';
import type { ProviderPace, TournamentStatus } from '../tournament/tournament-status.ts';
import { heartbeatSeconds, type QueueDatabase } from './database.ts';
import { unpackRecord } from './packed-record.ts';
import { isSamePlan, queuePlan } from './queued-plan.ts';
import { type TournamentControl, TournamentStore } from './tournament-store.ts';
import { getQueueName, type QueuedJob } from './worker.ts';

export interface QueueOptions {
  /** The folder of the tournament: what is finished there is not played again, and records are collected into it. */
  out: string;
  env: Environment;
  maxCost?: number | undefined;
}

/** Names that PostgreSQL's queue takes. */
const queueName = /^[A-Za-z0-9._-]{1,80}$/;

/** A match's job lasts so long at most, in seconds; PostgreSQL's queue allows no more. A later attempt goes on with it. */
const longestJob = 86_400;

/** Jobs that are written with one statement. */
const jobsAtOnce = 1000;

/**
 * Puts what is left of a tournament into the queue: matches that the folder holds finished are left out, and what it holds of
 * others goes with them. Repeating it adds nothing, extends a tournament whose deals were raised, and lets one that was
 * stopped go on. Returns how many matches are left. Throws UsageError as `playTournament` does, and where the database holds
 * another tournament of that name.
 */
export async function queueTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  { out, env, maxCost = plan.maxCost }: QueueOptions,
): Promise<number> {
  if (!queueName.test(plan.name))
    throw new UsageError(
      `The name "${plan.name}" cannot be that of a queue: letters, digits, ".", "_" and "-", 80 at most.`,
    );
  const { set, matches } = openTournament(plan);
  const queued = queuePlan(plan);
  const record = prepareTournament(out, plan);
  const store = new TournamentStore(database, plan.name);
  const before = await store.read();
  if (before !== null && before.plan_sha256 !== queued.plan_sha256 && !isSamePlan(before, plan)) {
    const known = [record.plan_sha256, ...record.earlier_plans.map(({ plan_sha256: hash }) => hash)];
    if (!known.includes(before.plan_sha256))
      throw new UsageError(
        `The database holds another tournament named ${plan.name}. Choose another name, or the folder (--out) that it was begun in.`,
      );
  }
  const left: { match: TournamentMatch; answers: readonly AnswerLine[]; paid: number }[] = [];
  let paidBefore = 0;
  for await (const { place, result, answers, paid } of surveyMatches(set, { out, env, now: 0, isCapped: false })) {
    if (result) paidBefore += paid;
    else left.push({ match: place as TournamentMatch, answers, paid }); // as all places of this set
  }
  writeTournament(out, record);
  await store.write(queued, maxCost ?? null);
  if (before === null && paidBefore > 0) await store.spendElsewhere(paidBefore);
  const places = new Map(matches.map((match, place) => [getMatchKey(match), place]));
  const waiting = await store.addMatches(
    left.map(({ match }) => ({ key: getMatchKey(match), place: places.get(getMatchKey(match))! })),
  );
  for (const { match, answers, paid } of left)
    if (answers.length > 0) await store.seedAnswers(getMatchKey(match), answers.map(describeCall), paid);
  await queueJobs(database, plan.name, await store.addMatches(waiting));
  return waiting.length;
}

const describeCall = (line: AnswerLine) => ({ call: formatCallKey(line), line: JSON.stringify(line) });

async function queueJobs(
  { boss, repeat }: QueueDatabase,
  tournament: string,
  matches: readonly { key: string; attempt: number; place: number }[],
): Promise<void> {
  const queue = getQueueName(tournament);
  await repeat(() =>
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
    await repeat(() => boss.insert(queue, jobs));
  }
}

/** Milliseconds between two looks at the queue. */
const glance = 1000;

export interface FollowOptions extends QueueOptions, Pick<SetListener, 'onEnd' | 'onOutage' | 'onAnswered'> {
  signal: AbortSignal;
  /** Called at every look. */
  onStatus?: (status: { finished: number; playing: number; waiting: number; workers: number }) => void;
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
    const { finished, playing, waiting } = await store.readTotals();
    const workers = await store.listWorkers();
    options.onStatus?.({ finished, playing, waiting, workers: workers.length });
    if (control.left === 0 || (control.stop_kind !== null && (playing === 0 || workers.length === 0))) {
      await collector.collect();
      return collector.conclude(control);
    }
    await clock.sleep(glance, options.signal);
  }
}

/** Collects what is finished, and says how the tournament stands. */
export async function collectTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
  options: QueueOptions & Pick<SetListener, 'onEnd'>,
): Promise<TournamentResult> {
  const store = new TournamentStore(database, plan.name);
  const control = await store.readControl();
  if (control === null)
    throw new UsageError(`No tournament named ${plan.name} is in the database. Queue it: tournament PLAN --database …`);
  const collector = openCollector(store, plan, options);
  await collector.collect();
  return collector.conclude(control);
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
      const stop: StopState | null = scores.judge();
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

/** How a queued tournament stands, from the database alone. Throws a UsageError where it is not there. */
export async function surveyQueuedTournament(
  database: QueueDatabase,
  plan: TournamentPlan,
): Promise<TournamentStatus & { workers: number }> {
  const store = new TournamentStore(database, plan.name);
  const control = await store.readControl();
  if (control === null)
    throw new UsageError(`No tournament named ${plan.name} is in the database. Queue it: tournament PLAN --database …`);
  const { matches } = openTournament(plan);
  const byKey = new Map(matches.map((match) => [getMatchKey(match), match]));
  const scores = new TournamentScores(plan, matches);
  for (const { key, winner } of await store.listFinished()) {
    const match = byKey.get(key);
    if (match) scores.record(match, winner === 'villagers' || winner === 'werewolves' ? winner : null);
  }
  const totals = await store.readTotals();
  const workers = await store.listWorkers();
  const failed = await store.listFailed();
  const paces = new Map<string, number>();
  for (const { pace } of workers)
    for (const [provider, calls] of Object.entries(pace)) paces.set(provider, (paces.get(provider) ?? 0) + calls);
  const pace: ProviderPace[] = [...paces].map(([provider, calls]) => ({ provider, calls, tokens: 0 }));
  const left = totals.waiting + totals.playing;
  const { finished, finishing_for: since } = totals;
  return {
    ...{ matches: matches.length, done: finished + (matches.length - totals.matches), underWay: totals.playing },
    ...{ failed: totals.failed, waiting: totals.waiting, finishedBlocks: scores.listFinishedBlocks().length },
    ...{ calls: totals.calls, tokens: totals.tokens, cost: totals.cost, callsOfUnknownCost: totals.unpriced },
    secondsLeft: finished < 2 || since === null || workers.length === 0 ? null : (left * since) / finished,
    pace,
    errors: Object.fromEntries(
      [...Map.groupBy(failed, ({ words }) => words)].map(([words, own]) => [words, own.length]),
    ),
    ...{ stop: scores.judge(), workers: workers.length },
  };
}

/** Whether the database holds this very tournament, perhaps under an earlier number of deals. */
export async function isQueued(database: QueueDatabase, plan: TournamentPlan): Promise<boolean> {
  const queued = await new TournamentStore(database, plan.name).read();
  return queued !== null && isSamePlan(queued, plan);
}
