// What players who have left may still do, in the order in which they left: their role's last act, then pass the badge.
import { type EventOf, isEventOfType } from './events.ts';
import type { Game } from './game.ts';
import { getNightFate, listNightEffects } from './night-resolution.ts';
import { getRole } from './roles/index.ts';
import type { Fate, LastAct } from './roles/role.ts';
import { findBadgeHolder } from './sheriff.ts';
import { createView } from './view.ts';

type DueAct = { by: string; act: LastAct } | { by: string; act: 'badge' };

/** The next last act or passing of the badge that is due, or null. */
export function findNextLastActOrBadge(game: Game): DueAct | null {
  for (const death of game.gameLogs.filter(isEventOfType('death'))) {
    const by = death.player;
    const act = findLastAct(game, death);
    if (act && !isDone(game, by, act)) return { by, act };
    if (findBadgeHolder(game.gameLogs) === by && game.alivePlayers.length > 0) return { by, act: 'badge' };
  }
  return null;
}

/** The last act of a player who left in this way, where the role has one and there is a legal target; else null. */
function findLastAct(game: Game, death: EventOf<'death'>): LastAct | null {
  const act = getRole(game.roles[death.player]!).lastAct;
  if (!act?.isAllowed(getFate(game, death), game.setup.rules)) return null;
  return act.choices(createView(game, death.player)).length > 0 ? act : null;
}

const isDone = ({ gameLogs }: Game, by: string, { verb }: LastAct) =>
  gameLogs.some(
    (event) =>
      (isEventOfType('last_act')(event) || isEventOfType('passed')(event)) && event.by === by && event.verb === verb,
  );

/** How a player left. The event does not say whether it was an attack or poison, so the night is resolved again. */
function getFate(game: Game, { player, cause, round }: EventOf<'death'>): Fate {
  if (cause !== 'night') return cause;
  return getNightFate(listNightEffects({ ...game, roundNum: round }), player) ?? 'attack';
}
