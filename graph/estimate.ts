// Estimates the calls, tokens, money and time of matches, from dry runs with bots in the models' seats.
import { sum } from '../deception/statistics/sums.ts';
import { type Environment, isServed } from '../models/model.ts';
import { charactersPerToken } from '../models/prefix-cache.ts';
import { computeCost } from '../models/providers/prices.ts';
import type { Setup } from '../state/game.ts';
import type { Rules } from '../state/rules/common-rules.ts';
import { type DryRun, playDryRun, assumedWords } from './dry-run-match.ts';
import { dealPlannedMatch, type MatchPlan, type PreparedMatch } from './prepare-match.ts';
import { type CallsByModel, countMatches, listMatchPlaces, type MatchSet, prepareSetMatch } from './match-set.ts';

export interface EstimatedUsage {
  calls: number;
  /** Tokens in and out. Null for bots, which use none. */
  tokens: { in: number; out: number } | null;
  /** USD; null if a price is unknown. */
  cost: number | null;
}

export interface MatchEstimate extends EstimatedUsage {
  /** Number of matches in the set. A match that has begun counts, but only its remaining calls are estimated. */
  matches: number;
  /** Seeds of the dry runs. A seed is repeated if several dry runs used it. */
  seeds: number[];
  /** Smallest, mean and largest number of calls of a dry run. */
  callsOfOne: { least: number; mean: number; most: number };
  /** Usage by model string. */
  models: Record<string, EstimatedUsage>;
  /**
   * Lower bound of the cost in USD. It assumes that the provider's cache serves the beginning that each prompt shares
   * with an answered prompt, by the provider's counting rule. Null if a price is unknown, or if cached input has no
   * price.
   */
  costWithCache: number | null;
  /**
   * USD that each 100 tokens of a model's own reasoning per answer would add to the cost; null if a price is unknown.
   */
  costOfReasoning: number | null;
  /**
   * Cost of 100 reasoning tokens per answer in USD, by model string. It is separate for each model, because only some
   * models reason. Empty if a price is unknown.
   */
  costOfReasoningByModel: Record<string, number>;
  /** Mean number of rounds of the dry runs. */
  rounds: number;
  /** Mean number of answers on a match's critical path. */
  latencies: number;
  /** Wall time of the whole set in seconds. */
  seconds: number;
  /** Number of situations that must be embedded to retrieve experiences. Each takes `secondsPerText` of CPU. */
  embedded: number;
}

/**
 * Assumptions of every estimate. `words`: number of words by field of an answer. Statements use their word limit
 * instead.
 */
export const estimateAssumptions = { charactersPerToken, secondsPerAnswer: 3, words: assumedWords } as const;

/** Maximum number of dry runs. For a design, the number is rounded up so that every arm has the same number of runs. */
const sampleSize = 10;

/**
 * Lists the seeds and arms of the sampled matches. In a design, the seeds differ and the arms alternate, because the
 * length of a match depends far more on its deal than on its players.
 */
function listSampledPlaces({ arms, replicates, ...set }: MatchSet) {
  void replicates; // replicates of a deal have the same expected length
  if (set.listed !== undefined) return set.listed.samples;
  if (arms === undefined) return listMatchPlaces({ ...set, matches: sampleSize });
  const all = Math.ceil(sampleSize / arms.length) * arms.length;
  const places = listMatchPlaces({ ...set, arms, matches: all });
  return Array.from({ length: all }, (_, index) => places[index * arms.length + (index % arms.length)]!);
}

interface EstimateOptions {
  env: Environment;
  /** Calls running at the same time. */
  concurrency: number;
  /** Maximum number of dry runs. Default: `sampleSize`; for a design, the same number for every arm. */
  mostRuns?: number;
  /** Number of matches that are left to play. Default: all matches of the set. */
  left?: number;
  /** Recorded calls of each match that has begun. */
  recorded?: readonly CallsByModel[];
  /** Aborts the estimate. */
  signal?: AbortSignal;
  /** Called after each dry run, with the match that it represents. */
  onRun?: DryRunListener;
  /** Called before each dry run with the number of dry runs played, and of all. */
  onStep?: ((what: string, done: number, of: number) => void) | undefined;
}

