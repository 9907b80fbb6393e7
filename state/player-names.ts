// Valid player names: reserved words, the pool of names, and the required form.
import { z } from 'zod';
import { findNames } from './name-reader.ts';

// Reserved words. A sentence with such a name in it could be misread.

/**
 * Reserved words by kind. The names of roles are checked in boards.ts. Words that are also first names (Will, May,
 * Grant) are allowed.
 */
const words = {
  pronouns: [
    'I', 'Me', 'My', 'Mine', 'Myself', 'You', 'Your', 'Yours', 'Yourself', 'He', 'Him', 'His', 'Himself', 'She', 'Her', 'Hers',
    'Herself', 'It', 'Its', 'Itself', 'We', 'Us', 'Our', 'Ours', 'Ourself', 'They', 'Them', 'Their', 'Theirs', 'Themself',
    'Who', 'Whom', 'Whose', 'Which', 'What', 'Self',
  ],
  quantifiers: [
    'All', 'Any', 'Some', 'Each', 'Every', 'Both', 'Either', 'Neither', 'Many', 'Much', 'Most', 'More', 'Less', 'Few', 'Several',
    'Half', 'Such', 'Same', 'Other', 'Another', 'Else', 'None', 'Nothing', 'Anything', 'Everything', 'Something', 'Noone',
    'Nobody', 'Anybody', 'Anyone', 'Everybody', 'Everyone', 'Somebody', 'Someone', 'Zero', 'One', 'Two', 'Three', 'Four',
    'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'First', 'Second', 'Third', 'Last', 'Next',
  ],
  determinersAndConjunctions: [
    'The', 'An', 'This', 'That', 'These', 'Those', 'And', 'Or', 'Nor', 'But', 'If', 'So', 'As', 'Than', 'Then', 'Because', 'Except',
    'Instead', 'Without', 'Unless', 'Only', 'With', 'For', 'Of', 'By', 'To', 'From',
  ],
  answers: [
    'Yes', 'No', 'Not', 'Never', 'Maybe', 'True', 'False', 'Null', 'Undefined', 'Unknown', 'Unsure', 'Abstain', 'Abstention',
    'Skip', 'Random', 'Choice', 'Option', 'Answer', 'Target', 'Vote', 'Ballot', 'Bid', 'Tie', 'Tied', 'Majority',
  ],
  theTable: [
    'Wolf', 'Town', 'Townsfolk', 'Village', 'Pack', 'Team', 'Side', 'Role', 'Player', 'Speaker', 'Voter', 'Candidate', 'Sheriff',
    'Badge', 'Victim', 'Dead', 'Alive', 'Living', 'Survivor', 'Ghost', 'Game', 'Table', 'Seat', 'Round', 'Night', 'Day',
    'Today', 'Tonight', 'Yesterday', 'Tomorrow', 'Debate', 'Statement', 'Summary', 'Exile',
  ],
  likeRolesAndSides: [
    'Werwolf', 'Lycan', 'Sherif', 'Sherrif', 'Sherriff', 'Docter', 'Villain', 'Villian', 'Mafia', 'Mafioso', 'Townie', 'Citizen',
    'Civilian', 'Evil', 'Good', 'Bad', 'Innocent', 'Guilty', 'Enemy', 'Suspect', 'Traitor', 'Killer', 'Murderer',
  ],
  // "Said" is also a first name, but the word precedes every statement in prompts.
  verbsOfTheHistory: [
    'Left', 'Said', 'Thought', 'Voted', 'Proposed', 'Picked', 'Chose', 'Learned', 'Exiled', 'Elected', 'Passed', 'Told', 'Is', 'Was',
    'Were', 'Has', 'Had',
  ],
  // Names of the moderator, and of the two sides of a conversation in chat templates.
  narrators: [
    'Moderator', 'Mod', 'Gamemaster', 'Gm', 'Announcer', 'Dealer', 'Umpire', 'Narrator', 'Host', 'Referee', 'Storyteller',
    'System', 'Assistant', 'User', 'Human',
  ],
  whoIsNoPlayer: [
    'Master', 'God', 'Observer', 'Server', 'Admin', 'Tool', 'Developer', 'Model', 'Agent', 'Bot', 'Name',
  ],
} as const; // prettier-ignore

/** Lists a word and its plural: Day and Days, Ballot and Ballots, Candidacy and Candidacies, Wolf and Wolves. */
const listPlurals = (word: string) => [
  word,
  `${word}s`,
  `${word}es`,
  ...(/[^aeiou]y$/.test(word) ? [word.replace(/y$/, 'ies')] : []),
  ...(/lf$/.test(word) ? [word.replace(/f$/, 'ves')] : []),
];

/**
 * Words that prompts use for somebody other than a player, or that would reverse an answer ("not Ginger"), with
 * plurals.
 */
const reservedWords: readonly string[] = [
  ...Object.values(words).flat().flatMap(listPlurals),
  ...['Werewolve', 'Werewolfs'], // the role's name has the correct plural
];

/** Names of the moderator, which no player may have: "Moderator: Dan was exiled." */
export const narratorNames: readonly string[] = [...words.narrators, 'Game Master', 'Game Moderator'];

// Names.

