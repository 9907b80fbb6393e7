// Plays many matches of one plan in one process, with one limit on concurrent calls per server and one budget. Matches
// that are finished are not played again.
import path from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import type { DeceptionSummary } from '../deception/summary/match-summary-schema.ts';
import { BudgetReached, createBudget, createMatchBudget, type Budget } from '../models/budget.ts';
import { type CallLimits, limitNames, selectLimits } from '../models/call-limits.ts';
import {
  createFallbackLimit,
  defaultMaxFallbacks,
  FallbacksReached,
  type FallbackLimit,
} from '../models/fallback-limit.ts';
import { tellServers } from '../models/key-policy.ts';
import type { Clock } from '../models/machine/clock.ts';
import { getDisk, getMachine } from '../models/machine/machine.ts';
import { LockedElsewhere } from '../models/record/lock.ts';
import type { AnswerLine, Manifest } from '../state/record.ts';
import { dropUndefined } from '../models/model-options.ts';
import { checkOptionNames, UsageError } from '../state/usage-error.ts';
import {
  computePaid,
  countCallsByModel,
  checkSetNames,
  prepareFirstMatches,
  prepareSetMatch,
  surveyMatches,
  type CallsByModel,
  type KeptJudge,
  type MatchPlace,
  type MatchSet,
  type SetLocation,
  type SetMatch,
} from './match-set.ts';
import {
  isOutsideFailure,
  isDayQuotaUsedUp,
  isKeyRefused,
  CircuitBreaker,
  type CircuitBreakerListener,
  type MatchHealth,
} from './circuit-breaker.ts';
import {
  defaultConcurrency,
  playPreparedMatch,
  checkPrices,
  type MatchListener,
  type PlayOptions,
} from './play-match.ts';
import { checkPeopleAlone } from './people-at-table.ts';

/**
 * Options that do not change the matches. `maxCost` limits the total cost of all matches, including recorded costs.
 * `maxFallbacks` limits the share of fallbacks among all questions asked in this run. At most `concurrency` matches are
 * played at the same time.
 */
export interface SetOptions
  extends
    SetListener,
    CallLimits<number | null>,
    Pick<PlayOptions, 'out' | 'signal' | 'env' | 'clock' | 'people' | 'operator'> {
  /** Whether matches may begin in a folder that has matches with another wording of the prompts. Default: false. */
  mixWordings?: boolean | undefined;
  /** Budget shared with other sets. Default: a budget of `maxCost` for this set. */
  budget?: Budget | undefined;
  /** Limit on fallbacks shared with other sets. Default: a limit of `maxFallbacks` for this set. */
  fallbackLimit?: FallbackLimit | undefined;
  /**
   * Called before every match and every call. After it has returned an error, no further match or call begins, and the
   * error is the `reason` of the result.
   */
  refuse?: () => Error | null;
}

export interface SetListener extends CircuitBreakerListener {
  /** Called once the plan is known to be playable in every arm of the design, before anything is read or written. */
  onOpen?: (first: Manifest) => void;
  /** Called with the recorded answers of a match that is not over. */
  onRecorded?: (answers: readonly AnswerLine[], id: string) => void;
  /**
   * Called when the records have been read. `matches`: number of matches left to play; `recorded`: the calls of each
   * match that has begun; `keptJudges`: one entry for each finished match that names another judge than the plan. A
   * returned promise is awaited.
   */
  onSurveyed?: (left: {
    matches: number;
    recorded: readonly CallsByModel[];
    keptJudges: readonly KeptJudge[];
  }) => void | Promise<void>;
  /** Called when a match is about to be played. Returns the listener of that match. */
  onBegin?: (match: { id: string; folder: string | null }) => MatchListener;
  /**
   * Called, and awaited, when a match stops for some time. Either its provider is down, and the match resumes from its
   * record when the provider answers; or another command is playing the match (LockedElsewhere).
   */
  onHold?: (held: { id: string; folder: string | null; error: unknown }) => void | Promise<void>;
  /**
   * Called, and awaited, when a match is over or had to stop, before another match begins. `place`: place of the match
   * in the set.
   */
  onEnd?: (end: MatchEnd, place: MatchPlace) => void | Promise<void>;
}

