// All say at once whether they stand for Sheriff.
import { candidacy as question } from '../prompts/election.ts';
import type { GameEvent } from '../state/event.ts';
import { stamp } from '../state/moment.ts';
import { askEach, marked, thought, type Node } from './node.ts';

/** Whose answer could not be had does not stand. */
export const candidacy: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  const stood = answers.map((answer): GameEvent => ({
    ...stamp(game, 'everyone'),
    type: 'candidacy',
    by: answer.by,
    stands: answer.value?.stand ?? false,
    ...marked(answer),
  }));
  const isAnybody = answers.some(({ value }) => value?.stand);
  return {
    events: [
      ...answers.flatMap((answer) => thought(game, question.action, answer)),
      ...stood,
      ...(isAnybody ? [] : [{ ...stamp(game, 'everyone'), type: 'no_sheriff' as const }]),
    ],
  };
};
