// Checks the win conditions, after the night and after the exile.
import { winnerOf } from '../state/winner.ts';
import type { Node } from './node.ts';

/** A new day begins where the night has not decided the match. */
export const checkWinnerNight: Node = (game) => ({ winner: winnerOf(game), phase: 'day' });

export const checkWinnerDay: Node = (game) => ({ winner: winnerOf(game) });
