// A vote that changes nothing and enters no memory: how a statement was received.
import { syntheticVote as question } from '../prompts/vote.ts';
import { syntheticBallot } from '../state/deeds.ts';
import { askEach, marked, type Node } from './node.ts';

export const syntheticVote: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  return {
    events: answers.flatMap((answer) =>
      answer.value ? [{ ...syntheticBallot(game, answer.by, answer.value.vote), ...marked(answer) }] : [],
    ),
  };
};