/**
 * End of a match. `isPlayed`: false for a match that was already finished and only read. `id`: id of the
 * match; e.g. "seed 7" if the match has no id yet.
 */
export type MatchEnd = { id: string; folder: string | null } & (
  { summary: DeceptionSummary; isPlayed: boolean } | { error: unknown }
);

/** Number of matches of a set in each state after a run. */
export interface SetResult {
  /** Number of matches finished in this run or before. */
  finished: number;
  /** Number of matches played in this run, but not to the end. */
  stopped: number;
  /** Number of matches left to play that this run did not begin. */
  waiting: number;
  /**
   * Reason why the run stopped before all matches were finished. Null if it did not stop; each unfinished match then
   * failed for a reason of its own.
   */
  reason: unknown;
}

/** A match that is left to play. */
interface RemainingMatch extends MatchHealth {
  place: MatchPlace;
  /** Recorded cost of the match in USD. */
  paid: number;
  /** Whether this run has begun or resumed the match. */
  isBegun: boolean;
}

/**
 * Plays each match of the set to its end, or resumes it. Finished matches are only read. A failed match does not stop
 * the others. The set stops in four cases: an abort, a reached cap, a provider that rejects the key before any answer,
 * and a provider or disk that fails in many consecutive matches. A model without readable answers stops only its own
 * matches. If a provider is down, the matches wait (see `maxOutageWait` and `maxUnreachedWait`). Matches that another
 * command is playing also wait: a match that the other command finishes is read, and any other is resumed here. With
 * `people`, matches are played one after another, and a match that fails or is played elsewhere stops the set.
 *
 * Throws UsageError for an unusable plan (nothing is written then), the reason of an abort before the first match, and
 * the system's error if `out` cannot be created. Only running matches are in memory.
 *
 * @example
 * const set = { seed: 1, matches: 100, planOf: () => ({ board: 'classic-8', model: 'openai:gpt-4o-mini' }) };
 * const { finished, waiting, reason } = await playMatches(set, { out: 'runs', maxCost: 20 });
 * // all ordered pairs of two models on the same hundred deals
 * await playMatches({ ...set, arms: listModelPairs(['openai:x', 'openai:y']) }, { out: 'runs/study' });
 */
export async function playMatches(set: MatchSet, options: SetOptions = {}): Promise<SetResult> {
  checkSetNames(set);
  checkOptionNames('playMatches', options, optionNames);
  const { maxCost = null, clock = getMachine().clock } = options;
  const out = options.out === undefined ? 'runs' : options.out;
  const place: SetLocation = {
    ...{ out, env: options.env ?? process.env, now: clock.now(), isCapped: maxCost !== null },
    refusesOtherWordings: options.mixWordings !== true,
  };
  const firsts = await prepareFirstMatches(set, place);
  if (maxCost !== null) for (const { prepared } of firsts) checkPrices(prepared.seats, maxCost);
  for (const { prepared } of firsts) checkPeopleAlone(prepared.manifest, set);
  options.onOpen?.(firsts[0].prepared.manifest);
  const budget = options.budget ?? createBudget(maxCost);
  const { finished, left, recorded, keptJudges } = await survey(set, place, budget, options);
  await options.onSurveyed?.({ matches: left.length, recorded, keptJudges });
  options.signal?.throwIfAborted();
  if (left.length > 0) tellServers(place.env);
  if (out !== null && left.length > 0) getDisk().makeFolder(out);
  const result = await new MatchQueue(set, left, place, budget, options, recorded.length > 0).play();
  return { ...result, finished: finished + result.finished };
}

