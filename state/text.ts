// Makes models' texts safe for events and prompts: one line of visible characters, cut at a limit. Also quotes words of
// commands for shells.

/** Limit of private texts that a player remembers (thoughts, summaries), in words. */
export const maxPrivateWords = 200;

/** Limit of the reasoning of an analysis, in words. It fits into a cell of a spreadsheet. */
export const maxAnalysisWords = 1000;

/**
 * Bytes of UTF-8 allowed for each word of a limit, so that a text without spaces is also cut. A word with its space
 * takes about 6 bytes in English, 7 in German, 9 in Finnish and 13 in Russian. The equivalent of a word takes 5 bytes
 * in Chinese and 7 in Japanese.
 */
const bytesPerWord = 12;

/** Counts words: runs of characters between white space. */
export const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** Returns as much of a text as fits into this number of UTF-8 bytes, without splitting a character. */
export const truncateBytes = (text: string, bytes: number) =>
  text.length * 3 <= bytes // a UTF-16 unit takes at most three bytes
    ? text
    : text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);

/**
 * Returns the first `words` words of a text, also limited to 12 bytes of UTF-8 for each word. Ends in " …" if the text
 * was cut.
 *
 * @example truncateWords('I am the Seer', 2) // { text: 'I am …', cut: true }
 */
export function truncateWords(text: string, words: number): { text: string; cut: boolean } {
  const short = truncateBytes(text, words * bytesPerWord);
  const first = short.split(' ').slice(0, words).join(' ');
  return first === text ? { text, cut: false } : { text: `${first} …`, cut: true };
}

/**
 * Lists all matches of a pattern with the flag `g`. `matchAll` does the same but copies the pattern for each text,
 * which would take most of the time with many patterns and short texts.
 */
export function listMatches(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex++;
  }
  return found;
}

/** Zero-width characters that change the look of their neighbors, except those that select the look of an emoji. */
const shaping = /[[\p{Variation_Selector}\u034f\u00ad\u200d]--[\ufe0e\ufe0f]]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gv;

/** Control, bidirectional, unassigned and other invisible characters. */
const invisible = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\ufe0e\ufe0f]]+/gv;

/** More combining marks on one letter than any language uses. They would cover the lines above and below. */
const pile = /(\p{M}{8})\p{M}+/gu;

/**
 * White space and combining marks at the beginning of a text. They would combine with the quotation mark before the
 * text.
 */
const leading = /^[\s\p{M}]+/u;

/**
 * Returns a text as one line of visible characters. Drops characters that only shape their neighbors (joined emoji
 * become single ones), replaces all other invisible characters with spaces, and collapses white space.
 *
 * @example flattenToOneLine('Yes.\n\n\u200bNo.') // 'Yes. No.'
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

/** Control characters, including line breaks, and characters that change the direction of the following text. */
const acting = String.raw`\p{Cc}\u2028-\u202e\u2066-\u2069`;
const anyActing = new RegExp(`[${acting}]`, 'u');
const eachActing = new RegExp(`[${acting}]`, 'gu');

/** Returns whether a text has characters that a terminal, a page or a prompt would act on instead of showing them. */
export const hasActingCharacters = (text: string): boolean => anyActing.test(text);

/**
 * Returns a name unchanged, or in double quotes with escapes if it holds acting characters. Names of files and folders
 * come from whoever shared them and cannot be trusted.
 *
 * @example quoteActingName('runs/a\n0 faults') // '"runs/a\\n0 faults"'
 */
export const quoteActingName = (name: string): string =>
  hasActingCharacters(name)
    ? JSON.stringify(name).replace(
        eachActing,
        (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
      )
    : name;

/** Returns the path of the first text or key within a value that holds acting characters; null if none does. */
export function findActingText(value: unknown, at: readonly string[] = []): readonly string[] | null {
  if (typeof value === 'string') return hasActingCharacters(value) ? at : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = hasActingCharacters(name) ? [...at, name] : findActingText(inner, [...at, name]);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Invisible characters except line feeds, including characters that only shape their neighbors and halves of surrogate
 * pairs.
 */
const hidden =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2028\u2029\u2800]--[\ufe0e\ufe0f]--[\n]]|(?<=\p{M}{8})\p{M}/gv;

/**
 * Replaces each character that is invisible or changes the place of other characters with an escape. In JSON the
 * meaning stays the same; elsewhere the character becomes visible.
 *
 * @example escapeHidden('gpt\u001b[31m') // 'gpt\\u001b[31m'
 */
export const escapeHidden = (text: string): string => text.replace(hidden, escapeUnits);

const escapeUnits = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Double quotation marks and characters that look like one. */
const double = '["“”„‟«»″‶‴‷⁗ʺˮ˝˶״〃〝〞〟❝❞❠⹂🙶🙷🙸＂]';

/** Single quotation marks: two in a row look like a double one. */
const single = "['`´‘’‚‛′‵ʹʻʼʽˈˊˋ˴՚׳ꞌ❛❜❟＇]";

const doubled = new RegExp(`[${double}${single}]{2,}|${double}`, 'gv');

/**
 * Returns the text with a single quotation mark in place of every double one or look-alike, so that it can be put
 * between double quotation marks.
 *
 * @example replaceDoubleQuotes('He said “no”.') // "He said 'no'."
 */
export const replaceDoubleQuotes = (text: string) => text.replace(doubled, "'");

/**
 * Quotes a word of a command for a shell: in single quotes if it has characters that a shell would interpret.
 *
 * @example quoteForShell('openai:a?priceIn=1&priceOut=2') // "'openai:a?priceIn=1&priceOut=2'"
 */
export const quoteForShell = (text: string) =>
  /^[\w./:@%+,=…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Puts the indefinite article before a name.
 *
 * @example addArticle('Idiot') // 'an Idiot'
 */
export const addArticle = (name: string) => `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;

/**
 * Limit of values in a JSON text. A parsed value takes about fifty bytes, however short its text is. This program's own
 * files have at most a hundredth of this number.
 */
const mostJsonValues = 500_000;

/** Returns whether a JSON text has more lists, objects and commas, outside of strings, than the limit. */
function hasTooManyValues(text: string): boolean {
  if (text.length <= mostJsonValues) return false;
  let values = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString && character === '\\') at++;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === ',' || character === '[' || character === '{') && ++values > mostJsonValues)
      return true;
  }
  return false;
}

/** Parses JSON. Returns undefined if the text is not JSON, or has so many values that they would exhaust the memory. */
export function parseJson(text: string): unknown {
  try {
    return hasTooManyValues(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares two texts by their characters, independent of any language. */
export const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
