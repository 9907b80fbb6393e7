// The deal: who is at the table, in which seat, with which role.
import { describe, expect, it } from '@jest/globals';
import { boards, type Board } from '../../state/boards.ts';
import { deal, dealEvents, newGame } from '../../state/deal.ts';
import { isType, isVisibleTo } from '../../state/event.ts';
import { namePool } from '../../state/names.ts';
import { readRules } from '../../state/rules.ts';
import { UsageError } from '../../state/usage-error.ts';

const rules = readRules('wolf');
const board = boards['classic-8']!;
const six: Board = { name: 'six', roles: { Werewolf: 1, Seer: 1, Villager: 4 } };
const dealt = (seed: number, wanted?: string[]) => deal({ board, rules, seed, ...(wanted ? { wanted } : {}) });
const seeds = Array.from({ length: 400 }, (_, seed) => seed);
const namesAt = ({ players }: ReturnType<typeof deal>) => players.map(({ name }) => name);

describe('the deal', () => {
  it('gives the same table for the same seed', () => {
    expect(dealt(7)).toEqual(dealt(7));
  });

  it('gives different tables for different seeds', () => {
    expect(new Set(seeds.map((seed) => JSON.stringify(dealt(seed).players))).size).toBe(seeds.length);
  });

  it('draws different names from the pool of 17', () => {
    expect(namePool).toHaveLength(17);
    expect(new Set(namePool).size).toBe(17);
    for (const seed of seeds) {
      const names = namesAt(dealt(seed));
      expect(new Set(names).size).toBe(8);
      expect(namePool).toEqual(expect.arrayContaining(names));
    }
    expect(new Set(seeds.flatMap((seed) => namesAt(dealt(seed)))).size).toBe(17);
  });

  it.each([board, six])('deals the roles of board $name, no more and no fewer', (one) => {
    for (const seed of seeds) {
      const roles = deal({ board: one, rules, seed }).players.map(({ role }) => role);
      for (const [role, count] of Object.entries(one.roles))
        expect(roles.filter((other) => other === role)).toHaveLength(count);
      expect(roles).toHaveLength(Object.values(one.roles).reduce((sum, count) => sum + count));
    }
  });

  it('favours no seat and no name with a role', () => {
    const wolvesInFirstSeat = seeds.filter((seed) => dealt(seed).players[0]!.team === 'werewolves').length;
    expect(wolvesInFirstSeat / seeds.length).toBeCloseTo(2 / 8, 1);
    const ginger = seeds.flatMap((seed) => dealt(seed, ['Ginger']).players.filter(({ name }) => name === 'Ginger'));
    expect(ginger.filter(({ role }) => role === 'Seer').length / seeds.length).toBeCloseTo(1 / 8, 1);
  });

  it('seats every name that is wanted', () => {
    for (const seed of seeds)
      expect(namesAt(dealt(seed, ['Ginger', 'Bert', 'Leah']))).toEqual(
        expect.arrayContaining(['Ginger', 'Bert', 'Leah']),
      );
  });

  it('gives the same names the same roles and seats, whether they were wanted or drawn', () => {
    for (const seed of seeds.slice(0, 50)) {
      const drawn = dealt(seed);
      expect(dealt(seed, namesAt(drawn))).toEqual(drawn);
      expect(dealt(seed, namesAt(drawn).toReversed())).toEqual(drawn);
      expect(dealt(seed, namesAt(drawn).slice(0, 1)).players).toHaveLength(8);
    }
  });

  it('gives players the same seats when the board lists its names in another order', () => {
    const named = (names: string[]) => deal({ board: { ...six, names }, rules, seed: 3 });
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn'];
    expect(named(names.toReversed())).toEqual(named(names));
  });

  it('draws from the names of the board where it has its own', () => {
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn'];
    expect(namesAt(deal({ board: { ...six, names }, rules, seed: 1 })).sort()).toEqual(names);
  });

  it('refuses a name that is not in the pool, with the known ones', () => {
    expect(() => dealt(1, ['Zoe'])).toThrow(
      new UsageError(`No player "Zoe" on board "classic-8". Known names: ${namePool.join(', ')}.`),
    );
  });

  it('refuses more wanted names than seats', () => {
    expect(() => dealt(1, namePool.slice(0, 9))).toThrow(
      new UsageError('9 players are named for the 8 seats of board "classic-8".'),
    );
  });

  it('gives a persona to whom it belongs, and to nobody else', () => {
    const { players } = deal({
      board,
      rules,
      seed: 1,
      wanted: ['Ginger'],
      personas: { Ginger: 'A retired sailor.' },
    });
    expect(players.filter(({ persona }) => persona !== undefined)).toEqual([
      expect.objectContaining({ name: 'Ginger', persona: 'A retired sailor.' }),
    ]);
  });

  it('sets each player on the side of the role', () => {
    for (const { role, team } of dealt(1).players) expect(team).toBe(role === 'Werewolf' ? 'werewolves' : 'villagers');
  });
});

describe('before the first night', () => {
  const setup = dealt(5);
  const events = dealEvents(setup);

  it('tells each player the own role and nobody another one', () => {
    for (const { name, role } of setup.players) {
      const told = events.filter(isType('dealt')).filter((event) => isVisibleTo(event, name));
      expect(told).toEqual([expect.objectContaining({ player: name, role })]);
    }
  });

  it('tells the Werewolves who the Werewolves are, and nobody else', () => {
    const pack = setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    expect(events.filter(isType('acquainted'))).toEqual([
      { round: 0, phase: 'night', type: 'acquainted', audience: pack, players: pack, team: 'werewolves' },
    ]);
  });

  it('has everybody alive, and everybody suspect everybody else by 0.5', () => {
    const game = newGame(setup);
    expect(game.alivePlayers).toEqual(namesAt(setup));
    const { deceptionScores = {} } = game;
    expect(Object.keys(deceptionScores)).toEqual(namesAt(setup));
    for (const [observer, targets] of Object.entries(deceptionScores)) {
      expect(Object.keys(targets)).toEqual(namesAt(setup).filter((name) => name !== observer));
      expect(Object.values(targets)).toEqual(Array(7).fill({ score: 0.5, round: null }));
    }
  });
});
