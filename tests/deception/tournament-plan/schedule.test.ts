// The schedule of a tournament: balanced in every format, equal for equal plans, and unchanged if deals are added.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkTournament } from '../../../deception/tournament-plan/check-tournament.ts';
import { tournamentFormats, type TournamentPlan } from '../../../deception/tournament-plan/tournament-plan.ts';
import {
  countBlockDeals,
  listTournamentMatches,
  type TournamentMatch,
} from '../../../deception/tournament-plan/tournament-schedule.ts';
import { boards } from '../../../state/boards.ts';
import { createTournamentPlan } from './plans.ts';

const plans = fc
  .record({
    format: fc.constantFrom(...tournamentFormats),
    size: fc.integer({ min: 2, max: 10 }),
    blocks: fc.integer({ min: 1, max: 3 }),
    seed: fc.integer({ min: -1000, max: 1000 }),
    selfPlay: fc.boolean(),
    isCyclic: fc.boolean(),
    board: fc.constantFrom('classic-8', 'plus-9', 'plus-12'),
    isConditioned: fc.boolean(),
  })
  .map(({ format, size, blocks, seed, selfPlay, isCyclic, board, isConditioned }): TournamentPlan => {
    const names = Array.from({ length: format === 'head-to-head' ? 2 : size }, (_, place) => `e${place}`);
    const plan = createTournamentPlan({
      ...{ format, seed, selfPlay, boards: [boards[board]!] },
      entrants: Object.fromEntries(names.map((name) => [name, { model: `openai:${name}` }])),
      ...(format === 'round-robin' && isCyclic ? { design: 'cyclic' } : {}),
      ...(format === 'by-role' ? { role: 'Seer', baseline: { model: 'bot:classic' } } : {}),
      ...(isConditioned ? { conditions: { honesty: ['unsaid', 'forbidden'] } } : {}),
    });
    return { ...plan, deals: blocks * countBlockDeals(plan) };
  });

/** Counts how often each entrant of the plan has each value of `key` in these matches. */
function countByEntrant(
  plan: TournamentPlan,
  matches: readonly TournamentMatch[],
  key: (seat: TournamentMatch['seats'][number], place: number, match: TournamentMatch) => string,
) {
  const counts = new Map<string, Map<string, number>>();
  for (const match of matches)
    for (const [place, seat] of match.seats.entries()) {
      const value = key(seat, place, match);
      const row = counts.get(value) ?? new Map(Object.keys(plan.entrants).map((name) => [name, 0]));
      if (row.has(seat.entrant)) counts.set(value, row.set(seat.entrant, row.get(seat.entrant)! + 1));
    }
  return counts;
}

describe('a schedule', () => {
  it('has every entrant equally often in every block on each side, in each role, seat, deal and condition', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        checkTournament(plan);
        for (const matches of Map.groupBy(listTournamentMatches(plan), ({ block }) => block).values()) {
          for (const key of [
            ({ team }) => team,
            ({ role }, _, { condition }) => `${role} ${condition}`,
            (_, place, { deal, condition }) => `${deal} ${condition} ${place}`,
          ] satisfies Parameters<typeof countByEntrant>[2][])
            for (const row of countByEntrant(plan, matches, key).values()) expect(new Set(row.values()).size).toBe(1);
          const pairings = Map.groupBy(matches, ({ folder, sides }) => sides && folder);
          const sizes = [...pairings].flatMap(([folder, { length }]) => (folder === null ? [] : length));
          expect(new Set(sizes).size).toBeLessThanOrEqual(1); // the format by-role has no pairings
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same for the same plan, begins with whole deals in order, and keeps what it had when deals are added', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const matches = listTournamentMatches(plan);
        const turned = Object.fromEntries(Object.entries(plan.entrants).reverse());
        expect(listTournamentMatches({ ...plan, entrants: turned })).toEqual(matches);
        expect(listTournamentMatches({ ...plan, deals: plan.deals + 2 }).slice(0, matches.length)).toEqual(matches);
        const deals = matches.map(({ deal }) => deal);
        expect(deals).toEqual(deals.toSorted((one, other) => one - other));
      }),
      { numRuns: 20 },
    );
  });

  it('of all pairs has each deal once in each pairing, and a cyclic one connects the field after two deals', () => {
    const names = Array.from({ length: 7 }, (_, place) => `e${place}`);
    const field = Object.fromEntries(names.map((name) => [name, { model: `openai:${name}` }]));
    const all = listTournamentMatches(createTournamentPlan({ entrants: field, deals: 2 }));
    expect(all).toHaveLength(2 * 7 * 6);
    const cyclic = listTournamentMatches(createTournamentPlan({ entrants: field, deals: 2, design: 'cyclic' }));
    expect(cyclic).toHaveLength(2 * 7);
    const reached = new Set(['e0']); // entrants that a chain of pairings links to e0
    for (let step = 0; step < 7; step++)
      for (const one of cyclic)
        for (const other of cyclic)
          if (one.sides!.villagers === other.sides!.villagers && reached.has(one.sides!.werewolves))
            reached.add(other.sides!.werewolves);
    expect(reached.size).toBe(7);
  });

  it('names folders by who meets whom and under which condition', () => {
    const folders = (changes: Parameters<typeof createTournamentPlan>[0]) => [
      ...new Set(listTournamentMatches(createTournamentPlan(changes)).map(({ folder }) => folder)),
    ];
    expect(folders({ conditions: { honesty: ['unsaid', 'forbidden'] } }).slice(0, 3)).toEqual([
      'pack-calm_village-dice__honesty-unsaid',
      'pack-calm_village-liar__honesty-unsaid',
      'pack-dice_village-calm__honesty-unsaid',
    ]);
    expect(folders({ format: 'mixed', rules: ['wolf', 'arena'] })).toEqual(['mixed__rules-wolf', 'mixed__rules-arena']);
    expect(folders({ format: 'by-role', role: 'Seer', baseline: { model: 'bot:random' } })).toEqual([
      'Seer-calm',
      'Seer-dice',
      'Seer-liar',
    ]);
  });
});
