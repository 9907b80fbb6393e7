// The work of one worker on one tournament: takes matches one after another and plays them, while any number of other
// workers do the same. It is one file, because all its steps share the worker's state.
import path from 'node:path';
import { tmpdir } from 'node:os';
import { sum } from '../../deception/statistics/sums.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { getMatchKey } from '../../deception/tournament/tournament-stopping.ts';
import type { Budget } from '../../models/budget.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { BudgetReached, createBudgetReached, createMatchBudget } from '../../models/budget.ts';
import type { CallLimiters } from '../../models/limiters-by-server.ts';
import { createFallbackLimit, defaultMaxFallbacks } from '../../models/fallback-limit.ts';
import type { Clock } from '../../models/machine/clock.ts';
import { tellServers } from '../../models/key-policy.ts';
import { getDisk } from '../../models/machine/machine.ts';
import type { Environment } from '../../models/model.ts';
import type { NamedModels } from '../../models/providers/models-file.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { ProviderFailure } from '../../models/retry.ts';
import type { AnswerLine, Reading } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { isDayQuotaUsedUp, isKeyRefused, maxFailures } from '../circuit-breaker.ts';
import { prepareFirstMatches, prepareSetMatch, type MatchSet } from '../match-set.ts';
import type { MatchResult } from '../earlier-match.ts';
import { checkPrices, playPreparedMatch } from '../play-match.ts';
import { isEndedEarly, openTournament, TournamentDecided } from '../tournament/play-tournament.ts';
import { heartbeatSeconds, type QueueDatabase } from './database.ts';
import { type LiveWorker, QueuedJob, type StopKind, stopKinds } from './database-rows.ts';
import { describeDeaths, judgeDeaths, LoneLock } from './dead-workers.ts';
import { formatQueuedAnswer, keepReading, parseQueuedAnswers, writeQueuedAnswers } from './queued-answers.ts';
import { packRecord } from './packed-record.ts';
import { readQueuedPlan } from './queued-plan.ts';
import { SharedOutage } from './shared-outage.ts';
import { SharedPaces } from './shared-pace.ts';
import { fillQueue, getQueueName } from './match-jobs.ts';
import { describeFault, describeKey, isDiskFault, isOwnFault } from './attempt-faults.ts';
import { RecordedWinners } from './recorded-winners.ts';
import { type Attempt, LeaseLost, mostFaults, TournamentStore } from './tournament-store.ts';

export interface WorkerOptions extends Omit<CallLimits, 'maxCost'> {
  /** This machine's models by name, with their addresses and the variables of their keys. */
  named: NamedModels;
  env: Environment;
  /** Number of matches played at the same time. Default: 8. */
  matches?: number | undefined;
  /** Whether to wait for further tournaments when nothing is left. */
  isStaying?: boolean;
  /** Name of the only tournament to play. Default: every tournament. */
  tournament?: string | undefined;
  signal: AbortSignal;
  clock?: Clock;
  /** Length of a minute for limits, in milliseconds; for tests. */
  minuteMs?: number | undefined;
  onEvent?: (event: WorkerEvent) => void;
}

export type WorkerEvent =
  | { kind: 'opened'; tournament: string; left: number }
  | { kind: 'refused'; tournament: string; error: UsageError }
  | { kind: 'left'; tournament: string; error: Error }
  | { kind: 'finished' | 'taken-over'; tournament: string; match: string }
  | { kind: 'failed' | 'held'; tournament: string; match: string; error: unknown }
  | { kind: 'stopped'; tournament: string; reason: StopKind; words: string }
  | { kind: 'warning'; tournament: string; words: string };

export const defaultWorkerMatches = 8;

/** Milliseconds between two looks at a tournament. */
const glance = 1000;

/**
 * Number of consecutive looks at a tournament that find matches left but none running. After these looks, missing jobs
 * are created.
 */
const idleLooks = 10;

/** Result of a worker. `refusals`: tournaments that this machine cannot play and leaves to others. */
export interface WorkerResult {
  finished: number;
  failed: number;
  refusals: UsageError[];
  /** Reason why a tournament ended before its last match; null if none did. */
  stopped: { kind: StopKind; words: string } | null;
  /** Names of the tournaments whose stop was already reported. */
  told: Set<string>;
}

/**
 * Reports why a tournament with matches left is not played. A stop by another worker counts like a stop by this worker.
 */
