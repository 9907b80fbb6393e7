// A tournament's schedule as a set of matches to prepare: every seat has its entrant, by name.
import type { Entrant, ExperiencePart, TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { hashTournament } from '../../deception/tournament-plan/tournament-record.ts';
import { resolveRememberingEntrants } from '../../deception/tournament-plan/remembering-entrants.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import type { PoolGrowth } from '../pool/pool-growth.ts';
import type { MatchSet } from '../match-set.ts';
import type { MatchPlan } from '../prepare-match.ts';

/**
 * Returns the plan of one scheduled match. The plan names all players of the deal, so dealing it again gives the
 * players, roles and seats of the schedule.
 *
 * @example const prepared = await prepareMatch(planTournamentMatch(plan, match), process.env, Date.now());
 */
export function planTournamentMatch(plan: TournamentPlan, match: TournamentMatch): MatchPlan {
  const { block, deal, seed, replicate, board, preset, rule, experience, condition, pairing, seats } = match;
  return {
    ...{ board, rules: preset, rule: { ...plan.rule, ...rule }, seed, replicate, judge: plan.judge },
    ...(experience && { experience: nameRememberers(plan, experience) }),
    seats: Object.fromEntries(
      seats.map(({ player, role, entrant }) => {
        const { model, persona, roles } = findEntrant(plan, entrant);
        return [player, { model: roles?.[role] ?? model, persona }];
      }),
    ),
    tournament: {
      ...{ name: plan.name, sha256: findHash(plan), block, deal, pairing, condition },
      entrants: Object.fromEntries(seats.map(({ player, entrant }) => [player, entrant])),
    },
  };
}

const hashes = new WeakMap<TournamentPlan, string>();

/** Returns the hash of a plan. It is cached, since a plan never changes and has many matches. */
function findHash(plan: TournamentPlan): string {
  const hash = hashes.get(plan) ?? hashTournament(plan);
  hashes.set(plan, hash);
  return hash;
}

/**
 * Resolves the names of the entrants with experience. They are also given as `elsewhere`, because not all of them play
 * in every match.
 */
function nameRememberers(plan: TournamentPlan, experience: ExperiencePart): MatchPlan['experience'] {
  if (experience.seats === undefined) return experience;
  const seats = resolveRememberingEntrants(plan, experience.seats);
  return { ...experience, seats, elsewhere: seats };
}

/** Returns the entrant with this name, or the baseline. */
export const findEntrant = ({ entrants, baseline }: TournamentPlan, name: string): Entrant =>
  Object.hasOwn(entrants, name) ? entrants[name]! : baseline!;

/**
 * Creates the set of these matches. Its samples contain every entrant in every role under every condition.
 *
 * @example await playMatches(createTournamentSet(plan, listTournamentMatches(plan)), { out: 'runs/frontier' });
 */
export function createTournamentSet(plan: TournamentPlan, matches: readonly TournamentMatch[]): MatchSet {
  const [first, ...others] = selectSamples(matches) as [TournamentMatch, ...TournamentMatch[]]; // a schedule is never empty
  return {
    ...{ seed: plan.seed, matches: matches.length, listed: { places: matches, samples: [first, ...others] } },
    planOf: (_, place) => planTournamentMatch(plan, place as TournamentMatch), // all places of this set are tournament matches
  };
}

/** Selects each match that has a new combination of board, preset, condition, role and entrant. */
function selectSamples(matches: readonly TournamentMatch[]): TournamentMatch[] {
  const found = new Set<string>();
  return matches.filter(({ board, preset, condition, seats }) => {
    const before = found.size;
    for (const { role, entrant } of seats) found.add(JSON.stringify([board.name, preset, condition, role, entrant]));
    return found.size > before;
  });
}

/** Returns how the pools of a plan grow; null if they do not. `out`: the folder of the tournament. */
export const findGrowth = ({ experience }: TournamentPlan, out: string | null): PoolGrowth | null =>
  experience?.grow === undefined ? null : { every: experience.grow, reward: experience.reward, out };
