// Matches played by chance: the baseline of any board under any rules.
import type { Board } from '../../state/boards.ts';
import type { Rules } from '../../state/common-rules.ts';
import { afterDay, nightfall, roundStarted } from '../../state/course.ts';
import { deal, dealEvents, wholeGame } from '../../state/deal.ts';
import * as deeds from '../../state/deeds.ts';
import { draw } from '../../state/draw.ts';
import type { GameEvent } from '../../state/event.ts';
import { dueAct } from '../../state/last-acts.ts';
import { resolveNight } from '../../state/night.ts';
import { pass } from '../../state/role.ts';
import type { Setup } from '../../state/setup.ts';
import { tear } from '../../state/sheriff.ts';
import { view } from '../../state/view.ts';
import { ending, winnerOf } from '../../state/winner.ts';
import { playDay } from './played-day.ts';
import { happen, words, type Choose, type PlayedMatch } from './played-match.ts';
import { actAtNight } from './played-night.ts';

/** What a match is played on. */
export interface Ground {
  board: Board;
  rules: Rules;
}

export interface RandomMatch {
  /** Who sat where with which role, and the rules as they were played. */
  setup: Setup;
  /** As they stand in a record, without thoughts and analyses; every statement has the same words. */
  events: readonly GameEvent[];
}

/**
 * Plays `games` matches in which every legal choice is equally likely, as the random bot plays them: deal, night,
 * election, debate, ballots, last acts, by the rules of the board. Nothing is analysed; where players are asked for
 * their beliefs, these are drawn after each debate. The same ground and seed always give the same matches, each by
 * itself: a longer run begins with those of a shorter one, and one that begins at number `from` has those of that run.
 */
export function* randomMatches(
  { board, rules }: Ground,
  games: number,
  seed: number,
  from = 0,
): Generator<RandomMatch> {
  const played = withoutAnalyses(rules);
  for (let game = from; game < from + games; game++) {
    const chance = draw(seed, 'random match', game);
    const setup = deal({ board, rules: played, seed: chance.integer(2 ** 31) });
    yield { setup, events: playOut(setup, (_action, _by, choices) => chance.pick(choices)) };
  }
}

/** The rules as they are played by chance: what is to be analysed decides nothing there. */
export const withoutAnalyses = (rules: Rules): Rules => ({
  ...rules,
  analysis: 'off',
  analyzeBallots: false,
  scores: 'hidden',
  beliefs: rules.beliefs === 'off' ? 'off' : 'each-round',
});

/** Plays a match to its end by the rules alone: whoever has a choice answers by `choose`. Gives all that happened. */
export function playOut(setup: Setup, choose: Choose): GameEvent[] {
  const match: PlayedMatch = { game: wholeGame(setup), events: [], choose };
  const { game, events } = match;
  happen(match, dealEvents(setup));
  do {
    if (game.roundNum > 0) sumUp(match);
    playNight(match);
    if (game.winner !== null) break;
    playDay(match);
    part(match);
    game.winner = winnerOf(game);
  } while (afterDay(game) !== 'end');
  happen(match, [ending(game)]);
  return events;
}

function playNight(match: PlayedMatch) {
  const { game } = match;
  Object.assign(game, nightfall(game));
  happen(match, [roundStarted(game)]);
  actAtNight(match);
  happen(match, resolveNight(game));
  part(match);
  game.winner = winnerOf(game);
  game.phase = 'day';
}

/** Those who have left do what they still may. */
function part(match: PlayedMatch) {
  const { game, choose } = match;
  for (let due = dueAct(game); due; due = dueAct(game)) {
    const { by, act } = due;
    if (act === 'badge')
      happen(match, [deeds.badgePassed(game, by, choose('pass_badge', by, [...game.alivePlayers, tear]))]);
    else happen(match, deeds.lastActed(game, act, by, choose(act.verb, by, [...act.choices(view(game, by)), pass])));
  }
}

function sumUp(match: PlayedMatch) {
  const { game } = match;
  happen(
    match,
    game.alivePlayers.map((by) => deeds.summed(game, by, words)),
  );
}
