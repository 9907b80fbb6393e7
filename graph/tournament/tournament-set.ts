// What the match of a tournament's schedule is as a plan that can be prepared: every seat is given its entrant by name.
import type { Entrant, TournamentPlan } from '../../deception/tournament/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament/tournament-schedule.ts';
import type { MatchPlan } from '../prepare-match.ts';

/**
 * The plan of one scheduled match. Naming all players of a deal deals the same again, so players, roles and seats stay those
 * of the schedule.
 *
 * @example const prepared = await prepareMatch(planTournamentMatch(plan, match), process.env, Date.now());
 */
export function planTournamentMatch(plan: TournamentPlan, match: TournamentMatch): MatchPlan {
  const { block, deal, seed, board, preset, rule, condition, pairing, seats } = match;
  return {
    ...{ board, rules: preset, rule: { ...plan.rule, ...rule }, seed, judge: plan.judge },
    seats: Object.fromEntries(
      seats.map(({ player, role, entrant }) => {
        const { model, persona, roles } = findEntrant(plan, entrant);
        return [player, { model: roles?.[role] ?? model, persona }];
      }),
    ),
    tournament: {
      ...{ name: plan.name, block, deal, pairing, condition },
      entrants: Object.fromEntries(seats.map(({ player, entrant }) => [player, entrant])),
    },
  };
}

const findEntrant = ({ entrants, baseline }: TournamentPlan, name: string): Entrant => entrants[name] ?? baseline!;
