// The resolution of a night: what the uses of all powers come to together.
import type { Cause, EventOf, GameEvent } from './events.ts';
import { createEventHeader, type Game, getTeam } from './game.ts';
import { getPower } from './roles/index.ts';
import type { NightEffect } from './roles/role.ts';

/** The events of this night: what players learned, then who left, in seat order, or that nobody did. */
export function resolveNight(game: Game): GameEvent[] {
  const effects = listNightEffects(game);
  const gone = game.alivePlayers.filter((name) => getNightFate(effects, name) !== null);
  const told = effects.flatMap((effect) => (effect.kind === 'tell' ? [effect.event] : []));
  const news: GameEvent[] =
    gone.length > 0
      ? gone.map((name) => createDeath(game, name, 'night'))
      : [{ ...createEventHeader(game, 'everyone'), type: 'quiet_night' }];
  return [...told, ...news];
}

/** The effects of this night's acts, in the order of the acts. */
export const listNightEffects = (game: Game): NightEffect[] =>
  game.intents
    .filter(({ round }) => round === game.roundNum)
    .map((intent) => getPower(intent.verb).settle(intent, game));

/**
 * How the night ends for a player; null: alive. Nothing helps against poison. Against an attack a shield or a cure
 * does, but where both meet and the shield clashes they undo each other, unless another shield holds.
 */
export function getNightFate(effects: readonly NightEffect[], name: string): 'attack' | 'poison' | null {
  const on = effects.filter((effect) => effect.kind !== 'tell' && effect.target === name);
  const hasEffect = (kind: NightEffect['kind']) => on.some((effect) => effect.kind === kind);
  if (hasEffect('poison')) return 'poison';
  if (!hasEffect('attack')) return null;
  const shields = on.filter((effect) => effect.kind === 'shield');
  const isCured = hasEffect('cure');
  const holds = shields.some(({ clashes }) => !clashes || !isCured);
  const isClash = isCured && shields.some(({ clashes }) => clashes);
  return holds || (isCured && !isClash) ? null : 'attack';
}

/** The event of a player leaving the game, with the role or team where the rules reveal it. */
export function createDeath(game: Game, player: string, cause: Cause): EventOf<'death'> {
  const { reveal } = game.setup.rules;
  return {
    ...createEventHeader(game, 'everyone'),
    type: 'death',
    player,
    cause,
    ...(reveal === 'role' ? { role: game.roles[player]! } : {}),
    ...(reveal === 'team' ? { team: getTeam(game, player) } : {}),
  };
}

/** The living once `events` have happened, in seat order. */
export function listSurvivors(alive: readonly string[], events: readonly GameEvent[]): string[] {
  const dead = new Set(events.flatMap((event) => (event.type === 'death' ? [event.player] : [])));
  return alive.filter((name) => !dead.has(name));
}
