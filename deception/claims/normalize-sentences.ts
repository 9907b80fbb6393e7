// The normal form of a statement: sentences of codes, one code per word, without words that do not change the meaning.
// Markdown, bullets and labels become sentences by the speaker; names with slashes become lists; brackets and titles
// become attributes of a player. Times and adverbs are stored separately, so that patterns can ignore them. The steps
// are in one file because each reads the output of the step before.
import { listMatches } from '../../state/text.ts';
import { createNameCache, getNameSource, listLongestFirst } from '../../state/name-reader.ts';
import { narratorNames } from '../../state/player-names.ts';
import type { TableLexicon } from './lexicon.ts';
import {
  droppedSubject,
  leadingVerb,
  nounAfterName,
  noTitleAfter,
  roleOfTitle,
  roleTitle,
  titleAhead,
  titleBehind,
} from './syntax-patterns.ts';
import { parseTime, type ToldTime } from './time-expressions.ts';
import { hideMarkup, type Token, tokenize } from './tokenize.ts';
import { hideUnmeant } from './unmeant-words.ts';

/** A stated time and its position in the sentence's code. */
export type PlacedTime = ToldTime & { at: number };

/** An attribute of a player: "Dan (Seer)", "our Seer Dan". */
export interface SentenceAttribute {
  /** Position in the sentence's code, directly after the player's name. */
  at: number;
  player: string;
  identity: string;
  from: number;
  to: number;
}

/**
 * A sentence in codes, separated by single spaces. Words are in lower case with contractions written out ("is not").
 * `@2` is the player in seat 2, `@2+5` several players. `#w0` and `#v3` are roles of the Werewolves and the village by
 * their index in the register; `#ws0` is the plural. `#t3` is a village role without powers written as a common noun.
 * Punctuation stands for itself.
 */
