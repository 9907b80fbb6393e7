// The context of one statement: the player that a pronoun means (coreference), the round that a phrase such as "last
// night" means, and everything else that a pattern needs to form a claim.
import { listMatches } from '../../state/text.ts';
import type { PublicSetup } from '../../state/view.ts';
import { type Attribution, isClauseClosed, isHedgedBehind, isOfOtherGame, parseAttribution } from './attribution.ts';
import type { ClaimDraft, Utterance } from './claim.ts';
import { createLexicon, type TableLexicon } from './lexicon.ts';
import { decodePlayers, normalizeSentences, type NormalSentence } from './normalize-sentences.ts';

export interface DiscourseContext {
  statement: Utterance;
  words: TableLexicon;
  sentences: readonly NormalSentence[];
}

export function createDiscourseContext(statement: Utterance, table: PublicSetup): DiscourseContext {
  const words = createLexicon(table);
  return { statement, words, sentences: normalizeSentences(statement.text, statement.by, statement.round, words) };
}

/** Pattern for the subject of a claim. */
export const subjectPattern = String.raw`(?<subject>i|you|he|she|they|@[\d+]+)(?: ,? ?who)?`;
/** Pattern for the object of a claim. */
export const objectPattern = String.raw`(?<object>@[\d+]+|me|myself|you|him|her|them)`;

/** Builds a pattern of whole words. */
export const buildWordPattern = (pattern: string) => new RegExp(`(?<![^ ])${pattern}(?= |$)`, 'g');

/** Pattern of words between commas that neither weaken nor deny the claim. */
export const insertedWordsPattern =
  ', (?!if |maybe |perhaps |i |probably |supposedly |allegedly |apparently |possibly |not |never |nobody )[a-z ]{1,30} ,';

/** A place in a statement. */
export interface DiscoursePlace {
  reading: DiscourseContext;
  /** Index of the sentence. */
  index: number;
  /** Position in the sentence's code. */
  at: number;
}

const gendered = ['he', 'she', 'they', 'him', 'her', 'them'];

/** Resolves a name, a list or a pronoun to players; empty if the reference is not certain. */
export function resolvePlayers(word: string, place: DiscoursePlace): string[] {
  const { statement, words, sentences } = place.reading;
  if (word === 'i' || word === 'me' || word === 'myself') return [statement.by];
  if (word.startsWith('@')) return decodePlayers(word, words);
  const { code } = sentences[place.index]!;
  // Only players named before the sentence's first pronoun count, so all later pronouns refer to the same player.
  const first = code.search(/(?:^| )(?:he|she|him|her) /);
  const before = code.startsWith(`${word} `) ? '' : code.slice(0, first < 0 ? place.at : Math.min(first, place.at));
  const earlier = sentences[place.index - 1]?.code ?? '';
  if (word === 'you')
    return findSinglePlayer(listAddressed(sentences[place.index]!.code), listAddressed(earlier), words);
  if (!gendered.includes(word)) return [];
  const own = words.players.indexOf(statement.by);
  const listOtherPlayers = (code: string) => (code.match(/@[\d+]+/g) ?? []).filter((name) => name !== `@${own}`);
  const isClear = !/(?:^| )(?:he|she|him|her) /.test(earlier);
  return findSinglePlayer(listOtherPlayers(before), isClear ? listOtherPlayers(earlier) : [], words);
}

/**
 * Returns the only player named in `here`. If `here` names nobody, returns the only player named in `before`. The list
 * is empty if several players are named.
 */
function findSinglePlayer(here: readonly string[], before: readonly string[], words: TableLexicon): string[] {
  const named = new Set((here.length > 0 ? here : before).flatMap((code) => decodePlayers(code, words)));
  return named.size === 1 ? [...named] : [];
}

const listAddressed = (code: string) => [
  ...[...code.matchAll(/^(?:(?:and|but|so|well|now|listen|no|yes) ,? ?)?(@[\d+]+) [,:—!]/g)].map(([, name]) => name!),
  ...[...code.matchAll(/(?:[,;:—]|so|and|but) (@[\d+]+) (?:[,.!?]|$)/g)].map(([, name]) => name!),
];

/**
 * Returns how the speaker presents the words between two positions of a sentence; null if the words make no claim.
 * `isComplete`: whether the words that follow must leave the meaning unchanged.
 */
export function attributeWords(
  sentence: NormalSentence,
  start: number,
  end: number,
  isComplete = true,
  isOfRecord = false,
): Attribution | null {
  const tail = sentence.code.slice(end);
  const after = isOfRecord ? tail.replace(/ unless .*/, '') : tail;
  if ((isComplete && !isClauseClosed(after)) || isOfOtherGame(sentence.code, start, end)) return null;
  const isRelative = /^@[\d+]+ (?:, )?(?:who|both|each|all) /.test(sentence.code.slice(start));
  const frame = isAsserted(sentence, start, end)
    ? parseAttribution(sentence.code.slice(0, start), { isRelative, isOfRecord })
    : null;
  return frame && isHedgedBehind(after) ? { ...frame, isHedged: true } : frame;
}

