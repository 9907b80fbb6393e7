// When a stopping rule is told to end a tournament: what it promises of equals, and what each format has room for. That the rule
// does end tournaments so: tests/long/repeated-tournaments.test.ts.
import { describe, expect, it } from '@jest/globals';
import { estimateStop } from '../../../deception/tournament/stop-forecast.ts';
import { createTournamentPlan } from '../tournament-plan/plans.ts';

const decide = { decide: true as const, alpha: 0.05 };

describe('the forecast of a stopping rule', () => {
  it('promises of equals no more than the level of the rule, and is the same every time', () => {
    const plan = createTournamentPlan({ deals: 20, stop: decide });
    const rows = estimateStop(plan)!;
    expect(rows[0]).toEqual({ difference: 0, ended: 0.05, isBound: true, half: null, most: null });
    expect(estimateStop(plan)).toEqual(rows);
    expect(estimateStop(createTournamentPlan())).toBeNull();
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
    expect(crowded.map(({ difference }) => difference)).toEqual([0]); // eleven steps of .1 are more than all
  });
});