export interface NormalSentence {
  code: string;
  isQuestion: boolean;
  times: readonly PlacedTime[];
  attributes: readonly SentenceAttribute[];
  /** Heading or label above the sentence, in codes. */
  heading: string;
  /** Times at the beginning of the sentence's bullet or heading. */
  headingTimes: readonly PlacedTime[];
  /** Returns the position in the text that corresponds to a range of the code. */
  span(start: number, end: number): { from: number; to: number };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

interface Reading {
  words: TableLexicon;
  /** Code of the speaker. */
  own: string;
  round: number;
  /** Number that this statement uses for the first night, 0 or 1. */
  firstNight: number;
}

interface Draft {
  tokens: readonly Token[];
  isQuestion: boolean;
  isBullet: boolean;
  isHeading: boolean;
  /** Whether the sentence is the first of its line. */
  isFirst: boolean;
}

/**
 * Returns the text up to the point where it turns into a script with several speakers: "I pass. Will: I am the Seer."
 * After that point no claim is extracted, because the speaker may be inventing Will's words or speaking to Will. A name
 * at the very beginning is the player whom the speaker addresses.
 */
function dropScript(text: string, by: string, { players }: TableLexicon): string {
  if (!text.includes(':')) return text;
  const start = text.search(findScriptPattern(players.filter((name) => name !== by)));
  return start < 0 ? text : text.slice(0, start);
}

const findScriptPattern = createNameCache((names) => {
  const others = listLongestFirst(names).map(getNameSource).join('|');
  const sentenceEnd = String.raw`(?<=[.!?…]["'”’)*]{0,3}\s{1,3}\**)`;
  const firstPerson = String.raw`(?:I|I['’]m|I['’]ve|My|We)\b`;
  return new RegExp(
    String.raw`${sentenceEnd}(?:(?:${others})\**:\**\s+(?=${firstPerson})|(?:The )?(?:${narratorNames.join('|')})\**:\**\s)`,
  );
});

/** Splits a statement into sentences in normal form. `by`: the speaker; `round`: round of the statement. */
export function normalizeSentences(text: string, by: string, round: number, words: TableLexicon): NormalSentence[] {
  const plain = hideMarkup(unfoldList(hideUnmeant(dropScript(text, by, words), words.players)));
  const firstNight = /\b(?:N0|night (?:0|zero))\b/i.test(plain) ? 0 : 1;
  const reading: Reading = { words, own: `@${words.players.indexOf(by)}`, round, firstNight };
  const drafts = listMatches(/[^\n]+/g, plain).flatMap(({ 0: line, index }) => draftLine(line, index, reading));
  const codes = resolveAntecedents(drafts.map(({ tokens }) => tokens));
  const sentences: NormalSentence[] = [];
  let heading: NormalSentence | null = null;
  let line: NormalSentence | null = null;
  for (const [place, draft] of drafts.entries()) {
    if (draft.isFirst) {
      line = null;
      if (!draft.isBullet) heading = null;
    }
    const above: NormalSentence | null = line ?? heading;
    const tokens = repeatSubjects(insertSubject(codes[place]!, draft, above, sentences.at(-1) ?? null));
    const sentence = createSentence(tokens, draft.isQuestion, above, reading);
    if (sentence.code === '') continue;
    sentences.push(sentence);
    if (draft.isHeading && !draft.isBullet) heading = sentence;
    if (draft.isFirst && sentence.times[0]?.at === 0 && /^[:,—]? ?/.test(sentence.code)) line = sentence;
  }
  return sentences;
}

/** Start of a list item in a text whose lines were joined. */
const folded = /(?<=^|[.!?:;)…"”'*]) (?=(?:[-•]|\d{1,2}[.)]) [^\s\d])/g;

/** Puts each item of a list on its own line, if there are at least three. Every character keeps its position. */
function unfoldList(text: string): string {
  const items = text.match(folded)?.length ?? 0;
  return items + (bullet.test(text) ? 1 : 0) < 3 ? text : text.replace(folded, '\n');
}

const bullet = /^\s*(?:[-•–—*]|\(?\d{1,2}[.)])\s+/;

function draftLine(line: string, index: number, reading: Reading): Draft[] {
  const mark = bullet.exec(line)?.[0] ?? '';
  const text = line.slice(mark.length);
  const isHeading = /:\s*$/.test(text) || !/[.!?,;:)]\s*$/.test(text);
  return [...segmenter.segment(text)].flatMap(({ segment, index: at }, place): Draft[] => {
    const tokens = tokenize(segment, index + mark.length + at, reading.words);
    return splitBrackets(tokens)
      .map((part, at) => ({
        tokens: joinPlayerLists(at === 0 ? foldTitles(part) : part, reading),
        isQuestion: at === 0 ? /\?[\s"')]*$/.test(segment) : part.at(-1)?.code === '?',
        ...{ isBullet: mark !== '', isHeading, isFirst: place === 0 && at === 0 },
      }))
      .filter((draft) => draft.tokens.length > 0);
  });
}

// Handling of brackets: a title beside a name stays with the name, and any other bracket becomes a sentence of its own.

const isSign = /^(?:[.,;:!?()…§=→]|—)$/;

/**
 * Separates brackets from the other tokens. Returns the other tokens first, then the contents of each bracket with the
 * name before it.
 */
function splitBrackets(tokens: readonly Token[]): Token[][] {
  const main: Token[] = [];
  const asides: Token[][] = [];
  const lastClose = tokens.findLastIndex(({ code }) => code === ')');
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const close =
      token.code === '(' && at < lastClose ? tokens.findIndex(({ code }, place) => place > at && code === ')') : -1;
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
    const identity = (isNamed && roleTitle.exec(said)?.groups!['identity']) || null;
    if (identity !== null)
      main.push({ code: `[${identity}${before!.code}]`, from: inner[0]!.from, to: inner.at(-1)!.to });
    else if (said !== '' && !reporting.test(main.map(({ code }) => code).join(' ')) && !isTitleOfOther(said, before))
      asides.push(isNamed && nounAfterName.test(said) ? [before, ...inner] : inner);
    if (said === '' || identity !== null) main.push(...inner.filter(({ code }) => code.startsWith('%')));
    at = close;
  }
  return [main, ...asides];
}

/**
 * Whether a bracket contains only a role or side and describes neither a player nor the speaker: "the quiet one
 * (Seer)".
 */
const isTitleOfOther = (said: string, before: Token | undefined) =>
  bareTitle.test(said) &&
  before !== undefined &&
  !/^(?:i|me|my|myself|role|card|claim|identity|@\S+|[.:;—])$/.test(before.code);

const bareTitle = /^(?:(?:an?|the|our|your|my|real|true) )*(?:#\S+|town|wolf|innocent|evil|good|clear|villager)$/;

/** A verb of saying before a bracket. The bracket may then contain words that the subject of the verb says. */
const reporting = /(?:^| )(?!i )\S+ (?:[a-z]+ )?(?:sa(?:id|ys?)|claim(?:ed|s)|told|tells|insist(?:ed|s)) /;

/** Treats a role next to a name as if it were in brackets: "Our Seer Dan", "Dan, the Seer," and "Dan the Seer". */
function foldTitles(tokens: readonly Token[]): Token[] {
  const folded: Token[] = [];
  const codes = tokens.map(({ code }) => code);
  const create = (identity: string, player: Token, from: Token, to: Token) =>
    folded.push({ code: `[${identity}${player.code}]`, from: from.from, to: to.to });
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const last = folded.at(-1)?.code;
    const title = titleAhead.exec(codes.slice(at, at + 7).join(' '));
    if (title && (last === undefined ? !title[0].startsWith('town') : !noTitleAfter.test(last))) {
      const length = title[0].split(' ').length;
      const name = tokens[at + length - 1]!;
      folded.push(name);
      create(title.groups!['identity']!, name, token, tokens[at + length - 2]!);
      at += length - 1;
      continue;
    }
    folded.push(token);
    const behind = token.code.startsWith('@') ? titleBehind.exec(codes.slice(at + 1, at + 9).join(' ')) : null;
    if (!behind || (codes[at - 1]?.startsWith('%') && !/^[,—t]/.test(behind[0]))) continue;
    const length = behind[0].split(' ').length;
    create(roleOfTitle.exec(behind[0])![0], token, token, tokens[at + length]!);
    at += length + (behind[0].startsWith(',') && codes[at + length + 1] === ',' ? 1 : 0);
  }
  return folded;
}

/** Joins a list of players into one token: "Dan, Leah and Paul", "Dan/Leah". */
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

/** Returns the position of the last name of the list that begins at `at`; `at` itself if there is no list. */
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

// Words such as "one" mean the role that was named before: "Dan is no wolf, and I am not one either".

const role = /^#[wvt]s?\d+$/;
/** Pattern of the token after "one" where "one" means a role. It excludes "one of us", "one who" and "one thing". */
const closing = /^(?:[.,;:!?—)…]|either|too|myself|himself|herself|as|and|but|because|so|neither)$/;

