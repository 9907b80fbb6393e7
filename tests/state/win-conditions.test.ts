// The end of a match: who has won and why, and how often by chance.
import { describe, expect, it } from '@jest/globals';
import { readBoard } from '../../state/boards.ts';
import { createDealEvents, createInitialState, deal } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { listSurvivors, resolveNight } from '../../state/night-resolution.ts';
import { draw } from '../../state/random.ts';
import { powers } from '../../state/roles/index.ts';
import { readRules } from '../../state/rules/rulebook.ts';
import { listVoters, resolveExile } from '../../state/steps/voting.ts';
import { createView } from '../../state/view.ts';
import { createEnding, findWinner, isLastRound } from '../../state/win-conditions.ts';
import { eight, gameAt } from '../game.ts';

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

// How often each team wins by chance under the rules of the state, beside an independent simulation of the same game.

/** Everybody acts and votes at random among those whom the rules allow: ballots fall on anyone but oneself. */
function winnerByChance(rule: Record<string, string>, seed: number) {
  const setup = deal({ board: readBoard('classic-8'), rules: readRules('wolf', rule), seed });
  const chance = draw(seed, 'theory');
  const channels = { intents: [], votes: [], roundNum: 0, phase: 'night' as const, gameLogs: createDealEvents(setup) };
  let game: Game = { ...(createInitialState(setup) as Game), ...channels };
  const after = (events: readonly GameEvent[]): Game => ({
    ...game,
    alivePlayers: listSurvivors(game.alivePlayers, events),
    gameLogs: [...game.gameLogs, ...events],
  });
  for (;;) {
    game = { ...game, roundNum: game.roundNum + 1, phase: 'night' };
    const intents = powers.flatMap((power) => {
      const by = game.alivePlayers.filter((name) => game.roles[name] === power.role.name);
      const open = by.length > 0 ? power.choices(createView(game, by[0]!)) : [];
      return open.length > 0 ? [{ round: game.roundNum, verb: power.verb, by, target: chance.pick(open) }] : [];
    });
    game = { ...game, intents };
    game = after(resolveNight(game));
    if (findWinner(game)) return findWinner(game);
    game = { ...game, phase: 'day' };
    const others = (by: string) => game.alivePlayers.filter((name) => name !== by);
    game = { ...game, votes: listVoters(game).map((by) => ({ by, target: chance.pick(others(by)) })) };
    game = after([resolveExile(game)]);
    if (findWinner(game) ?? isLastRound(game)) return findWinner(game);
  }
}

/** The Werewolves' share of so many matches, in per cent. */
const shareOf = (rule: Record<string, string>, matches: number) =>
  (100 *
    Array.from({ length: matches }, (_, seed) => winnerByChance(rule, seed)).filter((one) => one === 'werewolves')
      .length) /
  matches;

/** Three standard deviations of a share in so many matches, in per cent. */
const bound = (share: number, matches: number) => 3 * Math.sqrt((share * (100 - share)) / matches);

/**
 * By an independent simulation of 60,000 matches each, a wrong rule gives: under plurality, 69.8 where Werewolves win
 * in the majority only and 91.2 where they win one short of parity; under strict majority, 94.3 where half of the
 * votes are enough, 100.0 where one more than a majority is needed or all eight are counted instead of the living.
 */
describe('at classic-8 with everything at random, the Werewolves win', () => {
  it.each([
    ['77.7 % under plurality with random ties', { exile: 'plurality', exileTies: 'random' }, 77.7, [69.8, 91.2], 1200],
    ['96.4 % under strict majority', { exile: 'majority' }, 96.4, [94.3, 99.98], 3000],
  ])('%s', (_what, rule, share, wrong, matches) => {
    const within = bound(share, matches);
    for (const other of wrong) expect(Math.abs(other - share)).toBeGreaterThan(2 * within);
    expect(Math.abs(shareOf(rule, matches) - share)).toBeLessThan(within);
  });
});
