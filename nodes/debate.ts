// The highest bidder speaks.
import { debate as question } from '../prompts/debate.ts';
import { nextSpeaker, statementId } from '../state/debate.ts';
import type { GameEvent } from '../state/event.ts';
import { stamp } from '../state/moment.ts';
import { cutAt } from '../state/words.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const debate: Node = async (game, door) => {
  const speaker = nextSpeaker(game);
  const answers = await askEach(door, game, [speaker], question, () => undefined);
  const said = answers.flatMap((answer): GameEvent[] => {
    const at = { ...stamp(game, 'everyone'), id: statementId(game), by: speaker };
    if (!answer.value) return [{ ...at, type: 'silence', ...marked(answer) }];
    const { text, cut } = cutAt(answer.value.statement, game.setup.rules.maxWords * 2);
    return [
      ...thought(game, question.action, answer),
      { ...at, type: 'statement', text, ...(cut || answer.cut ? { cut: true } : {}) },
    ];
  });
  return { step: game.step + 1, bids: {}, events: said };
};
