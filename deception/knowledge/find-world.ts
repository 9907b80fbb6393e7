// Finds a deal of all roles under which the match could have gone as the player saw it.
import type { RoleSet } from './cast.ts';
import type { Course, Step } from './course.ts';
import { talesOf, type Tale } from './tales.ts';

/** For each seat the place of its role in `Cast.roles`. */
export type World = Uint8Array;

/**
 * A world in which every seat has one of the roles `allowed` and nothing that the player saw is impossible, or null
 * where there is none.
 *
 * The search goes through the match from the first night on, giving whoever leaves a role, and in the end the living.
 * All that the rest of the match depends on is how many of each role are left and which tale was told of the nights so
 * far, so what has failed once is not tried again: the work grows with these headcounts (400 at most on `plus-12`, some
 * thousands on 16 seats), not with the number of worlds.
 */
export function findWorld(course: Course, allowed: readonly RoleSet[]): World | null {
  const { cast } = course;
  const steps = [...course.steps, ...theLiving(course)];
  const left = [...cast.counts];
  const world: World = new Uint8Array(cast.seats.length);
  const leaves = cast.seats.map((_, seat) =>
    steps.findIndex((step) => step.kind === 'departure' && step.seat === seat),
  );
  const told = new Map<string, Told>();

  const goOn = (at: number, story: Told): boolean => {
    const step = steps[at];
    if (!step) return true;
    const key = at * 65_536 + cast.headcount(left);
    if (story.failed.has(key)) return false;
    const isPossible = take(step, at, story);
    if (!isPossible) story.failed.add(key);
    return isPossible;
  };
  const take = (step: Step, at: number, story: Told): boolean => {
    if (step.kind === 'check') return cast.winnerAmong(left) === step.winner && goOn(at + 1, story);
    if (step.kind === 'departure') return depart(step.seat, at, story);
    if (step.plots === null) return goOn(at + 1, story);
    return talesOf(step.plots, story.tale, left, cast.attackers).some((tale) => goOn(at + 1, interned(tale, at)));
  };
  const depart = (seat: number, at: number, story: Told): boolean =>
    left.some((count, role) => {
      if (count === 0 || !(story.tale.allowed[seat]! & (1 << role))) return false;
      left[role]!--;
      world[seat] = role;
      const isPossible = goOn(at + 1, story);
      left[role]!++;
      return isPossible;
    });
  /** Tales that differ only in those who have left already go on alike. */
  const interned = (tale: Tale, at: number): Told => {
    const open = tale.allowed.filter((_, seat) => leaves[seat]! > at);
    const key = `${open.join()};${tale.used.join()}`;
    const known = told.get(key) ?? { tale, failed: new Set<number>() };
    told.set(key, known);
    return known;
  };

  return goOn(0, interned({ allowed, used: cast.powers.map(() => 0) }, -1)) ? world : null;
}

interface Told {
  tale: Tale;
  /** Places in the match, with the headcounts there, from which it cannot have gone on. */
  failed: Set<number>;
}

/** In the end the living get their roles too. */
function theLiving({ steps, cast }: Course): Step[] {
  const gone = new Set(steps.flatMap((step) => (step.kind === 'departure' ? [step.seat] : [])));
  return cast.seats.flatMap((_, seat) => (gone.has(seat) ? [] : [{ kind: 'departure' as const, seat }]));
}
