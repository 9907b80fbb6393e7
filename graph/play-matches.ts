// Plays many matches of one plan in one process: one limit on the calls to a server, one budget, nothing played twice.
import { setImmediate as turn } from 'node:timers/promises';
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
import { checkOptionNames } from '../state/usage-error.ts';
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

/**
 * How the matches are played; none of it changes them. `maxCost` is for all of them together, what is recorded of
 * them included, and so is `maxFallbacks`, of what is asked now; no more of them than `concurrency` are played at the same time.
 */
export interface SetOptions
  extends SetListener, CallLimits<number | null>, Pick<PlayOptions, 'out' | 'signal' | 'env' | 'clock'> {
  /** Whether matches may begin in a folder that holds matches of another wording of the prompts; false by default. */
  mixWordings?: boolean | undefined;
  /** Shared with other sets, in place of one of `maxCost`. */
  budget?: Budget | undefined;
  /** Counts fallbacks of several sets together; made of `maxFallbacks` where it is left out. */
  fallbackLimit?: FallbackLimit | undefined;
  /** Asked before every match and call; none begins once it returns an error, which becomes the reason of the result. */
  refuse?: () => Error | null;
}

export interface SetListener extends CircuitBreakerListener {
  /** The plan can be played, in every arm of the design; nothing has been read or written yet. */
  onOpen?: (first: Manifest) => void;
  /** The answers recorded of a match that is not over. */
  onRecorded?: (answers: readonly AnswerLine[], id: string) => void;
  /**
   * The records have been read, and so many matches are left to play. `recorded`: the calls of each of them that was
   * begun before; `keptJudges`: of each finished match that names another judge than the plan. Awaited.
   */
  onSurveyed?: (left: {
    matches: number;
    recorded: readonly CallsByModel[];
    keptJudges: readonly KeptJudge[];
  }) => void | Promise<void>;
  /** A match is about to be played; returns the listener of that match. */
  onBegin?: (match: { id: string; folder: string | null }) => MatchListener;
  /**
   * A match has stopped until its provider answers again, and then goes on from its record; or another command plays it
   * (LockedElsewhere), and it is taken up again when that one is done with it. Awaited.
   */
  onHold?: (held: { id: string; folder: string | null; error: unknown }) => void | Promise<void>;
  /** A match is over, or had to stop; `place`: which one of the set. Awaited before another takes its place. */
  onEnd?: (end: MatchEnd, place: MatchPlace) => void | Promise<void>;
}

/** `isPlayed`: false for a match that was over before and only read. `id` is "seed 7" for a match without an id yet. */
export type MatchEnd = { id: string; folder: string | null } & (
  { summary: DeceptionSummary; isPlayed: boolean } | { error: unknown }
);

/** How many matches of a set are in which state after a run. */
export interface SetResult {
  /** In this run or before. */
  finished: number;
  /** Played in this run, but not to the end. */
  stopped: number;
  /** Left to play and not touched in this run. */
  waiting: number;
  /** What kept matches from being played or finished; null where each failed for itself or none did. */
  reason: unknown;
}

/** A match that is left to play. */
interface RemainingMatch extends MatchHealth {
  place: MatchPlace;
  /** What its record has cost, in USD. */
  paid: number;
  /** Whether this run has begun it or gone on with it. */
  isBegun: boolean;
}

/**
 * Plays each match of the set to its end, or goes on with it; finished ones are only read. A match that fails does not
 * stop the others; an abort and a reached cap do, a model without readable answers does in its matches, a provider that refuses the key before it has answered anything, and
 * a provider or a disk that fails match after match. A provider that stays down is waited for, see `maxOutageWait` and `maxUnreachedWait`, and so
 * is another command that plays matches of the set: what it finished is read, what it left is played.
 *
 * Throws UsageError for an unusable plan (nothing is written then), the reason of an abort before the first match is
 * played, and the system's error for an `out` that cannot be made. Keeps no match in memory but those being played.
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
    budget: true,
    fallbackLimit: true,
    refuse: true,
  },
  ...{ onOpen: true, onRecorded: true, onSurveyed: true, onBegin: true, onHold: true, onEnd: true },
  ...{ onOutage: true, onAnswered: true },
};

/** Reports the matches that are over, takes what is recorded from the budget, and lists what is left to play. */
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

/** What is awaited before a turn goes on. */
type Rest = () => Promise<void>;
const skipRest: Rest = () => Promise.resolve();

/** After so many matches that begin, signals and answers take their turn: hundreds at once would hold them up for long. */
const begunAtOnce = 8;

/** After so many matches in a row that failed for their provider or the disk, the next one would fail too. */
const maxOutsideFailures = 10;

/**
 * The matches that are left to play. As many are played at the same time as calls may be under way: each has at least
 * one call, so the limit is always used up. The calls of earlier matches go first, so that matches end one after
 * another and a reached cap leaves finished ones behind. While a provider is down, one match at a time tries it.
 */
class MatchQueue {
  readonly #set: MatchSet;
  readonly #matches: readonly RemainingMatch[];
  readonly #place: SetLocation;
  readonly #budget: Budget;
  readonly #options: SetOptions;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;

