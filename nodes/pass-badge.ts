// A Sheriff who has left names a successor or tears the badge.
import { passBadge as question } from '../prompts/sheriff.ts';
import type { GameEvent } from '../state/event.ts';
import { stamp } from '../state/moment.ts';
import { badgeHolder, tear } from '../state/sheriff.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const passBadge: Node = async (game, door) => {
  const holder = badgeHolder(game.gameLogs);
  if (holder === null) return {};
  const answers = await askEach(door, game, [holder], question, () => undefined);
  return {
    events: answers.flatMap((answer): GameEvent[] => {
      const successor = answer.value?.successor ?? tear;
      const to = successor === tear ? null : successor;
      return [
        ...thought(game, question.action, answer),
        { ...stamp(game, 'everyone'), type: 'badge', by: holder, to, ...marked(answer) },
      ];
    }),
  };
};
