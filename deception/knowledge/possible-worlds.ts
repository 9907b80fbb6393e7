// The search for a possible world: a deal of all roles under which the match could have gone as a player saw it.
import { extendHypothesis, type NightHypothesis } from './night-hypotheses.ts';
import type { ObservedStep, Observations } from './observations.ts';
import type { RoleSet } from './role-table.ts';

/** For each seat, the index of its role in `RoleTable.roles`. */
export type PossibleWorld = Uint8Array;

/**
 * Finds a world in which every seat has one of its `allowed` roles and everything that the player saw can have
 * happened; null if there is none.
 *
 * The search goes through the match from the first night on. Each player who leaves is given a role at that point, and
 * the survivors are given roles at the end. Whether the rest of the match is possible depends only on the number of
 * living players of each role (the headcount) and on the hypothesis about the nights so far. A combination of both that
 * has failed once is therefore not tried again. The work grows with the number of headcounts (400 at most on `plus-12`,
 * some thousands on 16 seats), not with the number of worlds.
 */
export function findPossibleWorld(observations: Observations, allowed: readonly RoleSet[]): PossibleWorld | null {
  const { table } = observations;
  const steps = [...observations.steps, ...listSurvivorSteps(observations)];
  const headcount = [...table.counts];
  const world: PossibleWorld = new Uint8Array(table.seats.length);
  const departureSteps = table.seats.map((_, seat) =>
    steps.findIndex((step) => step.kind === 'departure' && step.seat === seat),
  );
  const states = new Map<string, HypothesisState>();

  const continueFrom = (at: number, state: HypothesisState): boolean => {
    const step = steps[at];
    if (!step) return true;
    const key = at * 65_536 + table.encodeHeadcount(headcount);
    if (state.failed.has(key)) return false;
    const isPossible = tryStep(step, at, state);
    if (!isPossible) state.failed.add(key);
    return isPossible;
  };
  const tryStep = (step: ObservedStep, at: number, state: HypothesisState): boolean => {
    if (step.kind === 'check') return table.findWinnerAmong(headcount) === step.winner && continueFrom(at + 1, state);
    if (step.kind === 'departure') return tryDeparture(step.seat, at, state);
    if (step.assignments === null) return continueFrom(at + 1, state);
    return extendHypothesis(step.assignments, state.hypothesis, headcount, table.powers.unattackableRoles).some(
      (hypothesis) => continueFrom(at + 1, shareState(hypothesis, at)),
    );
  };
  const tryDeparture = (seat: number, at: number, state: HypothesisState): boolean =>
    headcount.some((count, role) => {
      if (count === 0 || !(state.hypothesis.allowed[seat]! & (1 << role))) return false;
      headcount[role]!--;
      world[seat] = role;
      const isPossible = continueFrom(at + 1, state);
      headcount[role]!++;
      return isPossible;
    });
  /**
   * Returns the search state of a hypothesis. Hypotheses that differ only in players who have already left share one
   * state.
   */
  const shareState = (hypothesis: NightHypothesis, at: number): HypothesisState => {
    const remaining = hypothesis.allowed.filter((_, seat) => departureSteps[seat]! > at);
    const key = `${remaining.join()};${hypothesis.used.join()}`;
    const state = states.get(key) ?? { hypothesis, failed: new Set<number>() };
    states.set(key, state);
    return state;
  };

  return continueFrom(0, shareState({ allowed, used: table.powers.holderPowers.map(() => 0) }, -1)) ? world : null;
}

interface HypothesisState {
  hypothesis: NightHypothesis;
  /** Combinations of a step and a headcount after which the rest of the match is impossible. */
  failed: Set<number>;
}

/** Lists one departure after the last step for each survivor, so that the search gives survivors roles too. */
function listSurvivorSteps({ steps, table }: Observations): ObservedStep[] {
  const departed = new Set(steps.flatMap((step) => (step.kind === 'departure' ? [step.seat] : [])));
  return table.seats.flatMap((_, seat) => (departed.has(seat) ? [] : [{ kind: 'departure' as const, seat }]));
}
