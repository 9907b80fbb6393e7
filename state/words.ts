// Stated limits for what models write: longer texts are cut, and marked as cut where they are public.

/** The limit of private texts that stay in a player's memory, in words. */
export const privateWords = 200;

/** No word counts for more than so many characters, so that a text without spaces is cut too. */
const longestWord = 20;

/** What a cut between the two halves of a character leaves of it. */
export const halfCharacter = /[\ud800-\udbff]$/;

/** The first `words` words of a text, with "…" where something was cut. */
export function cutAt(text: string, words: number): { text: string; cut: boolean } {
  const short = text.slice(0, words * longestWord).replace(halfCharacter, '');
  const first = short.split(' ').slice(0, words).join(' ');
  return first === text ? { text, cut: false } : { text: `${first} …`, cut: true };
}
