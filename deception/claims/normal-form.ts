// The normal form of a statement: sentences of codes, one a word, without what changes nothing. Markdown, bullets and
// labels become sentences of the speaker's, slashed names lists, brackets and titles attributes of a player; times and
// mere adverbs stand aside, so that patterns need not know of them. One file, since each step reads what the one before it
// has made.
import type { TableLexicon } from './lexicon.ts';
import {
  dropped,
  leadingVerb,
  nounAfterName,
  noTitleAfter,
  roleTitle,
  timeForms,
  titleAhead,
  titleBehind,
  type TimeForm,
} from './phrases.ts';

/** A code and its place in the text. */
interface Token {
  code: string;
  from: number;
  to: number;
}

/** When something is said to be: a round, by what it was told. */
export interface Time {
  /** The place in the sentence's code. */
  at: number;
  kind: 'night' | 'day' | 'any' | 'yesterday' | 'today' | 'tomorrow' | 'unclear';
  round: number | null;
}

/** What somebody is called in passing: "Dan (Seer)", "our Seer Dan". */
export interface Attribute {
  /** The place in the sentence's code behind the name. */
  at: number;
  player: string;
  identity: string;
  from: number;
  to: number;
}

/**
 * A sentence in codes with one space between: words in lower case with contractions written out ("is not"); `@2`, or
 * `@2+5` for several, for players by seat; `#w0` and `#v3` for roles of the pack and the village by their place in the
 * register, `#ws0` in plural, `#t3` for a village role without powers that is written as a common noun; punctuation.
 */
