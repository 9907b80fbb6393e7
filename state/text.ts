// What models write, made fit to stand in a game: one line of visible characters, within stated limits.

/** The limit of private texts that stay in a player's memory, in words. */
export const privateWords = 200;

/** The limit of the reasoning of an analysis, in words: it fits a cell of a spreadsheet. */
export const analysisWords = 1000;

/**
 * So much room a word has on average, in bytes of UTF-8: a text without spaces is cut too, and in no script may more be
 * said than in others. With the space after it a word takes 6 in English, 7 in German, 9 in Finnish, 13 in Russian, and
 * what a word says 5 in Chinese and 7 in Japanese.
 */
const bytesPerWord = 12;

/** How many words a text has: what white space keeps apart. */
export const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** As much of a text as so many bytes of UTF-8 hold, in whole characters. */
export const truncateBytes = (text: string, bytes: number) =>
  text.length * 3 <= bytes // no UTF-16 unit takes more than three bytes
    ? text
    : text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);

/** The first `words` words of a text, and no more than words of usual length would take, with "…" where something was cut. */
export function truncateWords(text: string, words: number): { text: string; cut: boolean } {
  const short = truncateBytes(text, words * bytesPerWord);
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
export const flattenToOneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(shaping, '')
    .replace(invisible, ' ')
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .replace(pile, '$1')
    .replace(leading, '')
    .trimEnd();

/** Double quotation marks, and what looks like one. */
const double = '["“”„‟«»″‶‴‷⁗ʺˮ˝˶״〃〝〞〟❝❞❠⹂🙶🙷🙸＂]';

/** Single ones, two of which look like a double one. */
const single = "['`´‘’‚‛′‵ʹʻʼʽˈˊˋ˴՚׳ꞌ❛❜❟＇]";

const doubled = new RegExp(`[${double}${single}]{2,}|${double}`, 'gv');

/** For what is to be quoted: no double quotation mark is in it, nor what looks like one, but a single one in its place. */
export const replaceDoubleQuotes = (text: string) => text.replace(doubled, "'");
