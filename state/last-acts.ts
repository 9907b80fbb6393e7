// What those who have left may still do: their role's last act, then the badge. In the order in which they left.
import { isType, type EventOf } from './event.ts';
import type { Game } from './game.ts';
import { fateOfNight, nightEffects } from './night.ts';
import type { Fate, LastAct } from './role.ts';
import { roleNamed } from './roles/index.ts';
import { badgeHolder } from './sheriff.ts';
import { view } from './view.ts';

export type DueAct = { by: string; act: LastAct } | { by: string; act: 'badge' };

/** The next last act that is due, or null. */
export function dueAct(game: Game): DueAct | null {
  for (const death of game.gameLogs.filter(isType('death'))) {
    const by = death.player;
    const act = lastActOf(game, death);
    if (act && !isDone(game, by, act)) return { by, act };
    if (badgeHolder(game.gameLogs) === by && game.alivePlayers.length > 0) return { by, act: 'badge' };
  }
  return null;
}

/** What the role leaves to somebody who left in this way, where there is anybody to do it to. */
function lastActOf(game: Game, death: EventOf<'death'>): LastAct | null {
  const act = roleNamed(game.roles[death.player]!).lastAct;
  if (!act?.isAllowed(fateOf(game, death), game.setup.rules)) return null;
  return act.choices(view(game, death.player)).length > 0 ? act : null;
}

const isDone = ({ gameLogs }: Game, by: string, { verb }: LastAct) =>
  gameLogs.some(
    (event) => (isType('last_act')(event) || isType('passed')(event)) && event.by === by && event.verb === verb,
  );

/** How a player left: only the moderator tells poison from an attack. */
function fateOf(game: Game, { player, cause, round }: EventOf<'death'>): Fate {
  if (cause !== 'night') return cause;
  return fateOfNight(nightEffects({ ...game, roundNum: round }), player) ?? 'attack';
}
