// The living bid for the next turn to speak.
import { bid as question } from '../prompts/bid.ts';
import { bidders } from '../state/debate.ts';
import { stamp } from '../state/moment.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const bid: Node = async (game, door) => {
  const answers = await askEach(door, game, bidders(game), question, () => undefined);
  return {
    bids: Object.fromEntries(answers.map(({ by, value }) => [by, value?.bid ?? null])),
    events: answers.flatMap((answer) => [
      ...thought(game, question.action, answer),
      {
        ...stamp(game, [answer.by]),
        type: 'bid' as const,
        by: answer.by,
        step: game.step,
        bid: answer.value?.bid ?? null,
        ...marked(answer),
      },
    ]),
  };
};
