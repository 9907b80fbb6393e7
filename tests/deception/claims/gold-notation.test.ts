// The notation in which people write claims in a sheet.
import { describe, expect, it } from '@jest/globals';
import { parseGoldClaims } from '../../../deception/claims/gold-notation.ts';
import { readBoard } from '../../../state/boards.ts';
import { readRules } from '../../../state/rulebook.ts';

const players = ['Alex', 'Casey', 'Charlie', 'Jamie', 'Kai', 'Quinn', 'Sam', 'Taylor'];
const table = { board: readBoard('classic-8'), rules: readRules('wolf'), players };
const statement = { id: '2.1', by: 'Quinn', round: 2, kind: 'debate', text: '你好' } as const;
const parse = (cell: string) => parseGoldClaims(cell, statement, table);

describe('a cell', () => {
  it.each<[string, object[]]>([
    ['own_role Seer', [{ type: 'own_role', subject: 'Quinn', role: 'Seer' }]],
    ['own_role wolves not', [{ type: 'own_role', team: 'werewolves', polarity: false }]],
    ['check Kai werewolves', [{ type: 'check', subject: 'Quinn', object: 'Kai', team: 'werewolves' }]],
    ['check Kai town by Sam', [{ type: 'check', subject: 'Sam', object: 'Kai', team: 'villagers' }]],
    ['act Kai protect round 2', [{ type: 'act', object: 'Kai', verbs: ['protect'], when: 2 }]],
    ['vote kai for jamie', [{ type: 'vote', subject: 'Kai', object: 'Jamie' }]],
    ['vote everybody for Kai', [{ type: 'vote', subject: 'everybody', object: 'Kai' }]],
    ['departure Kai exile presupposed', [{ type: 'departure', subject: 'Kai', cause: 'exile', presupposed: true }]],
    ['speech Alex accuses Jamie', [{ type: 'speech', subject: 'Alex', object: 'Jamie' }]],
    ['promise Kai', [{ type: 'promise', subject: 'Quinn', object: 'Kai' }]],
    ['accusation Kai hedged', [{ type: 'accusation', subject: 'Kai', hedged: true }]],
    [
      'role Kai (Doctor); defence Sam',
      [
        { type: 'role', role: 'Doctor' },
        { type: 'defence', subject: 'Sam' },
      ],
    ],
    ['none', []],
  ])('with "%s" is read', (cell, claims) => expect(parse(cell)).toMatchObject(claims));

  it('that is empty is not labeled', () => expect(parse('  ')).toBeNull());

  it.each(['Seer', 'role Kai Wizard', 'accusation', 'own_role', 'check werewolves'])(
    'with "%s" is refused, with what may be written',
    (cell) => expect(() => parse(cell)).toThrow(/cannot be read as a claim: .*Write: none \| own_role/),
  );
});
