// Splits a statement into sentences of tokens, one a word, for the patterns; "one" and the like become the role that was
// named before (coreference).
import type { TableLexicon } from './lexicon.ts';

// Words that stand for a role named before: "Dan is no wolf, and I am not one either".

/** A code and its place in the text. */
interface Token {
  code: string;
  from: number;
  to: number;
}

const role = /^#[wvt]s?\d+$/;
const being = ['am', 'is', 'are', 'was', 'were', 'be', 'been'];
const between = [
  'not',
  'never',
  'certainly',
  'definitely',
  'also',
  'obviously',
  'clearly',
  'surely',
  'indeed',
  'simply',
  'just',
];
/** What may follow "one" where it stands alone, not "one of us", "one who", "one thing". */
const closing = /^(?:[.,;:!?—)…]|either|too|myself|himself|herself|as|and|but|because|so|neither)$/;

/** The codes of a statement's sentences, with the role in place of a "one" that means it. */
function resolveAntecedents(sentences: readonly (readonly Token[])[]): Token[][] {
  let last: string | null = null;
  let age = 0;
  return sentences.map((tokens) => {
    age += 1;
    return tokens.map((token, at) => {
      if (role.test(token.code)) {
        last = token.code.replace('s', '');
        age = 0;
      }
      return last !== null && age <= 2 && token.code === 'one' && isRole(tokens, at) ? { ...token, code: last } : token;
    });
  });
}

function isRole(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.code;
  if (next !== undefined && !closing.test(next)) return false;
  const verb = tokens.slice(0, at).findLast(({ code }) => !between.includes(code));
  return verb !== undefined && being.includes(verb.code);
}

// Sentences as patterns read them: one code a word, each knowing its place in the text.

/**
 * A sentence in codes with one space between: words in lower case with contractions written out ("is not"); `@2`, or
 * `@2+5` for several, for players by seat; `#w0` and `#v3` for roles of the pack and the village by their place in the
 * register, `#ws0` in plural, `#t3` for a village role without powers that is written as a common noun; punctuation.
 */
