// The players vote for a Sheriff, all at once; a tie is voted on again, once.
import { elect as question } from '../prompts/election.ts';
import { badgeBallot } from '../state/deeds.ts';
import { electable, electionOutcome, electors, nextBallot, unopposed } from '../state/election.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const elect: Node = async (game, door) => {
  const only = unopposed(game);
  if (only) return { events: [only] };
  const ballot = nextBallot(game);
  const answers = await askEach(door, game, electors(game), question, () => ({ choices: electable(game), ballot }));
  const ballots = answers.flatMap((answer) =>
    answer.value ? [{ ...badgeBallot(game, answer.by, answer.value.vote), ...marked(answer) }] : [],
  );
  const outcome = electionOutcome(game, ballots);
  return {
    events: [
      ...answers.flatMap((answer) => thought(game, question.action, answer)),
      ...ballots,
      ...(outcome ? [outcome] : []),
    ],
  };
};
