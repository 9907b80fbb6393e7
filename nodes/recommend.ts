// The Sheriff sums up the pseudo-vote and recommends one player to exile.
import { recommend as question } from '../prompts/sheriff.ts';
import { sheriffOf } from '../state/sheriff.ts';
import type { Node } from './node.ts';
import { speak } from './speak.ts';

export const recommend: Node = (game, door) =>
  speak(game, door, {
    speaker: sheriffOf(game)!,
    question,
    occasion: 'recommendation',
    more: ({ recommendation }) => ({ recommends: recommendation }),
  });
