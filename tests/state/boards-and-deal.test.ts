// Boards, the deal and names: playable boards, dealt roles, and allowed names.
import { describe, expect, it } from '@jest/globals';
import { type Board, boards, listSeatRoles, readBoard } from '../../state/boards.ts';
import { createDealEvents, createInitialState, deal } from '../../state/deal.ts';
import { isEventOfType, isVisibleTo } from '../../state/events.ts';
import { isConfusable, namePool, PlayerName } from '../../state/player-names.ts';
import { roles as register } from '../../state/roles/index.ts';
import { readRules } from '../../state/rulebook.ts';
import { findMentionedNames } from '../../state/steps/debate.ts';
import { UsageError } from '../../state/usage-error.ts';
import { small } from '../hostile/texts.ts';

const custom = (roles: Record<string, number>, more: object = {}) => ({ name: 'mine', roles, ...more });
const ofSix = { Werewolf: 1, Seer: 1, Villager: 4 };

describe('the known boards', () => {
  const twelve = { Werewolf: 4, Seer: 1, Witch: 1, Hunter: 1, Guard: 1, Villager: 4 };

  it.each([
    ['classic-8', { Werewolf: 2, Seer: 1, Doctor: 1, Villager: 4 }, false],
    ['plus-8', { Werewolf: 2, Seer: 1, Guard: 1, Villager: 4 }, true],
    ['plus-9', { Werewolf: 3, Seer: 1, Witch: 1, Hunter: 1, Villager: 3 }, false],
    ['plus-10', { Werewolf: 3, Seer: 1, Witch: 1, Guard: 1, Villager: 4 }, false],
    ['plus-12', twelve, false],
    ['plus-12-sheriff', twelve, true],
  ])('%s seats %j, with a Sheriff: %j', (name, counts, sheriff) => {
    const { roles, rules = {} } = readBoard(name);
    expect(roles).toEqual(counts);
    expect(rules['sheriff'] ?? false).toBe(sheriff);
  });

  it('can be played by the rules for a board of one’s own', () => {
    for (const board of Object.values(boards)) expect(readBoard(board)).toEqual(board);
  });
});

