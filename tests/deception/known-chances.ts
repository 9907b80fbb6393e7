// Tables for which the village's probability of winning under Algorithm 1 is known.
import { expect } from '@jest/globals';
import { countVillageWins, type SimulatedTable } from '../../deception/baseline/village-win-simulation.ts';
import { draw } from '../../state/random.ts';

/** The table of Werewolf Arena's paper, without its Seer. */
export const eight: SimulatedTable = { players: 8, werewolves: 2, isProtected: true, isSeen: false };

/** Probabilities computed by another program, which sums over all states of the game as a Markov chain. */
export const tablesOfKnownChance: readonly (readonly [name: string, table: SimulatedTable, chance: number])[] = [
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
];

/** Expects the village's share of wins within four standard errors of its probability. */
export function expectVillageShare(table: SimulatedTable, chance: number, games: number) {
  const share = countVillageWins(table, games, draw(1, 'test')) / games;
  expect(Math.abs(share - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / games));
}
