// A tie is decided by a PK: one of the tied speaks once more.
import { pkDebate as question } from '../prompts/debate.ts';
import { pkSpeakers } from '../state/debate.ts';
import type { Node } from './node.ts';
import { speak } from './speak.ts';

export const pkDebate: Node = (game, door) =>
  speak(game, door, { speaker: pkSpeakers(game)[0]!, question, occasion: 'pk' });