/**
 * Pattern of the start of a question. In "I am the Seer, so why would I lie?" only the words before the question are
 * asserted.
 */
const asking =
  / (?:,|—|;|:) (?:(?:so|but|and|then) )?(?:@[\d+]+ , )?(?:why|how|what|who|whom|where|which|do|does|did|can|could|would|will|should|have|has|are|is) /g;

const questionWord =
  /^(?:(?:so|but|and|then|well|,|@[\d+]+) )*(?:why|how|what|who|whom|where|which|do|does|did|can|could|would|will|should|have|has|are|is|am|was|were) /;

function isAsserted({ code, isQuestion }: NormalSentence, start: number, end: number): boolean {
  if (!isQuestion || questionWord.test(code)) return !isQuestion;
  const asks = listMatches(asking, code).find(({ index }) => index >= start)?.index;
  return asks !== undefined && end <= asks;
}

/**
 * Returns the attribution of a presupposed claim; null within a supposition. Unlike other claims, a presupposed claim
 * also counts in questions and quotations.
 */
const assumeWords = ({ code }: NormalSentence, start: number, end: number): Attribution | null =>
  isOfOtherGame(code, start, end) ||
  /(?:^| )(?:if|unless|suppose|imagine|would|no|without|before|another)(?: [^,;:—]*)? $/.test(code.slice(0, start))
    ? null
    : { isHedged: false, isDenied: false, isPresupposed: true, from: start };

/** Extracts drafts from each match of a pattern whose words the speaker asserts. */
export function extractDrafts(
  reading: DiscourseContext,
  pattern: RegExp,
  draft: (found: PatternMatch) => readonly (Omit<ClaimDraft, 'from' | 'to'> & { to?: number })[],
  { isComplete = true, isPresupposing = false, isOfRecord = false } = {},
): ClaimDraft[] {
  return reading.sentences.flatMap((sentence, index) =>
    listMatches(pattern, sentence.code).flatMap((match) => {
      const start = match.index;
      const end = start + match[0].length;
      const frame = isPresupposing
        ? assumeWords(sentence, start, end)
        : attributeWords(sentence, start, end, isComplete, isOfRecord);
      if (!frame) return [];
      const place = { reading, index, at: start };
      const found = { match, groups: match.groups ?? {}, frame, sentence, start, end, place };
      const words = { ...sentence.span(frame.from, end), ...(frame.isPresupposed ? { presupposed: true } : {}) };
      return draft(found).map((one) => ({ ...words, ...one }));
    }),
  );
}

export interface PatternMatch {
  match: RegExpExecArray;
  groups: Readonly<Record<string, string | undefined>>;
  frame: Attribution;
  sentence: NormalSentence;
  start: number;
  end: number;
  place: DiscoursePlace;
}

// The round that the words around a claim refer to.

/** Returns the text after a claim within its own clause. */
export const getClauseTail = (after: string) => ` ${after} `.split(joint, 1)[0]!;

const joint = / (?:and|but|because|so|;|—|@\S+) /;
const wide = /(?:^| )(?:,|and|but|because|so|;|—|:)(?= |$)/g;

/** Finds the start and end of the clause around two positions of a sentence's code. */
function findClauseAround(code: string, start: number, end: number): [from: number, to: number] {
  const from = Math.max(0, ...listMatches(wide, code.slice(0, start)).map(({ index, 0: mark }) => index + mark.length));
  const next = new RegExp(wide).exec(code.slice(end));
  return [from, next ? end + next.index : code.length];
}

type TimedPlace = { sentence: NormalSentence; start: number; end: number };

/**
 * Finds the round that the claim's own clause names, or else the round named earlier in the sentence or in its heading.
 * Null if no round or several rounds are named. A night and the following day are one round: "last night" is in the
 * current round, "yesterday" in the previous one.
 */
export function findRoundNear({ sentence, start, end }: TimedPlace, isOfNight: boolean): number | null {
  const { code, times, headingTimes } = sentence;
  const [from, to] = findClauseAround(code, start, end);
  const own = times.filter(({ at }) => at >= from && at <= to + 1);
  const bound = Math.max(0, ...[' ; ', ' but ', ' — '].map((mark) => code.lastIndexOf(mark, start)));
  const before = times.filter(({ at }) => at >= bound && at <= start).slice(-1);
  const [near] = [own, before, headingTimes].filter((some) => some.length > 0);
  if (!near) return null;
  const others = isOfNight ? ['today', 'yesterday', 'unclear', 'tomorrow'] : ['unclear', 'tomorrow', 'night'];
  const rounds = new Set(near.map(({ kind, round }) => (others.includes(kind) ? null : round)));
  return rounds.size === 1 ? [...rounds][0]! : null;
}

/** Returns whether a clause is about the next day. */
export const isOfTomorrow = ({ sentence: { code, times }, start, end }: TimedPlace) => {
  const [from, to] = findClauseAround(code, start, end);
  return times.some(({ at, kind }) => kind === 'tomorrow' && at >= from && at <= to + 1);
};
