// Replaces sentences with paraphrases, as the variant `paraphrased` does with everything except quoted words.
import type { View } from '../state/view.ts';
import { disclosedParaphrases, localParaphrases, paraphrases } from './paraphrase-texts.ts';
import { memoize } from './text.ts';

/** Converts a line of a prompt. */
type Wording = (line: string) => string;

type Row = readonly [from: string, to: string];

/** Beginning of a line that is not paraphrased: a list bullet, a heading, or the key of a field. */
const lead = /^(?:- |Your aim: |Advice: | *"\w+": )/;

/** Beginning of a line that quotes a player; the line is not paraphrased. */
const speech = /^[\p{L}ー]+(?: [\p{L}\dー]+)?: "/u;

const sentenceEnd = /(?<=[.?]) (?=[A-Z"])/;

/** Pattern of a slot in a row that consists of one sentence. Slots of other rows may span sentences. */
const withinSentence = '((?:(?![.?] [A-Z"]).)+?)';

const escapeForPattern = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);

/**
 * Returns a function that paraphrases a line according to `rows`: the whole line if a row matches it, otherwise each
 * sentence that a row matches. Slots match any text. Sentences without a row stay unchanged. If the columns of the rows
 * are exchanged, the function does the reverse.
 *
 * @example createWording([['Votes are {1}.', 'Your votes will be {1}.']])('- Votes are secret.') // '- Your votes will be secret.'
 */
export function createWording(rows: readonly Row[]): Wording {
  const plain = new Map(rows.filter(([from]) => !from.includes('{')));
  const patterns = rows
    .filter(([from]) => from.includes('{'))
    .map(([from, to]) => {
      const slots = [...from.matchAll(/\{(\d)\}/g)].map(([, number]) => number!);
      const pattern = escapeForPattern(from).replace(/\{\d\}/g, /[.?]$/.test(from) ? withinSentence : '(.+?)');
      return { pattern: new RegExp(`^${pattern}$`, 's'), slots, to };
    });
  const replaceSentence = (sentence: string): string => {
    const known = plain.get(sentence);
    if (known !== undefined) return known;
    for (const { pattern, slots, to } of patterns) {
      const [whole, ...found] = pattern.exec(sentence) ?? [];
      if (whole !== undefined) return to.replace(/\{(\d)\}/g, (_, number: string) => found[slots.indexOf(number)]!);
    }
    return sentence;
  };
  return memoize(
    keptLines,
    (line) => line,
    (line) => {
      const start = lead.exec(line)?.[0] ?? '';
      const rest = line.slice(start.length);
      if (speech.test(rest)) return line;
      const whole = replaceSentence(rest);
      if (whole !== rest) return start + whole;
      if (rest.includes(': "')) return line; // somebody's words may follow, which must not change
      return start + rest.split(sentenceEnd).map(replaceSentence).join(' ');
    },
  );
}

/** Number of cached lines. Most lines occur in every prompt of a match. */
const keptLines = 5000;

const paraphraseLine = createWording([...paraphrases, ...disclosedParaphrases, ...localParaphrases]);
const sayAsIs: Wording = (line) => line;

/** Returns the function that words the prompts of a match, line by line. */
export const getWording = ({ variant }: Pick<View, 'variant'>): Wording =>
  variant === 'paraphrased' ? paraphraseLine : sayAsIs;

/** Converts all lines of a text to the wording of a match. */
export const replaceByParaphrase = (text: string, wording: Wording): string =>
  wording === sayAsIs ? text : text.split('\n').map(wording).join('\n');
