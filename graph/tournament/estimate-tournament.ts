// Estimates the usage of a tournament's matches, by entrant and in total, from dry runs of some of them.
import { baselineName, type TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { mean, sum } from '../../deception/statistics/sums.ts';
import type { Environment, PlayerModel } from '../../models/model.ts';
import { openModel } from '../../models/providers/index.ts';
import { computeCost } from '../../models/providers/prices.ts';
import type { Setup } from '../../state/game.ts';
import { type DryRun, type ModelEffort, playDryRun } from '../dry-run-match.ts';
import {
  estimateAssumptions,
  type EstimatedUsage,
  estimateFromRuns,
  setBeliefs,
  setFullMemory,
  compareTurns,
  computeAddedUsage,
  type DryRunListener,
  findTurn,
  type MatchEstimate,
  stripExperience,
  nameOtherTurn,
  setTurn,
  type TurnEstimate,
  type TurnEstimates,
} from '../estimate.ts';
import { type MatchPlan, prepareMatch } from '../prepare-match.ts';
import { findEntrant, planTournamentMatch } from './tournament-set.ts';

export interface TournamentEstimate extends Pick<
  MatchEstimate,
  'matches' | 'callsOfOne' | 'rounds' | 'latencies' | 'seconds' | 'embedded'
> {
  /** Number of dry runs behind the estimate. */
  dryRuns: number;
  /** Usage by entrant, including the baseline. */
  entrants: Record<string, EstimatedUsage>;
  all: EstimatedUsage;
}

/**
 * Maximum number of dry runs. If there are more combinations of board and condition, each combination has one dry
 * run.
 */
const sampleSize = 10;

interface TournamentEstimateOptions {
  env: Environment;
  concurrency: number;
  mostRuns?: number;
  /** Changes the plan of every match. Default: no change. */
  change?: (planned: MatchPlan) => MatchPlan;
  /** Called after each dry run, with the match that it represents. */
  onRun?: DryRunListener;
  /** Called before each dry run with the number of dry runs played, and of all. */
  onStep?: ((what: string, done: number, of: number) => void) | undefined;
}

/** A dry run with the match that it represents. */
interface Sample {
  match: TournamentMatch;
  run: DryRun;
}

/**
 * Estimates the matches `left` of the plan's schedule, each as a whole match. Makes no call and writes nothing. Throws
 * like `prepareMatch`.
 *
 * @example const { all, entrants } = await estimateTournament(plan, matches, { env: process.env, concurrency: 32 });
 */
export async function estimateTournament(
  plan: TournamentPlan,
  left: readonly TournamentMatch[],
  { env, concurrency, mostRuns = sampleSize, change = (planned) => planned, onRun, onStep }: TournamentEstimateOptions,
): Promise<TournamentEstimate> {
  const samples: Sample[] = [];
  const wanted = selectSamples(left, mostRuns);
  for (const [done, match] of wanted.entries()) {
    onStep?.('dry runs played', done, wanted.length);
    const prepared = await prepareMatch(change(planTournamentMatch(plan, match)), env, 0);
    const run = await playDryRun(prepared);
    onRun?.(run, prepared);
    samples.push({ match, run });
  }
  onStep?.('dry runs played', wanted.length, wanted.length);
  const usages = await estimateEntrants(plan, left, samples, env);
  const runs = samples.map(({ run }) => run);
  const { callsOfOne, rounds, latencies, seconds, embedded } = estimateFromRuns(runs, {
    seeds: [],
    concurrency,
    left: left.length,
  });
  const entrants = Object.fromEntries(usages);
  return {
    ...{ matches: left.length, dryRuns: runs.length, callsOfOne, rounds, latencies, seconds, embedded },
    ...{ entrants, all: addUsage(Object.values(entrants)) },
  };
}

/**
 * Estimates the same matches with `memory=full`, in which players see all statements word for word; null if none of
 * them uses `memory=retrieval`.
 *
 * @example (await estimateTournamentWithFullMemory(plan, matches, { env, concurrency: 32 }))?.all.tokens?.in
 */
export async function estimateTournamentWithFullMemory(
  plan: TournamentPlan,
  left: readonly TournamentMatch[],
  options: Omit<TournamentEstimateOptions, 'change'>,
): Promise<TournamentEstimate | null> {
  const memories = new Map(left.map((match) => [nameGround(match), match]));
  for (const match of memories.values()) {
    const { manifest } = await prepareMatch(planTournamentMatch(plan, match), options.env, 0);
    if (manifest.setup.rules.memory === 'retrieval')
      return estimateTournament(plan, left, { ...options, change: setFullMemory });
  }
  return null;
}

/**
 * Estimates the calls that would be added with `beliefs=each-statement`. Null if the matches already use it, or if only
 * bots play.
 *
 * @example (await estimateTournamentBeliefs(plan, matches, { env, concurrency: 32 }))?.cost
 */
export async function estimateTournamentBeliefs(
  plan: TournamentPlan,
  left: readonly TournamentMatch[],
  options: Omit<TournamentEstimateOptions, 'change' | 'mostRuns' | 'onRun'>,
): Promise<EstimatedUsage | null> {
  const few = { ...options, mostRuns: 1 };
  const more = await estimateTournament(plan, left, { ...few, change: setBeliefs });
  return computeAddedUsage(more.all, (await estimateTournament(plan, left, { ...few, change: stripExperience })).all);
}

/**
 * Estimates the same matches with the other value of the rule `turn`. Null if nobody bids in some of them, if the
 * matches differ in this rule, or if only bots play. `estimate`: estimate of the matches as planned.
 *
 * @example (await estimateTournamentTurns(plan, matches, estimate, { env, concurrency: 32 }))?.draft.latencies
 */
export async function estimateTournamentTurns(
  plan: TournamentPlan,
  left: readonly TournamentMatch[],
  estimate: TournamentEstimate,
  options: Omit<TournamentEstimateOptions, 'change' | 'onRun'>,
): Promise<TurnEstimates | null> {
  if (estimate.all.tokens === null) return null;
  const setups: Setup[] = [];
  for (const match of new Map(left.map((one) => [nameGround(one), one])).values()) {
    const { manifest } = await prepareMatch(planTournamentMatch(plan, match), options.env, 0);
    setups.push(manifest.setup);
  }
  const turn = findTurn(setups);
  if (turn === null) return null;
  const change = (planned: MatchPlan) => setTurn(planned, nameOtherTurn(turn));
  const takeTurns = ({ all, rounds, latencies }: TournamentEstimate): TurnEstimate => ({ ...all, rounds, latencies });
  return compareTurns(
    turn,
    takeTurns(estimate),
    takeTurns(await estimateTournament(plan, left, { ...options, change })),
  );
}

const nameGround = ({ board, preset, condition }: TournamentMatch) => JSON.stringify([board.name, preset, condition]);

/** Selects equally many matches of each board and condition, with different deals and pairings. */
function selectSamples(matches: readonly TournamentMatch[], size: number): TournamentMatch[] {
  const grounds = [...Map.groupBy(matches, nameGround).values()];
  const perGround = Math.ceil(size / grounds.length);
  return grounds.flatMap((own) => {
    const deals = [...Map.groupBy(own, ({ deal }) => deal).values()];
    const picked = Array.from({ length: Math.min(perGround, own.length) }, (_, index) => {
      const tables = deals[index % deals.length]!;
      return tables[index % tables.length]!;
    });
    return [...new Set(picked)];
  });
}

/**
 * Returns the usage by entrant. The usage of a seat depends on its role and on whether a language model plays it, so it
 * is averaged over all samples with the same board and condition.
 */
async function estimateEntrants(
  plan: TournamentPlan,
  left: readonly TournamentMatch[],
  samples: readonly Sample[],
  env: Environment,
): Promise<[string, EstimatedUsage][]> {
  const seats = samples.flatMap(({ match, run }) =>
    match.seats.flatMap(({ player, role, entrant }) => {
      const effort = run.players.get(player)!;
      return [nameSeat(match, role), nameSeat(match, role, entrant)].map((key) => ({ key, effort }));
    }),
  );
  const efforts = Map.groupBy(seats, ({ key }) => key);
  /**
   * Returns the sampled seats to estimate a seat from. In matches with experience, these are the entrant's own seats if
   * there are any, because experience makes them differ from other seats.
   */
  const findEfforts = (match: TournamentMatch, role: string, entrant: string) =>
    (match.experience && efforts.get(nameSeat(match, role, entrant))) ?? efforts.get(nameSeat(match, role))!;
  const opened = new Map<string, Promise<PlayerModel>>();
  const open = (text: string) => {
    const model = opened.get(text) ?? openModel(text, { temperature: null, env });
    opened.set(text, model);
    return model;
  };
  const counts = new Map<string, Map<string, { match: TournamentMatch; role: string; count: number }>>();
  for (const match of left)
    for (const { entrant, role } of match.seats) {
      const own = counts.get(entrant) ?? new Map<string, { match: TournamentMatch; role: string; count: number }>();
      const key = nameSeat(match, role);
      const { count } = own.get(key) ?? { count: 0 };
      counts.set(entrant, own.set(key, { match, role, count: count + 1 }));
    }
  const names = [...Object.keys(plan.entrants), baselineName].filter((name) => counts.has(name));
  return Promise.all(
    names.map(async (name): Promise<[string, EstimatedUsage]> => {
      const { model, roles } = findEntrant(plan, name);
      const parts = [...counts.get(name)!.values()].map(async ({ match, role, count }) => {
        const known = findEfforts(match, role, name).map(({ effort }) => effort);
        return estimateSeats(await open(roles?.[role] ?? model), known, count);
      });
      return [name, addUsage(await Promise.all(parts))];
    }),
  );
}

const nameSeat = (match: TournamentMatch, role: string, entrant = '') => `${nameGround(match)} ${role} ${entrant}`;

/** Estimates the usage of `count` seats of a model from the usage of known seats. */
function estimateSeats(model: PlayerModel, known: readonly ModelEffort[], count: number): EstimatedUsage {
  const alike = known.filter((effort) => effort.model.isBot === model.isBot);
  const efforts = alike.length > 0 ? alike : known;
  const scale = (values: readonly number[]) => count * mean(values)!;
  const calls = scale(efforts.map((effort) => effort.calls));
  if (model.isBot) return { calls, tokens: null, cost: 0 };
  const perToken = estimateAssumptions.charactersPerToken;
  const tokens = {
    in: scale(efforts.map(({ charactersIn }) => charactersIn)) / perToken,
    out: scale(efforts.map(({ charactersOut }) => charactersOut)) / perToken,
  };
  return { calls, tokens, cost: computeCost({ ...tokens, cached: null, reasoning: null }, model.price) };
}

/**
 * Adds up usages. Rounds calls and tokens to whole numbers; tokens are null if none are used, cost is null if a price
 * is unknown.
 */
function addUsage(usages: readonly EstimatedUsage[]): EstimatedUsage {
  const tokens = usages.flatMap((usage) => usage.tokens ?? []);
  return {
    calls: Math.round(sum(usages.map(({ calls }) => calls))),
    tokens:
      tokens.length === 0
        ? null
        : { in: Math.round(sum(tokens.map((one) => one.in))), out: Math.round(sum(tokens.map((one) => one.out))) },
    cost: usages.some(({ cost }) => cost === null) ? null : sum(usages.map(({ cost }) => cost!)),
  };
}
