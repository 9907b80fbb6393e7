// Estimates what matches would take in calls, tokens, money and time, from dry runs with bots in the models' seats.
import { sum } from '../deception/statistics/sums.ts';
import type { Environment } from '../models/model.ts';
import { charactersPerToken } from '../models/prefix-cache.ts';
import { computeCost } from '../models/providers/prices.ts';
import { type DryRun, playDryRun, assumedWords } from './dry-run-match.ts';
import type { MatchPlan, PreparedMatch } from './prepare-match.ts';
import { type CallsByModel, countMatches, listMatchPlaces, type MatchSet, prepareSetMatch } from './match-set.ts';

export interface EstimatedUsage {
  calls: number;
  /** Null for bots, which use none. */
  tokens: { in: number; out: number } | null;
  /** USD; null where a price is not known. */
  cost: number | null;
}

export interface MatchEstimate extends EstimatedUsage {
  /** Of the whole set. Of matches that are begun already only the rest is estimated. */
  matches: number;
  /** The seeds of the dry runs, each as often as it was played. */
  seeds: number[];
  /** Calls of the shortest and the longest dry run, and their mean. */
  callsOfOne: { least: number; mean: number; most: number };
  /** Model string → its part of the whole. */
  models: Record<string, EstimatedUsage>;
  /**
   * USD if all that a prompt has in common with the beginning of one that was answered came from the provider's cache, as the
   * provider counts: the least that the input may cost. Null where a price is not known, or none of cached input.
   */
  costWithCache: number | null;
  /** USD that each 100 tokens of a model's own reasoning in every answer would add; null where a price is not known. */
  costOfReasoning: number | null;
  /** The same by model string: only some models reason. Empty where a price is not known. */
  costOfReasoningByModel: Record<string, number>;
  /** Mean number of answers on a match's critical path. */
  latencies: number;
  /** Wall time of the whole set. */
  seconds: number;
  /** How many situations are embedded, to find experiences: each takes `secondsPerText` of CPU. */
  embedded: number;
}

/** What every estimate assumes. `words`: of each field of an answer but statements, which are as long as they may be. */
export const estimateAssumptions = { charactersPerToken, secondsPerAnswer: 3, words: assumedWords } as const;

/** Number of dry runs, at most; of a design the next number by which every arm plays as many. */
const sampleSize = 10;

/**
 * The first matches of the set. Of a design each has another seed, and the arms take turns: how long a match lasts depends
 * on its deal far more than on who plays it.
 */
function listSampledPlaces({ arms, replicates, ...set }: MatchSet) {
  void replicates; // which last as long as each other
  if (set.listed !== undefined) return set.listed.samples;
  if (arms === undefined) return listMatchPlaces({ ...set, matches: sampleSize });
  const all = Math.ceil(sampleSize / arms.length) * arms.length;
  const places = listMatchPlaces({ ...set, arms, matches: all });
  return Array.from({ length: all }, (_, index) => places[index * arms.length + (index % arms.length)]!);
}

interface EstimateOptions {
  env: Environment;
  /** Calls under way at the same time. */
  concurrency: number;
  /** How many dry runs, at most; `sampleSize`, or of a design as many for every arm, where it is left out. */
  mostRuns?: number;
  /** How many matches are left to play; all of the set where it is left out. */
  left?: number;
  /** The recorded calls of each match that is begun. */
  recorded?: readonly CallsByModel[];
  /** Aborts the estimate. */
  signal?: AbortSignal;
  /** Called after each dry run, with the match that it stands for. */
  onRun?: DryRunListener;
}

export type DryRunListener = (run: DryRun, prepared: PreparedMatch) => void;

/**
 * Estimates a set of matches from dry runs of its first seeds. Makes no call and writes nothing. Throws UsageError for an
 * unusable plan, or the reason of an abort.
 *
 * @example
 * const set = { seed: 1, matches: 100, planOf: () => ({ model: 'openai:gpt-4o' }) };
 * const { calls, cost, seconds } = await estimateMatches(set, { env: process.env, concurrency: 32 });
 */
export async function estimateMatches(
  set: MatchSet,
  {
    env,
    concurrency,
    mostRuns = Infinity,
    left: matches = countMatches(set),
    recorded = [],
    signal,
    onRun,
  }: EstimateOptions,
): Promise<MatchEstimate> {
  const played: DryRun[] = [];
  const seeds: number[] = [];
  for (const place of listSampledPlaces(set).slice(0, mostRuns)) {
    signal?.throwIfAborted();
    const { prepared } = await prepareSetMatch(set, place, { out: null, env, now: 0 });
    const run = await playDryRun(prepared);
    onRun?.(run, prepared);
    played.push(run);
    seeds.push(place.seed);
  }
  return estimateFromRuns(played, { seeds, concurrency, left: matches, recorded });
}

/**
 * What the same matches would take if players saw all that was said word for word, where `memory=retrieval` shows them a
 * part; null where it does not.
 *
 * @example (await estimateWithFullMemory(set, { env, concurrency }))?.tokens?.in // tokens that retrieval is compared with
 */
