// The players vote for a Sheriff, all at once; a tie is voted on again, once.
import { elect as question } from '../prompts/election.ts';
import { candidates, elected, electable, electionOutcome, electors, nextBallot } from '../state/election.ts';
import type { EventOf } from '../state/event.ts';
import { stamp } from '../state/moment.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const elect: Node = async (game, door) => {
  const standing = candidates(game);
  if (standing.length === 1) return { events: [elected(game, standing[0]!, 'unopposed')] };
  const ballot = nextBallot(game);
  const answers = await askEach(door, game, electors(game), question, () => ({ choices: electable(game), ballot }));
  const ballots = answers.flatMap((answer): EventOf<'badge_ballot'>[] =>
    answer.value
      ? [
          {
            ...stamp(game, 'everyone'),
            type: 'badge_ballot',
            by: answer.by,
            target: answer.value.vote,
            ballot,
            ...marked(answer),
          },
        ]
      : [],
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
