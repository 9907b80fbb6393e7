// Finds the words that a judge has copied from a statement. Only words are compared: Markdown, quotation marks, dashes, ellipses,
// brackets and spaces are written in many ways, and prompts show some of them otherwise than they were said.
import type { Claim } from './claim.ts';

interface Word {
  /** Small letters without marks. */
  text: string;
  from: number;
  to: number;
}

/** A word of an alphabet with its apostrophes, or one sign of a script that writes no spaces. */
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

/** Tags as they are said, and as prompts show them: "<b>", "< /b>". */
const tags = /<\s?\/?\s?[a-z][^<>]{0,40}>/gi;

/**
 * Where the words of a quote stand in a statement, one after another and whole; null where they do not, and for a quote without
 * a word. Tags may be left out of the quote.
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

/** With the signs around the words that the quote has too. */
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