export function tellStopped(
  tournament: string,
  { kind, words }: { kind: string; words: string },
  result: WorkerResult,
  { onEvent }: WorkerOptions,
): void {
  const reason = stopKinds.find((known) => known === kind);
  if (reason === undefined || result.told.has(tournament)) return;
  result.told.add(tournament);
  if (result.stopped === null || result.stopped.kind === 'decided') result.stopped = { kind: reason, words };
  onEvent?.({ kind: 'stopped', tournament, reason, words });
}

/** A job as pg-boss returns it. */
interface TakenJob {
  data: unknown;
  retryCount: number;
  signal: AbortSignal;
}

interface SharedParts {
  id: string;
  clock: Clock;
  paces: SharedPaces;
  limiters: CallLimiters;
}

export class TournamentWorker {
  readonly #database: QueueDatabase;
  readonly #store: TournamentStore;
  readonly #options: WorkerOptions;
  readonly #parts: SharedParts;
  readonly #result: WorkerResult;
  readonly #outage: SharedOutage;
  readonly #fallbackLimit;
  readonly #answeredAt: { provider: string; tokens: number; at: number }[] = [];
  #plan!: TournamentPlan;
  #set!: MatchSet;
  #matches = new Map<string, TournamentMatch>();
  #winners!: RecordedWinners;
  /** Number of matches being played. `#calls`: number of running calls. */
  #playing = 0;
  #calls = 0;
  /** Reason why no further call begins; null while calls begin. */
  #refusal: Error | null = null;
  /** Reason why this machine plays no further match: its key was rejected, or its disk is full or failing. */
  #fault: Error | null = null;
  #planHash = '';
  /** If a worker died while it played a match, that match is played alone, so that another crash ends no other match. */
  readonly #lock = new LoneLock();
  #isReading: Promise<void> | null = null;

