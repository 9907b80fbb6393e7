// Plays many matches of one plan in one process: one limit on the calls under way, one budget, nothing played twice.
import { mkdirSync } from 'node:fs';
import pLimit from 'p-limit';
import type { DeceptionSummary } from '../deception/summary-schema.ts';
import { openBudget, type Budget } from '../models/budget.ts';
import { RecordError } from '../models/record/record-error.ts';
import { ProviderFailure, systemClock } from '../models/transport.ts';
import type { AnswerLine, Manifest } from '../state/record.ts';
import { given } from '../models/providers/model-options.ts';
import { prepareOne, surveyed, type MatchSet, type Place, type SetMatch } from './match-set.ts';
import {
  defaultConcurrency,
  playPrepared,
  refuseUnpriced,
  type MatchListener,
  type PlayOptions,
} from './play-match.ts';

/**
 * How the matches are played; none of it changes them. `maxCost` is for all of them together, what is recorded of
 * them included; no more of them than `concurrency` are played at the same time.
 */
export interface SetOptions extends SetListener, Pick<PlayOptions, 'out' | 'maxCost' | 'signal' | 'env' | 'clock'> {
  /** Calls under way at the same time in all matches together; 32 by default. */
  concurrency?: number | undefined;
}

export interface SetListener {
  /** The plan can be played; nothing has been read or written yet. */
  onOpen?: (first: Manifest) => void;
  /** The answers recorded of a match that is not over. */
  onRecorded?: (answers: readonly AnswerLine[]) => void;
  /** What is recorded has been read, and so many matches are left to play, some of them begun. Awaited. */
  onSurveyed?: (left: { matches: number; begun: number }) => void | Promise<void>;
  /** A match is played now; what is returned listens to it. */
  onBegin?: (match: { id: string; folder: string | null }) => MatchListener;
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
  /** Why some are waiting; null where none is. */
  reason: unknown;
}

/** After so many matches in a row that failed from outside, the next one would fail too. */
const hopeless = 10;

/** A match that is left to play, and what its record has cost in USD. */
interface Left {
  seed: number;
  paid: number;
}

/**
 * Plays each match of the set to its end, or goes on with it; finished ones are only read. A match that fails does not
 * stop the others; an abort and a reached cap do, and so does a provider or a disk that fails match after match.
 *
 * Throws RangeError for an unusable plan (nothing is written then), the reason of an abort before the first match is
 * played, and the system's error for an `out` that cannot be made. Keeps no match in memory but those being played.
 */
export async function playMatches(set: MatchSet, options: SetOptions = {}): Promise<SetResult> {
  const { maxCost = null, clock = systemClock } = options;
  const out = options.out === undefined ? 'runs' : options.out;
  const place: Place = { out, env: options.env ?? process.env, now: clock.now() };
  const { prepared: first } = await prepareOne(set, set.seed, place);
  if (maxCost !== null) refuseUnpriced(first.seats, maxCost);
  options.onOpen?.(first.manifest);
  const budget = openBudget(maxCost);
  const { finished, left, begun } = await survey(set, place, budget, options);
  await options.onSurveyed?.({ matches: left.length, begun });
  options.signal?.throwIfAborted();
  if (out !== null && left.length > 0) mkdirSync(out, { recursive: true });
  const result = await playLeft(set, left, place, budget, options);
  return { ...result, finished: finished + result.finished };
}

/** Tells of the matches that are over, takes what is recorded from the budget, and finds what is left to play. */
async function survey(set: MatchSet, place: Place, budget: Budget, { signal, onEnd, onRecorded }: SetOptions) {
  const left: Left[] = [];
  let [finished, begun] = [0, 0];
  for await (const { seed, result, answers, paid } of surveyed(set, place)) {
    signal?.throwIfAborted();
    budget.spend(paid);
    if (result) {
      finished += 1;
      await onEnd?.({ id: result.id, folder: result.folder, summary: result.summary, isPlayed: false });
    } else {
      left.push({ seed, paid });
      if (answers.length > 0) begun += 1;
      onRecorded?.(answers);
    }
  }
  return { finished, left, begun };
}

/** As many at the same time as calls may be under way: each has at least one, so the limit is always used up. */
async function playLeft(
  set: MatchSet,
  left: readonly Left[],
  place: Place,
  budget: Budget,
  options: SetOptions,
): Promise<SetResult> {
  const { concurrency = defaultConcurrency, signal } = options;
  const limit = pLimit(concurrency);
  const result: SetResult = { finished: 0, stopped: 0, waiting: 0, reason: null };
  let fromOutside = 0;
  const play = async ({ seed, paid }: Left) => {
    const end = await prepareOne(set, seed, place).then(
      (match) => playOne(match, place, { ...options, concurrency: limit, budget: prepaid(budget, paid) }),
      (error: unknown): MatchEnd => ({ id: `seed ${seed}`, folder: null, error }),
    );
    if ('summary' in end) result.finished += 1;
    else result.stopped += 1;
    fromOutside = 'error' in end && isFromOutside(end.error) ? fromOutside + 1 : 0;
    if ('error' in end && fromOutside >= hopeless) result.reason ??= end.error;
    await options.onEnd?.(end);
  };
  const next = left.values();
  const work = async () => {
    for (const match of next) {
      if (signal?.aborted) result.reason ??= signal.reason;
      result.reason ??= thrownBy(() => budget.check());
      if (result.reason === null) await play(match);
      else result.waiting += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, left.length) }, work));
  return { ...result, reason: result.waiting > 0 ? result.reason : null };
}

type OneOptions = Omit<SetOptions, 'concurrency'> & Pick<PlayOptions, 'concurrency' | 'budget'>;

async function playOne(
  { id, folder, prepared }: SetMatch,
  { out, env }: Place,
  { maxCost, signal, clock, concurrency, budget, onBegin }: OneOptions,
): Promise<MatchEnd> {
  const listener = onBegin?.({ id, folder });
  let isPlayed = false;
  const onStart: MatchListener['onStart'] = (start) => {
    isPlayed = true;
    listener?.onStart?.(start);
  };
  const manner = { out, env, maxCost, concurrency, ...given({ signal, clock, budget }) };
  try {
    const { summary } = await playPrepared(prepared, { ...manner, ...listener, onStart });
    return { id, folder, summary, isPlayed };
  } catch (error) {
    return { id, folder, error };
  }
}

/** The part of a budget from which `paid` USD of the answers to come has been taken before. */
function prepaid(budget: Budget, paid: number): Budget {
  let covered = paid;
  return {
    ...budget,
    spend: (cost) => {
      const free = Math.min(covered, cost);
      covered -= free;
      budget.spend(cost - free);
    },
  };
}

/** Whether the reason lies not in the match but in what all matches need: its provider, or the disk. */
const isFromOutside = (error: unknown) =>
  error instanceof ProviderFailure ||
  (error instanceof RecordError && error.cause !== undefined) ||
  (error instanceof Error && 'syscall' in error);

/** Null where nothing is thrown. */
function thrownBy(step: () => void): unknown {
  try {
    step();
    return null;
  } catch (error) {
    return error;
  }
}
