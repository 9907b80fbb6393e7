// Who may sit at the table: the pool of 17 names of Werewolf Arena, and what a name may look like.
import { z } from 'zod';
import { reservedWords } from './reserved-words.ts';

export const namePool = [
  'Derek', 'Scott', 'Jacob', 'Isaac', 'Hayley', 'David', 'Tyler', 'Ginger', 'Jackson',
  'Mason', 'Dan', 'Bert', 'Will', 'Sam', 'Paul', 'Leah', 'Harold',
] as const; // prettier-ignore

/** Latin letters that are no letter of A to Z with marks on it, each with how it is read without them. */
const otherLetters: Readonly<Record<string, string>> = {
  æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', ħ: 'h', ŧ: 't', ŋ: 'n', ı: 'i', ə: 'e',
}; // prettier-ignore

/** With plain letters in place of those that have an accent, a dot or the like. */
export const withoutMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

/** As it is read by those who leave out marks and take no heed of case. */
const readAs = (name: string) =>
  [...withoutMarks(name)]
    .map((letter) => otherLetters[letter] ?? otherLetters[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('');

/** As it looks: a capital I is a small l, and pairs of letters run into one. */
const looksAs = (name: string) =>
  withoutMarks(name)
    .replaceAll('I', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('cl', 'd')
    .replaceAll('vv', 'w')
    .replace(/V[Vv]/g, 'W');

/** Whether a reader could take one name for the other: "Dan" for "Dán" or "DAN", "Ali" for "AIi", "Bem" for "Bern". */
export const areAlike = (one: string, other: string) =>
  readAs(one) === readAs(other) || looksAs(one) === looksAs(other);

const reserved = [readAs, looksAs].map((as) => ({ as, words: new Set(reservedWords.map(as)) }));

/**
 * One capitalised word of 2 to 20 letters, A to Z with or without marks and the few others of languages written so, in
 * composed form: no name can be taken for speech, a number, the moderator or, by letters of another script that look
 * alike, for another name.
 */
export const PlayerName = z
  .string()
  .regex(/^\p{Script=Latin}{2,20}$/u, 'a name is one word of 2 to 20 Latin letters')
  .regex(/^\p{Lu}/u, 'a name starts with a capital letter')
  .refine((name) => name === name.normalize('NFKC') && /^[a-z]+$/.test(readAs(name)), {
    error: 'a name has letters of the alphabet only, with or without marks, each one character (NFC)',
  })
  .refine((name) => !reserved.some(({ as, words }) => words.has(as(name))), {
    error: 'a name cannot be a word that prompts use for others than a player',
  });