describe('a board of one’s own', () => {
  it.each([
    ['six players', ofSix],
    ['sixteen players', { Werewolf: 5, Seer: 1, Witch: 1, Hunter: 1, Guard: 1, Villager: 7 }],
    ['four players', { Werewolf: 1, Villager: 3 }],
    ['no Seer and no Doctor', { Werewolf: 2, Villager: 5 }],
    ['several Seers and Doctors', { Werewolf: 2, Seer: 2, Doctor: 2, Villager: 1 }],
    ['no Villager', { Werewolf: 2, Seer: 3, Doctor: 2 }],
    ['a role that nobody has', { Werewolf: 2, Seer: 0, Villager: 6 }],
    ['one Werewolf short of parity', { Werewolf: 3, Villager: 4 }],
  ])('can be played with %s', (_what, roles) => {
    expect(readBoard(custom(roles))).toEqual(custom(roles));
  });

  it.each([
    ['three players', { Werewolf: 1, Villager: 2 }, 'it seats 3 players, not 4 to 16'],
    ['seventeen players', { Werewolf: 3, Villager: 14 }, 'it seats 17 players, not 4 to 16'],
    ['no Werewolf', { Seer: 1, Villager: 7 }, 'it has no Werewolf'],
    ['Werewolves at parity', { Werewolf: 3, Seer: 3 }, '3 Werewolves among 6 players are at parity at the start'],
    ['more Werewolves', { Werewolf: 5, Villager: 3 }, '5 Werewolves among 8 players are at parity at the start'],
  ])('is refused with %s', (_what, roles, reason) => {
    expect(() => readBoard(custom(roles))).toThrow(new UsageError(`Board "mine" cannot be played: ${reason}.`));
  });

  it('is refused with a role that nobody knows, even for no player', () => {
    const message = `Unknown role "Bard". Known roles: ${[...register.keys()].join(', ')}.`;
    expect(() => readBoard(custom({ ...ofSix, Bard: 1 }))).toThrow(new UsageError(message));
    expect(() => readBoard(custom({ ...ofSix, Bard: 0 }))).toThrow(new UsageError(message));
  });

  it('is refused with fewer names than seats', () => {
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif'];
    const reason = 'Board "mine" cannot be played: it names 5 different players for 6 seats.';
    expect(() => readBoard(custom(ofSix, { names }))).toThrow(new UsageError(reason));
  });

  it.each([
    ['the same name twice', 'Ada', 'it names "Ada" twice'],
    ['names that differ in case alone, since answers are read in any case', 'ADA', 'it names "ADA" twice'],
    [
      'a player called like leaving an act undone',
      'Pass',
      'a player cannot be called "Pass": that is the name of a choice',
    ],
    [
      'a player called like tearing the badge',
      'Tear',
      'a player cannot be called "Tear": that is the name of a choice',
    ],
    ['a player called like a role', 'Seer', 'a player cannot be called "Seer": that is the name of a role'],
    [
      'a player called like a role in capitals',
      'DOCTOR',
      'a player cannot be called "DOCTOR": that is the name of a role',
    ],
  ])('is refused with %s', (_what, name, reason) => {
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn', name];
    expect(() => readBoard(custom(ofSix, { names }))).toThrow(
      new UsageError(`Board "mine" cannot be played: ${reason}.`),
    );
  });

  it.each([
    ['a count that is no whole number', custom({ Werewolf: 1.5, Villager: 5 }), 'must be a whole number'],
    ['a count below zero', custom({ Werewolf: -1, Villager: 8 }), 'must be 0 or more'],
    ['a name in capitals', { name: 'My Board', roles: ofSix }, 'lower-case letters, digits and hyphens'],
    ['a name that leads out of the folder', { name: '../up', roles: ofSix }, 'lower-case letters'],
    ['a key that nobody knows', custom(ofSix, { sets: 3 }), 'unknown: "sets"'],
    ['no roles', { name: 'mine' }, 'roles'],
    ['nothing in place of a board', null, 'must be an object'],
    [
      'player names of three words',
      custom(ofSix, { names: ['Mary Ann Lee'] }),
      'a name is one or two words of 2 to 20 letters of one script',
    ],
    ['player names of one letter', custom(ofSix, { names: ['X'] }), 'a name is one or two words'],
    ['player names without a capital', custom(ofSix, { names: ['ada'] }), 'a name starts with a capital letter'],
    ['player names that are numbers', custom(ofSix, { names: ['42'] }), 'a name is one or two words'],
    ['player names that break a line', custom(ofSix, { names: ['Ada\nBen'] }), 'a name is one or two words'],
  ])('is refused with %s', (_what, given, reason) => {
    expect(() => readBoard(given)).toThrow(UsageError);
    expect(() => readBoard(given)).toThrow(reason);
  });
});

it.each(['moon', 'constructor', 'toString', '__proto__', ''])('refuses the board %j, with the known ones', (name) => {
  expect(() => readBoard(name)).toThrow(
    new UsageError(
      `Unknown board "${name}". Known boards: classic-8, plus-8, plus-9, plus-10, plus-12, plus-12-sheriff; or give a YAML file.`,
    ),
  );
});

it('lists the roles of all seats in the order of the board', () => {
  expect(listSeatRoles({ roles: { Werewolf: 2, Seer: 0, Villager: 3 } })).toEqual([
    'Werewolf',
    'Werewolf',
    'Villager',
    'Villager',
    'Villager',
  ]);
});

// The deal: players, seats and roles.

const rules = readRules('wolf');
const board = boards['classic-8']!;
const six: Board = { name: 'six', roles: { Werewolf: 1, Seer: 1, Villager: 4 } };
const dealt = (seed: number, wanted?: string[]) => deal({ board, rules, seed, ...(wanted ? { wanted } : {}) });
const seeds = Array.from({ length: 400 }, (_, seed) => seed);
const namesAt = ({ players }: ReturnType<typeof deal>) => players.map(({ name }) => name);

