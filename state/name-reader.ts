// Finds the places where a text names a player. Prompts, claims, bots and imports use it.
import { listMatches } from './text.ts';

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

/**
 * Returns a pattern for a word in any case. It is built letter by letter, because not every supported version of
 * Node.js knows `(?i:…)`.
 */
const inAnyCase = (word: string) =>
  word.replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/**
 * Returns the source of a pattern (flag `u`) for a name, without conditions on the characters before and after it. A
 * number may be joined to the word before it, which is read in any case: "Player 3", "player3", "PLAYER-3".
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

/** Sorts names by length, longest first, so that "Anna" is tried before "Ann". */
export const listLongestFirst = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => other.length - one.length);

/** Returns whether a name is a single word of letters in a script that puts spaces between words. */
export const isSingleWord = (name: string): boolean => /^\p{L}+$/u.test(name) && !startsUnspaced.test(name);

/** Returns whether a name ends in a number as a word of its own. Such a name is read in any case ("player 3"). */
export const isNumbered = (name: string): boolean => / \d+$/.test(name);

/** Number of tables (lists of players) whose results a cache keeps. */
const keptTables = 500;

/**
 * Returns a function that calls `create` once per list of names and then returns the cached result. Building and
 * compiling patterns takes longer than reading a statement with them.
 *
 * @example createNameCache((names) => new RegExp(names.map(getNameSource).join('|'), 'u'))(['Dan', 'Leah'])
 */
export function createNameCache<Made>(create: (names: readonly string[]) => Made): (names: readonly string[]) => Made {
  const made = new Map<string, Made>();
  return (names) => {
    const key = names.join('\n');
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size >= keptTables) made.clear();
    const created = create(names);
    made.set(key, created);
    return created;
  };
}

const fold = (said: string) => said.toLowerCase().replace(/[\s_-]+/g, '');

/** A run of letters, digits and underscores. No such character may be directly before or after a name. */
const wholeWord = /[\p{L}\p{N}_]+/gu;

interface NameReader {
  pattern: RegExp;
  /** Returns the player's name for a word of the text; undefined if the word names nobody. */
  find: (said: string) => string | undefined;
}

/**
 * Names of a single word are looked up among the words of a text, without a pattern: compiling a pattern takes
 * milliseconds, and each match would need its own, because its names differ.
 */
const findReader = createNameCache((names): NameReader => {
  if (names.every((name) => isSingleWord(name) && !endsUnspaced.test(name))) {
    const known = new Set(names);
    return { pattern: wholeWord, find: (said) => (known.has(said) ? said : undefined) };
  }
  const pattern = new RegExp(listLongestFirst(names).map(getWholeNameSource).join('|'), 'gu');
  const byReading = new Map(names.map((name) => [fold(name), name]));
  return { pattern, find: (said) => (names.includes(said) ? said : (byReading.get(fold(said)) ?? said)) };
});

/**
 * Finds every place where a text names one of these players as whole words, in order. If several names match at one
 * place, the longest counts.
 *
 * @example findNames('Player 12 trusts player 3.', ['Player 3', 'Player 12']).map(({ name }) => name) // ['Player 12', 'Player 3']
 */
export function findNames(text: string, names: readonly string[]): FoundName[] {
  const { pattern, find } = findReader(names);
  return listMatches(pattern, text).flatMap(({ 0: said, index }) => {
    const name = find(said);
    return name === undefined ? [] : [{ name, from: index, to: index + said.length }];
  });
}
