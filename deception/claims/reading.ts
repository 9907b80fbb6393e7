// Reading one statement: whom its pronouns mean, and what every pattern needs to make a claim.
import type { PublicSetup } from '../../state/view.ts';
import type { Draft, Utterance } from './claim.ts';
import { frameOf, isClosed, isElsewhere, isLeaning, type Frame } from './frames.ts';
import { playersIn, sentencesOf, type Sentence } from './sentence.ts';
import { wordsOf, type TableWords } from './table-words.ts';

export interface Reading {
  statement: Utterance;
  words: TableWords;
  sentences: readonly Sentence[];
}

export function readingOf(statement: Utterance, table: PublicSetup): Reading {
  const words = wordsOf(table);
  return { statement, words, sentences: sentencesOf(statement.text, words) };
}

/** What somebody who can be the subject of a claim is called. */
export const subject = String.raw`(?<subject>i|you|he|she|they|@[\d+]+)(?: ,? ?who)?`;
/** And the object. */
export const object = String.raw`(?<object>@[\d+]+|me|myself|you|him|her|them)`;

/** What is put in between commas, as long as it takes nothing back. */
export const inserted =
  ', (?!if |maybe |perhaps |i |probably |supposedly |allegedly |apparently |possibly |not |never |nobody )[a-z ]{1,30} ,';

/** A place in a statement. */
export interface Place {
  reading: Reading;
  /** The sentence's place. */
  index: number;
  /** The place in its code. */
  at: number;
}

const gendered = ['he', 'she', 'they', 'him', 'her', 'them'];

/** The players meant by a name, a list or a pronoun; empty where that is not safe to say. */
export function whoIs(word: string, place: Place): string[] {
  const { statement, words, sentences } = place.reading;
  if (word === 'i' || word === 'me' || word === 'myself') return [statement.by];
  if (word.startsWith('@')) return playersIn(word, words);
  const before = sentences[place.index]!.code.slice(0, place.at);
  const earlier = sentences[place.index - 1]?.code ?? '';
  if (word === 'you') return single(addressedIn(sentences[place.index]!.code), addressedIn(earlier), words);
  if (!gendered.includes(word)) return [];
  const own = words.players.indexOf(statement.by);
  const others = (code: string) => (code.match(/@[\d+]+/g) ?? []).filter((name) => name !== `@${own}`);
  return single(others(before), others(earlier), words);
}

/** The one player named here, or else before. */
function single(here: readonly string[], before: readonly string[], words: TableWords): string[] {
  const named = new Set((here.length > 0 ? here : before).flatMap((code) => playersIn(code, words)));
  return named.size === 1 ? [...named] : [];
}

const addressedIn = (code: string) => [
  ...[...code.matchAll(/^(?:(?:and|but|so|well|now|listen|no|yes) ,? ?)?(@[\d+]+) [,:—!]/g)].map(([, name]) => name!),
  ...[...code.matchAll(/, (@[\d+]+) (?:[,.!?]|$)/g)].map(([, name]) => name!),
];

/**
 * How the speaker stands to the words between two places of a sentence; null where they are no claim. `isComplete`:
 * whether what follows them has to leave them as they are.
 */
export function standing(sentence: Sentence, start: number, end: number, isComplete = true): Frame | null {
  const after = sentence.code.slice(end);
  if ((isComplete && !isClosed(after)) || isElsewhere(sentence.code, start, end)) return null;
  const isRelative = /^@[\d+]+ (?:, )?who /.test(sentence.code.slice(start));
  const frame = asserted(sentence, start, end) ? frameOf(sentence.code.slice(0, start), isRelative) : null;
  return frame && isLeaning(after) ? { ...frame, isHedged: true } : frame;
}

/** In a question only what stands before the asking is asserted: "I am the Seer, so why would I lie?" */
const asking =
  / (?:,|—|;) (?:(?:so|but|and|then) )?(?:@[\d+]+ , )?(?:why|how|what|who|whom|where|which|do|does|did|can|could|would|will|should|have|has|are|is) /g;

function asserted({ code, isQuestion }: Sentence, start: number, end: number): boolean {
  if (!isQuestion) return true;
  if (
    /^(?:(?:so|but|and|then|well|,|@[\d+]+) )*(?:why|how|what|who|whom|where|which|do|does|did|can|could|would|will|should|have|has|are|is|am|was|were) /.test(
      code,
    )
  )
    return false;
  const asks = [...code.matchAll(asking)].find(({ index }) => index >= start)?.index;
  return asks !== undefined && end <= asks;
}

/** Everything that a pattern finds in the statement and the speaker stands for. */
export function draftsBy(
  reading: Reading,
  pattern: RegExp,
  draft: (found: Found) => readonly (Omit<Draft, 'from' | 'to'> & { to?: number })[],
  isComplete = true,
): Draft[] {
  const needsRole = pattern.source.includes('(?<role>');
  return reading.sentences.flatMap((sentence, index) =>
    needsRole && !sentence.code.includes('#')
      ? []
      : matchesOf(pattern, sentence.code).flatMap((match) => {
          const start = match.index;
          const end = start + match[0].length;
          const frame = standing(sentence, start, end, isComplete);
          if (!frame) return [];
          const found = {
            match,
            groups: match.groups ?? {},
            frame,
            sentence,
            start,
            end,
            place: { reading, index, at: start },
          };
          return draft(found).map((one) => ({ ...sentence.span(frame.from, end), ...one }));
        }),
  );
}

/** As `matchAll`, which makes a pattern anew each time: with as many of them, that is what takes the time. */
function matchesOf(pattern: RegExp, code: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(code); match; match = pattern.exec(code)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex++;
  }
  return found;
}

export interface Found {
  match: RegExpExecArray;
  groups: Readonly<Record<string, string | undefined>>;
  frame: Frame;
  sentence: Sentence;
  start: number;
  end: number;
  place: Place;
}
