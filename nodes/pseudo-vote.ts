// A first ballot that exiles nobody and is shown, for the Sheriff to sum up.
import { pseudoVote as question } from '../prompts/vote.ts';
import { pseudoBallot } from '../state/deeds.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const pseudoVote: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  const ballots = answers.flatMap((answer) =>
    answer.value ? [{ ...pseudoBallot(game, answer.by, answer.value.vote), ...marked(answer) }] : [],
  );
  return { events: [...answers.flatMap((answer) => thought(game, question.action, answer)), ...ballots] };
};
