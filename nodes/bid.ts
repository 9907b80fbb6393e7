// The living bid for the next turn to speak.
import { bid as question } from '../prompts/bid.ts';
import { bidders } from '../state/debate.ts';
import { bidding } from '../state/deeds.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const bid: Node = async (game, door) => {
  const answers = await askEach(door, game, bidders(game), question, () => undefined);
  return {
    bids: Object.fromEntries(answers.map(({ by, value }) => [by, value?.bid ?? null])),
    events: answers.flatMap((answer) => [
      ...thought(game, question.action, answer),
      { ...bidding(game, answer.by, answer.value?.bid ?? null), ...marked(answer) },
    ]),
  };
};
