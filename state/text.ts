// Texts of models, made one line of visible characters and cut at a limit, so that they can stand in events and prompts;
// and words of commands, made safe to paste.

/** The limit of private texts that a player remembers (thoughts, summaries), in words. */
export const maxPrivateWords = 200;

/** The limit of the reasoning of an analysis, in words: it fits a cell of a spreadsheet. */
export const maxAnalysisWords = 1000;

/**
 * The bytes of UTF-8 that a text may have for each word of its limit, so that one without spaces is cut too. A word with
 * its space takes about 6 in English, 7 in German, 9 in Finnish and 13 in Russian; its meaning 5 in Chinese, 7 in Japanese.
 */
const bytesPerWord = 12;

/** How many words a text has: what white space keeps apart. */
export const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** As much of a text as so many bytes of UTF-8 hold, in whole characters. */
export const truncateBytes = (text: string, bytes: number) =>
  text.length * 3 <= bytes // no UTF-16 unit takes more than three bytes
    ? text
    : text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);

/**
 * The first `words` words of a text, at most as many bytes as so many words of usual length, with " …" where it was cut.
 *
 * @example truncateWords('I am the Seer', 2) // { text: 'I am …', cut: true }
 */
export function truncateWords(text: string, words: number): { text: string; cut: boolean } {
  const short = truncateBytes(text, words * bytesPerWord);
  const first = short.split(' ').slice(0, words).join(' ');
  return first === text ? { text, cut: false } : { text: `${first} …`, cut: true };
}

/** Characters of no width that change the look of their neighbours, other than those that choose the look of an emoji. */
const shaping = /[[\p{Variation_Selector}\u034f\u00ad\u200d]--[\ufe0e\ufe0f]]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gv;

/** Control, bidirectional, unassigned and other characters that nobody sees. */
const invisible = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\ufe0e\ufe0f]]+/gv;

/** More marks on one letter than any language uses: they would cover the lines above and below. */
const pile = /(\p{M}{8})\p{M}+/gu;

/** White space and marks at the beginning: they would join the quotation mark that is put before a text. */
const leading = /^[\s\p{M}]+/u;

/**
 * A text as one line of visible characters. Characters that only shape their neighbours are dropped (joined emoji become
 * single ones); everything else that is invisible becomes a space, and runs of white space one space.
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

/** Control characters, line breaks among them, and characters that turn the direction of what follows. */
const acting = String.raw`\p{Cc}\u2028-\u202e\u2066-\u2069`;
const anyActing = new RegExp(`[${acting}]`, 'u');
const eachActing = new RegExp(`[${acting}]`, 'gu');

/** Whether a text holds characters that a terminal, a page or a prompt would act on instead of showing them. */
export const hasActingCharacters = (text: string): boolean => anyActing.test(text);

/**
 * A name as it is, or in double quotes with its acting characters escaped where it holds any: names of files and folders come
 * from whoever shared them.
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

/** The path of the first text or name within a value that holds acting characters; null where none does. */
export function findActingText(value: unknown, at: readonly string[] = []): readonly string[] | null {
  if (typeof value === 'string') return hasActingCharacters(value) ? at : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = hasActingCharacters(name) ? [...at, name] : findActingText(inner, [...at, name]);
    if (found !== null) return found;
  }
  return null;
}

/** The same but for line feeds, and what only shapes its neighbours, as halves of characters do. */
const hidden =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\u2028\u2029\u2800]--[\ufe0e\ufe0f]--[\n]]|(?<=\p{M}{8})\p{M}/gv;

/**
 * A text of lines with an escape in the place of each character that nobody sees or that moves others: in JSON it means
 * the same, and elsewhere it can be seen.
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
 * The text with a single quotation mark in place of everything that is or looks like a double one, so that it can be put
 * between double ones.
 *
 * @example replaceDoubleQuotes('He said “no”.') // "He said 'no'."
 */
export const replaceDoubleQuotes = (text: string) => text.replace(doubled, "'");

/**
 * A word of a command as a shell takes it, in single quotes where it holds characters that a shell would read.
 *
 * @example quoteForShell('openai:a?priceIn=1&priceOut=2') // "'openai:a?priceIn=1&priceOut=2'"
 */
export const quoteForShell = (text: string) =>
  /^[\w./:@%+,=…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** @example addArticle('Idiot') // 'an Idiot' */
export const addArticle = (name: string) => `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;

/** Each takes some fifty bytes once it is parsed, however short its text; a hundred times what any file of ours has. */
const mostJsonValues = 500_000;

/** Whether a JSON text has more lists, objects and commas, outside of strings, than any file of ours. */
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

/** The value; undefined where the text is no JSON, or has so many values that they would fill the memory. */
export function parseJson(text: string): unknown {
  try {
    return hasTooManyValues(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The order of two texts by their characters, the same in every language. */
export const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
