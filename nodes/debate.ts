// Somebody speaks in the debate: the highest bidder, or whose turn it is.
import { debate as question } from '../prompts/debate.ts';
import { nextSpeaker } from '../state/debate.ts';
import type { Node } from './node.ts';
import { speak } from './speak.ts';

export const debate: Node = async (game, door) => ({
  ...(await speak(game, door, { speaker: nextSpeaker(game), question })),
  bids: {},
});