export interface Sentence {
  code: string;
  isQuestion: boolean;
  /** The place in the text of what stands from one place of the code up to another. */
  span(start: number, end: number): { from: number; to: number };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Statements are written by adversaries: no reader needs more of one than this many characters. */
const longest = 10_000;

export function tokenizeSentences(text: string, words: TableLexicon): Sentence[] {
  const plain = maskQuotations(text.slice(0, longest).replace(/[’‘]/g, "'"));
  const read = [...segmenter.segment(plain)].flatMap(({ segment, index }) => {
    const tokens = joinPlayerLists(tokenize(segment, index, words));
    return tokens.length === 0 ? [] : [{ tokens, isQuestion: /\?[\s"')*]*$/.test(segment) }];
  });
  const codes = resolveAntecedents(read.map(({ tokens }) => tokens));
  return read.map(({ isQuestion }, place) => createSentence(codes[place]!, isQuestion));
}

/** What stands in quotation marks is another's, or not meant: a sign takes its place. */
const maskQuotations = (text: string) =>
  [/"[^"]*"/g, /“[^”]*”/g, /(?<=^|[\s(])'[^']{3,}(?:'\w+[^']*)*'(?=[\s.,;!?)]|$)/g].reduce(
    (rest, quotation) => rest.replace(quotation, (all) => '§'.padEnd(all.length)),
    text,
  );

const contractions: readonly [RegExp, (word: string) => string[]][] = [
  [/^(?:won't)$/, () => ['will', 'not']],
  [/^(?:can't|cannot)$/, () => ['can', 'not']],
  [/n't$/, (word) => [word.slice(0, -3), 'not']],
  [/^i'm$|^im$/, () => ['i', 'am']],
  [/'re$/, (word) => [word.slice(0, -3), 'are']],
  [/'ve$/, (word) => [word.slice(0, -3), 'have']],
  [/'ll$/, (word) => [word.slice(0, -3), 'will']],
  [/'d$/, (word) => [word.slice(0, -2), 'would']],
  [/^let's$/, () => ['let', 'us']],
  [/^(?:he|she|it|that|who|there|here|what)'s$/, (word) => [word.slice(0, -2), 'is']],
  [/'s$/, (word) => [word.slice(0, -2), "'s"]],
];

const scan = /\p{L}+(?:'\p{L}+)?|\d+|[.,;:!?()§…]|—|–|--|(?<=\s)-(?=\s)|'(?=\s)/gu;

function tokenize(segment: string, index: number, words: TableLexicon): Token[] {
  const found = [...segment.matchAll(scan)];
  return found.flatMap(({ 0: word, index: at }, place) => {
    const from = index + at;
    const to = from + word.length;
    const next = found[place + 1]?.[0] ?? '';
    return encodeWord(word, next, place === 0, words).map((code) => ({ code, from, to }));
  });
}

function encodeWord(word: string, next: string, isFirst: boolean, words: TableLexicon): string[] {
  if (/^[—–-]+$/.test(word)) return ['—'];
  const stem = word.replace(/'s$/, '');
  const seat = words.players.findIndex((name) => name === stem || name.toUpperCase() === stem);
  if (seat >= 0 && !isVerb(stem, next, isFirst, words)) {
    if (stem === word) return [`@${seat}`];
    return [`@${seat}`, isPredicate.test(next) ? 'is' : /^(?:been|never)$/.test(next) ? 'has' : "'s"];
  }
  const lower = word.toLowerCase();
  const role = words.roles.get(lower.replace(/'s$/, ''));
  if (role && !isActVerb(word, next, words)) {
    const { role: of, isPlural } = role;
    const isCommon = of.team === 'villagers' && !of.special && /^\p{Ll}/u.test(word);
    const code = `#${isCommon ? 't' : of.team === 'werewolves' ? 'w' : 'v'}${isPlural ? 's' : ''}${words.register.indexOf(of)}`;
    return lower.endsWith("'s") ? [code, "'s"] : [code];
  }
  const rule = contractions.find(([form]) => form.test(lower));
  return rule ? rule[1](lower) : [lower];
}

/** A verb that is also what somebody is called: "I did not guard Leah". */
const isActVerb = (word: string, next: string, { infinitive, players }: TableLexicon) =>
  infinitive.has(word) &&
  (players.includes(next) || /^(?:me|myself|him|himself|her|herself|you|them|over)$/.test(next));

/** What makes "Dan's" read "Dan is". */
const isPredicate =
  /^(?:an?|the|not|no|one|definitely|probably|clearly|obviously|innocent|guilty|with|on|dead|gone|lying|our|your|my|clean|clear|cleared|good|town|safe|really|actually|still|just|at|both|exactly)$/;

/** A name that is also how a question begins: "Will you vote?" */
const isVerb = (name: string, next: string, isFirst: boolean, { players }: TableLexicon) =>
  /^(?:will|may|can)$/i.test(name) &&
  isFirst &&
  (players.includes(next) ||
    /^(?:i|you|we|he|she|they|it|this|that|these|those|there|the|an?|my|your|our|his|her|their|not|no|nobody|one|any\w*|some\w*|every\w*|all|both|either|who\w*|what\w*)$/i.test(
      next,
    ));

/** Lists of players as one: "Dan, Leah and Paul". */
function joinPlayerLists(tokens: readonly Token[]): Token[] {
  const list: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const end = findListEnd(tokens, at);
    if (end > at) {
      const seats = tokens.slice(at, end + 1).filter(({ code }) => code.startsWith('@'));
      const code = `@${seats.map((seat) => seat.code.slice(1)).join('+')}`;
      list.push({ code, from: tokens[at]!.from, to: tokens[end]!.to });
      at = end;
    } else list.push(tokens[at]!);
  }
  return list;
}

/** The place of the last name of the list that begins at `at`; `at` where none does. */
function findListEnd(tokens: readonly Token[], at: number): number {
  const isName = (place: number) => tokens[place]?.code.startsWith('@') === true;
  const isCode = (place: number, code: string) => tokens[place]?.code === code;
  if (!isName(at)) return at;
  let place = at;
  while (isCode(place + 1, ',') && isName(place + 2)) place += 2;
  const last = place + (isCode(place + 1, ',') && place > at ? 2 : 1);
  const isNew = tokens[last + 1]?.code !== tokens[place]!.code; // not "I checked Dan and Dan is …"
  return isCode(last, 'and') && isName(last + 1) && isNew && !isCode(last + 2, "'s") ? last + 1 : at;
}

function createSentence(tokens: readonly Token[], isQuestion: boolean): Sentence {
  let length = 0;
  const starts = tokens.map(({ code }) => (length += code.length + 1) - code.length - 1);
  return {
    code: tokens.map(({ code }) => code).join(' '),
    isQuestion,
    span: (start, end) => ({
      from: tokens[
        Math.max(
          0,
          starts.findLastIndex((at) => at <= start),
        )
      ]!.from,
      to: tokens[
        Math.max(
          0,
          starts.findLastIndex((at) => at < end),
        )
      ]!.to,
    }),
  };
}

/** The players that a code names, e.g. `@2+5`. */
export const decodePlayers = (code: string, words: TableLexicon): string[] =>
  (/^@[\d+]+/.exec(code)?.[0].match(/\d+/g) ?? []).map((seat) => words.players[Number(seat)]!);