const optionNames: Readonly<Record<keyof SetOptions, true>> = {
  ...limitNames,
  ...{
    mixWordings: true,
    out: true,
    signal: true,
    env: true,
    clock: true,
    people: true,
    operator: true,
    budget: true,
    fallbackLimit: true,
    refuse: true,
  },
  ...{ onOpen: true, onRecorded: true, onSurveyed: true, onBegin: true, onHold: true, onEnd: true },
  ...{ onOutage: true, onAnswered: true },
};

/** Reports finished matches, deducts recorded costs from the budget, and lists what is left to play. */
async function survey(set: MatchSet, location: SetLocation, budget: Budget, { signal, onEnd, onRecorded }: SetOptions) {
  const left: RemainingMatch[] = [];
  const recorded: CallsByModel[] = [];
  const keptJudges: KeptJudge[] = [];
  let finished = 0;
  for await (const { place, id, result, answers, keptJudge, paid } of surveyMatches(set, location)) {
    signal?.throwIfAborted();
    budget.spend(paid);
    if (keptJudge) keptJudges.push(keptJudge);
    if (result) {
      finished += 1;
      await onEnd?.({ id: result.id, folder: result.folder, summary: result.summary, isPlayed: false }, place);
    } else {
      left.push({ place, paid, isBegun: false, failures: 0, answersBefore: 0 });
      if (answers.length > 0) recorded.push(countCallsByModel(answers));
      onRecorded?.(answers, id);
    }
  }
  return { finished, left, recorded, keptJudges };
}

/** Function to await before the slot is used for another match. */
type Rest = () => Promise<void>;
const skipRest: Rest = () => Promise.resolve();

/**
 * Number of consecutive failures of a provider or the disk after which the set stops, because the next match would fail
 * too.
 */
const maxOutsideFailures = 10;

/**
 * The matches that are left to play. The number of matches played at the same time equals the limit on concurrent
 * calls: each match has at least one call, so the limit is always used. Calls of earlier matches go first, so that
 * matches end one after another and a reached cap leaves finished matches. While a provider is down, one match at a
 * time tries a call.
 */
class MatchQueue {
  readonly #set: MatchSet;
  readonly #matches: readonly RemainingMatch[];
  readonly #place: SetLocation;
  readonly #budget: Budget;
  readonly #options: SetOptions;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;

  /** Matches to begin or resume, in this order. */
  readonly #waiting: RemainingMatch[];
  /** Limits the matches that are played at the same time. */
  readonly #slots: LimitFunction;
  readonly #breaker: CircuitBreaker;
  readonly #fallbackLimit: FallbackLimit;

  readonly #counts = { finished: 0, stopped: 0, waiting: 0 };
  /** Reason why no further match begins. Null while matches may begin. */
  #reason: unknown = null;
  /** Reason why matches with certain models do not begin: the models gave too few readable answers. */
  #unreadable: FallbacksReached | null = null;
  /** Error by which a provider refuses all matches. When it is set, running matches make no further calls. */
  #refusal: Error | null = null;
  /** Number of consecutive matches that failed because of their provider or the disk. */
  #outsideFailures = 0;

