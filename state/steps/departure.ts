// Acts of players who have just left, in the order in which they left: first their role's last act, then passing the
// Sheriff's badge.
import { type EventOf, type GameEvent, isEventOfType } from '../events.ts';
import { createEventHeader, type Game } from '../game.ts';
import { createDeath, getNightFate, listNightEffects } from '../night-resolution.ts';
import { getRole } from '../roles/index.ts';
import { type Fate, type LastAct, passChoice } from '../roles/role.ts';
import { destroyBadgeChoice, findBadgeHolder } from '../sheriff.ts';
import { createView } from '../view.ts';
import type { NightAct } from './night.ts';
import { getAnswerMark, recordThought, type Reply, type Step } from './step.ts';

type DueAct = { by: string; act: LastAct } | { by: string; act: 'badge' };

/** Returns the next last act or passing of the badge that is due; null if none is due. */
export function findNextLastActOrBadge(game: Game): DueAct | null {
  for (const death of game.gameLogs.filter(isEventOfType('death'))) {
    const by = death.player;
    const act = findLastAct(game, death);
    if (act && !isDone(game, by, act)) return { by, act };
    if (findBadgeHolder(game.gameLogs) === by && game.alivePlayers.length > 0) return { by, act: 'badge' };
  }
  return null;
}

/** Returns the last act of a player who left in this way; null if the role has none or there is no legal target. */
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

/** Returns how a player left. The event does not distinguish attack and poison, so the night is resolved again. */
function getFate(game: Game, { player, cause, round }: EventOf<'death'>): Fate {
  if (cause !== 'night') return cause;
  return getNightFate(listNightEffects({ ...game, roundNum: round }), player) ?? 'attack';
}

/** Creates the step in which a player who has just left uses the role's last act, which may remove another player. */
export const createLastActStep = (act: LastAct): Step<NightAct> => ({
  name: act.verb,
  listAskers: (game) => [findNextLastActOrBadge(game)].flatMap((due) => (due ? [due.by] : [])),
  listChoices: (view) => ({ target: [...act.choices(view), passChoice] }),
  apply: (game, answers) => ({
    events: answers.flatMap((answer): GameEvent[] => {
      const [done, ...deaths] = createLastAct(game, act, answer.by, answer.value?.target ?? passChoice);
      return [...recordThought(game, act.verb, answer), { ...done, ...getAnswerMark(answer) }, ...deaths];
    }),
  }),
});

/** Creates the events of a last act. Only the player sees an unused last act, because it would reveal the role. */
const createLastAct = (
  game: Game,
  { verb }: LastAct,
  by: string,
  target: string,
): [EventOf<'passed'>] | [EventOf<'last_act'>, EventOf<'death'>] =>
  target === passChoice
    ? [{ ...createEventHeader(game, [by]), type: 'passed', by, verb }]
    : [
        { ...createEventHeader(game, 'everyone'), type: 'last_act', by, verb, target },
        createDeath(game, target, 'last_act'),
      ];

export interface Succession extends Reply {
  successor: string;
}

/** A Sheriff who has left names a successor or tears up the badge. */
export const passBadgeStep: Step<Succession> = {
  name: 'pass_badge',
  listAskers: ({ gameLogs }) => [findBadgeHolder(gameLogs)].filter((holder) => holder !== null),
  listChoices: ({ alive }) => ({ successor: [...alive, destroyBadgeChoice] }),
  apply: (game, answers) => ({
    events: answers.flatMap((answer) => [
      ...recordThought(game, 'pass_badge', answer),
      { ...createBadge(game, answer.by, answer.value?.successor ?? destroyBadgeChoice), ...getAnswerMark(answer) },
    ]),
  }),
};

const createBadge = (game: Game, by: string, successor: string): EventOf<'badge'> => ({
  ...createEventHeader(game, 'everyone'),
  type: 'badge',
  by,
  to: successor === destroyBadgeChoice ? null : successor,
});
