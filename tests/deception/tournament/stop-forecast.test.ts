// The forecast of when a stopping rule ends a tournament: the prediction for equal entrants, and the differences that
// each format can have. Whether tournaments really end as predicted is tested in
// tests/long/repeated-tournaments.test.ts.
import { describe, expect, it } from '@jest/globals';
import { estimateStop } from '../../../deception/tournament/stop-forecast.ts';
import { createTournamentPlan } from '../tournament-plan/plans.ts';
import { itLong } from '../../it-long.ts';

const decide = { decide: true as const, alpha: 0.05 };

describe('the forecast of a stopping rule', () => {
  it('promises of equals no more than the level of the rule, and is the same every time', () => {
    const plan = createTournamentPlan({ deals: 20, stop: decide });
    const rows = estimateStop(plan)!;
    expect(rows[0]).toEqual({ difference: 0, ended: 0.05, isBound: true, half: null, most: null });
    expect(estimateStop(plan)).toEqual(rows);
    expect(estimateStop(createTournamentPlan())).toBeNull();
  });

  itLong('of a precision takes more deals the narrower it is, about four times as many for half of it', () => {
    const forecast = (precision: number) => {
      const rows = estimateStop(createTournamentPlan({ deals: 600, stop: { precision, alpha: 0.05 } }))!;
      expect(rows).toEqual([{ difference: 0, ended: 1, isBound: false, half: rows[0]!.half, most: rows[0]!.most }]);
      return rows[0]!.half!;
    };
    const halves = [0.1, 0.2, 0.24, 0.3].map(forecast);
    for (const [place, half] of halves.slice(1).entries()) expect(half).toBeLessThan(halves[place]!);
    expect(halves[0]! / halves[1]!).toBeGreaterThan(3);
    expect(halves[0]! / halves[1]!).toBeLessThan(5);
    const never = estimateStop(createTournamentPlan({ deals: 60, stop: { precision: 0.05, alpha: 0.05 } }))!;
    expect(never).toEqual([{ difference: 0, ended: 0, isBound: false, half: null, most: null }]);
  });

  it('knows every format, and tells no difference that its field has no room for', () => {
    const stop = { ...decide, pairs: [['calm', 'dice']] as [string, string][] };
    const byRole = { format: 'by-role' as const, role: 'Seer', baseline: { model: 'bot:classic' } };
    for (const changes of [{ design: 'cyclic' as const }, { format: 'mixed' as const }, byRole]) {
      const rows = estimateStop(createTournamentPlan({ deals: 20, stop, ...changes }))!;
      expect(rows.map(({ ended }) => ended).slice(1)).toEqual(rows.map(({ ended }) => ended).slice(1).sort()); // prettier-ignore
      expect(rows.length).toBeGreaterThan(1);
    }
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`e${at}`, { model: `openai:m${at}` }]));
    const crowded = estimateStop(createTournamentPlan({ entrants: many, deals: 20, stop: decide }))!;
    expect(crowded.map(({ difference }) => difference)).toEqual([0]); // eleven steps of .1 exceed the largest possible difference
  });
});
