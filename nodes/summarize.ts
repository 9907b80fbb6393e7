// The living write down for themselves what matters of the round.
import { summarize as question } from '../prompts/summarize.ts';
import { summed } from '../state/deeds.ts';
import type { GameEvent } from '../state/event.ts';
import { cutAt, privateWords } from '../state/words.ts';
import { askEach, marked, type Node } from './node.ts';

export const summarize: Node = async (game, door) => {
  const answers = await askEach(door, game, game.alivePlayers, question, () => undefined);
  return {
    events: answers.map((answer): GameEvent => {
      const { text } = cutAt(answer.value?.summary ?? '', privateWords);
      return { ...summed(game, answer.by, text), ...marked(answer) };
    }),
  };
};