/** The names of Werewolf Arena. Players are drawn from them if a board has no names of its own. */
export const namePool = [
  'Derek', 'Scott', 'Jacob', 'Isaac', 'Hayley', 'David', 'Tyler', 'Ginger', 'Jackson',
  'Mason', 'Dan', 'Bert', 'Will', 'Sam', 'Paul', 'Leah', 'Harold',
] as const; // prettier-ignore

/** Latin letters that are not A to Z with diacritics, each with its usual spelling on a plain keyboard. */
const otherLetters: Readonly<Record<string, string>> = {
  æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', ħ: 'h', ŧ: 't', ŋ: 'n', ı: 'i', ə: 'e',
}; // prettier-ignore

/** Removes accents, dots and other diacritics from letters. */
export const stripMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

/** Normalizes a name to its spelling without diacritics and case. */
const normalizeReading = (name: string) =>
  [...stripMarks(name)]
    .map((letter) => otherLetters[letter] ?? otherLetters[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('');

/** Replaces letters that look alike by one spelling: a capital I by a small l, and pairs of letters by the letter that
 * they look like. */
const normalizeLook = (name: string) =>
  stripMarks(name)
    .replaceAll('I', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('cl', 'd')
    .replaceAll('vv', 'w')
    .replace(/V[Vv]/g, 'W');

/**
 * Returns whether one name can be mistaken for the other: "Dan" for "Dán" or "DAN", "Ali" for "AIi", "Bem" for "Bern".
 */
export const isConfusable = (one: string, other: string) =>
  normalizeReading(one) === normalizeReading(other) || normalizeLook(one) === normalizeLook(other);

const reserved = [normalizeReading, normalizeLook].map((as) => ({ as, words: new Set(reservedWords.map(as)) }));

/**
 * Scripts in which a player may be named, each with a pattern that matches one word of the script. Japanese mixes three
 * scripts.
 */
const scripts: Readonly<Record<string, RegExp>> = {
  Latin: /^\p{Script=Latin}{2,20}$/u,
  Greek: /^\p{Script=Greek}{2,20}$/u,
  Cyrillic: /^\p{Script=Cyrillic}{2,20}$/u,
  Hangul: /^\p{Script=Hangul}{2,20}$/u,
  'Chinese or Japanese': /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,20}$/u,
};

/** A number that is a word of a name: "Player 3". */
const number = /^(?:0|[1-9]\d?)$/;

/** Returns the script of a name's first word; undefined for words of several or other scripts. */
const findScript = (name: string) => {
  const [first = ''] = listWords(name);
  return Object.entries(scripts).find(([, letters]) => letters.test(first))?.[0];
};

const listWords = (name: string) => name.split(' ');

const isOfOneScript = (name: string) => {
  const letters = scripts[findScript(name) ?? ''];
  return letters !== undefined && listWords(name).every((word) => letters.test(word) || number.test(word));
};

/**
 * Returns whether a name contains a word that prompts use in another sense. "Player" is such a word, "Player 1" is not.
 */
const hasReservedWord = (name: string) => {
  const words = listWords(name);
  return words.some(
    (word, place) =>
      !number.test(words[place + 1] ?? '') && reserved.some(({ as, words: taken }) => taken.has(as(word))),
  );
};

/**
 * A player's name: one or two words of 2 to 20 letters of one script, in composed form; the second word may be a
 * number. Each word begins with a capital if its script has capitals. A name cannot be mistaken for speech, a number
 * alone, the moderator, or another name that uses similar letters of another script.
 */
export const PlayerName = z
  .string()
  .max(30, 'a name has at most 30 characters')
  .refine((name) => listWords(name).length <= 2 && isOfOneScript(name), {
    error:
      'a name is one or two words of 2 to 20 letters of one script (Latin, Greek, Cyrillic, Hangul, Chinese or Japanese); the second word may be a number from 0 to 99',
    abort: true,
  })
  .refine((name) => listWords(name).every((word) => !/^\p{Ll}/u.test(word)), 'a name starts with a capital letter')
  .refine((name) => name === name.normalize('NFKC') && hasPlainReading(name), {
    error: 'a name may have only letters, with or without diacritics, each as one character (NFC)',
  })
  .refine((name) => !hasReservedWord(name), {
    error: 'a name cannot be a word that prompts use for somebody other than a player',
  });

/** Returns whether every Latin letter of a name has a reading on a plain keyboard. */
const hasPlainReading = (name: string) =>
  findScript(name) !== 'Latin' ||
  listWords(name).every((word) => number.test(word) || /^[a-z]+$/.test(normalizeReading(word)));

/**
 * Returns why two names that are not confusable still cannot be in one match: one contains the other, or they are in
 * different scripts, whose letters may look alike. Null if they can be in one match.
 */
export function findNameClash(one: string, other: string): string | null {
  if (findScript(one) !== findScript(other)) return `"${one}" and "${other}" are of different scripts`;
  const isWithin = (inner: string, outer: string) => findNames(outer, [inner]).length > 0;
  return isWithin(one, other) || isWithin(other, one)
    ? `"${one}" and "${other}" cannot be told apart in a sentence: one is part of the other`
    : null;
}

/** The choice that means all players. It is a reserved word in lower case, so no player can have it as a name. */
export const everybody = 'everybody';
