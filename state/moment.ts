// Questions about the moment a game is in.
import type { Audience, GameEvent } from './event.ts';
import type { Game } from './game.ts';
import type { Team } from './teams.ts';

/** Stamps an event with the moment of the game it happens in. */
export const stamp = ({ roundNum, phase }: Game, audience: Audience) => ({ round: roundNum, phase, audience });

/** The side that a player was dealt to. Throws a RangeError for a player who is not at the table. */
export function teamOf({ setup }: Pick<Game, 'setup'>, name: string): Team {
  const seat = setup.players.find((player) => player.name === name);
  if (!seat) throw new RangeError(`No player "${name}" at the table.`);
  return seat.team;
}

/** The game as it stands once `events` have happened too. */
export const withEvents = (game: Game, events: readonly GameEvent[]): Game => ({
  ...game,
  gameLogs: [...game.gameLogs, ...events.filter(({ audience }) => audience !== 'moderator')],
});
