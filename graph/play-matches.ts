// Plays many matches of one plan in one process: one limit on the calls under way, one budget, nothing played twice.
import { mkdirSync } from 'node:fs';
import pLimit from 'p-limit';
import PQueue from 'p-queue';
import type { DeceptionSummary } from '../deception/summary/match-summary-schema.ts';
import type { Limit } from '../models/model-client.ts';
import { BudgetReached, createBudget, createMatchBudget, type Budget } from '../models/budget.ts';
import { systemClock } from '../models/retry.ts';
import type { AnswerLine, Manifest } from '../state/record.ts';
import { dropUndefined } from '../models/providers/model-options.ts';
import {
  countCallsByModel,
  prepareSetMatch,
  surveyMatches,
  type CallsByModel,
  type MatchSet,
  type SetLocation,
  type SetMatch,
} from './match-set.ts';
import {
  isFromOutside,
  isRefused,
  CircuitBreaker,
  type CircuitBreakerListener,
  type MatchHealth,
} from './circuit-breaker.ts';
import { defaultConcurrency, playPrepared, checkPrices, type MatchListener, type PlayOptions } from './play-match.ts';

/**
 * How the matches are played; none of it changes them. `maxCost` is for all of them together, what is recorded of
 * them included; no more of them than `concurrency` are played at the same time.
 */
export interface SetOptions extends SetListener, Pick<PlayOptions, 'out' | 'maxCost' | 'signal' | 'env' | 'clock'> {
  /** Calls under way at the same time in all matches together; 32 by default. */
  concurrency?: number | undefined;
}

export interface SetListener extends CircuitBreakerListener {
  /** The plan can be played; nothing has been read or written yet. */
  onOpen?: (first: Manifest) => void;
  /** The answers recorded of a match that is not over. */
  onRecorded?: (answers: readonly AnswerLine[]) => void;
  /** What is recorded has been read, and so many matches are left to play; `recorded` is of those that are begun. Awaited. */
  onSurveyed?: (left: { matches: number; recorded: readonly CallsByModel[] }) => void | Promise<void>;
  /** A match is played now; what is returned listens to it. */
  onBegin?: (match: { id: string; folder: string | null }) => MatchListener;
  /** A match has stopped until its provider answers again; then it begins anew. Awaited. */
  onHold?: (held: { id: string; folder: string | null; error: unknown }) => void | Promise<void>;
  /** A match is over, or had to stop. Awaited before another takes its place. */
  onEnd?: (end: MatchEnd) => void | Promise<void>;
}

/** `isPlayed` is false for a match that was over already and only read. The id names the seed where none was made. */
export type MatchEnd = { id: string; folder: string | null } & (
  { summary: DeceptionSummary; isPlayed: boolean } | { error: unknown }
);

export interface SetResult {
  /** Now or before. */
  finished: number;
  /** Begun or gone on with now, and not finished. */
  stopped: number;
  /** Neither. */
  waiting: number;
  /** Why some are waiting, or what stopped all alike; null where there is neither. */
  reason: unknown;
}

/** After so many matches in a row that failed from outside, the next one would fail too. */
const hopeless = 10;

/** A match that is left to play. */
interface RemainingMatch extends MatchHealth {
  seed: number;
  /** What its record has cost, in USD. */
  paid: number;
  /** Whether it was begun now. */
  isBegun: boolean;
}

/**
 * Plays each match of the set to its end, or goes on with it; finished ones are only read. A match that fails does not
 * stop the others; an abort and a reached cap do, a provider that refuses the key before it has answered anything, and
 * a provider or a disk that fails match after match. A provider that stays down is waited for, see `outagePatience`.
 *
 * Throws UsageError for an unusable plan (nothing is written then), the reason of an abort before the first match is
 * played, and the system's error for an `out` that cannot be made. Keeps no match in memory but those being played.
 */
export async function playMatches(set: MatchSet, options: SetOptions = {}): Promise<SetResult> {
  const { maxCost = null, clock = systemClock } = options;
  const out = options.out === undefined ? 'runs' : options.out;
  const place: SetLocation = { out, env: options.env ?? process.env, now: clock.now(), isCapped: maxCost !== null };
  const { prepared: first } = await prepareSetMatch(set, set.seed, place);
  if (maxCost !== null) checkPrices(first.seats, maxCost);
  options.onOpen?.(first.manifest);
  const budget = createBudget(maxCost);
  const { finished, left, recorded } = await survey(set, place, budget, options);
  await options.onSurveyed?.({ matches: left.length, recorded });
  options.signal?.throwIfAborted();
  if (out !== null && left.length > 0) mkdirSync(out, { recursive: true });
  const result = await playLeft(set, left, place, budget, options);
  return { ...result, finished: finished + result.finished };
}