export async function estimateWithFullMemory(set: MatchSet, options: EstimateOptions): Promise<MatchEstimate | null> {
  const [first] = listSampledPlaces(set);
  const { prepared } = await prepareSetMatch(set, first!, { out: null, env: options.env, now: 0 });
  if (prepared.manifest.setup.rules.memory !== 'retrieval') return null;
  const planOf: MatchSet['planOf'] = async (...asked) => setFullMemory(await set.planOf(...asked));
  return estimateMatches({ ...set, planOf }, options);
}

/** The same match with `memory=full`. */
export function setFullMemory(plan: MatchPlan): MatchPlan {
  const { historyK, historyRetriever, ...rule } = plan.rule ?? {};
  void [historyK, historyRetriever]; // decide nothing there, and would be refused
  return { ...plan, rule: { ...rule, memory: 'full' } };
}

/** What so many matches take, of which those of `recorded` are begun, from dry runs of some of them. */
export function estimateFromRuns(
  played: readonly DryRun[],
  {
    seeds,
    concurrency,
    left: matches,
    recorded = [],
  }: { seeds: number[]; left: number } & Pick<EstimateOptions, 'concurrency' | 'recorded'>,
): MatchEstimate {
  const specs = [...new Set(played.flatMap(({ models }) => [...models.keys()]))];
  const averageCalls = (spec: string) => sum(played.map((match) => match.models.get(spec)?.calls ?? 0)) / played.length;
  /** How many matches are left to play by the calls of these models, with the fractions of those that are begun. */
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
    seeds,
    callsOfOne: { least: Math.min(...sizes), mean: sum(sizes) / sizes.length, most: Math.max(...sizes) },
    calls: sum(efforts.map(({ calls }) => calls)),
    tokens: {
      in: sum(efforts.map(({ tokens }) => tokens?.in ?? 0)),
      out: sum(efforts.map(({ tokens }) => tokens?.out ?? 0)),
    },
    cost: efforts.some(({ cost }) => cost === null) ? null : sum(efforts.map(({ cost }) => cost ?? 0)),
    models,
    ...estimateExtremes(played, (spec) => countCallsLeft(spec) / played.length),
    latencies,
    seconds: waits * estimateAssumptions.secondsPerAnswer,
    embedded: Math.round((sum(played.map((match) => match.embedded)) / played.length) * matches),
  };
}

/** In tokens of every answer. */
const reasoningStep = 100;

function estimateExtremes(
  played: readonly DryRun[],
  getScale: (spec: string) => number,
): Pick<MatchEstimate, 'costWithCache' | 'costOfReasoning' | 'costOfReasoningByModel'> {
  const efforts = played.flatMap(({ models }) => [...models.values()]).filter(({ model }) => !model.isBot);
  const prices = efforts.map(({ model }) => model.price);
  const sumCosts = (
    computeTokens: (effort: (typeof efforts)[number]) => { in: number; cached: number; out: number },
    some = efforts,
  ) =>
    sum(
      some.map((effort) => {
        const { in: input, cached, out } = computeTokens(effort);
        const written = input - cached; // where a cache is written into at a price of its own
        const cost = computeCost({ in: input, cached, written, out, reasoning: null }, effort.model.price) ?? 0;
        return cost * getScale(effort.model.spec);
      }),
    );
  const perToken = estimateAssumptions.charactersPerToken;
  const isKnown = efforts.length > 0 && prices.every((price) => price !== null);
  const isCached = isKnown && prices.some((price) => price.cached !== undefined);
  const costReasoning = (some = efforts) =>
    sumCosts(({ calls }) => ({ in: 0, cached: 0, out: calls * reasoningStep }), some);
  const bySpec = isKnown ? [...Map.groupBy(efforts, ({ model }) => model.spec)] : [];
  return {
    costOfReasoning: isKnown ? costReasoning() : null,
    costOfReasoningByModel: Object.fromEntries(bySpec.map(([spec, same]) => [spec, costReasoning(same)])),
    costWithCache: isCached
      ? sumCosts(({ charactersIn, charactersCached, charactersOut }) => ({
          in: charactersIn / perToken,
          cached: charactersCached / perToken,
          out: charactersOut / perToken,
        }))
      : null,
  };
}

/**
 * The effort of one model in all dry runs, times `scale`. No discount for cached input is assumed; where a cache is written
 * into at a price of its own, all input is: the most that it may cost.
 */
function estimateModelEffort(spec: string, played: readonly DryRun[], scale: number): EstimatedUsage {
  const efforts = played.flatMap(({ models }) => models.get(spec) ?? []);
  const { model } = efforts[0]!;
  const scaleTotal = (total: number) => Math.round(total * scale);
  const calls = scaleTotal(sum(efforts.map((effort) => effort.calls)));
  if (model.isBot) return { calls, tokens: null, cost: 0 };
  const tokens = {
    in: scaleTotal(sum(efforts.map(({ charactersIn }) => charactersIn)) / estimateAssumptions.charactersPerToken),
    out: scaleTotal(sum(efforts.map(({ charactersOut }) => charactersOut)) / estimateAssumptions.charactersPerToken),
  };
  return {
    calls,
    tokens,
    cost: computeCost({ ...tokens, cached: null, written: tokens.in, reasoning: null }, model.price),
  };
}
