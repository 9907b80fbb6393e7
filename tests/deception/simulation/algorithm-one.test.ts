// Algorithm 1 of Werewolf Arena against probabilities worked out without playing.
import { describe, expect, it } from '@jest/globals';
import { villageWins, type Table } from '../../../deception/simulation/algorithm-one.ts';
import { numbersOf, simulate } from '../../../deception/simulation/simulation.ts';
import { boards } from '../../../state/boards.ts';
import { draw } from '../../../state/draw.ts';

const eight: Table = { players: 8, werewolves: 2, isProtected: true, isSeen: false };

describe('Algorithm 1', () => {
  /** The chances were summed over all states of the game as a Markov chain, by another program. */
  it.each<[string, Table, number]>([
    ['the paper’s eight without a Seer', eight, 0.011598],
    ['the paper’s eight with the Seer', { ...eight, isSeen: true }, 0.470383],
    [
      'nine with three Werewolves, a Seer and no Doctor',
      { players: 9, werewolves: 3, isProtected: false, isSeen: true },
      0.233129,
    ],
    [
      'twelve with four Werewolves, a Seer and a Doctor',
      { players: 12, werewolves: 4, isProtected: true, isSeen: true },
      0.239306,
    ],
  ])('lets the village win as often as it must: %s', (_table, table, chance) => {
    const games = 200_000;
    const share = villageWins(table, games, draw(1, 'test')) / games;
    expect(Math.abs(share - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / games));
  });

  it('is decided by the first day where there are three: one is removed, and the two left vote for each other', () => {
    expect(villageWins({ players: 3, werewolves: 1, isProtected: false, isSeen: false }, 1000, draw(1))).toBe(0);
  });

  it('gives the same games for the same seed, and others for another', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => simulate(eight, 5000, seed));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('sets the paper’s figures beside its own table only', () => {
    expect(simulate(eight, 10, 1).map(({ published }) => published)).toEqual([0.012, 1]);
    expect(simulate({ ...eight, players: 9 }, 10, 1).map(({ published }) => published)).toEqual([null, null]);
  });

  it('gives the interval of Wilson for games', () => {
    const [{ village_wins: wins, interval } = { village_wins: NaN, interval: [NaN, NaN] }] = simulate(eight, 10_000, 1);
    const [z, share] = [1.959964, wins / 10_000];
    const spread = (z * Math.sqrt((share * (1 - share)) / 10_000 + z ** 2 / 4e8)) / (1 + z ** 2 / 10_000);
    expect(interval[1] - interval[0]).toBeCloseTo(2 * spread, 6);
  });

  it('takes its numbers from a board: a shield for every night protects, a potion does not', () => {
    expect(numbersOf(boards['classic-8']!)).toEqual({ players: 8, werewolves: 2, isProtected: true });
    expect(numbersOf(boards['plus-12']!)).toEqual({ players: 12, werewolves: 4, isProtected: true });
    expect(numbersOf(boards['plus-9']!)).toEqual({ players: 9, werewolves: 3, isProtected: false });
  });

  it.each([
    [{ players: 8, werewolves: 4 }, /4 Werewolves among 8 players/],
    [{ players: 8, werewolves: 0 }, /at least 1/],
    [{ players: 300, werewolves: 2 }, /at most 255/],
  ])('says what no game can be made of: %j', (numbers, words) => {
    expect(() => villageWins({ ...eight, ...numbers }, 1, draw(1))).toThrow(words);
  });
});