function resolveAntecedents(sentences: readonly (readonly Token[])[]): Token[][] {
  let last: string | null = null;
  let age = 0;
  return sentences.map((tokens) => {
    age += 1;
    return tokens.map((token, at) => {
      if (role.test(token.code)) {
        [last, age] = [token.code.replace('s', ''), 0];
      }
      return last !== null && age <= 2 && token.code === 'one' && isRole(tokens, at) ? { ...token, code: last } : token;
    });
  });
}

function isRole(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.code;
  if (next !== undefined && !closing.test(next)) return false;
  const verb = tokens.slice(0, at).findLast(({ code }) => !droppedSubject.has(code) && !/^(?:not|never)$/.test(code));
  return verb !== undefined && /^(?:am|is|are|was|were|been?)$/.test(verb.code);
}

/**
 * Inserts a missing subject, as in "Voted Dan yesterday." and "- checked Leah: wolf". The subject is the player in the
 * heading, or else the speaker.
 */
function insertSubject(
  tokens: readonly Token[],
  draft: Draft,
  above: NormalSentence | null,
  before: NormalSentence | null,
): Token[] {
  const start = tokens.findIndex(({ code }, place) => place < 6 && leadingVerb.test(code));
  const opening = tokens.slice(0, Math.max(0, start)).map(({ code }) => code);
  const isLabel =
    opening.at(-1) === ':' && opening.length < 5 && opening.slice(0, -1).every((code) => /^[a-z]+$/.test(code));
  const isOpening = (code: string) => /^(?:%.*|and|also|just|not|never|[:,—])$/.test(code);
  if (start < 0 || !(opening.every(isOpening) || isLabel)) return [...tokens];
  const subject = findElidedSubject(draft, draft.isBullet ? (above?.code ?? '') : '', before?.code ?? '');
  if (subject === null) return [...tokens];
  const { from } = tokens[start]!;
  return [...tokens.slice(0, start), { code: subject, from, to: from }, ...tokens.slice(start)];
}

