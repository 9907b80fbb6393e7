// Whether seats, names and speaking positions go with winning, counted by hand.
import { describe, expect, it } from '@jest/globals';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { day, player } from './game-row-builder.ts';
import { match, tables } from './row-builder.ts';
import type { MatchRow } from '../../../deception/tables/rows.ts';

/** The village wins; Hugo was removed before anybody spoke. */
const won = (changes: Partial<MatchRow> = {}) =>
  tables({
    match: match(changes),
    rounds: [day(1)],
    players: [
      player('Ginger', { seat: 1, speaking_position: 2 }),
      player('Sam', { seat: 2, speaking_position: 3 }),
      player('Dan', { seat: 3, speaking_position: 1 }),
      player('Hugo', { seat: 4 }),
    ],
  });

/** Nobody wins, and Sam sits first. */
const drawn = tables({
  match: match({ winner: null, end_reason: 'round limit' }),
  players: [player('Sam', { seat: 1, has_won: null }), player('Ginger', { seat: 2, has_won: null })],
});

describe('wins by seat', () => {
  it('are shares of the players who sat there, who have not won where nobody has', () => {
    const figures = figuresOf('seat_win_rate', won(), drawn);
    expect(figureIn(figures)).toMatchObject({ value: 3 / 6, opportunities: 6 });
    expect(valueIn(figures, { seat: '2' })).toBe(1 / 2);
    expect(valueIn(figures, { name: 'Sam' })).toBe(1 / 2);
    expect(valueIn(figures, { name: 'Sam', team: 'villagers' })).toBe(1 / 2);
    expect(valueIn(figures, { seat: '1', team: 'werewolves' })).toBe(0);
  });

  it('leave out imported matches and those that did not end', () => {
    expect(figuresOf('seat_win_rate', won({ imported: 'arena' }), won({ winner: null, end_reason: null }))).toEqual([]);
    expect(figuresOf('position_win_rate', won({ imported: 'arena' }))).toEqual([]);
  });
});

describe('wins by speaking position', () => {
  it('are told by place, without those who had no turn, and apart by who decides the order', () => {
    const figures = figuresOf('position_win_rate', won(), won({ rules: '{"debateOrder":"round-robin"}' }));
    for (const order of ['bidding', 'round-robin']) {
      expect(figureIn(figures, { order })).toMatchObject({ value: 2 / 3, opportunities: 3 });
      expect(valueIn(figures, { order, position: '2' })).toBe(0);
      expect(['first', 'between', 'last'].map((place) => valueIn(figures, { order, place }))).toEqual([1, 0, 1]);
    }
    expect(figureIn(figures)).toBeUndefined();
  });

  it('are those of a Sheriff who leads the round', () => {
    const rounds = [day(1, null, { sheriff: 'Sam', sheriff_team: 'villagers' })];
    const led = { ...won({ rules: '{"debateOrder":"round-robin"}' }), rounds };
    expect(valueIn(figuresOf('position_win_rate', led), { order: 'sheriff' })).toBe(2 / 3);
  });
});
