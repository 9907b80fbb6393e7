// The night's outcome: what the acts of all players come to together.
import type { Game } from './game.ts';
import { stamp, teamOf } from './moment.ts';
import type { EventOf, GameEvent } from './event.ts';
import { powerNamed } from './roles/index.ts';
import type { NightEffect } from './role.ts';

/** The events of this night's acts: what was learned, then who is gone, in seat order. */
export function resolveNight(game: Game): GameEvent[] {
  const effects = game.intents
    .filter(({ round }) => round === game.roundNum)
    .map((intent): NightEffect => powerNamed(intent.verb).settle(intent, game));
  const targets = (kind: 'attack' | 'shield') =>
    effects.flatMap((effect) => (effect.kind === kind ? [effect.target] : []));
  const attacked = targets('attack');
  const shielded = targets('shield');
  const gone = game.alivePlayers.filter((name) => attacked.includes(name) && !shielded.includes(name));
  const told = effects.flatMap((effect) => (effect.kind === 'tell' ? [effect.event] : []));
  const news: GameEvent[] =
    gone.length > 0
      ? gone.map((name) => death(game, name, 'night'))
      : [{ ...stamp(game, 'everyone'), type: 'quiet_night' }];
  return [...told, ...news];
}

/** A player's leaving the game, with what the rules reveal of them. */
export function death(game: Game, player: string, cause: 'night' | 'exile'): EventOf<'death'> {
  const { reveal } = game.setup.rules;
  return {
    ...stamp(game, 'everyone'),
    type: 'death',
    player,
    cause,
    ...(reveal === 'role' ? { role: game.roles[player]! } : {}),
    ...(reveal === 'team' ? { team: teamOf(game, player) } : {}),
  };
}

/** The living once `events` have happened, in seat order. */
export const survivors = (alive: readonly string[], events: readonly GameEvent[]) =>
  alive.filter((name) => !events.some((event) => event.type === 'death' && event.player === name));
