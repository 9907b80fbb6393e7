// When a stopping rule is told to end a tournament: as it does end tournaments whose entrants differ by so much.
import { describe, expect, it } from '@jest/globals';
import { estimateStop } from '../../../deception/tournament/stop-forecast.ts';
import type { TournamentPlan } from '../../../deception/tournament/tournament-plan.ts';
import {} from '../../../deception/tournament/tournament-precision.ts';
import { listTournamentMatches } from '../../../deception/tournament/tournament-schedule.ts';
import { TournamentScores } from '../../../deception/tournament/tournament-scores.ts';
import { draw, drawNormal } from '../../../state/random.ts';
import { createTournamentPlan } from './plans.ts';

const two = { one: { model: 'bot:classic' }, two: { model: 'bot:random' } };
const decide = { decide: true as const, alpha: 0.05 };

/** Deals after which the real rule ended tournaments in which the first of two is stronger by so many log-odds. */
function playRuns(plan: TournamentPlan, lead: number, runs: number): number[] {
  const matches = listTournamentMatches(plan);
  return Array.from({ length: runs }, (_, run) => {
    const chance = draw(run, 'real rule');
    const scores = new TournamentScores(plan, matches);
    const effects = Array.from({ length: plan.deals }, () => drawNormal(chance));
    for (const match of matches) {
      const sign = match.sides!.werewolves === match.sides!.villagers ? 0 : match.sides!.werewolves === 'one' ? 1 : -1;
      const chanceOfPack = 1 / (1 + Math.exp(-effects[match.deal - 1]! - sign * lead));
      scores.record(match, chance.fraction() < chanceOfPack ? 'werewolves' : 'villagers');
    }
    return scores.judge()!.decidedDeals ?? plan.deals;
  }).sort((a, b) => a - b);
}

describe('the forecast of a stopping rule', () => {
  it.each([
    ['one condition', {}],
    ['two conditions that are judged apart', { conditions: { honesty: ['unsaid', 'forbidden'] } }],
    [
      'two conditions that are pooled',
      { conditions: { honesty: ['unsaid', 'forbidden'] }, stop: { ...decide, pooled: true as const } },
    ],
    ['matches of each against itself, which do not count', { selfPlay: true }],
  ])('is when the rule does end tournaments of that true difference, with %s', (_, changes) => {
    const plan = createTournamentPlan({
      ...{ entrants: two, format: 'head-to-head', deals: 150, stop: decide },
      ...changes,
    });
    const row = estimateStop(plan)!.find(({ difference }) => difference === 0.3)!;
    // Over deals that vary by 1 in log-odds the stronger pack wins .65, the weaker .35.
    const ends = playRuns(plan, 0.726, 40);
    expect(Math.abs(row.half! / ends[19]! - 1)).toBeLessThan(0.3);
    expect(Math.abs(row.ended - ends.filter((end) => end < 150).length / 40)).toBeLessThan(0.15);
  });

  it('of a precision is when the rule reaches it among equals', () => {
    const plan = createTournamentPlan({
      ...{ entrants: two, format: 'head-to-head', deals: 120, stop: { precision: 0.25, alpha: 0.05 } },
    });
    const [row, ...others] = estimateStop(plan)!;
    expect(others).toEqual([]);
    expect(Math.abs(row!.half! / playRuns(plan, 0, 20)[9]! - 1)).toBeLessThan(0.15);
  });

  it('promises of equals no more than the level of the rule, and is the same every time', () => {
    const plan = createTournamentPlan({ deals: 60, stop: decide });
    const [equals] = estimateStop(plan)!;
    expect(equals).toEqual({ difference: 0, ended: 0.05, isBound: true, half: null, most: null });
    expect(estimateStop(plan)).toEqual(estimateStop(plan));
    expect(estimateStop(createTournamentPlan())).toBeNull();
  });

  it('knows every format, and tells no difference that its field has no room for', () => {
    const stop = { ...decide, pairs: [['calm', 'dice']] as [string, string][] };
    const byRole = { format: 'by-role' as const, role: 'Seer', baseline: { model: 'bot:classic' } };
    for (const changes of [{ design: 'cyclic' as const }, { format: 'mixed' as const }, byRole]) {
      const rows = estimateStop(createTournamentPlan({ deals: 120, stop, ...changes }))!;
      expect(rows.map(({ ended }) => ended).slice(1)).toEqual(rows.map(({ ended }) => ended).slice(1).sort()); // prettier-ignore
      expect(rows.length).toBeGreaterThan(1);
    }
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`e${at}`, { model: `openai:m${at}` }]));
    const crowded = estimateStop(createTournamentPlan({ entrants: many, deals: 20, stop: decide }))!;
    expect(crowded.map(({ difference }) => difference)).toEqual([0]); // eleven steps of .1 are more than all
  });
});
