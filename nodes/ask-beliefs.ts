// Everybody living says how likely each other player is a Werewolf; nobody else learns it.
import { beliefs as question } from '../prompts/analysis.ts';
import { beliefs, missing } from './assess.ts';
import { askEach, type Node } from './node.ts';

export const askBeliefs: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  return {
    events: answers.flatMap((answer) =>
      answer.value ? beliefs(game, answer) : [missing(game, question.action, answer, [])],
    ),
  };
};
