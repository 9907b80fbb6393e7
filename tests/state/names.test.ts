// Names at the table: what a board's file may call its players, so that nobody can be taken for anybody else.
import { describe, expect, it } from '@jest/globals';
import { readBoard } from '../../state/boards.ts';
import { mentioned } from '../../state/debate.ts';
import { areAlike, namePool, PlayerName } from '../../state/names.ts';
import { UsageError } from '../../state/usage-error.ts';
import { small } from '../hostile/texts.ts';

const others = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn'];
const boardWith = (...names: string[]) => readBoard({ name: 'mine', roles: { Werewolf: 1, Villager: 5 }, names });

describe('a name', () => {
  it.each([
    ...namePool,
    'Zoë',
    'Łukasz',
    'Nguyễn',
    'Đức',
    'Işık',
    'Yıldız',
    'Əli',
    'Øystein',
    'McDonald',
    'Al',
    'X'.padEnd(20, 'x'),
  ])('may be %s', (name) => {
    expect(PlayerName.parse(name)).toBe(name);
  });

  it.each([
    ['of the moderator', 'Moderator'],
    ['that prompts have for the reader', 'You'],
    ['for the reader, in capitals', 'YOU'],
    ['for the reader, with a mark', 'Yóu'],
    ['for nobody', 'Nobody'],
    ['for everybody', 'Everyone'],
    ['of a role in a conversation', 'Assistant'],
    ['of a side', 'Village'],
    ['that turns an answer around', 'Not'],
    ['of JSON', 'Null'],
  ])('cannot be a word %s', (_what, name) => {
    expect(() => boardWith(...others, name)).toThrow('a name cannot be a word that prompts use');
  });

  it.each(
    'Wolf Wolves Moderators Me Him Her Myself Yourself Yourselves All Any Both Neither Noone Town Towns Dead Unknown Vote Votes Abstain Skip God The And Or Players Villages Nights AII Wölf WOLVES Candidates Abstentions Majorities Gamemaster Announcer Server Gm Mod Mods Werwolf Werwolves Werewolve Werewolfs Sherif Villain Mafia Townie Townies Evil Good Innocent Guilty Left Said Voted Proposed Learned Exiled Vvolf Thern'.split(
      ' ',
    ),
  )('cannot be the word %s', (word) => {
    expect(() => boardWith(...others, word)).toThrow('a name cannot be a word that prompts use');
  });

  it.each(
    'Will Mark Max Art Hope Faith Grace Joy May June April Rose Sue Bill Pat Drew Chase Grant Miles Dean Guy Dawn Eve Can Ally Anya Theo Andy Hermes Dayo Clay Bernard Savvas Modesto Goodwin'.split(
      ' ',
    ),
  )('may be %s, which means something else too', (name) => {
    expect(boardWith(...others, name).names).toContain(name);
  });

  it.each([
    ['a space behind it', 'Ginger '],
    ['two words', 'Ginger Rogers'],
    ['a line break', 'Ginger\n- Dan'],
    ['a character of no width', 'Gin\u200bger'],
    ['a joiner', 'Gin\u200dger'],
    ['a bidirectional control', '\u202eregniG'],
    ['a control character', 'Ginger\u0007'],
    ['a Cyrillic letter', 'Gіnger'],
    ['a Greek letter', 'Αda'],
    ['a letter of phonetic script', 'Ginɡer'],
    ['a click that looks like a mark', 'Gingerǃ'],
    ['letters of full width', 'Ｇｉｎｇｅｒ'],
    ['letters that are one', 'Aﬁa'],
    ['a Roman number', 'Gingerⅳ'],
    ['a mark of its own', 'Zoe\u0308'],
    ['digits', 'Ginger2'],
    ['a hyphen', 'Anna-Maria'],
    ['an apostrophe', "O'Hara"],
    ['a quotation mark', 'Ginger"'],
    ['signs of JSON', 'Ginger}'],
    ['signs of Markdown', 'Gin|ger'],
    ['signs of a pattern', 'G.nger'],
    ['emoji', 'Ginger🐺'],
    ['no capital', 'ginger'],
    ['one letter', 'G'],
    ['21 letters', 'G'.padEnd(21, 'g')],
    ['no letter', ''],
  ])('cannot have %s', (_what, name) => {
    expect(() => boardWith(...others, name)).toThrow(UsageError);
  });

  it.each(small.map(({ tries, text }) => [tries, text]))('cannot be a text that tries %s', (_tries, text) => {
    expect(PlayerName.safeParse(text).success).toBe(false);
  });
});

describe('two names of one board', () => {
  it.each([
    ['differ in a mark alone', 'Zoë', 'Zoe', '"Zoë" and "Zoe" can be taken for each other'],
    ['differ in a stroke alone', 'Łukasz', 'Lukasz', '"Łukasz" and "Lukasz" can be taken for each other'],
    ['differ in what looks alike', 'Ali', 'AIi', '"Ali" and "AIi" can be taken for each other'],
    ['differ in an m that is r and n', 'Bem', 'Bern', '"Bem" and "Bern" can be taken for each other'],
    ['differ in an m of another name', 'Corn', 'Com', '"Corn" and "Com" can be taken for each other'],
    ['differ in a W that is two', 'Will', 'Vvill', '"Will" and "Vvill" can be taken for each other'],
    ['differ in a w that is two', 'Newa', 'Nevva', '"Newa" and "Nevva" can be taken for each other'],
    ['differ in a d that is c and l', 'Edie', 'Eclie', '"Edie" and "Eclie" can be taken for each other'],
    ['differ in a d that is c and a capital I', 'Odo', 'OcIo', '"Odo" and "OcIo" can be taken for each other'],
    ['differ in a dot', 'Irem', 'İrem', '"Irem" and "İrem" can be taken for each other'],
    ['differ in case', 'Mia', 'MIa', 'it names "MIa" twice'],
    ['are the same', 'Mia', 'Mia', 'it names "Mia" twice'],
  ])('cannot be such that they %s', (_what, one, other, reason) => {
    expect(() => boardWith(...others, one, other)).toThrow(new UsageError(`Board "mine" cannot be played: ${reason}.`));
  });

  it.each(['Werewolves', 'VILLAGERS', 'Seers', 'Döctor'])('cannot be like the name of a role: %s', (name) => {
    expect(() => boardWith(...others, name)).toThrow(`a player cannot be called "${name}" like a role`);
  });

  it('may begin alike: a name within another is not that name', () => {
    expect(boardWith(...others, 'Dan', 'Danny', 'Daniel').names).toContain('Danny');
    expect(mentioned('I trust Danny and Daniel.', ['Dan', 'Danny', 'Daniel'])).toEqual(['Danny', 'Daniel']);
  });

  it('differ throughout the pool', () => {
    const alike = namePool.flatMap((one) => namePool.filter((other) => one < other && areAlike(one, other)));
    expect(alike).toEqual([]);
  });
});