  constructor(
    set: MatchSet,
    matches: readonly RemainingMatch[],
    place: SetLocation,
    budget: Budget,
    options: SetOptions,
    hasAnswers: boolean,
  ) {
    const {
      concurrency = defaultConcurrency,
      signal = new AbortController().signal,
      clock = getMachine().clock,
    } = options;
    [this.#set, this.#matches, this.#place, this.#budget, this.#options] = [set, matches, place, budget, options];
    [this.#signal, this.#clock] = [signal, clock];
    this.#waiting = [...matches];
    const tables = set.people === undefined ? concurrency : 1; // a person sits at one table at a time
    this.#slots = pLimit(tables);
    this.#fallbackLimit = options.fallbackLimit ?? createFallbackLimit(options.maxFallbacks ?? defaultMaxFallbacks);
    const listener: CircuitBreakerListener = {
      onOutage: (outage) => {
        this.#slots.concurrency = 1;
        options.onOutage?.(outage);
      },
      onAnswered: (afterMs) => {
        this.#slots.concurrency = tables;
        options.onAnswered?.(afterMs);
      },
    };
    this.#breaker = new CircuitBreaker(clock, listener, hasAnswers);
  }

  async play(): Promise<SetResult> {
    let turns = Promise.resolve();
    const waitToBegin = () => (turns = turns.then(() => this.#clock.takeTurn())); // one after another, among the answers
    const takeTurns = async () => {
      for (;;) {
        const next = await this.#slots(async () => {
          await waitToBegin();
          return this.#playNext();
        });
        if (next === null) return;
        await next();
      }
    };
    await Promise.all(this.#matches.map(takeTurns));
    if (this.#signal.aborted) this.#reason ??= this.#signal.reason; // also if no match was left to wait
    return { ...this.#counts, reason: this.#findStopReason() };
  }

  /**
   * Plays the first waiting match, or counts it as waiting if no match may begin. Returns null, or a promise to await
   * before the slot is used again.
   */
  async #playNext(): Promise<Rest | null> {
    const match = this.#waiting.shift()!;
    const isProbe = this.#breaker.isOpen;
    if (this.#reason === null) await this.#breaker.wait(this.#signal).catch(() => undefined); // an abort is detected below
    if (this.#signal.aborted) this.#reason ??= this.#signal.reason;
    this.#reason ??= this.#refuse() ?? catchThrown(() => this.#budget.check());
    if (this.#reason === null) return this.#playUntilHeld(match, isProbe);
    this.#leave(match);
    return null;
  }

  #refuse(): Error | null {
    return this.#options.refuse?.() ?? null;
  }

  #leave({ isBegun }: RemainingMatch) {
    this.#counts[isBegun ? 'stopped' : 'waiting'] += 1;
  }

  /**
   * Plays a match to its end, or until its provider is down. If the provider is down, the match returns to the front of
   * the queue. If `isProbe`, this was the match that tried a call during the outage; it then goes to the back, so that
   * another match tries next. A match that another command is playing waits without a slot, and then goes to the back
   * of the queue.
   */
  async #playUntilHeld(match: RemainingMatch, isProbe: boolean): Promise<Rest | null> {
    let answers = 0;
    const onLiveAnswer = () => {
      answers += 1;
      this.#breaker.recordAnswer();
    };
    const end = await this.#playOnce(match, onLiveAnswer);
    if (end === null) {
      this.#leave(match);
      return null;
    }
    if ('error' in end && end.error instanceof LockedElsewhere) {
      const { error } = end;
      if (this.#set.people !== undefined) {
        this.#reason ??= error;
        this.#leave(match);
        return null;
      }
      await this.#options.onHold?.(end);
      return async () => {
        await error.wait(this.#clock, this.#signal).catch(() => undefined); // the next turn detects an abort
        this.#waiting.push(match);
      };
    }
    match.isBegun = true;
    if ('error' in end && this.#breaker.shouldRetryLater(match, end.error, answers)) {
      this.#waiting[isProbe ? 'push' : 'unshift'](match);
      await this.#options.onHold?.(end);
      return skipRest;
    }
    await this.#recordEnd(end, match.place);
    return null;
  }

  /**
   * Prepares and plays a match. Returns its end. Null means that the match did not begin, because one of its models
   * gave too few readable answers in other matches.
   */
  async #playOnce(match: RemainingMatch, onLiveAnswer: () => void): Promise<MatchEnd | null> {
    let setMatch: SetMatch;
    try {
      setMatch = await prepareSetMatch(this.#set, match.place, this.#place);
    } catch (error) {
      return { id: `seed ${match.place.seed}`, folder: null, error };
    }
    const fallbackLimit = this.#fallbackLimit;
    const refusal = catchThrown(() => fallbackLimit.check(Object.values(setMatch.prepared.manifest.setup.models)));
    if (refusal instanceof FallbacksReached) {
      this.#unreadable ??= refusal;
      return null;
    }
    const priority = this.#matches.indexOf(match);
    const budget = createMatchBudget(this.#budget, match, () => this.#refusal ?? this.#refuse());
    const limits = { priority, budget, fallbackLimit };
    const end = await playSetMatch(setMatch, this.#place, { ...this.#options, ...limits, onLiveAnswer });
    if ('summary' in end && !end.isPlayed && end.folder !== null) {
      const { folder, summary } = end; // another command has finished it
      budget.spend(await computePaid({ folder, summary }, setMatch.prepared.seats, this.#place.isCapped));
    }
    return end;
  }

  /** Counts a match that is over or had to stop, and decides whether all other matches would fail in the same way. */
  async #recordEnd(end: MatchEnd, place: MatchPlace): Promise<void> {
    if ('summary' in end) {
      this.#counts.finished += 1;
      this.#outsideFailures = 0;
    } else {
      const { error } = end;
      this.#counts.stopped += 1;
      this.#outsideFailures = isOutsideFailure(error) ? this.#outsideFailures + 1 : 0;
      if ((this.#breaker.answers === 0 && isKeyRefused(error)) || isDayQuotaUsedUp(error)) this.#refusal ??= error;
      const endsAll =
        this.#set.people !== undefined || // matches with people are played in a fixed order
        this.#outsideFailures >= maxOutsideFailures ||
        this.#breaker.isTooLong() ||
        error instanceof BudgetReached;
      this.#reason ??= this.#refusal ?? this.#refuse() ?? (endsAll ? error : null);
      if (this.#set.people !== undefined && error instanceof UsageError) throw error; // the people cannot be asked
    }
    await this.#options.onEnd?.(end, place);
  }

  /**
   * Returns the reason why the run stopped before all matches were finished; null if there is none. The reason of a
   * reached cap names the final spending, including the cost of calls that were running.
   */
  #findStopReason(): unknown {
    if (this.#reason instanceof BudgetReached) return catchThrown(() => this.#budget.check()) ?? this.#reason;
    return this.#counts.waiting + this.#counts.stopped > 0 ? (this.#reason ?? this.#unreadable) : null;
  }
}

interface SetMatchOptions
  extends
    CallLimits<number | null>,
    Pick<SetOptions, 'signal' | 'clock' | 'people' | 'operator' | 'onBegin'>,
    Required<Pick<PlayOptions, 'priority' | 'budget' | 'fallbackLimit'>> {
  /** Called for each live answer of a language model. Not called for recorded answers or answers of bots. */
  onLiveAnswer: () => void;
}

/** Plays one match of a set. An error that stops it is part of the result. */
async function playSetMatch(
  { id, folder, prepared }: SetMatch,
  { env }: SetLocation,
  { signal, clock, people, operator, onBegin, onLiveAnswer, ...options }: SetMatchOptions,
): Promise<MatchEnd> {
  const listener = onBegin?.({ id, folder });
  const bots = new Set(prepared.manifest.setup.bots);
  let isPlayed = false;
  const onStart: MatchListener['onStart'] = (start) => {
    isPlayed = true;
    listener?.onStart?.(start);
  };
  const onAnswer: MatchListener['onAnswer'] = (line, isRecorded) => {
    listener?.onAnswer?.(line, isRecorded);
    if (!isRecorded && !bots.has(line.player)) onLiveAnswer();
  };
  const out = folder === null ? null : path.dirname(folder); // each arm of a design has its own folder
  const { priority, budget, fallbackLimit } = options;
  const shared = { priority, budget, fallbackLimit, ...selectLimits(options) };
  const played = { out, env, ...shared, ...dropUndefined({ signal, clock, people, operator }) };
  try {
    const { summary } = await playPreparedMatch(prepared, { ...played, ...listener, onStart, onAnswer });
    return { id, folder, summary, isPlayed };
  } catch (error) {
    return { id, folder, error };
  }
}

/** Returns the error that the step throws; null if it throws none. */
function catchThrown(step: () => void): unknown {
  try {
    step();
    return null;
  } catch (error) {
    return error;
  }
}
