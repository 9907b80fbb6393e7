// What models write, made fit to stand in a game: one line of visible characters, within stated limits.

/** The limit of private texts that stay in a player's memory, in words. */
export const privateWords = 200;

/** The limit of the reasoning of an analysis, in words: it fits a cell of a spreadsheet. */
export const analysisWords = 1000;

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

/** Characters of no width that change the look of their neighbours; a variant of an emoji is as ordinary as the emoji. */
const shaping = /[[\p{Variation_Selector}\u034f\u00ad\u200d]--[\ufe0e\ufe0f]]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gv;

/** Control, bidirectional, unassigned and other characters that nobody sees. */
const invisible = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\ufe0e\ufe0f]]+/gv;

/** More marks on one letter than any language sets would run over the lines around it. */
const pile = /(\p{M}{8})\p{M}+/gu;

/** What would join the quotation mark before it. */
const leading = /^[\s\p{M}]+/u;

/**
 * One line of visible characters, whatever the text held. What only shapes its neighbours is dropped: joined emoji stand
 * side by side, without their joiner. Everything else that is invisible becomes a space, runs of white space one space.
 */
export const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(shaping, '')
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .replace(pile, '$1')
    .replace(leading, '')
    .trimEnd();

/** Double quotation marks, and what looks like one: whatever is quoted may hold none. */
export const doubleQuotes = /["“”„‟«»″‶‴ʺˮ˝״〃〝〞〟❝❞＂]/gu;
