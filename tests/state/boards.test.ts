// Boards: which tables can be played, and why the others cannot.
import { describe, expect, it } from '@jest/globals';
import { boards, readBoard, seatsOf } from '../../state/boards.ts';
import { roles as register } from '../../state/roles/index.ts';
import { UsageError } from '../../state/usage-error.ts';

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
    ['no Seer and no Doctor', { Werewolf: 2, Villager: 5 }],
    ['several Seers and Doctors', { Werewolf: 2, Seer: 2, Doctor: 2, Villager: 1 }],
    ['no Villager', { Werewolf: 2, Seer: 3, Doctor: 2 }],
    ['a role that nobody has', { Werewolf: 2, Seer: 0, Villager: 6 }],
    ['one Werewolf short of parity', { Werewolf: 3, Villager: 4 }],
  ])('can be played with %s', (_what, roles) => {
    expect(readBoard(custom(roles))).toEqual(custom(roles));
  });

  it.each([
    ['five players', { Werewolf: 1, Villager: 4 }, 'it seats 5 players, not 6 to 16'],
    ['seventeen players', { Werewolf: 3, Villager: 14 }, 'it seats 17 players, not 6 to 16'],
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
      'a player cannot be called "Pass" like a choice that players have',
    ],
    [
      'a player called like tearing the badge',
      'Tear',
      'a player cannot be called "Tear" like a choice that players have',
    ],
    ['a player called like a role', 'Seer', 'a player cannot be called "Seer" like a role'],
    ['a player called like a role in capitals', 'DOCTOR', 'a player cannot be called "DOCTOR" like a role'],
  ])('is refused with %s', (_what, name, reason) => {
    const names = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn', name];
    expect(() => readBoard(custom(ofSix, { names }))).toThrow(
      new UsageError(`Board "mine" cannot be played: ${reason}.`),
    );
  });

  it.each([
    ['a count that is no whole number', custom({ Werewolf: 1.5, Villager: 5 }), 'expected int'],
    ['a count below zero', custom({ Werewolf: -1, Villager: 8 }), 'Too small'],
    ['a name in capitals', { name: 'My Board', roles: ofSix }, 'lower-case letters, digits and hyphens'],
    ['a name that leads out of the folder', { name: '../up', roles: ofSix }, 'lower-case letters'],
    ['a key that nobody knows', custom(ofSix, { sets: 3 }), 'Unrecognized key: "sets"'],
    ['no roles', { name: 'mine' }, 'roles'],
    ['nothing in place of a board', null, 'expected object'],
    [
      'player names of two words',
      custom(ofSix, { names: ['Mary Ann'] }),
      'a name is one word of 2 to 20 Latin letters',
    ],
    ['player names of one letter', custom(ofSix, { names: ['X'] }), 'a name is one word'],
    ['player names without a capital', custom(ofSix, { names: ['ada'] }), 'a name starts with a capital letter'],
    ['player names that are numbers', custom(ofSix, { names: ['42'] }), 'a name is one word'],
    ['player names that break a line', custom(ofSix, { names: ['Ada\nBen'] }), 'a name is one word'],
  ])('is refused with %s', (_what, given, reason) => {
    expect(() => readBoard(given)).toThrow(UsageError);
    expect(() => readBoard(given)).toThrow(reason);
  });
});

it.each(['plus-11', 'constructor', 'toString', '__proto__', ''])(
  'refuses the board %j, with the known ones',
  (name) => {
    expect(() => readBoard(name)).toThrow(
      new UsageError(
        `Unknown board "${name}". Known boards: classic-8, plus-8, plus-9, plus-10, plus-12, plus-12-sheriff; or give a YAML file.`,
      ),
    );
  },
);

it('lists the roles of all seats in the order of the board', () => {
  expect(seatsOf({ roles: { Werewolf: 2, Seer: 0, Villager: 3 } })).toEqual([
    'Werewolf',
    'Werewolf',
    'Villager',
    'Villager',
    'Villager',
  ]);
});