/** Repeats the subject of a clause for the verbs joined to it: "Dan defended Leah and voted Will". */
function repeatSubjects(tokens: readonly Token[]): Token[] {
  let subject: string | null = null;
  return tokens.flatMap((token, at) => {
    const code = (place: number) => tokens[place]?.code ?? '';
    const isTitle = /^[%[]/.test(code(at + 1));
    const before =
      tokens.slice(0, at).findLast(({ code: said }) => !/^%/.test(said) && !droppedSubject.has(said))?.code ?? '';
    if (
      clauseStart.test(before) &&
      /^(?:@[\d+]+|i|you|he|she|we|they|everyone|everybody)$/.test(token.code) &&
      (isTitle || /^[a-z]+$|^,$/.test(code(at + 1))) &&
      !/^(?:and|or|on|for|to|in)$/.test(code(at + 1))
    )
      subject = token.code === 'we' && code(at + 1) === 'all' ? 'we all' : token.code;
    const isJoined = /^(?:,|and|then|but)$/.test(before) && joinedVerb.test(`${token.code} `);
    return isJoined && subject !== null ? [{ code: subject, from: token.from, to: token.from }, token] : [token];
  });
}
const clauseStart = /^(?:|[.,;:—!]|and|but|while|when|whereas|because|since|so|then)$/;
const joinedVerb =
  /^(?:voted|checked|protected|guarded|saved|investigated|claim(?:ed|s)|accuse[ds]|call(?:ed|s)|sa(?:id|ys)|told|tells|healed|poisoned|threw|tossed|shot|flipped|came|got|w(?:as|ere)) /;

function findElidedSubject({ isBullet, isFirst }: Draft, heading: string, before: string): string | null {
  const named = new Set(heading.match(/@[\d+]+/g) ?? []);
  if (named.size > 0) return named.size === 1 && !/(?:^| )(?:i|my|own|me)(?: |$)/.test(heading) ? [...named][0]! : null;
  if (isFirst || isBullet) return 'i';
  return /^@\d+(?= )/.exec(before)?.[0] ?? (/^(?:$|(?:i|my|as|[a-z]+ :) |#[wvt])/.test(before) ? 'i' : null);
}

function createSentence(
  all: readonly Token[],
  isQuestion: boolean,
  above: NormalSentence | null,
  reading: Reading,
): NormalSentence {
  const list: Token[] = [];
  const aside: { token: Token; place: number }[] = [];
  for (const [place, token] of all.entries()) {
    if (/^[%[]/.test(token.code)) aside.push({ token, place: list.length });
    else if (!isIdle(all, place, list)) {
      // A comma is dropped at the beginning of a sentence, and before another punctuation mark.
      const last = list.at(-1)?.code ?? ',';
      if (list.length > 0 && last === ',' && /^[.,;:!?—]$/.test(token.code)) {
        list.pop();
        for (const one of aside) one.place = Math.min(one.place, list.length);
      }
      if (list.length > 0 || token.code !== ',') list.push(token);
    }
  }
  let length = 0;
  const starts = list.map(({ code }) => (length += code.length + 1) - code.length - 1);
  const findPlace = (at: number) => Math.max(0, starts.findLastIndex((start) => start <= at)); // prettier-ignore
  const places = aside.map(({ token, place }) => ({ token, at: starts[place] ?? length }));
  let kind: PlacedTime['kind'] = 'unclear';
  const times = places.flatMap(({ token, at }): PlacedTime[] => {
    if (!token.code.startsWith('%')) return [];
    const time = parseTime(token.code.slice(1), { ...reading, kind });
    kind = time.kind === 'night' || time.kind === 'day' ? time.kind : kind;
    return [{ at, ...time }];
  });
  const attributes = places.flatMap(({ token: { code, from, to }, at }): SentenceAttribute[] => {
    const [, identity, player] = /^\[(.+)(@[\d+]+)\]$/.exec(code) ?? [];
    return player === undefined ? [] : [{ at, player, identity: identity!, from, to }];
  });
  const headingTimes = above ? (above.times.length === 1 ? above.times : above.headingTimes) : [];
  return {
    code: list.map(({ code }) => code).join(' '),
    isQuestion,
    times,
    attributes,
    heading: above?.code ?? '',
    headingTimes,
    span: (start, end) => ({ from: list[findPlace(start)]!.from, to: list[findPlace(end - 1)]!.to }),
  };
}

/**
 * Whether the word can be dropped without changing the meaning. It must be an adverb that is not denied and does not
 * qualify a role, as in "a simple Villager".
 */
function isIdle(all: readonly Token[], place: number, before: readonly Token[]): boolean {
  const { code } = all[place]!;
  const next = all[place + 1]?.code ?? '';
  if (code === 'both') return before.at(-1)?.code.startsWith('@') === true;
  if (code === 'all') return /^@\d+\+/.test(before.at(-1)?.code ?? '') && /ed$/.test(next);
  if (!droppedSubject.has(code) || isSign.test(code)) return false;
  if (/^(?:not|never)$/.test(before.at(-1)?.code ?? '')) return code === 'even';
  return !(/^(?:just|simply|only)$/.test(code) && /^(?:an?|the|plain|simple|one|#\S+|because|if)$/.test(next));
}

/** Returns the players that a code names, e.g. `@2+5`. */
export const decodePlayers = (code: string, words: TableLexicon): string[] =>
  (/^@[\d+]+/.exec(code)?.[0].match(/\d+/g) ?? []).map((seat) => words.players[Number(seat)]!);
