// A Sheriff who has left names a successor or tears the badge.
import { passBadge as question } from '../prompts/sheriff.ts';
import { badgePassed } from '../state/deeds.ts';
import type { GameEvent } from '../state/event.ts';
import { badgeHolder, tear } from '../state/sheriff.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const passBadge: Node = async (game, door) => {
  const holder = badgeHolder(game.gameLogs);
  if (holder === null) return {};
  const answers = await askEach(door, game, [holder], question, () => undefined);
  return {
    events: answers.flatMap((answer): GameEvent[] => {
      const passed = badgePassed(game, holder, answer.value?.successor ?? tear);
      return [...thought(game, question.action, answer), { ...passed, ...marked(answer) }];
    }),
  };
};
