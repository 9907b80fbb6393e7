// The end of a match: winner and reason, and win rates by chance. (For strict majority, see
// tests/long/wins-by-chance.test.ts.)
import { describe, expect, it } from '@jest/globals';
import { createEnding, findWinner, isLastRound } from '../../state/win-conditions.ts';
import { eight, gameAt } from '../game.ts';
import { expectWerewolfShare } from './wins-by-chance.ts';
import { itLong } from '../it-long.ts';

const left = (...names: (keyof typeof eight)[]) =>
  gameAt({ gone: Object.keys(eight).filter((name) => !names.includes(name as keyof typeof eight)) });

const by = (wins: string, ...names: (keyof typeof eight)[]) =>
  gameAt({ rules: { wins }, gone: Object.keys(eight).filter((name) => !(names as string[]).includes(name)) });

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
    expect(findWinner(game)).toBe(winner);
  });

  it.each([
    [9, false],
    [10, true],
    [11, true],
  ])('of at most 10 rounds is in its last one in round %i: %s', (round, isLast) => {
    expect(isLastRound(gameAt({ round }))).toBe(isLast);
  });

  it.each([
    [left('Sam', 'Dan'), 'villagers', 'no Werewolf left'],
    [left('Ginger', 'Dan'), 'werewolves', 'Werewolves at parity'],
    [left('Ginger', 'Sam', 'Dan'), null, 'round limit'],
  ] as const)('that ends says who has won and why, %#', (game, winner, reason) => {
    expect(createEnding({ ...game, roundNum: 3, winner })).toEqual({
      round: 3,
      phase: 'day',
      audience: 'everyone',
      type: 'ended',
      winner,
      reason,
    });
  });
});

describe('with wins=majority', () => {
  it.each([
    ['goes on at parity, with 2 Werewolves of 4', ['Ginger', 'Leah', 'Sam', 'Dan'], null],
    ['goes on at parity, with 1 Werewolf of 2', ['Leah', 'Sam'], null],
    ['is won by 2 Werewolves of 3', ['Ginger', 'Leah', 'Dan'], 'werewolves'],
    ['is won by a Werewolf who is alone', ['Leah'], 'werewolves'],
    ['is won by the village when no Werewolf is left', ['Sam'], 'villagers'],
    ['is won by the village when nobody is left at all', [], 'villagers'],
  ] as const)('a match %s', (_what, names, winner) => {
    expect(findWinner(by('majority', ...names))).toBe(winner);
  });

  it('the Werewolves have won for being in the majority', () => {
    expect(createEnding({ ...by('majority', 'Ginger', 'Leah', 'Dan'), winner: 'werewolves' }).reason).toBe(
      'Werewolves in the majority',
    );
  });
});

describe('with wins=edge', () => {
  it.each([
    ['goes on at parity while both kinds of the village live', ['Ginger', 'Leah', 'Sam', 'Dan'], null, 'round limit'],
    ['goes on with one of each kind against one', ['Ginger', 'Paul', 'Mason'], null, 'round limit'],
    ['is lost with the last special role', ['Ginger', 'Dan', 'Will', 'Bert'], 'werewolves', 'no special role left'],
    ['is lost with the last plain villager', ['Ginger', 'Sam', 'Paul'], 'werewolves', 'no plain villager left'],
    ['is won with the last Werewolf', ['Dan', 'Will'], 'villagers', 'no Werewolf left'],
  ] as const)('a match %s', (_what, names, winner, reason) => {
    const game = by('edge', ...names);
    expect(findWinner(game)).toBe(winner);
    expect(createEnding({ ...game, winner }).reason).toBe(reason);
  });

  it('nobody has won for a kind that was never dealt', () => {
    const seats = { Ginger: 'Werewolf', Sam: 'Seer', Paul: 'Doctor', Dan: 'Guard', Will: 'Seer', Bert: 'Seer' };
    expect(findWinner(gameAt({ seats, rules: { wins: 'edge' } }))).toBeNull();
  });
});

itLong('at classic-8 with everything at random, the Werewolves win 77.7 % under plurality with random ties', () => {
  const rule = { exile: 'plurality', exileTies: 'random' };
  expectWerewolfShare(77.7, { rule, wrong: [69.8, 91.2], matches: 1200 });
});
