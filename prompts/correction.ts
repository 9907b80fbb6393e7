// What a player is told whose answer could not be used.
import { firstBytes } from '../state/words.ts';

/** So much of the unusable answer is shown to its author again, in bytes of UTF-8. */
const shownAgain = 600;

/** The conversation goes on with the answer itself and what was wrong with it. */
export const correction = (raw: string, error: string) =>
  [
    { role: 'assistant', content: shown(raw.toWellFormed()) }, // servers refuse halves of characters
    {
      role: 'user',
      content: `Your answer could not be used: ${error} Answer again with one JSON object of the shape given above and nothing else.`,
    },
  ] as const;

function shown(raw: string) {
  if (raw === '') return '(nothing)';
  const first = firstBytes(raw, shownAgain);
  return first === raw ? raw : `${first} …`;
}
