// A vote that changes nothing and enters no memory: how a statement was received.
import { syntheticVote as question } from '../prompts/vote.ts';
import { stamp } from '../state/moment.ts';
import { askEach, marked, type Node } from './node.ts';

export const syntheticVote: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  return {
    events: answers.flatMap((answer) =>
      answer.value
        ? [
            {
              ...stamp(game, 'moderator'),
              type: 'synthetic_vote' as const,
              by: answer.by,
              step: game.step,
              target: answer.value.vote,
              ...marked(answer),
            },
          ]
        : [],
    ),
  };
};
