// Splits a text into codes, one per word, each with its position in the text.
import { listMatches } from '../../state/text.ts';
import { findNames } from '../../state/name-reader.ts';
import { getCountedSide } from '../../state/roles/role.ts';
import type { TableLexicon } from './lexicon.ts';
import { isTime, timePattern } from './time-expressions.ts';

/** A code and its position in the text. */
export interface Token {
  code: string;
  from: number;
  to: number;
}

/** Blanks Markdown and replaces each quotation by one sign. Every other character keeps its position. */
export const hideMarkup = (text: string) => maskMarkup(maskQuotations(text.replace(/[’‘]/g, "'")));

/** Blanks the signs of Markdown. */
const maskMarkup = (text: string) => text.replace(/[*_`~#>|]+/g, (marks) => ' '.repeat(marks.length));

/**
 * Replaces each quotation by one sign, because its words are somebody else's or are not meant literally. Punctuation
 * that ends the quotation ends the sentence.
 */
const maskQuotations = (text: string) =>
  [/"[^"]*"/g, /“[^”]*”/g, /(?<=^|[\s(])'[^']{3,}(?:'\w+[^']*)*'(?=[\s.,;!?)]|$)/g].reduce(
    (rest, quotation) =>
      rest.replace(quotation, (all, ...given: unknown[]) => {
        const at = given.at(-2) as number;
        const isEnd =
          /[.!?…]['"”]$/.test(all) &&
          /^(?:\s+["“']?\p{Lu}|\s*\n|\s*$)/u.test(rest.slice(at + all.length, at + all.length + 20));
        const said = /^.I(?<rest>(?:'m| am) [^,.;:!?]*)/.exec(all)?.groups!['rest'];
        if (said) return ` ǃ${said}${(isEnd ? '.' : '').padStart(all.length - said.length - 2)}`;
        return `§${(isEnd ? '.' : '').padStart(all.length - 1)}`;
      }),
    text,
  );

const contractions: readonly [RegExp, (word: string) => string[]][] = [
  [/^(?:won't)$/, () => ['will', 'not']],
  [/^(?:can't|cannot)$/, () => ['can', 'not']],
  [/^(?:ain't)$/, () => ['is', 'not']],
  [/n't$/, (word) => [word.slice(0, -3), 'not']],
  [/^im$/, () => ['i', 'am']],
  [/'m$/, (word) => [word.slice(0, -2), 'am']],
  [/'re$/, (word) => [word.slice(0, -3), 'are']],
  [/'ve$/, (word) => [word.slice(0, -3), 'have']],
  [/'ll$/, (word) => [word.slice(0, -3), 'will']],
  [/'d$/, (word) => [word.slice(0, -2), 'would']],
  [/^let's$/, () => ['let', 'us']],
  [/^(?:he|she|it|that|who|there|here|what|vote|name)'s$/, (word) => [word.slice(0, -2), 'is']],
  [/'s$/, (word) => [word.slice(0, -2), "'s"]],
];

const scan = new RegExp(
  `(?<=^|[^\\p{L}\\d])${timePattern}(?=$|[^\\p{L}\\d'])|\\p{L}+(?:'\\p{L}+)?|\\d+|[.,;:!?()\\[\\]§…=]|→|—|–|->|--|(?<=\\s)-(?=\\s)|(?<=\\p{L})[/+&](?=\\p{L})|(?<=\\s)[&+](?=\\s)|'(?=\\s)`,
  'giu',
);

/** Returns the codes of `segment`, a part of the text that begins at position `index`. */
export function tokenize(segment: string, index: number, words: TableLexicon): Token[] {
  const found = listWords(segment, words);
  return found.flatMap(({ word, from, to }, place) => {
    const next = found[place + 1]?.word ?? '';
    return encodeWord(word, next, place === 0, words).map((code) => ({ code, from: index + from, to: index + to }));
  });
}

interface PlacedWord {
  word: string;
  from: number;
  to: number;
}

/** Lists the words and signs of a part. A name of several words is one word, including a following "'s". */
function listWords(segment: string, { longNames }: TableLexicon): PlacedWord[] {
  const list = (text: string, start: number) =>
    listMatches(scan, text).map(({ 0: word, index }) => ({
      ...{ word, from: start + index, to: start + index + word.length },
    }));
  if (longNames.length === 0) return list(segment, 0);
  const found: PlacedWord[] = [];
  let start = 0;
  for (const { name, from, to: end } of findNames(segment, longNames)) {
    const isPossessive = /^'s(?!\p{L})/u.test(segment.slice(end, end + 3));
    const to = isPossessive ? end + 2 : end;
    found.push(...list(segment.slice(start, from), start), { word: `${name}${isPossessive ? "'s" : ''}`, from, to });
    start = to;
  }
  return [...found, ...list(segment.slice(start), start)];
}

const signs: Readonly<Record<string, string>> = { '–': '—', '--': '—', '-': '—', '->': '→', '&': 'and', '+': 'and', '[': '(', ']': ')' }; // prettier-ignore

function encodeWord(word: string, next: string, isFirst: boolean, words: TableLexicon): string[] {
  if (signs[word] !== undefined) return [signs[word]];
  const stem = word.replace(/'s$/, '');
  const seat = words.seats.get(stem);
  if (seat !== undefined && !isVerb(stem, next, isFirst, words)) {
    if (stem === word) return [`@${seat}`];
    return [`@${seat}`, isPredicate.test(next) ? 'is' : /^(?:been|never)$/.test(next) ? 'has' : "'s"];
  }
  if (isTime(word)) return [`%${word.toLowerCase()}`];
  const lower = word.toLowerCase();
  const role = words.roles.get(lower.replace(/'s$/, ''));
  if (role && !isActVerb(word, next, words)) {
    const { role: of, isPlural } = role;
    const isCommon = of.team === 'villagers' && !of.special && lower !== 'vanilla' && /^\p{Ll}/u.test(word);
    const code = `#${isCommon ? 't' : getCountedSide(of) === 'werewolves' ? 'w' : 'v'}${isPlural ? 's' : ''}${words.register.indexOf(of)}`;
    return lower.endsWith("'s") ? [code, isPredicate.test(next) || next === 'me' ? 'is' : "'s"] : [code];
  }
  const rule = contractions.find(([form]) => form.test(lower));
  return rule ? rule[1](lower) : [lower];
}

/** Whether a word that can be a verb or a title is a verb here: "I did not guard Leah". */
const isActVerb = (word: string, next: string, { infinitive, seats }: TableLexicon) =>
  infinitive.has(word) && (seats.has(next) || /^(?:me|myself|him|himself|her|herself|you|them|over)$/.test(next));

/** Words after "Dan's" that show that "Dan's" means "Dan is". */
const isPredicate =
  /^(?:an?|the|not|no|one|definitely|probably|clearly|obviously|innocent|guilty|with|on|dead|gone|lying|our|your|my|clean|clear|cleared|good|town|village|evil|safe|really|actually|still|just|at|both|exactly|voting)$/;

/** Returns whether a name that is also a verb begins a question: "Will you vote?" */
const isVerb = (name: string, next: string, isFirst: boolean, { seats }: TableLexicon) =>
  /^(?:will|may|can|mark)$/i.test(name) &&
  isFirst &&
  (seats.has(next) ||
    /^(?:i|you|we|he|she|they|it|this|that|these|those|there|the|an?|my|your|our|his|her|their|not|no|nobody|one|any\w*|some\w*|every\w*|all|both|either|who\w*|what\w*)$/i.test(
      next,
    ));