describe('the deal', () => {
  it('gives the same table for the same seed', () => {
    expect(dealt(7)).toEqual(dealt(7));
  });

  it('gives different tables for different seeds', () => {
    expect(new Set(seeds.map((seed) => JSON.stringify(dealt(seed).players))).size).toBe(seeds.length);
  });

  it('draws different names from the pool of 17', () => {
    expect(namePool).toHaveLength(17);
    expect(new Set(namePool).size).toBe(17);
    for (const seed of seeds) {
      const names = namesAt(dealt(seed));
      expect(new Set(names).size).toBe(8);
      expect(namePool).toEqual(expect.arrayContaining(names));
    }
    expect(new Set(seeds.flatMap((seed) => namesAt(dealt(seed)))).size).toBe(17);
  });

  it.each([board, six])('deals the roles of board $name, no more and no fewer', (one) => {
    for (const seed of seeds) {
      const roles = deal({ board: one, rules, seed }).players.map(({ role }) => role);
      for (const [role, count] of Object.entries(one.roles))
        expect(roles.filter((other) => other === role)).toHaveLength(count);
      expect(roles).toHaveLength(Object.values(one.roles).reduce((sum, count) => sum + count));
    }
  });

  it('favours no seat and no name with a role', () => {
    const wolvesInFirstSeat = seeds.filter((seed) => dealt(seed).players[0]!.team === 'werewolves').length;
    expect(wolvesInFirstSeat / seeds.length).toBeCloseTo(2 / 8, 1);
    const ginger = seeds.flatMap((seed) => dealt(seed, ['Ginger']).players.filter(({ name }) => name === 'Ginger'));
    expect(ginger.filter(({ role }) => role === 'Seer').length / seeds.length).toBeCloseTo(1 / 8, 1);
  });

  it('seats every name that is wanted', () => {
    for (const seed of seeds)
      expect(namesAt(dealt(seed, ['Ginger', 'Bert', 'Leah']))).toEqual(
        expect.arrayContaining(['Ginger', 'Bert', 'Leah']),
      );
  });

  it('gives the same names the same roles and seats, whether they were wanted or drawn', () => {
    for (const seed of seeds.slice(0, 50)) {
      const drawn = dealt(seed);
      expect(dealt(seed, namesAt(drawn))).toEqual(drawn);
      expect(dealt(seed, namesAt(drawn).toReversed())).toEqual(drawn);
      expect(dealt(seed, namesAt(drawn).slice(0, 1)).players).toHaveLength(8);
    }
  });

  it('gives players the same seats when the board lists its names in another order', () => {
    const named = (names: string[]) => deal({ board: { ...six, names }, rules, seed: 3 });
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn'];
    expect(named(names.toReversed())).toEqual(named(names));
  });

  it('draws from the names of the board where it has its own', () => {
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn'];
    expect(namesAt(deal({ board: { ...six, names }, rules, seed: 1 })).sort()).toEqual(names);
  });

  it('refuses a name that is not in the pool, with the known ones', () => {
    expect(() => dealt(1, ['Zoe'])).toThrow(
      new UsageError(`No player "Zoe" on board "classic-8". Known names: ${namePool.join(', ')}.`),
    );
  });

  it('refuses more wanted names than seats', () => {
    expect(() => dealt(1, namePool.slice(0, 9))).toThrow(
      new UsageError('9 player names were given, but there are only 8 seats on board "classic-8".'),
    );
  });

  it('gives a persona to whom it belongs, and to nobody else', () => {
    const { players } = deal({
      board,
      rules,
      seed: 1,
      wanted: ['Ginger'],
      personas: { Ginger: 'A retired sailor.' },
    });
    expect(players.filter(({ persona }) => persona !== undefined)).toEqual([
      expect.objectContaining({ name: 'Ginger', persona: 'A retired sailor.' }),
    ]);
  });

  it('sets each player on the side of the role', () => {
    for (const { role, team } of dealt(1).players) expect(team).toBe(role === 'Werewolf' ? 'werewolves' : 'villagers');
  });
});

describe('before the first night', () => {
  const setup = dealt(5);
  const events = createDealEvents(setup);

  it('tells each player the own role and nobody another one', () => {
    for (const { name, role } of setup.players) {
      const told = events.filter(isEventOfType('dealt')).filter((event) => isVisibleTo(event, name));
      expect(told).toEqual([expect.objectContaining({ player: name, role })]);
    }
  });

  it('tells the Werewolves who the Werewolves are, and nobody else', () => {
    const pack = setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    expect(events.filter(isEventOfType('acquainted'))).toEqual([
      { round: 0, phase: 'night', type: 'acquainted', audience: pack, players: pack, team: 'werewolves' },
    ]);
  });

  it('has everybody alive, and everybody suspect everybody else by 0.5', () => {
    const game = createInitialState(setup);
    expect(game.alivePlayers).toEqual(namesAt(setup));
    const { deceptionScores = {} } = game;
    expect(Object.keys(deceptionScores)).toEqual(namesAt(setup));
    for (const [observer, targets] of Object.entries(deceptionScores)) {
      expect(Object.keys(targets)).toEqual(namesAt(setup).filter((name) => name !== observer));
      expect(Object.values(targets)).toEqual(Array(7).fill({ score: 0.5, round: null }));
    }
  });
});

