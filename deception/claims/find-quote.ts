// Finds the words that a judge copied from a statement. Compares words only: judges write Markdown, quotation marks,
// dashes, ellipses, brackets and spaces in many ways, and prompts show some of them differently.
import type { Claim } from './claim.ts';

interface Word {
  /** The text in lower case without accents. */
  text: string;
  from: number;
  to: number;
}

/**
 * Pattern of a word: letters of an alphabetic script with apostrophes, or one character of a script that puts no spaces
 * between words.
 */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+(?:['’‘ʼ`](?=\p{L})(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+)*/gu;

const listWords = (text: string): Word[] =>
  [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    text: foldWord(word),
    from: index,
    to: index + word.length,
  }));

const foldWord = (word: string) =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ς', 'σ');

/** HTML-like tags, both as players write them and as prompts show them: "<b>", "< /b>". */
const tags = /<\s?\/?\s?[a-z][^<>]{0,40}>/gi;

/**
 * Finds a quote in a statement as a run of whole words. The quote may omit tags. Null if the statement does not contain
 * the quote, or if the quote has no word.
 *
 * @example findQuote('I will vote Kai', 'I will vote **Kai** today.') // { from: 0, to: 17, text: 'I will vote **Kai' }
 */
export function findQuote(quote: string, text: string): Claim['words'] | null {
  const sought = listWords(quote);
  const words = listWords(text);
  const run = findRun(sought, words);
  if (run !== null) return widen(run, quote, text);
  const bare = text.replace(tags, (tag) => ' '.repeat(tag.length));
  if (bare === text) return null;
  const found = findRun(listWords(quote.replace(tags, ' ')), listWords(bare));
  return found && widen(found, quote, text);
}

type Span = Pick<Word, 'from' | 'to'>;

function findRun(sought: readonly Word[], words: readonly Word[]): Span | null {
  const place = words.findIndex((_, start) => sought.every(({ text }, index) => words[start + index]?.text === text));
  const [first, last] = [words[place], words[place + sought.length - 1]];
  return sought.length > 0 && first && last ? { from: first.from, to: last.to } : null;
}

/** Extends the match by surrounding punctuation that the quote also contains. */
function widen(run: Span, quote: string, text: string): Claim['words'] {
  const isSign = (sign: string | undefined) => sign !== undefined && /[^\p{L}\p{N}\s]/u.test(sign);
  const around = quote.split(/[\p{L}\p{N}].*[\p{L}\p{N}]|[\p{L}\p{N}]/su).map((signs) => signs.replace(/\s/g, ''));
  const [before = '', after = ''] = around;
  let { from, to } = run;
  for (let index = before.length - 1; index >= 0 && isSign(text[from - 1]) && text[from - 1] === before[index]; index--)
    from--;
  for (let index = 0; index < after.length && isSign(text[to]) && text[to] === after[index]; index++) to++;
  return { from, to, text: text.slice(from, to) };
}
