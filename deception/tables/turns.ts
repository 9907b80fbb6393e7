// How long public turns are.
import type { Turn } from '../../state/debate.ts';

/** Words of a turn; none of a silent one. */
export const wordsIn = (turn: Turn): number =>
  turn.type === 'statement' ? turn.text.split(/\s+/).filter((word) => word !== '').length : 0;