// Names in a board's file: none may be confused with another name or word.

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
    'Ginger Rogers',
    'Player 3',
    'Agent 12',
    'Ида',
    'Δάφνη',
    'ミナト',
    '佐藤 花子',
    'たろう',
    '민수',
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
    ['three words', 'Ginger Rogers Lee'],
    ['two spaces', 'Ginger  Rogers'],
    ['a small second word', 'Ginger rogers'],
    ['two scripts', 'Ginger Роджерс'],
    ['a number first', '3 Player'],
    ['a number above 99', 'Player 100'],
    ['a reserved word beside another', 'Vote Ginger'],
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
    ['differ in a mark alone', 'Zoë', 'Zoe', '"Zoë" and "Zoe" are too similar: one can be mistaken for the other'],
    [
      'differ in a stroke alone',
      'Łukasz',
      'Lukasz',
      '"Łukasz" and "Lukasz" are too similar: one can be mistaken for the other',
    ],
    ['differ in what looks alike', 'Ali', 'AIi', '"Ali" and "AIi" are too similar: one can be mistaken for the other'],
    [
      'differ in an m that is r and n',
      'Bem',
      'Bern',
      '"Bem" and "Bern" are too similar: one can be mistaken for the other',
    ],
    [
      'differ in an m of another name',
      'Corn',
      'Com',
      '"Corn" and "Com" are too similar: one can be mistaken for the other',
    ],
    [
      'differ in a W that is two',
      'Will',
      'Vvill',
      '"Will" and "Vvill" are too similar: one can be mistaken for the other',
    ],
    [
      'differ in a w that is two',
      'Newa',
      'Nevva',
      '"Newa" and "Nevva" are too similar: one can be mistaken for the other',
    ],
    [
      'differ in a d that is c and l',
      'Edie',
      'Eclie',
      '"Edie" and "Eclie" are too similar: one can be mistaken for the other',
    ],
    [
      'differ in a d that is c and a capital I',
      'Odo',
      'OcIo',
      '"Odo" and "OcIo" are too similar: one can be mistaken for the other',
    ],
    ['differ in a dot', 'Irem', 'İrem', '"Irem" and "İrem" are too similar: one can be mistaken for the other'],
    ['differ in case', 'Mia', 'MIa', 'it names "MIa" twice'],
    ['are the same', 'Mia', 'Mia', 'it names "Mia" twice'],
    [
      'stand within each other',
      'Mia',
      'Mia Lee',
      '"Mia" and "Mia Lee" cannot be told apart in a sentence: one is part of the other',
    ],
    ['are of different scripts', 'Mia', 'Ида', '"Ada" and "Ида" are of different scripts'],
  ])('cannot be such that they %s', (_what, one, other, reason) => {
    expect(() => boardWith(...others, one, other)).toThrow(new UsageError(`Board "mine" cannot be played: ${reason}.`));
  });

  it.each(['Werewolves', 'VILLAGERS', 'Seers', 'Döctor'])('cannot be like the name of a role: %s', (name) => {
    expect(() => boardWith(...others, name)).toThrow(`a player cannot be called "${name}": that is the name of a role`);
  });

  it('may begin alike: a name within another is not that name', () => {
    expect(boardWith(...others, 'Dan', 'Danny', 'Daniel').names).toContain('Danny');
    expect(findMentionedNames('I trust Danny and Daniel.', ['Dan', 'Danny', 'Daniel'])).toEqual(['Danny', 'Daniel']);
  });

  it('differ throughout the pool', () => {
    const alike = namePool.flatMap((one) => namePool.filter((other) => one < other && isConfusable(one, other)));
    expect(alike).toEqual([]);
  });
});
