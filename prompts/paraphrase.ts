// Puts paraphrases in place of sentences: what the variant `paraphrased` does to all but quoted words.
import type { View } from '../state/view.ts';
import { paraphrases } from './paraphrase-texts.ts';
import { memoize } from './text.ts';

/** What is made of a line of a prompt. */
type Wording = (line: string) => string;

type Row = readonly [from: string, to: string];

/** What begins a line and stays: an item of a list, a heading, or the key of a field. */
const lead = /^(?:- |Your aim: |Advice: | *"\w+": )/;

/** Words of a player, which stay. */
const speech = /^\p{L}+: "/u;

const sentenceEnd = /(?<=[.?]) (?=[A-Z"])/;

/** A slot of a row that is a sentence; those of others take all that was said. */
const withinSentence = '((?:(?![.?] [A-Z"]).)+?)';

const escapeForPattern = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);

/**
 * Replaces whole lines, and else each sentence of a line, that one of the rows has, whatever stands in its slots. Other
 * sentences stay. With the columns of the rows exchanged the same is undone.
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
      if (rest.includes(': "')) return line; // somebody's words may follow, which are not ours to change
      return start + rest.split(sentenceEnd).map(replaceSentence).join(' ');
    },
  );
}

/** Most lines stand in every prompt of a match. */
const keptLines = 5000;

const paraphraseLine = createWording(paraphrases);
const sayAsIs: Wording = (line) => line;

/** The wording of a match, line by line. */
export const getWording = ({ variant }: Pick<View, 'variant'>): Wording =>
  variant === 'paraphrased' ? paraphraseLine : sayAsIs;

/** All lines of a text in the wording of a match. */
export const replaceByParaphrase = (text: string, wording: Wording): string =>
  wording === sayAsIs ? text : text.split('\n').map(wording).join('\n');
