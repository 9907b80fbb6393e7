// Says how the match has ended.
import { ending } from '../state/winner.ts';
import type { Node } from './node.ts';

export const end: Node = (game) => ({ events: [ending(game)] });
