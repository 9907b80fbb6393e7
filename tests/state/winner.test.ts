// The end of a match: who has won, and why.
import { describe, expect, it } from '@jest/globals';
import { ending, isLastRound, winnerOf } from '../../state/winner.ts';
import { eight, gameAt } from '../game.ts';

const left = (...names: (keyof typeof eight)[]) =>
  gameAt({ gone: Object.keys(eight).filter((name) => !names.includes(name as keyof typeof eight)) });

describe('a match', () => {
  it.each([
    ['goes on with 2 Werewolves of 8', left('Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason'), null],
    ['goes on with 2 Werewolves of 5', left('Ginger', 'Leah', 'Sam', 'Paul', 'Dan'), null],
    ['goes on with 1 Werewolf of 3', left('Ginger', 'Sam', 'Dan'), null],
    ['is won by 2 Werewolves of 4', left('Ginger', 'Leah', 'Sam', 'Dan'), 'werewolves'],
    ['is won by 1 Werewolf of 2', left('Leah', 'Sam'), 'werewolves'],
    ['is won by 2 Werewolves of 3', left('Ginger', 'Leah', 'Dan'), 'werewolves'],
    ['is won by Werewolves who are alone', left('Ginger'), 'werewolves'],
    ['is won by the village when no Werewolf is left', left('Sam', 'Paul', 'Dan'), 'villagers'],
    ['is won by the village with one left', left('Mason'), 'villagers'],
  ])('%s', (_what, game, winner) => {
    expect(winnerOf(game)).toBe(winner);
  });

  it.each([
    [9, false],
    [10, true],
    [11, true],
  ])('of at most 10 rounds is in its last one in round %i: %s', (round, isLast) => {
    expect(isLastRound(gameAt({ round }))).toBe(isLast);
  });

  it.each([
    ['villagers', 'no Werewolf left'],
    ['werewolves', 'Werewolves at parity'],
    [null, 'round limit'],
  ] as const)('that ends with winner %j says why: %s', (winner, reason) => {
    expect(ending({ ...gameAt({ round: 3 }), winner })).toEqual({
      round: 3,
      phase: 'day',
      audience: 'everyone',
      type: 'ended',
      winner,
      reason,
    });
  });
});