export type DryRunListener = (run: DryRun, prepared: PreparedMatch) => void;

/** Dry runs of a set, and their seeds. A seed is repeated if several dry runs used it. */
export interface SampledRuns {
  played: readonly DryRun[];
  seeds: number[];
}

/**
 * Plays the dry runs behind every estimate of a set: the set's first seeds, with alternating arms. The dry runs do not
 * depend on the number of matches in the set. Throws like `estimateMatches`.
 *
 * @example
 * const { played, seeds } = await playSampledRuns({ seed: 1, matches: 100, planOf }, { env: process.env });
 * estimateFromRuns(played, { seeds, concurrency: 32, left: 100 }).calls;
 */
export async function playSampledRuns(
  set: MatchSet,
  {
    env,
    mostRuns = Infinity,
    signal,
    onRun,
    onStep,
  }: Pick<EstimateOptions, 'env' | 'mostRuns' | 'signal' | 'onRun' | 'onStep'>,
): Promise<SampledRuns> {
  const played: DryRun[] = [];
  const seeds: number[] = [];
  const places = listSampledPlaces(set).slice(0, mostRuns);
  for (const [done, place] of places.entries()) {
    signal?.throwIfAborted();
    onStep?.('dry runs played', done, places.length);
    const { prepared } = await prepareSetMatch(set, place, { out: null, env, now: 0 });
    const run = await playDryRun(prepared);
    onRun?.(run, prepared);
    played.push(run);
    seeds.push(place.seed);
  }
  onStep?.('dry runs played', places.length, places.length);
  return { played, seeds };
}

/**
 * Estimates a set of matches from dry runs of its first seeds. Makes no call and writes nothing. Throws UsageError for
 * an unusable plan, or the reason of an abort.
 *
 * @example
 * const set = { seed: 1, matches: 100, planOf: () => ({ model: 'openai:gpt-4o' }) };
 * const { calls, cost, seconds } = await estimateMatches(set, { env: process.env, concurrency: 32 });
 */
export async function estimateMatches(
  set: MatchSet,
  { concurrency, left = countMatches(set), recorded = [], ...options }: EstimateOptions,
): Promise<MatchEstimate> {
  const { played, seeds } = await playSampledRuns(set, options);
  return estimateFromRuns(played, { seeds, concurrency, left, recorded });
}

/**
 * Estimates the same matches with `memory=full`, for comparison with `memory=retrieval`, which shows players only a
 * part of what was said. Null if the plan does not use retrieval. Also null if players have a pool, because a pool's
 * entries are valid only for its own rules.
 *
 * @example (await estimateWithFullMemory(set, { env, concurrency }))?.tokens?.in // tokens that retrieval is compared with
 */
export async function estimateWithFullMemory(set: MatchSet, options: EstimateOptions): Promise<MatchEstimate | null> {
  const [first] = await readSetups(set, options, 1);
  if (first === undefined || first.rules.memory !== 'retrieval' || first.experience !== undefined) return null;
  const planOf: MatchSet['planOf'] = async (...asked) => setFullMemory(await set.planOf(...asked));
  return estimateMatches({ ...set, planOf }, options);
}

/** Usage of matches, and the mean numbers of their rounds and of answers on a match's critical path. */
export type TurnEstimate = EstimatedUsage & Pick<MatchEstimate, 'latencies' | 'rounds'>;

/** Estimates of the same matches with both values of the rule `turn`, scaled to equal numbers of rounds. */
export interface TurnEstimates {
  bid: TurnEstimate;
  draft: TurnEstimate;
}

/**
 * Compares an estimate with the estimate for the other value of the rule `turn`. Bots draw other answers for drafts, so
 * matches with drafts have other lengths. The second estimate is therefore scaled to the same number of rounds. `turn`:
 * value of the rule in the first estimate.
 *
 * @example compareTurns('bid', estimate, drafted).draft.calls
 */