/** Tells of the matches that are over, takes what is recorded from the budget, and finds what is left to play. */
async function survey(set: MatchSet, place: SetLocation, budget: Budget, { signal, onEnd, onRecorded }: SetOptions) {
  const left: RemainingMatch[] = [];
  const recorded: CallsByModel[] = [];
  let finished = 0;
  for await (const { seed, result, answers, paid } of surveyMatches(set, place)) {
    signal?.throwIfAborted();
    budget.spend(paid);
    if (result) {
      finished += 1;
      await onEnd?.({ id: result.id, folder: result.folder, summary: result.summary, isPlayed: false });
    } else {
      left.push({ seed, paid, isBegun: false, failures: 0, answersBefore: 0 });
      if (answers.length > 0) recorded.push(countCallsByModel(answers));
      onRecorded?.(answers);
    }
  }
  return { finished, left, recorded };
}

/**
 * As many at the same time as calls may be under way: each has at least one, so the limit is always used up. The calls
 * of earlier matches go first, so that matches end one after another and a reached cap leaves finished ones behind.
 */
async function playLeft(
  set: MatchSet,
  left: readonly RemainingMatch[],
  place: SetLocation,
  budget: Budget,
  options: SetOptions,
): Promise<SetResult> {
  const { concurrency = defaultConcurrency, signal = new AbortController().signal, clock = systemClock } = options;
  const calls = new PQueue({ concurrency });
  const places = pLimit(concurrency);
  const queue = [...left];
  const outage = new CircuitBreaker(clock, {
    onOutage: (begun) => {
      places.concurrency = 1;
      options.onOutage?.(begun);
    },
    onAnswered: (afterMs) => {
      places.concurrency = concurrency;
      options.onAnswered?.(afterMs);
    },
  });
  const result: SetResult = { finished: 0, stopped: 0, waiting: 0, reason: null };
  let fromOutside = 0;
  let refusal: Error | null = null;

  const recordEnd = async (end: MatchEnd) => {
    if ('summary' in end) result.finished += 1;
    else result.stopped += 1;
    fromOutside = 'error' in end && isFromOutside(end.error) ? fromOutside + 1 : 0;
    if ('error' in end) {
      const { error } = end;
      if (outage.answers === 0 && isRefused(error)) refusal ??= error;
      const endsAll = fromOutside >= hopeless || outage.isTooLong() || error instanceof BudgetReached;
      result.reason ??= refusal ?? (endsAll ? error : null);
    }
    await options.onEnd?.(end);
  };
  /** Whether the match has to go on later, at the front of the queue; at its end where it had tried for all. */
  const play = async (match: RemainingMatch, isProbe: boolean): Promise<boolean> => {
    let answers = 0;
    const onLive = () => {
      answers += 1;
      outage.recordAnswer();
    };
    const limit: Limit = (run) => calls.add(run, { priority: -left.indexOf(match) });
    const own = createMatchBudget(budget, match, () => refusal);
    const end = await prepareSetMatch(set, match.seed, place).then(
      (prepared) => playOne(prepared, place, { ...options, concurrency: limit, budget: own, onLive }),
      (error: unknown): MatchEnd => ({ id: `seed ${match.seed}`, folder: null, error }),
    );
    match.isBegun = true;
    const isHeld = 'error' in end && outage.shouldRetryLater(match, end.error, answers);
    if (isHeld) {
      queue[isProbe ? 'push' : 'unshift'](match);
      await options.onHold?.(end);
    } else await recordEnd(end);
    return isHeld;
  };
  const takeTurn = async (): Promise<boolean> => {
    const match = queue.shift()!;
    const isProbe = outage.isOpen;
    if (result.reason === null) await outage.wait(signal).catch(() => undefined); // an abort is seen to below
    if (signal.aborted) result.reason ??= signal.reason;
    result.reason ??= catchThrown(() => budget.check());
    if (result.reason === null) return play(match, isProbe);
    result[match.isBegun ? 'stopped' : 'waiting'] += 1;
    return false;
  };
  const takeTurns = async () => {
    while (await places(takeTurn));
  };
  await Promise.all(left.map(takeTurns));
  if (signal.aborted) result.reason ??= signal.reason; // also where no match was left to wait
  return { ...result, reason: findStopReason(result, budget) };
}

/** That of a reached cap says what was spent in the end, with the calls that were under way. */
function findStopReason({ waiting, reason, stopped }: SetResult, budget: Budget): unknown {
  if (reason instanceof BudgetReached) return catchThrown(() => budget.check()) ?? reason;
  return waiting + stopped > 0 ? reason : null;
}

type OneOptions = Omit<SetOptions, 'concurrency'> &
  Pick<PlayOptions, 'concurrency' | 'budget'> & {
    /** A language model has answered now. */
    onLive: () => void;
  };

async function playOne(
  { id, folder, prepared }: SetMatch,
  { out, env }: SetLocation,
  { maxCost, signal, clock, concurrency, budget, onBegin, onLive }: OneOptions,
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
    if (!isRecorded && !bots.has(line.player)) onLive();
  };
  const manner = { out, env, maxCost, concurrency, ...dropUndefined({ signal, clock, budget }) };
  try {
    const { summary } = await playPrepared(prepared, { ...manner, ...listener, onStart, onAnswer });
    return { id, folder, summary, isPlayed };
  } catch (error) {
    return { id, folder, error };
  }
}

/** Null where nothing is thrown. */
function catchThrown(step: () => void): unknown {
  try {
    step();
    return null;
  } catch (error) {
    return error;
  }
}
