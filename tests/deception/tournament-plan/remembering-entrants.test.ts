// Players of a tournament who remember: every word of the plan must refer to somebody, and every arm with experience
// must have a player who remembers.
import { describe, expect, it } from '@jest/globals';
import { checkTournament } from '../../../deception/tournament-plan/check-tournament.ts';
import { resolveRememberingEntrants } from '../../../deception/tournament-plan/remembering-entrants.ts';
import type { TournamentPlan } from '../../../deception/tournament-plan/tournament-plan.ts';
import { listExperienceArms, listTournamentMatches } from '../../../deception/tournament-plan/tournament-schedule.ts';
import { planTournamentMatch } from '../../../graph/tournament/tournament-set.ts';
import { createTournamentPlan } from './plans.ts';

const entrants = { learner: { model: 'openai:gpt-4o?name=mine' }, other: { model: 'openrouter:meta/llama-3' } };
const withSeats = (seats: string[], changes: Partial<TournamentPlan> = {}) =>
  createTournamentPlan({
    ...{ entrants, experience: { pool: 'pool', seats }, conditions: { experience: ['none', 'pool', 'shuffled'] } },
    ...changes,
  });

describe('who remembers in a tournament', () => {
  it('is an entrant, role, side, player or model, in any case, and a model by its last part', () => {
    const words = ['learner', 'seer', 'Werewolves', 'ginger', 'GPT-4o', 'mine', 'llama-3', 'openrouter:meta/llama-3'];
    const meant = ['learner', 'Seer', 'werewolves', 'Ginger', 'openai:gpt-4o?name=mine', 'mine'];
    const model = 'openrouter:meta/llama-3';
    expect(resolveRememberingEntrants(withSeats(words), words)).toEqual([...meant, model, model]);
    expect(() => checkTournament(withSeats(words))).not.toThrow();
  });

  it('is refused where a word means nobody, also beside others and in one arm alone', () => {
    expect(() => checkTournament(withSeats(['lerner']))).toThrow(
      /experience\.seats: nobody in this tournament is called lerner\. Name .*learner, other, Werewolf, .*openrouter:meta\/llama-3, .*players/,
    );
    expect(() => checkTournament(withSeats(['learner', 'Seerr']))).toThrow('nobody in this tournament is called Seerr');
    const arm = { experience: ['none', 'pool', { k: 1, seats: ['Zoe'] }] };
    expect(() => checkTournament(withSeats(['learner'], { conditions: arm }))).toThrow(
      'nobody in this tournament is called Zoe',
    );
    // No board of the plan has this role.
    expect(() => checkTournament(withSeats(['Witch']))).toThrow('nobody in this tournament is called Witch');
  });

  it('names the folder of an arm, without what no folder may be called', () => {
    const arms = listExperienceArms({
      experience: { pool: 'pool' },
      conditions: {
        experience: ['none', { k: 1, seats: ['Seer', 'openrouter:meta/llama-3', '../gpt 4'] }, { seats: ['Seer'] }],
      },
    });
    expect(arms.map(({ folder }) => folder)).toEqual([
      'experience-none',
      'experience-pool-k-1-seats-Seer-openrouter-meta-llama-3-..-gpt-4',
      'experience-pool-seats-Seer',
    ]);
  });

  it('is refused where a word may mean two models, and where the named players are never dealt', () => {
    const twins = { one: { model: 'openai:gpt-4o' }, two: { model: 'azure:gpt-4o' } };
    expect(() => checkTournament(withSeats(['gpt-4o'], { entrants: twins }))).toThrow(
      /"gpt-4o".* may be openai:gpt-4o or azure:gpt-4o\. Name one of them in full/,
    );
    const plan = withSeats(['learner'], { deals: 1 });
    const dealt = listTournamentMatches(plan)[0]!.seats.map(({ player }) => player);
    const absent = ['Derek', 'Scott', 'Jacob', 'Isaac', 'Hayley', 'David', 'Tyler', 'Ginger'].find(
      (name) => !dealt.includes(name),
    )!;
    expect(() => checkTournament(withSeats([absent], { deals: 1 }))).toThrow(
      `${absent} sits at no table of this tournament`,
    );
    expect(() => checkTournament(withSeats([absent, 'other'], { deals: 1 }))).not.toThrow();
  });

  it('is the same at every table: a word is held against all that sit at some', () => {
    const plan = withSeats(['Learner', 'SEER']);
    for (const match of listTournamentMatches(plan)) {
      const { experience } = planTournamentMatch(plan, match);
      if (match.experience)
        expect(experience).toMatchObject({ seats: ['learner', 'Seer'], elsewhere: ['learner', 'Seer'] });
    }
  });
});