export function compareTurns(turn: Rules['turn'], estimate: TurnEstimate, other: TurnEstimate): TurnEstimates {
  const scale = estimate.rounds / other.rounds;
  const { calls, tokens, cost, latencies } = other;
  const scaled: TurnEstimate = {
    calls: Math.round(calls * scale),
    tokens: tokens && { in: Math.round(tokens.in * scale), out: Math.round(tokens.out * scale) },
    cost: cost === null ? null : cost * scale,
    latencies: latencies * scale,
    rounds: estimate.rounds,
  };
  return turn === 'bid' ? { bid: estimate, draft: scaled } : { bid: scaled, draft: estimate };
}

/** Returns the other value of the rule `turn`. */
export const nameOtherTurn = (turn: Rules['turn']): Rules['turn'] => (turn === 'bid' ? 'draft' : 'bid');

/** Returns the plan with this value of the rule `turn`. */
export const setTurn = (plan: MatchPlan, turn: Rules['turn']): MatchPlan => ({ ...plan, rule: { ...plan.rule, turn } });

/**
 * Returns the value of the rule `turn` in all these matches. Null if the matches differ, if nobody bids in some of
 * them, or if players have a pool, because a pool's entries are valid only for its own rules.
 *
 * @example findTurn([setup]) // 'bid'
 */
export function findTurn(setups: readonly Pick<Setup, 'rules' | 'experience'>[]): Rules['turn'] | null {
  const [first] = setups;
  const isOther = ({ rules, experience }: Pick<Setup, 'rules' | 'experience'>) =>
    rules.debateOrder !== 'bidding' || rules.turn !== first?.rules.turn || experience !== undefined;
  return first === undefined || setups.some(isOther) ? null : first.rules.turn;
}

/**
 * Estimates the same matches with the other value of the rule `turn`, for comparison. Null if nobody bids, if only bots
 * play, if the arms of a design differ in the rule, or for listed matches. Also null if players have a pool, because a
 * pool's entries are valid only for its own rules. `estimate`: estimate of the matches as planned.
 *
 * @example (await estimateBothTurns(set, estimate, { env, concurrency }))?.draft.latencies // fewer than of bids
 */
export async function estimateBothTurns(
  set: MatchSet,
  estimate: MatchEstimate,
  options: EstimateOptions,
): Promise<TurnEstimates | null> {
  if (set.listed !== undefined || isOfBots(Object.values(estimate.models))) return null;
  const turn = findTurn(await readSetups(set, options, set.arms?.length ?? 1));
  if (turn === null) return null;
  const planOf: MatchSet['planOf'] = async (...asked) => setTurn(await set.planOf(...asked), nameOtherTurn(turn));
  return compareTurns(turn, estimate, await estimateMatches({ ...set, planOf }, options));
}

const isOfBots = (usages: readonly EstimatedUsage[]): boolean => usages.every(({ tokens }) => tokens === null);

/** Returns the set-ups of `count` sampled matches. The first samples cover different arms. */
async function readSetups(set: MatchSet, { env }: Pick<EstimateOptions, 'env'>, count: number): Promise<Setup[]> {
  const found: Setup[] = [];
  for (const place of listSampledPlaces(set).slice(0, count)) {
    const { prepared } = await prepareSetMatch(set, place, { out: null, env, now: 0 });
    found.push(prepared.manifest.setup);
  }
  return found;
}

/** Returns the plan with `memory=full`. */
export function setFullMemory(plan: MatchPlan): MatchPlan {
  const { historyK, historyRetriever, ...rule } = plan.rule ?? {};
  void [historyK, historyRetriever]; // they have no effect with full memory and would be rejected
  return { ...plan, rule: { ...rule, memory: 'full' } };
}

/**
 * Estimates the additional calls if listeners gave their beliefs after every statement (`beliefs=each-statement`). Null
 * if they already do, or if only bots play. One dry run of each arm is enough.
 *
 * @example (await estimateBeliefs(set, { env, concurrency }))?.tokens?.out // tokens that the beliefs add
 */
