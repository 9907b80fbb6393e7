// All say at once whether they stand for Sheriff.
import { candidacy as question } from '../prompts/election.ts';
import { stood } from '../state/deeds.ts';
import { noSheriff } from '../state/election.ts';
import { askEach, marked, thought, type Node } from './node.ts';

/** Whose answer could not be had does not stand. */
export const candidacy: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  const declared = answers.map((answer) => ({
    ...stood(game, answer.by, answer.value?.stand ?? false),
    ...marked(answer),
  }));
  return {
    events: [
      ...answers.flatMap((answer) => thought(game, question.action, answer)),
      ...declared,
      ...noSheriff(game, declared),
    ],
  };
};
