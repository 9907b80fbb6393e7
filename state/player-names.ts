// What players may be called: reserved words, the pool of names, and what a name may look like.
import { z } from 'zod';

// Reserved words: a sentence with such a name in it could be read another way.

/** By kind. The names of roles are checked in boards.ts; words that are first names too (Will, May, Grant) are allowed. */
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
  // Said is a first name too, but every statement has it before its words.
  verbsOfTheHistory: [
    'Left', 'Said', 'Thought', 'Voted', 'Proposed', 'Picked', 'Chose', 'Learned', 'Exiled', 'Elected', 'Passed', 'Told', 'Is', 'Was',
    'Were', 'Has', 'Had',
  ],
  // Whoever tells the game, or what a chat template calls the two sides of a conversation.
  narrators: [
    'Moderator', 'Mod', 'Gamemaster', 'Gm', 'Announcer', 'Dealer', 'Umpire', 'Narrator', 'Host', 'Referee', 'Storyteller',
    'System', 'Assistant', 'User', 'Human',
  ],
  whoIsNoPlayer: [
    'Master', 'God', 'Observer', 'Server', 'Admin', 'Tool', 'Developer', 'Model', 'Agent', 'Bot', 'Name',
  ],
} as const; // prettier-ignore

/** A word and its plural: Day and Days, Ballot and Ballots, Candidacy and Candidacies, Wolf and Wolves. */
const listPlurals = (word: string) => [
  word,
  `${word}s`,
  `${word}es`,
  ...(/[^aeiou]y$/.test(word) ? [word.replace(/y$/, 'ies')] : []),
  ...(/lf$/.test(word) ? [word.replace(/f$/, 'ves')] : []),
];

/** Words that prompts use for others than a player, or that would turn an answer around ("not Ginger"), with plurals. */
const reservedWords: readonly string[] = [
  ...Object.values(words).flat().flatMap(listPlurals),
  ...['Werewolve', 'Werewolfs'], // the right plural is the role's
];

/** What whoever tells the game may be called, no name of a player: "Moderator: Dan was exiled." */
export const narratorNames: readonly string[] = [...words.narrators, 'Game Master', 'Game Moderator'];

// Names.

/** The names of Werewolf Arena, from which players are drawn where a board has no names of its own. */
export const namePool = [
  'Derek', 'Scott', 'Jacob', 'Isaac', 'Hayley', 'David', 'Tyler', 'Ginger', 'Jackson',
  'Mason', 'Dan', 'Bert', 'Will', 'Sam', 'Paul', 'Leah', 'Harold',
] as const; // prettier-ignore

/** Latin letters other than A to Z with marks, each with how a reader without it on the keyboard would write it. */
const otherLetters: Readonly<Record<string, string>> = {
  æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', ħ: 'h', ŧ: 't', ŋ: 'n', ı: 'i', ə: 'e',
}; // prettier-ignore

/** The text without accents, dots and the like on its letters. */
export const stripMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');

/** The name as one writes it who leaves out marks and takes no heed of case. */
const normalizeReading = (name: string) =>
  [...stripMarks(name)]
    .map((letter) => otherLetters[letter] ?? otherLetters[letter.toLowerCase()] ?? letter.toLowerCase())
    .join('');

/** The name as it looks: a capital I like a small l, and some pairs of letters like one letter. */
const normalizeLook = (name: string) =>
  stripMarks(name)
    .replaceAll('I', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('cl', 'd')
    .replaceAll('vv', 'w')
    .replace(/V[Vv]/g, 'W');

/** Whether a reader could take one name for the other: "Dan" for "Dán" or "DAN", "Ali" for "AIi", "Bem" for "Bern". */
export const isConfusable = (one: string, other: string) =>
  normalizeReading(one) === normalizeReading(other) || normalizeLook(one) === normalizeLook(other);

const reserved = [normalizeReading, normalizeLook].map((as) => ({ as, words: new Set(reservedWords.map(as)) }));

/**
 * One capitalised word of 2 to 20 letters, A to Z with or without marks and the few others of languages written so, in
 * composed form: no name can be taken for speech, a number, the moderator or, by letters of another script that look
 * alike, for another name.
 */
export const PlayerName = z
  .string()
  .regex(/^\p{Script=Latin}{2,20}$/u, 'a name is one word of 2 to 20 Latin letters')
  .regex(/^\p{Lu}/u, 'a name starts with a capital letter')
  .refine((name) => name === name.normalize('NFKC') && /^[a-z]+$/.test(normalizeReading(name)), {
    error: 'a name has letters of the alphabet only, with or without marks, each one character (NFC)',
  })
  .refine((name) => !reserved.some(({ as, words }) => words.has(as(name))), {
    error: 'a name cannot be a word that prompts use for others than a player',
  });

/** Everybody at the table, where a choice among players may mean all: a reserved word in lower case, so no player's name. */
export const everybody = 'everybody';
