// Plays a tournament: its matches in the order of the schedule, until all are over or its stopping rule ends it.
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { hashTournament } from '../../deception/tournament-plan/tournament-record.ts';
import { checkTournament } from '../../deception/tournament-plan/check-tournament.ts';
import { listTournamentMatches, type TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { type StopState, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import { createGrowingSet, playGrowing } from '../pool/pool-growth.ts';
import type { MatchSet } from '../match-set.ts';
import { playMatches, type SetOptions, type SetResult } from '../play-matches.ts';
import { prepareTournament, readTournament, writeTournament } from './tournament-folder.ts';
import { createTournamentSet, findGrowth } from './tournament-set.ts';

/** Signals that the stopping rule has ended the tournament: no further call begins. */
export class TournamentDecided extends Error {
  override name = 'TournamentDecided';
  readonly state: StopState;

  constructor(state: StopState) {
    super(`The stopping rule ended the tournament after ${state.decidedDeals} deals.`);
    this.state = state;
  }

  /** Returns whether a logged message comes from an error of this class. */
  static hasSaid(words: string): boolean {
    return words.startsWith('The stopping rule ended the tournament after ');
  }
}

export interface TournamentOptions extends Omit<SetOptions, 'refuse'> {
  /** Folder of the tournament; null: nothing is written. Default: `runs/` and the tournament's name. */
  out?: string | null | undefined;
}

/** Number of matches in each state, and the state of the stopping rule. `stop`: null without a stopping rule. */
export interface TournamentResult extends SetResult {
  stop: StopState | null;
}

/**
 * Plays or resumes a tournament. Finished matches are only read, and deals that were added to the plan are played too.
 * If its stopping rule ended it, `reason` is TournamentDecided.
 *
 * Throws UsageError for an unusable plan, and if the folder has a tournament under another plan; otherwise like
 * `playMatches`.
 *
 * @example
 * const { finished, stop } = await playTournament(plan, { maxCost: 20 });
 */
export async function playTournament(plan: TournamentPlan, options: TournamentOptions = {}): Promise<TournamentResult> {
  const out = options.out === undefined ? `runs/${plan.name}` : options.out;
  const { set, matches } = openTournament(plan, out);
  const { onOpen, onEnd, maxCost = plan.maxCost, ...others } = options;
  const scores = new TournamentScores(plan, matches);
  const record = out === null ? null : prepareTournament(out, plan);
  const growth = findGrowth(plan, out);
  const play = (settings: SetOptions) => (growth ? playGrowing(set, growth, settings) : playMatches(set, settings));
  const result = await play({
    ...others,
    ...{ out, maxCost },
    refuse: () => findDecision(scores),
    onOpen: (first) => {
      if (out !== null) writeTournament(out, record!);
      onOpen?.(first);
    },
    onEnd: async (end, place) => {
      if ('summary' in end) scores.record(place as TournamentMatch, end.summary.winner); // all places of this set are tournament matches
      await onEnd?.(end, place);
    },
  });
  const stop = scores.evaluate();
  const decision = findDecision(scores);
  if (out !== null) recordStop(out, plan, stop);
  return { ...result, reason: result.waiting + result.stopped > 0 ? (decision ?? result.reason) : null, stop };
}

/**
 * Records in a tournament's folder that its stopping rule ended it before its last deal. Does nothing if the rule did
 * not end it.
 */
export function recordStop(out: string, plan: TournamentPlan, stop: StopState | null): void {
  if (!isEndedEarly(plan, stop)) return;
  const record = readTournament(out);
  if (record?.plan_sha256 !== hashTournament(plan)) return; // another command has extended the tournament, and records why it ended
  writeTournament(out, { ...record, stopped: { deals: stop.decidedDeals, reason: describeRule(plan) } });
}

/** Returns whether the stopping rule has ended a tournament before its last deal. */
export const isEndedEarly = (
  plan: TournamentPlan,
  stop: StopState | null,
): stop is StopState & { decidedDeals: number } => stop?.decidedDeals != null && stop.decidedDeals < plan.deals;

/**
 * Returns the schedule of a plan as a set of matches. If pools grow, the set uses the pools in the folder `out`. Throws
 * a UsageError for an unusable plan.
 */
export function openTournament(
  plan: TournamentPlan,
  out: string | null = null,
): { matches: TournamentMatch[]; set: MatchSet } {
  checkTournament(plan);
  const matches = listTournamentMatches(plan);
  const set = createTournamentSet(plan, matches);
  const growth = findGrowth(plan, out);
  return { matches, set: growth ? createGrowingSet(set, growth) : set };
}

function findDecision(scores: TournamentScores): TournamentDecided | null {
  const state = scores.evaluate();
  return state?.decidedDeals == null ? null : new TournamentDecided(state);
}

/** Names the criterion by which a stopping rule ends its tournament. */
export const describeRule = ({ stop }: TournamentPlan) => (stop?.precision === undefined ? 'decided' : 'precision');
