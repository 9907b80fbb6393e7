// The living vote, all at once; between the tied, all others do.
import { vote as question, type Vote } from '../prompts/vote.ts';
import type { EventOf } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { voters } from '../state/ballots.ts';
import { balloted } from '../state/deeds.ts';
import { cutAt } from '../state/words.ts';
import { askEach, marked, thought, type AnswerBy, type Node } from './node.ts';

export const vote: Node = async (game, door) => {
  const answers = await askEach(door, game, voters(game), question, () => undefined);
  const ballots = answers.flatMap((answer) => ballot(game, answer));
  return {
    votes: ballots.map(({ by, target }) => ({ by, target })),
    events: [...answers.flatMap((answer) => thought(game, question.action, answer)), ...ballots],
  };
};

function ballot(game: Game, answer: AnswerBy<Vote>): EventOf<'ballot'>[] {
  const { by, value } = answer;
  if (!value) return [];
  const { maxWords } = game.setup.rules;
  const explained = value.explanation === undefined ? null : cutAt(value.explanation, maxWords * 2);
  return [
    {
      ...balloted(game, by, value.vote),
      ...(explained ? { explanation: explained.text } : {}),
      ...(explained?.cut || (explained && answer.cut) ? { cut: true } : {}),
      ...marked(answer),
    },
  ];
}