export async function estimateBeliefs(
  set: MatchSet,
  options: Omit<EstimateOptions, 'onRun' | 'mostRuns'>,
): Promise<EstimatedUsage | null> {
  const few = { ...options, mostRuns: set.arms?.length ?? 1 };
  const estimate = (change: (plan: MatchPlan) => MatchPlan) =>
    estimateMatches({ ...set, planOf: async (...asked) => change(await set.planOf(...asked)) }, few);
  return computeAddedUsage(await estimate(setBeliefs), await estimate(stripExperience));
}

/**
 * Returns the plan without its pool: the pool's entries are only valid under the plan's own rules. This does not change
 * the estimate of beliefs, because questions about beliefs show no entry.
 */
export const stripExperience = ({ experience, ...plan }: MatchPlan): MatchPlan => {
  void experience;
  return plan;
};

/**
 * Returns the plan with `beliefs=each-statement` and without a pool. Adds analyses by listeners if the plan has no
 * analyses.
 */
export function setBeliefs(plan: MatchPlan): MatchPlan {
  const isAsked = dealPlannedMatch(plan).rules.analysis !== 'off';
  return {
    ...stripExperience(plan),
    rule: { ...plan.rule, beliefs: 'each-statement', ...(isAsked ? {} : { analysis: 'peer' }) },
  };
}

/**
 * Returns by how much the usage `more` exceeds `less`. Null if one of them uses no tokens, or if both have the same
 * number of output tokens.
 */
export function computeAddedUsage(more: EstimatedUsage, less: EstimatedUsage): EstimatedUsage | null {
  if (more.tokens === null || less.tokens === null || more.tokens.out === less.tokens.out) return null;
  return {
    calls: more.calls - less.calls,
    tokens: { in: more.tokens.in - less.tokens.in, out: more.tokens.out - less.tokens.out },
    cost: more.cost === null || less.cost === null ? null : more.cost - less.cost,
  };
}

/**
 * Estimates a number of matches from the dry runs of some matches. `recorded`: calls of the matches that have begun.
 */
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
  /**
   * Returns how many matches are left to play, measured by the calls of these models. A match that has begun counts as
   * the fraction of these calls that it has not made yet.
   */
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
    rounds: sum(played.map(({ events }) => Math.max(...events.map(({ round }) => round)))) / played.length,
    ...estimateExtremes(played, (spec) => countCallsLeft(spec) / played.length),
    latencies,
    seconds: waits * estimateAssumptions.secondsPerAnswer,
    embedded: Math.round((sum(played.map((match) => match.embedded)) / played.length) * matches),
  };
}

/** Number of reasoning tokens per answer to which `costOfReasoning` refers. */
const reasoningStep = 100;

function estimateExtremes(
  played: readonly DryRun[],
  getScale: (spec: string) => number,
): Pick<MatchEstimate, 'costWithCache' | 'costOfReasoning' | 'costOfReasoningByModel'> {
  const efforts = played.flatMap(({ models }) => [...models.values()]).filter(({ model }) => isServed(model));
  const prices = efforts.map(({ model }) => model.price);
  const sumCosts = (
    computeTokens: (effort: (typeof efforts)[number]) => { in: number; cached: number; out: number },
    some = efforts,
  ) =>
    sum(
      some.map((effort) => {
        const { in: input, cached, out } = computeTokens(effort);
        const written = input - cached; // input written to a cache that has a price for writing
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
 * Estimates the usage of one model in all dry runs, multiplied by `scale`. It is an upper bound: cached input gets no
 * discount and, if writing to a cache has its own price, all input counts as written.
 */
function estimateModelEffort(spec: string, played: readonly DryRun[], scale: number): EstimatedUsage {
  const efforts = played.flatMap(({ models }) => models.get(spec) ?? []);
  const { model } = efforts[0]!;
  const scaleTotal = (total: number) => Math.round(total * scale);
  const calls = scaleTotal(sum(efforts.map((effort) => effort.calls)));
  if (!isServed(model)) return { calls, tokens: null, cost: 0 };
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
