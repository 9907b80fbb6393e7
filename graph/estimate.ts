// What matches would take in calls, tokens, money and time, estimated from matches of bots in the seats of the models.
import { sum } from '../deception/statistics/sums.ts';
import type { Environment } from '../models/model.ts';
import { computeCost } from '../models/providers/prices.ts';
import { type DryRun, dryRunMatch, wordsWritten } from './dry-run-match.ts';
import { type CallsByModel, type MatchSet, prepareSetMatch } from './match-set.ts';

export interface EstimatedEffort {
  calls: number;
  /** Null for bots, which take none. */
  tokens: { in: number; out: number } | null;
  /** USD; null where a price is not known. */
  cost: number | null;
}

export interface MatchEstimate extends EstimatedEffort {
  /** Those that are begun already included; of them, only what is left is estimated. */
  matches: number;
  /** The seeds of the bots' matches that it was taken from. */
  seeds: number[];
  /** Calls of the shortest and the longest of these matches, and on the average. */
  callsOfOne: { least: number; mean: number; most: number };
  /** By model string. */
  models: Record<string, EstimatedEffort>;
  /** Answers of language models that wait for one another in a match, on the average. */
  latencies: number;
  seconds: number;
}

/** What an estimate takes for granted; `words` that a model writes, a statement apart, which has as many as it may. */
export const assumptions = { charactersPerToken: 4, secondsPerAnswer: 3, words: wordsWritten } as const;

/** Matches that are played for an estimate, at most. */
const sampleSize = 10;

export interface EstimateOptions {
  env: Environment;
  /** Calls under way at the same time. */
  concurrency: number;
  /** Asked after each match of bots; by default they are ten. */
  isEnough?: () => boolean;
  /** The calls that are recorded of each match that is begun. */
  recorded?: readonly CallsByModel[];
  /** Stops at once. */
  signal?: AbortSignal;
}

/**
 * Plays bots on the same board with the same rules and the seeds from the first one on; makes no call and writes
 * nothing. Throws UsageError for an unusable plan, or the reason of an abort.
 */
export async function estimateMatches(
  set: MatchSet,
  { env, concurrency, isEnough = () => false, recorded = [], signal }: EstimateOptions,
): Promise<MatchEstimate> {
  const played: DryRun[] = [];
  do {
    signal?.throwIfAborted();
    const { prepared } = await prepareSetMatch(set, set.seed + played.length, { out: null, env, now: 0 });
    played.push(await dryRunMatch(prepared));
  } while (played.length < sampleSize && !isEnough());
  const { seed, matches } = set;
  const specs = [...new Set(played.flatMap(({ models }) => [...models.keys()]))];
  const averageCalls = (spec: string) => sum(played.map((match) => match.models.get(spec)?.calls ?? 0)) / played.length;
  /** Matches that are left to play, of begun ones the parts, in calls of these models. */
  const countCallsLeft = (...some: string[]) => {
    const whole = sum(some.map(averageCalls));
    const parts = recorded.map((calls) => sum(some.map((spec) => calls.get(spec) ?? 0)) / whole);
    return matches - recorded.length + sum(parts.map((part) => Math.max(0, 1 - part)));
  };
  const models = Object.fromEntries(
    specs.map((spec) => [spec, estimateModelEffort(spec, played, countCallsLeft(spec) / played.length)]),
  );
  const efforts = Object.values(models);
  const sizes = played.map((match) => sum([...match.models.values()].map(({ calls }) => calls)));
  const latencies = sum(played.map((match) => match.latencies)) / played.length;
  const inFlight = Math.min(matches, concurrency);
  const waits = Math.max(
    inFlight === 0 ? 0 : (latencies * countCallsLeft(...specs)) / inFlight,
    sum(efforts.filter(({ tokens }) => tokens).map(({ calls }) => calls)) / concurrency,
  );
  return {
    matches,
    seeds: played.map((_, index) => seed + index),
    callsOfOne: { least: Math.min(...sizes), mean: sum(sizes) / sizes.length, most: Math.max(...sizes) },
    calls: sum(efforts.map(({ calls }) => calls)),
    tokens: {
      in: sum(efforts.map(({ tokens }) => tokens?.in ?? 0)),
      out: sum(efforts.map(({ tokens }) => tokens?.out ?? 0)),
    },
    cost: efforts.some(({ cost }) => cost === null) ? null : sum(efforts.map(({ cost }) => cost ?? 0)),
    models,
    latencies,
    seconds: waits * assumptions.secondsPerAnswer,
  };
}

/** Of one model in all matches played, times `scale`. Nothing is taken off for what a provider may have cached. */
function estimateModelEffort(spec: string, played: readonly DryRun[], scale: number): EstimatedEffort {
  const efforts = played.flatMap(({ models }) => models.get(spec) ?? []);
  const { model } = efforts[0]!;
  const scaleTotal = (total: number) => Math.round(total * scale);
  const calls = scaleTotal(sum(efforts.map((effort) => effort.calls)));
  if (model.isBot) return { calls, tokens: null, cost: 0 };
  const tokens = {
    in: scaleTotal(sum(efforts.map(({ charactersIn }) => charactersIn)) / assumptions.charactersPerToken),
    out: scaleTotal(sum(efforts.map(({ charactersOut }) => charactersOut)) / assumptions.charactersPerToken),
  };
  return { calls, tokens, cost: computeCost({ ...tokens, cached: null, reasoning: null }, model.price) };
}
