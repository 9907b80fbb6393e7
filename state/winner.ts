// When a match is over, and who has won it.
import type { EndReason, EventOf } from './event.ts';
import type { Game } from './game.ts';
import { stamp, teamOf } from './moment.ts';
import { roleNamed } from './roles/index.ts';
import type { Team } from './teams.ts';

/** The side that has won among the living, or null. */
export const winnerOf = (game: Game): Team | null => decision(game)?.winner ?? null;

/** Why the match is over by the rule `wins`, or null where it is not. */
function decision(game: Game): { winner: Team; reason: EndReason } | null {
  const pack = game.alivePlayers.filter((name) => teamOf(game, name) === 'werewolves').length;
  const others = game.alivePlayers.length - pack;
  if (pack === 0) return { winner: 'villagers', reason: 'no Werewolf left' };
  const by = (reason: EndReason) => ({ winner: 'werewolves' as const, reason });
  switch (game.setup.rules.wins) {
    case 'parity':
      return pack >= others ? by('Werewolves at parity') : null;
    case 'majority':
      return pack > others ? by('Werewolves in the majority') : null;
    case 'edge':
      if (isWipedOut(game, true)) return by('no special role left');
      return isWipedOut(game, false) ? by('no plain villager left') : null;
  }
}

/** Whether all of the village who were dealt a special role, or all who were dealt none, have left. */
function isWipedOut({ setup, alivePlayers }: Game, special: boolean): boolean {
  const kind = setup.players.filter(({ role, team }) => team === 'villagers' && roleNamed(role).special === special);
  return kind.length > 0 && kind.every(({ name }) => !alivePlayers.includes(name));
}

/** Whether the last day that the rules allow is over. */
export const isLastRound = ({ roundNum, setup }: Game) => roundNum >= setup.rules.maxRounds;

export const ending = (game: Game): EventOf<'ended'> => ({
  ...stamp(game, 'everyone'),
  type: 'ended',
  winner: game.winner,
  reason: decision(game)?.reason ?? 'round limit',
});
