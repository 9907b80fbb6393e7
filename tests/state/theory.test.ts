// What random play comes to by the rules of the state alone, beside an independent simulation of the same game.
import { describe, expect, it } from '@jest/globals';
import { resolveExile, voters } from '../../state/ballots.ts';
import { readBoard } from '../../state/boards.ts';
import { deal, dealEvents, newGame } from '../../state/deal.ts';
import { draw } from '../../state/draw.ts';
import type { GameEvent } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { resolveNight, survivors } from '../../state/night.ts';
import { powers } from '../../state/roles/index.ts';
import { readRules } from '../../state/rules.ts';
import { view } from '../../state/view.ts';
import { isLastRound, winnerOf } from '../../state/winner.ts';

/** Everybody acts and votes at random among those whom the rules allow: ballots fall on anyone but oneself. */
function winnerByChance(rule: Record<string, string>, seed: number) {
  const setup = deal({ board: readBoard('classic-8'), rules: readRules('wolf', rule), seed });
  const chance = draw(seed, 'theory');
  const channels = { intents: [], votes: [], roundNum: 0, phase: 'night' as const, gameLogs: dealEvents(setup) };
  let game: Game = { ...(newGame(setup) as Game), ...channels };
  const after = (events: readonly GameEvent[]): Game => ({
    ...game,
    alivePlayers: survivors(game.alivePlayers, events),
    gameLogs: [...game.gameLogs, ...events],
  });
  for (;;) {
    game = { ...game, roundNum: game.roundNum + 1, phase: 'night' };
    const intents = powers.flatMap((power) => {
      const by = game.alivePlayers.filter((name) => game.roles[name] === power.role.name);
      const open = by.length > 0 ? power.choices(view(game, by[0]!)) : [];
      return open.length > 0 ? [{ round: game.roundNum, verb: power.verb, by, target: chance.pick(open) }] : [];
    });
    game = { ...game, intents };
    game = after(resolveNight(game));
    if (winnerOf(game)) return winnerOf(game);
    game = { ...game, phase: 'day' };
    const others = (by: string) => game.alivePlayers.filter((name) => name !== by);
    game = { ...game, votes: voters(game).map((by) => ({ by, target: chance.pick(others(by)) })) };
    game = after([resolveExile(game)]);
    if (winnerOf(game) ?? isLastRound(game)) return winnerOf(game);
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
