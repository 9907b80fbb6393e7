// The Sheriff decides in which direction the debate goes around the table.
import { speakingOrder as question } from '../prompts/sheriff.ts';
import { ordered } from '../state/deeds.ts';
import type { GameEvent } from '../state/event.ts';
import { sheriffOf } from '../state/sheriff.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const speakingOrder: Node = async (game, door) => {
  const answers = await askEach(door, game, [sheriffOf(game)!], question, () => undefined);
  return {
    events: answers.flatMap((answer): GameEvent[] =>
      answer.value
        ? [
            ...thought(game, question.action, answer),
            { ...ordered(game, answer.by, answer.value.direction), ...marked(answer) },
          ]
        : [],
    ),
  };
};
