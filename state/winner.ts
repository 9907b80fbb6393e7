// When a match is over, and who has won it.
import type { EventOf } from './event.ts';
import type { Game } from './game.ts';
import { stamp, teamOf } from './moment.ts';
import type { Team } from './teams.ts';

/** The side that has won among the living, or null. */
export function winnerOf(game: Game): Team | null {
  const pack = game.alivePlayers.filter((name) => teamOf(game, name) === 'werewolves').length;
  if (pack === 0) return 'villagers';
  return pack * 2 >= game.alivePlayers.length ? 'werewolves' : null;
}

/** Whether the last day that the rules allow is over. */
export const isLastRound = ({ roundNum, setup }: Game) => roundNum >= setup.rules.maxRounds;

export const ending = (game: Game): EventOf<'ended'> => ({
  ...stamp(game, 'everyone'),
  type: 'ended',
  winner: game.winner,
  reason:
    game.winner === null ? 'round limit' : game.winner === 'villagers' ? 'no Werewolf left' : 'Werewolves at parity',
});
