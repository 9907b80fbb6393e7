// The reader of players' names: where a text names a player. Prompts, claims, bots and imports find names with it.

/** A name in a text, and its place. */
export interface FoundName {
  name: string;
  from: number;
  to: number;
}

/** Scripts that put no spaces between words, so that nothing marks where a name ends. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー`;
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const endsUnspaced = new RegExp(`[${unspaced}]$`, 'u');

const escapeSigns = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** A word in any case. Not every supported version of Node.js knows `(?i:…)`. */
const inAnyCase = (word: string) =>
  word.replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/**
 * Returns the source of a pattern (flag `u`) for a name without what may stand around it. A number may be joined to the
 * word before it, which is read in any case: "Player 3", "player3", "PLAYER-3".
 */
export const getNameSource = (name: string): string => {
  const [first = '', ...rest] = name.split(' ').map(isNumbered(name) ? inAnyCase : escapeSigns);
  return [
    first,
    ...rest.map((word) => `${/^\d/.test(word) ? String.raw`[\s_-]{0,2}` : String.raw`\s{1,2}`}${word}`),
  ].join('');
};

/** Returns the source of a pattern (flag `u`) for a name as whole words. */
export const getWholeNameSource = (name: string): string =>
  `${startsUnspaced.test(name) ? '' : String.raw`(?<![\p{L}\p{N}_])`}${getNameSource(name)}${
    endsUnspaced.test(name) ? '' : String.raw`(?![\p{L}\p{N}_])`
  }`;

/** Lists names so that one that begins with another comes before it. */
export const listLongestFirst = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => other.length - one.length);

/** Whether a name is one word of letters with spaces around it, which every reader of words finds by itself. */
export const isSingleWord = (name: string): boolean => /^\p{L}+$/u.test(name) && !startsUnspaced.test(name);

/** Whether a name ends in a number of its own; such a name is read in any case ("player 3"). */
export const isNumbered = (name: string): boolean => / \d+$/.test(name);

const patterns = new Map<string, RegExp>();

/** Number of tables whose pattern is kept. */
const keptPatterns = 500;

function getPattern(names: readonly string[]): RegExp {
  const key = names.join('\n');
  const known = patterns.get(key);
  if (known) return known;
  if (patterns.size >= keptPatterns) patterns.clear();
  const sources = listLongestFirst(names).map(getWholeNameSource);
  const pattern = new RegExp(sources.length === 0 ? '(?!)' : sources.join('|'), 'gu');
  patterns.set(key, pattern);
  return pattern;
}

const fold = (said: string) => said.toLowerCase().replace(/[\s_-]+/g, '');

/**
 * Finds every place where a text names one of these players as whole words, in order. The longest name counts.
 *
 * @example findNames('Player 12 trusts player 3.', ['Player 3', 'Player 12']).map(({ name }) => name) // ['Player 12', 'Player 3']
 */
export function findNames(text: string, names: readonly string[]): FoundName[] {
  const byReading = new Map(names.map((name) => [fold(name), name]));
  return [...text.matchAll(getPattern(names))].map(({ 0: said, index }) => ({
    name: names.includes(said) ? said : (byReading.get(fold(said)) ?? said),
    from: index,
    to: index + said.length,
  }));
}
