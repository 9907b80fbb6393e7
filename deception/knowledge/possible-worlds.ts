// Finds a deal of all roles under which the match could have gone as the player saw it.
import { extendHypothesis, type NightHypothesis } from './night-hypotheses.ts';
import type { ObservedStep, Observations } from './observations.ts';
import type { RoleSet } from './role-table.ts';

/** For each seat the place of its role in `RoleTable.roles`. */
export type World = Uint8Array;

/**
 * A world in which every seat has one of the roles `allowed` and nothing that the player saw is impossible, or null
 * where there is none.
 *
 * The search goes through the match from the first night on, giving whoever leaves a role, and in the end the living.
 * All that the rest of the match depends on is how many of each role are left and which hypothesis holds of the nights so
 * far, so what has failed once is not tried again: the work grows with these headcounts (400 at most on `plus-12`, some
 * thousands on 16 seats), not with the number of worlds.
 */
export function findWorld(observations: Observations, allowed: readonly RoleSet[]): World | null {
  const { table } = observations;
  const steps = [...observations.steps, ...listSurvivorSteps(observations)];
  const left = [...table.counts];
  const world: World = new Uint8Array(table.seats.length);
  const leaves = table.seats.map((_, seat) =>
    steps.findIndex((step) => step.kind === 'departure' && step.seat === seat),
  );
  const states = new Map<string, HypothesisState>();

  const continueFrom = (at: number, state: HypothesisState): boolean => {
    const step = steps[at];
    if (!step) return true;
    const key = at * 65_536 + table.encodeHeadcount(left);
    if (state.failed.has(key)) return false;
    const isPossible = take(step, at, state);
    if (!isPossible) state.failed.add(key);
    return isPossible;
  };
  const take = (step: ObservedStep, at: number, state: HypothesisState): boolean => {
    if (step.kind === 'check') return table.findWinnerAmong(left) === step.winner && continueFrom(at + 1, state);
    if (step.kind === 'departure') return tryDeparture(step.seat, at, state);
    if (step.assignments === null) return continueFrom(at + 1, state);
    return extendHypothesis(step.assignments, state.hypothesis, left, table.powers.spared).some((hypothesis) =>
      continueFrom(at + 1, intern(hypothesis, at)),
    );
  };
  const tryDeparture = (seat: number, at: number, state: HypothesisState): boolean =>
    left.some((count, role) => {
      if (count === 0 || !(state.hypothesis.allowed[seat]! & (1 << role))) return false;
      left[role]!--;
      world[seat] = role;
      const isPossible = continueFrom(at + 1, state);
      left[role]!++;
      return isPossible;
    });
  /** Hypotheses that differ only in those who have left already go on alike. */
  const intern = (hypothesis: NightHypothesis, at: number): HypothesisState => {
    const open = hypothesis.allowed.filter((_, seat) => leaves[seat]! > at);
    const key = `${open.join()};${hypothesis.used.join()}`;
    const known = states.get(key) ?? { hypothesis, failed: new Set<number>() };
    states.set(key, known);
    return known;
  };

  return continueFrom(0, intern({ allowed, used: table.powers.ofHolders.map(() => 0) }, -1)) ? world : null;
}

interface HypothesisState {
  hypothesis: NightHypothesis;
  /** Places in the match, with the headcounts there, from which it cannot have gone on. */
  failed: Set<number>;
}

/** In the end the living get their roles too. */
function listSurvivorSteps({ steps, table }: Observations): ObservedStep[] {
  const gone = new Set(steps.flatMap((step) => (step.kind === 'departure' ? [step.seat] : [])));
  return table.seats.flatMap((_, seat) => (gone.has(seat) ? [] : [{ kind: 'departure' as const, seat }]));
}