  /** Matches to begin or go on with, in this order. */
  readonly #waiting: RemainingMatch[];
  /** Limits the matches that are played at the same time. */
  readonly #slots: LimitFunction;
  readonly #breaker: CircuitBreaker;
  readonly #fallbackLimit: FallbackLimit;

  readonly #counts = { finished: 0, stopped: 0, waiting: 0 };
  /** Why no further match begins; null as long as they do. */
  #reason: unknown = null;
  /** Why matches with some model do not begin. */
  #unreadable: FallbacksReached | null = null;
  /** A provider's refusal of all matches: those being played make no further call either. */
  #refusal: Error | null = null;
  /** Matches in a row that failed for their provider or the disk. */
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
    this.#slots = pLimit(concurrency);
    this.#fallbackLimit = options.fallbackLimit ?? createFallbackLimit(options.maxFallbacks ?? defaultMaxFallbacks);
    const listener: CircuitBreakerListener = {
      onOutage: (outage) => {
        this.#slots.concurrency = 1;
        options.onOutage?.(outage);
      },
      onAnswered: (afterMs) => {
        this.#slots.concurrency = concurrency;
        options.onAnswered?.(afterMs);
      },
    };
    this.#breaker = new CircuitBreaker(clock, listener, hasAnswers);
  }

  async play(): Promise<SetResult> {
    let begun = 0;
    let rest = Promise.resolve();
    const waitToBegin = () => (begun++ % begunAtOnce === begunAtOnce - 1 ? (rest = rest.then(() => turn())) : rest);
    const takeTurns = async () => {
      for (;;) {
        const next = await this.#slots(async () => {
          await waitToBegin(); // hundreds that begin at once would let no signal take its turn for long
          return this.#playNext();
        });
        if (next === null) return;
        await next();
      }
    };
    await Promise.all(this.#matches.map(takeTurns));
    if (this.#signal.aborted) this.#reason ??= this.#signal.reason; // also where no match was left to wait
    return { ...this.#counts, reason: this.#findStopReason() };
  }

  /** Plays the first match that waits, or counts it where none may begin. Returns null, or what to await before a further turn. */
  async #playNext(): Promise<Rest | null> {
    const match = this.#waiting.shift()!;
    const isProbe = this.#breaker.isOpen;
    if (this.#reason === null) await this.#breaker.wait(this.#signal).catch(() => undefined); // an abort is seen below
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
   * Plays a match to its end, or until its provider is down. It then goes on later: at the front of the queue, or at its
   * back where it was the probe, so that another match tries next. One that another command plays goes to the back when
   * that one may be done with it, and waits without a slot.
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
      await this.#options.onHold?.(end);
      return async () => {
        await error.wait(this.#clock, this.#signal).catch(() => undefined); // an abort is seen by the next turn
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

  /** Null where the match is not to begin, since one of its models has given too few readable answers to others. */
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

  /** Counts a match that is over or had to stop, and decides whether its failure would be that of all others. */
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
        this.#outsideFailures >= maxOutsideFailures || this.#breaker.isTooLong() || error instanceof BudgetReached;
      this.#reason ??= this.#refusal ?? this.#refuse() ?? (endsAll ? error : null);
    }
    await this.#options.onEnd?.(end, place);
  }

  /** A reached cap is reported with what was spent in the end, the calls included that were under way. */
  #findStopReason(): unknown {
    if (this.#reason instanceof BudgetReached) return catchThrown(() => this.#budget.check()) ?? this.#reason;
    return this.#counts.waiting + this.#counts.stopped > 0 ? (this.#reason ?? this.#unreadable) : null;
  }
}

interface SetMatchOptions
  extends
    CallLimits<number | null>,
    Pick<SetOptions, 'signal' | 'clock' | 'onBegin'>,
    Required<Pick<PlayOptions, 'priority' | 'budget' | 'fallbackLimit'>> {
  /** Called for each answer that a language model has just given, not for recorded ones and those of bots. */
  onLiveAnswer: () => void;
}

/** Plays one match of a set; what makes it stop is part of the result. */
async function playSetMatch(
  { id, folder, prepared }: SetMatch,
  { env }: SetLocation,
  { signal, clock, onBegin, onLiveAnswer, ...options }: SetMatchOptions,
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
  const out = folder === null ? null : path.dirname(folder); // each arm of a design has its own
  const { priority, budget, fallbackLimit } = options;
  const shared = { priority, budget, fallbackLimit, ...selectLimits(options) };
  const played = { out, env, ...shared, ...dropUndefined({ signal, clock }) };
  try {
    const { summary } = await playPreparedMatch(prepared, { ...played, ...listener, onStart, onAnswer });
    return { id, folder, summary, isPlayed };
  } catch (error) {
    return { id, folder, error };
  }
}

/** What the step throws; null where it throws nothing. */
function catchThrown(step: () => void): unknown {
  try {
    step();
    return null;
  } catch (error) {
    return error;
  }
}
