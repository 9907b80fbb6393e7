// Statements that would make honest players liars if read word by word, and statements that the rules cannot read at
// all.
import { describe, expect, it } from '@jest/globals';
import { extractByRules } from '../../../deception/claims/extract-by-rules.ts';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { longestReadable } from '../../../deception/claims/readable-language.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { readBoard } from '../../../state/boards.ts';
import { readRules } from '../../../state/rulebook.ts';
import { matchOf, said } from '../match-builder.ts';

const players = ['Alex', 'Casey', 'Charlie', 'Jamie', 'Kai', 'Quinn', 'Sam', 'Taylor'];
const table = { board: readBoard('classic-8'), rules: readRules('wolf'), players };
const read = (text: string) => extractByRules({ id: '2.1', by: 'Quinn', round: 2, text, kind: 'debate' }, table);
const list = (text: string) =>
  read(text)?.map(({ type, subject, role, team }) => `${type} ${subject} ${role ?? team ?? ''}`.trim()) ?? null;

describe('the rules make no claim of', () => {
  it.each([
    ['a block quote', '> I am the Seer.\nWho wrote this?'],
    ['a block quote within a line', 'I read this on the wall: > Kai is a Werewolf.'],
    ['what is taken back', "I'm the Doctor. I saved Kai. Haha, just joking!"],
    ['what is taken back with a word', 'I am the Seer. Psych!'],
    ['what is called a joke', 'I am a Werewolf. That was a joke.'],
    ['what is taken back in a bracket', 'I am the Seer (just kidding).'],
    ['what is taken back after a pause', 'I am the Seer... not!'],
    ['what nobody has said', 'I am the Seer, as nobody has ever said.'],
    ['what all say', 'I am a Villager, said every Werewolf ever.'],
    ['a day job', 'I am a doctor in my day job.'],
    ["a day's debate", "Kai was killed in yesterday's debate."],
    ['being left out', 'Taylor was eliminated from the conversation.'],
    ['a line for all', 'Everyone repeat: I am the Seer.'],
    ['one who claims', 'Kai is a Seer claimant.'],
    ['what nobody says', 'I am the Doctor, said no Werewolf ever.'],
    ['irony', "Kai is the Seer, and I'm the Queen of England."],
    ['another life', 'I am a hunter by profession.'],
    ['the real world', 'In real life I am a doctor.'],
    ['a figure of speech', 'Jamie died in this debate.'],
    ['another figure', 'Sam was destroyed by that question.'],
    ['dead silence', 'Kai is dead wrong about this.'],
    ['a line for others', 'Say it after me: Kai is a Werewolf.'],
    ['a line of others', 'A Werewolf would say: I am the Seer.'],
    ['a possibility that is added', 'Taylor is a Werewolf, perhaps.'],
    ['another possibility', 'Kai: wolf, who knows.'],
    ['a suspect', 'Jamie is our Werewolf suspect.'],
    ['a contender', 'Kai is the Seer contender here.'],
    ['a report of another', "Casey's theory: Kai is the Doctor."],
    ['a bracket in a report of another', "Sam's claim (Taylor is a Werewolf) is nonsense."],
    ['a story of another', "Taylor's report that Kai is the Seer is weak."],
    ['a plan', 'We can still win by eliminating Taylor.'],
    ['a fixation', 'Casey is fixated on lynching Sam.'],
    ['a remark on what may come', 'Exiling Taylor could cost us the game.'],
    ['all but one', 'Everybody except Sam voted for Kai.'],
    ['a title of nobody who is named', 'The "leader" (Seer) is gone.'],
  ])('%s', (_what, text) => expect(list(text)).toEqual([]));

  it.each<[string, string[]]>([
    ['Kidding aside, I am the Doctor.', ['own_role Quinn Doctor']],
    ['No kidding: I am the Seer.', ['own_role Quinn Seer']],
    ['I am the Seer. I am not joking!', ['own_role Quinn Seer']],
    ['Everyone, I repeat: I am the Seer.', ['own_role Quinn Seer']],
    ["Kai was killed after yesterday's vote.", ['departure Kai']],
    ['Kai is a Villager (not a Werewolf).', ['role Kai Villager']],
    ['Mon dieu! I am the Seer.', ['own_role Quinn Seer']],
    ['I am the Doctor in this game.', ['own_role Quinn Doctor']],
    ['> Calm down.\n\nI am the Seer.', ['own_role Quinn Seer']],
    ['My report: Kai is a Werewolf.', ['accusation Kai werewolves']],
    ['Exiling Charlie yesterday was wrong.', []],
    ['“Kai” (Doctor) is trustworthy.', ['role Kai Doctor']],
    ['"Jamie" (Werewolf) was killed last night.', ['accusation Jamie werewolves', 'departure Jamie']],
    ['I (Doctor) ask for calm.', ['own_role Quinn Doctor']],
    ['Kai is dead.', ['departure Kai']],
  ])('what is meant, though it looks alike: %s', (text, claims) => {
    expect(list(text)).toEqual(expect.arrayContaining(claims));
  });
});

describe('a role named before "that is me"', () => {
  it.each(['Who is the Seer? That is me.', 'Seer, and it is me.', 'There is a Seer, and it is me.'])(
    'is claimed: %s',
    (text) => {
      expect(list(text)).toEqual(['own_role Quinn Seer']);
    },
  );

  it.each([
    'The wolves want the Seer. That is me.',
    'Somebody voted for the Seer, and it is me.',
    'They accused the Seer. It is me.',
  ])('is not claimed where something was done to it, since that may be meant: %s', (text) => {
    expect(list(text)).toEqual([]);
  });
});

describe('the rules do not read', () => {
  it.each([
    'Ich bin der Arzt, und Kai ist ein Werwolf.',
    'Yo soy la Vidente y anoche vi a Kai.',
    'Je suis la Voyante et Kai est un loup.',
    'Eu sou o médico e não confio em você.',
    '私は占い師です。',
    'Я провидец, и Kai волк.',
    'I trust Kai. Ich bin aber nicht die Seherin.',
    'Kai ist verdächtig.',
    'Oui, je vote Kai.',
    `${'Let us wait. '.repeat(900)}I am the Seer.`,
  ])('%s', (text) => expect(read(text)).toBeNull());

  it.each([
    'Kai: wolf.',
    'Die, Kai!',
    'Ok.',
    'Vote Taylor!',
    'Hmm, Casey and Sam.',
    '',
    `${'a '.repeat(longestReadable / 2)}`,
  ])('but read %s', (text) => expect(read(text)).not.toBeNull());

  it('and count what they cannot read as missing, never as without claims', () => {
    const record = matchOf([said('1.1', 'Will', { text: 'Ich bin die Seherin.' }), said('1.2', 'Leah')]);
    const { statements } = extractMatchClaims(record);
    expect(statements.map(({ isUnread }) => isUnread)).toEqual([true, false]);
    expect(buildTables(record).statements.map((row) => row.is_judge_missing)).toEqual([true, false]);
  });
});