export interface Sentence {
  code: string;
  isQuestion: boolean;
  times: readonly Time[];
  attributes: readonly Attribute[];
  /** The code of the heading or label under which the sentence stands. */
  heading: string;
  /** The time that its bullet or its heading names before anything else. */
  headingTimes: readonly Time[];
  /** The place in the text of what stands from one place of the code up to another. */
  span(start: number, end: number): { from: number; to: number };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Statements are written by adversaries: no reader needs more of one than this many characters. */
const longest = 10_000;

interface Reading {
  words: TableLexicon;
  /** The speaker's code. */
  own: string;
  round: number;
  /** The number that the statement gives the first night. */
  firstNight: number;
}

interface Draft {
  tokens: readonly Token[];
  isQuestion: boolean;
  isBullet: boolean;
  isHeading: boolean;
  /** The first of its line. */
  isFirst: boolean;
}

/** The sentences of what somebody says in a round. */
export function normalizeSentences(text: string, by: string, round: number, words: TableLexicon): Sentence[] {
  const plain = maskMarkup(maskQuotations(text.slice(0, longest).replace(/[’‘]/g, "'")));
  const firstNight = /\b(?:N0|night (?:0|zero))\b/i.test(plain) ? 0 : 1;
  const reading: Reading = { words, own: `@${words.players.indexOf(by)}`, round, firstNight };
  const drafts = [...plain.matchAll(/[^\n]+/g)].flatMap(({ 0: line, index }) => draftLine(line, index, reading));
  const codes = resolveAntecedents(drafts.map(({ tokens }) => tokens));
  const sentences: Sentence[] = [];
  let heading: Sentence | null = null;
  let line: Sentence | null = null;
  for (const [place, draft] of drafts.entries()) {
    if (draft.isFirst) {
      line = null;
      if (!draft.isBullet) heading = null;
    }
    const above: Sentence | null = line ?? heading;
    const tokens = insertSubject(codes[place]!, draft, above, sentences.at(-1) ?? null);
    const sentence = createSentence(tokens, draft.isQuestion, above, reading);
    if (sentence.code === '') continue;
    sentences.push(sentence);
    if (draft.isHeading && !draft.isBullet) heading = sentence;
    if (draft.isFirst && sentence.times[0]?.at === 0 && /^[:,—]? ?/.test(sentence.code)) line = sentence;
  }
  return sentences;
}

const bullet = /^\s*(?:[-•–—*]|\(?\d{1,2}[.)])\s+/;

function draftLine(line: string, index: number, reading: Reading): Draft[] {
  const mark = bullet.exec(line)?.[0] ?? '';
  const text = line.slice(mark.length);
  const isHeading = /:\s*$/.test(text) || !/[.!?,;:)]\s*$/.test(text);
  return [...segmenter.segment(text)].flatMap(({ segment, index: at }, place): Draft[] => {
    const tokens = tokenize(segment, index + mark.length + at, reading.words);
    const isQuestion = /\?[\s"')]*$/.test(segment);
    const base = { isQuestion, isBullet: mark !== '', isHeading, isFirst: place === 0 };
    const [main, ...asides] = splitBrackets(tokens);
    return [
      { ...base, tokens: joinPlayerLists(foldTitles(main!), reading) },
      ...asides.map((aside) => ({
        ...base,
        isFirst: false,
        isQuestion: aside.at(-1)?.code === '?',
        tokens: joinPlayerLists(aside, reading),
      })),
    ].filter((draft) => draft.tokens.length > 0);
  });
}

/** Signs of Markdown, blanked. */
const maskMarkup = (text: string) => text.replace(/[*_`~#>|]+/g, (marks) => ' '.repeat(marks.length));

/** What stands in quotation marks is another's, or not meant: a sign takes its place; what ends in it ends the sentence. */
const maskQuotations = (text: string) =>
  [/"[^"]*"/g, /“[^”]*”/g, /(?<=^|[\s(])'[^']{3,}(?:'\w+[^']*)*'(?=[\s.,;!?)]|$)/g].reduce(
    (rest, quotation) =>
      rest.replace(quotation, (all, ...given: unknown[]) => {
        const at = given.at(-2) as number;
        const isEnd =
          /[.!?…]['"”]$/.test(all) &&
          /^(?:\s+["“']?\p{Lu}|\s*\n|\s*$)/u.test(rest.slice(at + all.length, at + all.length + 20));
        return `§${(isEnd ? '.' : '').padStart(all.length - 1)}`;
      }),
    text,
  );

const contractions: readonly [RegExp, (word: string) => string[]][] = [
  [/^(?:won't)$/, () => ['will', 'not']],
  [/^(?:can't|cannot)$/, () => ['can', 'not']],
  [/^(?:ain't)$/, () => ['is', 'not']],
  [/n't$/, (word) => [word.slice(0, -3), 'not']],
  [/^i'm$|^im$/, () => ['i', 'am']],
  [/'re$/, (word) => [word.slice(0, -3), 'are']],
  [/'ve$/, (word) => [word.slice(0, -3), 'have']],
  [/'ll$/, (word) => [word.slice(0, -3), 'will']],
  [/'d$/, (word) => [word.slice(0, -2), 'would']],
  [/^let's$/, () => ['let', 'us']],
  [/^(?:he|she|it|that|who|there|here|what|vote|name)'s$/, (word) => [word.slice(0, -2), 'is']],
  [/'s$/, (word) => [word.slice(0, -2), "'s"]],
];

const scan = new RegExp(
  `(?<=^|[^\\p{L}\\d])(?:${timeForms.map(({ form }) => form).join('|')})(?:'s)?(?=$|[^\\p{L}\\d'])|\\p{L}+(?:'\\p{L}+)?|\\d+|[.,;:!?()\\[\\]§…=]|→|—|–|->|--|(?<=\\s)-(?=\\s)|(?<=\\p{L})[/+&](?=\\p{L})|(?<=\\s)[&+](?=\\s)|'(?=\\s)`,
  'giu',
);

function tokenize(segment: string, index: number, words: TableLexicon): Token[] {
  const found = [...segment.matchAll(scan)];
  return found.flatMap(({ 0: word, index: at }, place) => {
    const from = index + at;
    const to = from + word.length;
    const next = found[place + 1]?.[0] ?? '';
    return encodeWord(word, next, place === 0, words).map((code) => ({ code, from, to }));
  });
}

const signs: Readonly<Record<string, string>> = {
  '–': '—',
  '--': '—',
  '-': '—',
  '->': '→',
  '&': 'and',
  '+': 'and',
  '[': '(',
  ']': ')',
};
const isTime = new RegExp(`^(?:${timeForms.map(({ form }) => form).join('|')})(?:'s)?$`, 'iu');

function encodeWord(word: string, next: string, isFirst: boolean, words: TableLexicon): string[] {
  if (signs[word] !== undefined) return [signs[word]];
  const stem = word.replace(/'s$/, '');
  const seat = words.seats.get(stem);
  if (seat !== undefined && !isVerb(stem, next, isFirst, words)) {
    if (stem === word) return [`@${seat}`];
    return [`@${seat}`, isPredicate.test(next) ? 'is' : /^(?:been|never)$/.test(next) ? 'has' : "'s"];
  }
  if (isTime.test(word)) return [`%${word.toLowerCase()}`];
  const lower = word.toLowerCase();
  const role = words.roles.get(lower.replace(/'s$/, ''));
  if (role && !isActVerb(word, next, words)) {
    const { role: of, isPlural } = role;
    const isCommon = of.team === 'villagers' && !of.special && lower !== 'vanilla' && /^\p{Ll}/u.test(word);
    const code = `#${isCommon ? 't' : of.team === 'werewolves' ? 'w' : 'v'}${isPlural ? 's' : ''}${words.register.indexOf(of)}`;
    return lower.endsWith("'s") ? [code, isPredicate.test(next) || next === 'me' ? 'is' : "'s"] : [code];
  }
  const rule = contractions.find(([form]) => form.test(lower));
  return rule ? rule[1](lower) : [lower];
}

/** A verb that is also what somebody is called: "I did not guard Leah". */
const isActVerb = (word: string, next: string, { infinitive, seats }: TableLexicon) =>
  infinitive.has(word) && (seats.has(next) || /^(?:me|myself|him|himself|her|herself|you|them|over)$/.test(next));

/** What makes "Dan's" read "Dan is". */
const isPredicate =
  /^(?:an?|the|not|no|one|definitely|probably|clearly|obviously|innocent|guilty|with|on|dead|gone|lying|our|your|my|clean|clear|cleared|good|town|village|evil|safe|really|actually|still|just|at|both|exactly|voting)$/;

/** A name that is also how a question begins: "Will you vote?" */
const isVerb = (name: string, next: string, isFirst: boolean, { seats }: TableLexicon) =>
  /^(?:will|may|can|mark)$/i.test(name) &&
  isFirst &&
  (seats.has(next) ||
    /^(?:i|you|we|he|she|they|it|this|that|these|those|there|the|an?|my|your|our|his|her|their|not|no|nobody|one|any\w*|some\w*|every\w*|all|both|either|who\w*|what\w*)$/i.test(
      next,
    ));

// Brackets: a title beside a name stays with it, all else is a sentence of its own.

const isSign = /^(?:[.,;:!?()…§=→]|—)$/;

/** The tokens without brackets, and what stood in each bracket with the name before it. */
function splitBrackets(tokens: readonly Token[]): Token[][] {
  const main: Token[] = [];
  const asides: Token[][] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const close = token.code === '(' ? tokens.findIndex(({ code }, place) => place > at && code === ')') : -1;
    if (close < 0) {
      if (token.code !== '(' && token.code !== ')') main.push(token);
      continue;
    }
    const inner = tokens.slice(at + 1, close);
    const before = main.findLast(({ code }) => !code.startsWith('%'));
    const isNamed = before?.code.startsWith('@') === true;
    const said = inner
      .filter(({ code }) => !code.startsWith('%'))
      .map(({ code }) => code)
      .join(' ');
    const identity = isNamed ? parseTitle(said) : null;
    if (identity !== null)
      main.push({ code: `[${identity}${before!.code}]`, from: inner[0]!.from, to: inner.at(-1)!.to });
    else if (said !== '' && !reporting.test(main.map(({ code }) => code).join(' ')))
      asides.push(isNamed && nounAfterName.test(said) ? [before, ...inner] : inner);
    if (said === '' || identity !== null) main.push(...inner.filter(({ code }) => code.startsWith('%')));
    at = close;
  }
  return [main, ...asides];
}

/** Who is told to have said what stands before: then what stands in brackets may be theirs. */
const reporting = /(?:^| )(?!i )\S+ (?:[a-z]+ )?(?:sa(?:id|ys?)|claim(?:ed|s)|told|tells|insist(?:ed|s)) /;

/** "Our Seer Dan", "Dan, the Seer," and "Dan the Seer": the role stands beside the name as in brackets. */
function foldTitles(tokens: readonly Token[]): Token[] {
  const folded: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const code = (place: number) => tokens[place]?.code ?? '';
    const ahead = Array.from({ length: 7 }, (_, step) => code(at + step)).join(' ');
    const title = titleAhead.exec(ahead);
    if (
      title &&
      !(folded.length > 0 && noTitleAfter.test(folded.at(-1)!.code)) &&
      !(folded.length === 0 && title[0].startsWith('town'))
    ) {
      const length = title[0].split(' ').length;
      const name = tokens[at + length - 1]!;
      folded.push(name, {
        code: `[${title.groups!['identity']!}${name.code}]`,
        from: token.from,
        to: tokens[at + length - 2]!.to,
      });
      at += length - 1;
      continue;
    }
    folded.push(token);
    const behind = token.code.startsWith('@')
      ? titleBehind.exec(Array.from({ length: 8 }, (_, step) => code(at + 1 + step)).join(' '))
      : null;
    if (!behind || (code(at - 1).startsWith('%') && !/^[,—t]/.test(behind[0]))) continue;
    const length = behind.groups!['title']!.split(' ').length;
    folded.push({
      code: `[${behind.groups!['identity']!}${token.code}]`,
      from: token.from,
      to: tokens[at + length]!.to,
    });
    at += length + (behind[0].startsWith(',') && code(at + length + 1) === ',' ? 1 : 0);
  }
  return folded;
}

/** The identity that a bracket is of, with nothing besides; null: it is of something else. */
const parseTitle = (said: string) => roleTitle.exec(said)?.groups!['identity'] ?? null;

/** Lists of players as one: "Dan, Leah and Paul", "Dan/Leah". */
function joinPlayerLists(tokens: readonly Token[], { own }: Reading): Token[] {
  const list: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const end = findListEnd(tokens, at);
    if (end > at) {
      const part = tokens.slice(at, end + 1);
      const seats = part.flatMap(({ code }) =>
        code.startsWith('@') ? [code.slice(1)] : self.test(code) ? [own.slice(1)] : [],
      );
      list.push({ code: `@${[...new Set(seats)].join('+')}`, from: part[0]!.from, to: part.at(-1)!.to });
      list.push(...part.filter(({ code }) => /^[[%]/.test(code)));
      at = end;
    } else list.push(tokens[at]!);
  }
  return list;
}

const self = /^(?:me|i|myself|mine)$/;

/** The place of the last name of the list that begins at `at`; `at` where none does. */
function findListEnd(tokens: readonly Token[], at: number): number {
  const code = (place: number) => tokens[place]?.code ?? '';
  const isBoundary = /^(?:|[.,;:!—→]|and|but|while|when|since|because|that|on)$/.test(code(at - 1));
  const isName = (place: number) =>
    code(place).startsWith('@') ||
    (/^(?:me|myself|mine)$/.test(code(place)) && code(place + 1) !== "'s") ||
    (code(place) === 'i' &&
      (isBoundary || code(place + 1) === '/') &&
      (place > at ||
        code(place + 1) === '/' ||
        (code(place + 1) === 'and' && code(place + 2).startsWith('@') && /^(?:voted|both)$/.test(code(place + 3)))));
  const skipTitle = (place: number) =>
    /^[[%]/.test(code(place)) && code(place - 1).startsWith('@') ? place + 1 : place;
  if (!isName(at) || (self.test(code(at)) && code(at + 1) !== '/' && code(at) !== 'i' && code(at + 1) !== ','))
    return at;
  let place = at;
  let commas = 0;
  for (;;) {
    const next = skipTitle(place + 1);
    if (code(next) === '/' && isName(next + 1)) place = next + 1;
    else if (code(next) === ',' && isName(next + 1) && (code(next + 1) !== 'i' || isBoundary)) {
      place = next + 1;
      commas++;
    } else break;
  }
  const next = skipTitle(place + 1);
  const last =
    code(next) === ',' && (code(next + 1) === 'and' || code(next + 1) === 'plus') && commas > 0 ? next + 1 : next;
  const isNew = code(last + 1) !== code(place); // not "I checked Dan and Dan is …"
  if (/^(?:and|plus)$/.test(code(last)) && isName(last + 1) && isNew && code(last + 2) !== "'s") return last + 1;
  if (commas === 0) return place;
  const isWhole = /^(?:|[.;:!—→)])$/.test(code(next)) && /^(?:|[.;:!—→(]|on)$/.test(code(at - 1));
  if (commas >= 2 || isWhole) return place;
  const slashed = tokens.slice(at, place).findIndex(({ code: sign }) => sign === ',');
  return at + tokens.slice(at, at + slashed).findLastIndex(({ code: name }) => name.startsWith('@'));
}

// "One" and the like become the role that was named before: "Dan is no wolf, and I am not one either".

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

/** "Voted Dan yesterday.", "- checked Leah: wolf": of the player whom the heading is of, or the speaker's. */
function insertSubject(
  tokens: readonly Token[],
  { isBullet, isFirst }: Draft,
  above: Sentence | null,
  before: Sentence | null,
): Token[] {
  const start = tokens.findIndex(({ code }, place) => place < 6 && leadingVerb.test(code));
  if (
    start < 0 ||
    !tokens
      .slice(0, start)
      .every(
        ({ code }, place) =>
          /^(?:%.*|and|also|just|not|never|[:,—])$/.test(code) ||
          (place < 3 && tokens[start - 1]!.code === ':' && /^[a-z]+$/.test(code)),
      )
  )
    return [...tokens];
  const heading = isBullet ? (above?.code ?? '') : '';
  const named = new Set(heading.match(/@[\d+]+/g) ?? []);
  const earlier = isFirst || isBullet ? '' : (before?.code ?? '');
  const subject =
    heading !== '' && named.size > 0
      ? named.size === 1 && !/(?:^| )(?:i|my|own|me)(?: |$)/.test(heading)
        ? [...named][0]!
        : null
      : /^(?:@\d+) /.test(earlier)
        ? /^@\d+/.exec(earlier)![0]
        : earlier === '' || /^(?:i|my|as|[a-z]+ :) /.test(earlier) || /^#[wvt]/.test(earlier)
          ? 'i'
          : null;
  if (subject === null) return [...tokens];
  const { from } = tokens[start]!;
  return [...tokens.slice(0, start), { code: subject, from, to: from }, ...tokens.slice(start)];
}

function createSentence(
  all: readonly Token[],
  isQuestion: boolean,
  above: Sentence | null,
  reading: Reading,
): Sentence {
  const tokens: Token[] = [];
  const aside: { token: Token; place: number }[] = [];
  for (const [place, token] of all.entries()) {
    if (/^[%[]/.test(token.code)) aside.push({ token, place: tokens.length });
    else if (!isIdle(all, place, tokens)) tokens.push(token);
  }
  // ", indeed ," and a comma at the beginning say nothing.
  const kept = tokens.map(
    ({ code }, place) =>
      !(
        code === ',' &&
        (place === 0 || tokens[place - 1]!.code === ',' || /^[.;:!?—]$/.test(tokens[place + 1]?.code ?? ''))
      ),
  );
  const list = tokens.filter((_, place) => kept[place]);
  let length = 0;
  const starts = list.map(({ code }) => (length += code.length + 1) - code.length - 1);
  const codeAt = (place: number) => {
    const before = kept.slice(0, place).filter(Boolean).length;
    return starts[before] ?? Math.max(0, length);
  };
  const places = aside.map(({ token, place }) => ({ token, at: codeAt(place), place }));
  let kind: Time['kind'] = 'unclear';
  const times = places.flatMap(({ token, at }): Time[] => {
    if (!token.code.startsWith('%')) return [];
    const time = parseTime(token.code.slice(1), reading, kind);
    kind = time.kind === 'night' || time.kind === 'day' ? time.kind : kind;
    return [{ at, ...time }];
  });
  const attributes = places.flatMap(({ token, at }): Attribute[] => {
    const title = /^\[(?<identity>.+)(?<player>@[\d+]+)\]$/.exec(token.code)?.groups;
    return title
      ? [{ at, player: title['player']!, identity: title['identity']!, from: token.from, to: token.to }]
      : [];
  });
  const headingTimes = above ? (above.times.length === 1 ? above.times : above.headingTimes) : [];
  return {
    code: list.map(({ code }) => code).join(' '),
    isQuestion,
    times,
    attributes,
    heading: above?.code ?? '',
    headingTimes,
    span: (start, end) => ({
      from: list[
        Math.max(
          0,
          starts.findLastIndex((at) => at <= start),
        )
      ]!.from,
      to: list[
        Math.max(
          0,
          starts.findLastIndex((at) => at < end),
        )
      ]!.to,
    }),
  };
}

/** Whether the word changes nothing: an adverb, unless it is denied or makes a role a simple one. */
function isIdle(all: readonly Token[], place: number, before: readonly Token[]): boolean {
  const { code } = all[place]!;
  const next = all[place + 1]?.code ?? '';
  if (code === 'both') return before.at(-1)?.code.startsWith('@') === true;
  if (code === 'all') return /^@\d+\+/.test(before.at(-1)?.code ?? '') && /ed$/.test(next);
  if (!dropped.has(code) || isSign.test(code)) return false;
  if (/^(?:not|never)$/.test(before.at(-1)?.code ?? '')) return code === 'even';
  return !(/^(?:just|simply|only)$/.test(code) && /^(?:an?|the|plain|simple|one|#\S+|because|if)$/.test(next));
}

const numbers: Readonly<Record<string, number>> = {
  zero: 0,
  opening: 1,
  first: 1,
  one: 1,
  second: 2,
  two: 2,
  third: 3,
  three: 3,
  fourth: 4,
  four: 4,
  fifth: 5,
  five: 5,
  sixth: 6,
  six: 6,
};

/** The round that words such as "last night" mean; a night and the day after it are one round. */
function parseTime(phrase: string, { round, firstNight }: Reading, last: Time['kind']): Omit<Time, 'at'> {
  const { kind: said } = timeForms.find(({ form }) =>
    new RegExp(`^(?:${form})(?:'s)?$`, 'iu').test(phrase),
  ) as TimeForm;
  const word =
    /\d+|\b(?:zero|one|two|three|four|five|six|opening|first|second|third|fourth|fifth|sixth)\b/.exec(phrase)?.[0] ??
    '';
  const number = numbers[word] ?? Number(word);
  const of = (kind: Time['kind'], which: number): Omit<Time, 'at'> => ({ kind, round: which > 0 ? which : null });
  switch (said) {
    case 'some night':
      return { kind: 'night', round: null };
    case 'last night':
      return of('night', round);
    case 'today':
    case 'yesterday':
    case 'tomorrow':
      return of(said, round + { today: 0, yesterday: -1, tomorrow: 1 }[said]);
    case 'ago':
      return phrase.includes('night') ? of('night', round - number + 1) : of('day', round - number);
    case 'numbered': {
      const isBare = !/night|day|round|vote|exile|\b[nd]\d/.test(phrase);
      const kind = isBare
        ? last
        : /night|\bn\d/.test(phrase)
          ? 'night'
          : /day|vote|exile|\bd\d/.test(phrase)
            ? 'day'
            : 'any';
      const isByWord =
        numbers[word] !== undefined && word !== 'zero' && /first|second|third|fourth|fifth|sixth|opening/.test(word);
      return of(kind, kind === 'night' && !isByWord ? number + 1 - firstNight : number);
    }
    case 'unclear':
      return { kind: 'unclear', round: null };
  }
}

/** The players that a code names, e.g. `@2+5`. */
export const decodePlayers = (code: string, words: TableLexicon): string[] =>
  (/^@[\d+]+/.exec(code)?.[0].match(/\d+/g) ?? []).map((seat) => words.players[Number(seat)]!);
