// How long public turns are.
import type { Turn } from '../../state/debate.ts';
import { countWords } from '../../state/words.ts';

/** Words of a turn; none of a silent one. */
export const wordsIn = (turn: Turn): number => (turn.type === 'statement' ? countWords(turn.text) : 0);