  constructor(database: QueueDatabase, name: string, options: WorkerOptions, parts: SharedParts, result: WorkerResult) {
    [this.#database, this.#options, this.#parts, this.#result] = [database, options, parts, result];
    this.#store = new TournamentStore(database, name);
    this.#outage = new SharedOutage(this.#store, parts.clock, options.minuteMs);
    this.#fallbackLimit = createFallbackLimit(options.maxFallbacks ?? defaultMaxFallbacks);
  }

  /**
   * Plays until nothing is left for this machine. Resolves to the error if a provider rejects this machine while other
   * machines may continue.
   */
  async play(): Promise<ProviderFailure | null> {
    await this.#open();
    const { boss } = this.#database;
    const { matches = defaultWorkerMatches } = this.#options;
    const queue = getQueueName(this.#store.name);
    await boss.work<unknown>(
      queue,
      {
        ...{ batchSize: 1, localConcurrency: matches, pollingIntervalSeconds: 0.5 },
        heartbeatRefreshSeconds: Math.floor(heartbeatSeconds / 3),
      },
      ([job]) => this.#takeJob(job!),
    );
    try {
      await this.#watch();
    } finally {
      await boss.offWork(queue, { wait: true }); // until the current matches are over or released
    }
    if (this.#fault === null || isKeyRefused(this.#fault) || isDayQuotaUsedUp(this.#fault)) return this.#fault;
    throw this.#fault;
  }

  /** Sends heartbeats until nothing is left, the tournament is stopped, or this machine cannot continue. */
  async #watch(): Promise<void> {
    const { clock, id, paces } = this.#parts;
    let idle = 0;
    while (this.#fault === null) {
      const control = await this.#store.readControl();
      if (control === null || control.left === 0) return;
      this.#outage.learn(control);
      if (control.stop_kind === 'decided' && control.plan_sha256 === this.#planHash && !(await this.#isDecided())) {
        await this.#store.withdrawDecision();
        continue;
      }
      if (control.stop_kind !== null) {
        this.#stopHere(control.stop_kind, control.stop_words ?? '');
        return;
      }
      if (control.plan_sha256 !== this.#planHash) await this.#reopen();
      const { matches: playing, calls, pace } = this.#measure();
      paces.learnHolds(await this.#store.beat(id, { matches: playing, calls, pace }));
      idle = playing > 0 ? 0 : idle + 1;
      if (idle % idleLooks === idleLooks - 1) await fillQueue(this.#database, this.#store);
      await clock.sleep(glance, this.#options.signal);
    }
  }

  /** Reads the plan, and checks that this machine can play it. Throws a UsageError for a plan that nobody can play. */
  async #open(): Promise<void> {
    const { onEvent } = this.#options;
    const firsts = await this.#prepare().catch((error: unknown) => {
      if (!(error instanceof Error) || isOwnFault(error)) throw error;
      throw new UsageError(`${this.#store.name} cannot be played: ${error.message}`, { cause: error });
    });
    tellServers(this.#options.env);
    const control = await this.#store.readControl();
    if (control?.cap != null) for (const { prepared } of firsts) checkPrices(prepared.seats, control.cap);
    onEvent?.({ kind: 'opened', tournament: this.#store.name, left: control?.left ?? 0 });
  }

  async #prepare() {
    await this.#readPlan();
    return prepareFirstMatches(this.#set, { out: null, env: this.#options.env, now: this.#parts.clock.now() });
  }

  async #readPlan(): Promise<void> {
    const queued = await this.#store.read();
    if (queued === null) throw new UsageError(`The tournament ${this.#store.name} is no longer in the database.`);
    const plan = readQueuedPlan(queued, this.#options.named);
    const { set, matches } = openTournament(plan);
    [this.#plan, this.#set, this.#planHash] = [plan, set, queued.plan_sha256];
    this.#matches = new Map(matches.map((match) => [getMatchKey(match), match]));
    this.#winners = new RecordedWinners(this.#store, plan, matches);
  }

  /**
   * Reads the plan again after it was extended. Current matches continue, because the new plan includes them.
   * Concurrent callers share one reading.
   */
  async #reopen(): Promise<void> {
    this.#isReading ??= this.#open().finally(() => (this.#isReading = null));
    await this.#isReading;
  }

  #stopHere(reason: StopKind, words: string): void {
    this.#refusal ??= reason === 'budget' ? new BudgetReached(words) : new Error(words);
    tellStopped(this.#store.name, { kind: reason, words }, this.#result, this.#options);
  }

  async #stopAll(reason: StopKind, words: string): Promise<void> {
    await this.#store.stop(reason, words);
    this.#stopHere(reason, words);
  }

  /** Measures the calls of the last minute by provider. */
  #measure(): LiveWorker {
    const since = this.#parts.clock.elapsed() - 60_000;
    const first = this.#answeredAt.findIndex(({ at }) => at >= since);
    this.#answeredAt.splice(0, first < 0 ? this.#answeredAt.length : first);
    const pace = Object.fromEntries(
      [...Map.groupBy(this.#answeredAt, ({ provider }) => provider)].map(([provider, own]) => [
        provider,
        { calls: own.length, tokens: sum(own.map(({ tokens }) => tokens)) },
      ]),
    );
    return { matches: this.#playing, calls: this.#calls, pace };
  }

  /** Plays the match of a job. Throws if the job should be retried, by this worker or by another. */
  async #takeJob({ data, retryCount, signal }: TakenJob): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal;
    const job = QueuedJob.safeParse(data).data;
    if (job === undefined)
      return this.#warn('A job in the database cannot be read and is dropped. Its match gets a new job.');
    const place = { key: job.key, attempt: job.attempts + retryCount + 1 };
    const match = this.#matches.get(job.key);
    const words = match === undefined ? '' : describeDeaths(match);
    const asked = { key: job.key, worker: this.#parts.id, words };
    const danger = match && (await judgeDeaths(this.#database, this.#store.name, asked));
    if (danger === 'failed') this.#tellFailed(job.key, new Error(words));
    else await this.#lock.run(danger === 'alone', () => this.#attemptMatch(place, signal));
  }

  async #attemptMatch({ key, attempt }: Attempt, signal: AbortSignal): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal; // the match may have waited for other matches
    this.#options.signal.throwIfAborted();
    let scratch: string | null = null;
    this.#playing += 1;
    try {
      const begun = await this.#store.begin({ key, attempt }, this.#parts.id);
      if (begun === null) return; // over, or taken by a later attempt
      const match = await this.#findMatch(key);
      scratch = getDisk().makeTemporaryFolder(path.join(tmpdir(), 'wolfgraph-worker-'));
      await this.#playMatch(match, { key, attempt }, begun, { scratch, leaseSignal: signal });
    } catch (error) {
      if (error instanceof UsageError || isDiskFault(error)) this.#leave(error);
      if (this.#refusal === null && !signal.aborted && !this.#options.signal.aborted && !isOwnFault(error)) {
        await this.#countFault({ key, attempt }, error);
        return;
      }
      await this.#store.release({ key, attempt }).catch(() => undefined); // even if this fails, the next attempt takes the match over
      throw error;
    } finally {
      this.#playing -= 1;
      if (scratch !== null) getDisk().remove(scratch);
    }
  }

  #warn(words: string): void {
    this.#options.onEvent?.({ kind: 'warning', tournament: this.#store.name, words: `${this.#store.name}: ${words}` });
  }

  /**
   * Records a fault that would end every attempt. The match is retried a few times and then fails. Throws if it will be
   * retried.
   */
  async #countFault(place: { key: string; attempt: number }, error: unknown): Promise<void> {
    const state = await this.#store.recordFault(place, describeFault(error));
    if (state === null) return; // a later attempt has the match
    if (state === 'waiting') {
      this.#warn(
        `${describeKey(place.key)} is tried again, at most ${mostFaults} times. ${describeFault(error).words}`,
      );
      throw error;
    }
    this.#tellFailed(place.key, error);
  }

  #tellFailed(key: string, error: unknown): void {
    this.#result.failed += 1;
    this.#options.onEvent?.({ kind: 'failed', tournament: this.#store.name, match: describeKey(key), error });
  }

  async #findMatch(key: string): Promise<TournamentMatch> {
    if (!this.#matches.has(key)) await this.#reopen(); // a plan is written before its matches
    const match = this.#matches.get(key);
    if (match === undefined)
      throw new RecordError(`${this.#store.name} has a match in the database that does not belong to its plan.`);
    return match;
  }

  /** Stops this machine from playing further matches, and leaves its current matches to other workers. */
  #leave(fault: Error): void {
    this.#fault ??= fault;
    this.#refusal ??= fault;
  }

  async #playMatch(
    match: TournamentMatch,
    place: { key: string; attempt: number },
    begun: { lines: string[]; spent: number },
    { scratch, leaseSignal }: { scratch: string; leaseSignal: AbortSignal },
  ): Promise<void> {
    const { env, signal, onEvent, concurrency, maxWait } = this.#options;
    const { clock, limiters } = this.#parts;
    const { name: tournament } = this.#store;
    const { id, folder, prepared } = await prepareSetMatch(this.#set, match, { out: scratch, env, now: clock.now() });
    const account = { paid: begun.spent };
    const warn = (words: string) => onEvent?.({ kind: 'warning', tournament, words });
    const before = parseQueuedAnswers(begun.lines, `${match.folder}/${id}`);
    const manifest = keepReading(prepared.manifest, before);
    writeQueuedAnswers(folder!, manifest, before.answers, warn);
    const halt = AbortSignal.any([signal, leaseSignal]);
    const health = { answers: 0, isProbe: false, failures: 0 };
    for (;;) {
      try {
        health.answers = 0;
        health.isProbe = await this.#outage.wait(halt);
        if (this.#refusal !== null) throw this.#refusal;
        const budget = createMatchBudget(this.#createBudget(place), account, () => this.#refusal);
        const result = await playPreparedMatch(
          { ...prepared, manifest },
          {
            ...{ out: path.dirname(folder!), env, clock, signal: halt, limiters, fallbackLimit: this.#fallbackLimit },
            ...{
              budget,
              concurrency,
              maxWait,
              priority: this.#findPriority(place.key),
              maxCost: null,
              onWarning: warn,
            },
            onCalls: this.#followCalls(),
            keep: async (line) => {
              const answer = describeAnswer(line, manifest.reading ?? 1);
              const provider = line.model.split(':')[0]!;
              if (provider !== 'bot') {
                this.#outage.recordAnswer();
                health.answers += 1;
                this.#answeredAt.push({ provider, tokens: answer.tokens, at: clock.elapsed() });
              }
              await this.#store.save({ ...place, held: 0, cost: 0, answer });
            },
          },
        );
        await this.#finish(place, match, result, { folder: folder!, spent: account.paid });
        return;
      } catch (error) {
        if (leaseSignal.aborted || error instanceof LeaseLost) {
          onEvent?.({ kind: 'taken-over', tournament, match: id });
          return;
        }
        if (health.answers > 0) health.failures = 0;
        else if (!health.isProbe) health.failures += 1; // other matches get answers: they ended the outage, or there is none
        const isHeld = await this.#handleFailure(error, place, { id, failures: health.failures });
        if (!isHeld) return;
      }
    }
  }

  /** Returns whether the match waits on this machine and continues. Throws if its job should be retried later. */
  async #handleFailure(
    error: unknown,
    place: { key: string; attempt: number },
    { id, failures }: { id: string; failures: number },
  ): Promise<boolean> {
    const { signal, onEvent } = this.#options;
    const { name: tournament } = this.#store;
    if (signal.aborted || this.#refusal !== null || error instanceof BudgetReached) {
      if (error instanceof BudgetReached) await this.#stopAll('budget', error.message);
      await this.#store.release(place);
      throw error;
    }
    if (error instanceof ProviderFailure && error.kind === 'unavailable' && failures < maxFailures) {
      onEvent?.({ kind: 'held', tournament, match: id, error });
      const words = await this.#outage.report(error);
      if (words === null) return true;
      await this.#stopAll('provider', words);
      await this.#store.release(place);
      throw error;
    }
    const isOfKey = isKeyRefused(error) || isDayQuotaUsedUp(error);
    if (isOfKey || isDiskFault(error)) {
      this.#leave(error);
      if (isOfKey) this.#result.stopped ??= { kind: 'provider', words: error.message };
      await this.#store.release(place);
      throw error; // a fault of this machine: others may have another key, or disk space
    }
    await this.#store.fail(place, describeFault(error));
    this.#result.failed += 1;
    onEvent?.({ kind: 'failed', tournament, match: id, error });
    return false;
  }

  async #finish(
    place: { key: string; attempt: number },
    match: TournamentMatch,
    { summary, id }: MatchResult,
    { folder, spent }: { folder: string; spent: number },
  ): Promise<void> {
    const { onEvent } = this.#options;
    const { name: tournament } = this.#store;
    const { calls, tokens } = summary.model_calls.total;
    const isMine = await this.#store.finish(place, {
      ...{ id, record: packRecord(folder), spent, calls },
      tokens: (tokens.in ?? 0) + (tokens.out ?? 0),
    });
    if (!isMine) throw new LeaseLost();
    this.#result.finished += 1;
    onEvent?.({ kind: 'finished', tournament, match: id });
    if (this.#plan.stop === undefined) return;
    this.#winners.record(match, summary.winner);
    if (await this.#isDecided())
      await this.#stopAll('decided', new TournamentDecided(this.#winners.scores.evaluate()!).message);
  }

  /**
   * Returns whether the stopping rule ends the tournament, given the records of matches that all workers have finished.
   */
  async #isDecided(): Promise<boolean> {
    await this.#winners.learn();
    return isEndedEarly(this.#plan, this.#winners.scores.evaluate());
  }

  /** Returns the priority of a match. Matches that are earlier in the schedule go first. */
  #findPriority(key: string): number {
    return [...this.#matches.keys()].indexOf(key);
  }

  #followCalls(): (underWay: number) => void {
    let own = 0;
    return (underWay) => {
      this.#calls += underWay - own;
      own = underWay;
    };
  }

  /** Creates the budget of all workers as one attempt sees it. */
  #createBudget(place: { key: string; attempt: number }): Budget {
    const store = this.#store;
    const { clock } = this.#parts;
    const { signal } = this.#options;
    const settle = (held: number, cost: number) =>
      void store.save({ ...place, held, cost, answer: null }).catch(() => undefined); // the attempt is over, or the next statement reports the fault
    return {
      spend: (cost) => {
        if (cost > 0) settle(0, cost);
      },
      check: () => undefined,
      spent: () => 0,
      reserve: async (usd) => {
        for (;;) {
          const found = await store.reserve({ ...place, usd });
          if (found === 'granted') return (cost) => settle(usd, cost);
          if (found !== 'wait') throw createBudgetReached(found.cap, found.spent);
          await clock.sleep(glance / 4, signal);
        }
      },
    };
  }
}

const describeAnswer = (line: AnswerLine, reading: Reading) => ({
  ...formatQueuedAnswer(line, reading),
  tokens: (line.tokens?.in ?? 0) + (line.tokens?.out ?? 0),
  isUnpriced: line.cost === null,
});
