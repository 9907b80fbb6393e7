// Win rates by chance under the project's rules, compared with an independent simulation of the same game.
import { expect } from '@jest/globals';
import { readBoard } from '../../state/boards.ts';
import { createDealEvents, createInitialState, deal } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { listSurvivors, resolveNight } from '../../state/night-resolution.ts';
import { draw } from '../../state/random.ts';
import { powers } from '../../state/roles/index.ts';
import { readRules } from '../../state/rulebook.ts';
import { listVoters, resolveExile } from '../../state/steps/voting.ts';
import { createView } from '../../state/view.ts';
import { findWinner, isLastRound } from '../../state/win-conditions.ts';

/**
 * Plays a match in which everybody acts and votes at random among the legal choices, and returns the winner. Ballots
 * name any other player.
 */
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

/** The Werewolves' share of wins in this many matches, in percent. */
const measureShare = (rule: Record<string, string>, matches: number) =>
  (100 *
    Array.from({ length: matches }, (_, seed) => winnerByChance(rule, seed)).filter((one) => one === 'werewolves')
      .length) /
  matches;

/** Three standard deviations of a share in this many matches, in percent. */
const bound = (share: number, matches: number) => 3 * Math.sqrt((share * (100 - share)) / matches);

/**
 * Expects the Werewolves' share of wins on classic-8 that the independent simulation gives. There are enough matches to
 * notice each wrong rule. 60,000 matches under wrong rules gave, with plurality: 69.8 if Werewolves win only in the
 * majority, and 91.2 if they win one short of parity. With strict majority: 94.3 if half of the votes are enough, and
 * 100.0 if one more than a majority is needed, or if all eight players are counted instead of the living.
 */
export function expectWerewolfShare(
  share: number,
  { rule, wrong, matches }: { rule: Record<string, string>; wrong: readonly number[]; matches: number },
) {
  const within = bound(share, matches);
  for (const other of wrong) expect(Math.abs(other - share)).toBeGreaterThan(2 * within);
  expect(Math.abs(measureShare(rule, matches) - share)).toBeLessThan(within);
}
