// Matches in which people play: the seed draws who sits where, and in which order people play the deals.
import { describe, expect, it } from '@jest/globals';
import { drawDealOrder, drawSeats } from '../../../deception/design/drawn-seats.ts';

const players = ['Dan', 'Ginger', 'Leah', 'Sam'];
const choices = ['human:p01', 'human:p02', 'openai:x', 'openai:x'];
const people = choices.slice(0, 2);
const seeds = Array.from({ length: 400 }, (_, place) => place + 1);

describe('drawn seats', () => {
  it('are the same for the same deal and people, and seat everybody once', () => {
    for (const seed of seeds.slice(0, 20)) {
      const seated = drawSeats(players, choices, { seed, people });
      expect(seated).toEqual(drawSeats(players, choices, { seed, people }));
      expect(Object.keys(seated)).toEqual(players);
      expect(Object.values(seated).sort()).toEqual(choices);
    }
  });

  it('give each person each seat about equally often', () => {
    const held = seeds.map((seed) => Object.values(drawSeats(players, choices, { seed, people })).indexOf('human:p01'));
    // A person is expected in each seat in 100 of 400 draws, with a standard deviation of 8.7.
    for (const place of players.keys()) {
      const count = held.filter((one) => one === place).length;
      expect(Math.abs(count - 100)).toBeLessThan(35);
    }
  });
});

describe('the order of deals', () => {
  it('has each deal once, is the same for the same people, and another for others', () => {
    const order = drawDealOrder(seeds, { seed: 1, people });
    expect(order).not.toEqual(seeds);
    expect([...order].sort((one, other) => one - other)).toEqual(seeds);
    expect(drawDealOrder(seeds, { seed: 1, people })).toEqual(order);
    expect(drawDealOrder(seeds, { seed: 1, people: ['human:p03'] })).not.toEqual(order);
    expect(drawDealOrder(seeds, { seed: 2, people })).not.toEqual(order);
  });
});
