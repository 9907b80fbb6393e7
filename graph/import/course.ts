// The course of a game that is told again from another program's record: the game so far, and what went otherwise in it.
import { wholeGame } from '../../state/deal.ts';
import type { EventOf, GameEvent } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { stamp, withEvents } from '../../state/moment.ts';
import { survivors } from '../../state/night.ts';
import type { Setup } from '../../state/setup.ts';
import { cutAt, oneLine, privateWords } from '../../state/words.ts';
import { textOf, type Log } from './arena-session.ts';
import type { Difference, UncountedBallot } from './differences.ts';

/** Grows round by round. The game is the recorded one: where the rules differ, what was recorded goes on. */
export interface Course {
  game: Game;
  readonly events: GameEvent[];
  readonly differences: Difference[];
  readonly uncounted: UncountedBallot[];
}

export function openCourse(setup: Setup): Course {
  return { game: wholeGame(setup), events: [], differences: [], uncounted: [] };
}

/** Whoever dies in `events` has left the game. */
export function happen(course: Course, events: readonly GameEvent[]) {
  course.events.push(...events);
  const alivePlayers = survivors(course.game.alivePlayers, events);
  course.game = { ...withEvents(course.game, events), alivePlayers };
}

/** The reasoning of an answer, for the player's own scratchpad; nothing where there is none. */
export function thoughtOf(game: Game, action: string, by: string, log: Log | null | undefined): EventOf<'thought'>[] {
  const reasoning = cutAt(oneLine(textOf(log, 'reasoning')), privateWords).text;
  return reasoning === '' ? [] : [{ ...stamp(game, [by]), type: 'thought', by, action, step: game.step, reasoning }];
}
