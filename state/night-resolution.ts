// The resolution of a night: the combined effect of all powers that were used.
import type { Cause, EventOf, GameEvent } from './events.ts';
import { createEventHeader, type Game } from './game.ts';
import { getPower, getSide, moderatorPowers } from './roles/index.ts';
import type { NightEffect } from './roles/role.ts';
import { createView } from './view.ts';

/** Returns the events of this night: what players learned, then the deaths in seat order, or that nobody died. */
export function resolveNight(game: Game): GameEvent[] {
  const effects = [...listNightEffects(game), ...listModeratorEffects(game)];
  const gone = game.alivePlayers.filter((name) => getNightFate(effects, name) !== null);
  const told = effects.flatMap((effect) => (effect.kind === 'tell' ? [effect.event] : []));
  const news: GameEvent[] =
    gone.length > 0
      ? gone.map((name) => createDeath(game, name, 'night'))
      : [{ ...createEventHeader(game, 'everyone'), type: 'quiet_night' }];
  return [...told, ...news];
}

/** Lists the effects of this night's acts, in the order of the acts. */
export const listNightEffects = (game: Game): NightEffect[] =>
  game.intents
    .filter(({ round }) => round === game.roundNum)
    .map((intent) => getPower(intent.verb).settle(intent, game));

/** Lists the effects of powers that the moderator uses for their living holders, in seat order. */
const listModeratorEffects = (game: Game): NightEffect[] =>
  moderatorPowers.flatMap((power) =>
    game.alivePlayers
      .filter((name) => game.roles[name] === power.role.name)
      .flatMap((by) =>
        power
          .choices(createView(game, by))
          .map((target) => power.settle({ round: game.roundNum, verb: power.verb, by: [by], target }, game)),
      ),
  );

/**
 * Returns how a player dies in the night; null if the player survives. Nothing saves from poison. A shield or a cure
 * saves from an attack. If a shield clashes with a cure, neither works, unless there is another shield.
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

/** Returns the event of a player's death, with the role or team if the rules reveal it. */
export function createDeath(game: Game, player: string, cause: Cause): EventOf<'death'> {
  const { reveal } = game.setup.rules;
  return {
    ...createEventHeader(game, 'everyone'),
    type: 'death',
    player,
    cause,
    ...(reveal === 'role' ? { role: game.roles[player]! } : {}),
    ...(reveal === 'team' ? { team: getSide(game, player) } : {}),
  };
}

/** Lists the players still alive after `events`, in seat order. */
export function listSurvivors(alive: readonly string[], events: readonly GameEvent[]): string[] {
  const dead = new Set(events.flatMap((event) => (event.type === 'death' ? [event.player] : [])));
  return alive.filter((name) => !dead.has(name));
}
