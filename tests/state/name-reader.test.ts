// Finding players' names in texts: names of one word, of two words, with numbers, and in scripts without spaces.
import { describe, expect, it } from '@jest/globals';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { dropInventedDialogue } from '../../models/invented-dialogue.ts';
import { parseSpeechActs } from '../../models/bots/scripted/parse-speech-acts.ts';
import { createChoiceField } from '../../prompts/fields.ts';
import { readBoard } from '../../state/boards.ts';
import { readRules } from '../../state/rulebook.ts';
import { findNames } from '../../state/name-reader.ts';
import { findMentionedNames } from '../../state/steps/debate.ts';

const find = (text: string, names: readonly string[]) => findNames(text, names).map(({ name }) => name);

describe('a name', () => {
  it.each([
    ['of a number is not found in a longer number', 'I trust Player 12.', ['Player 1', 'Player 12'], ['Player 12']],
    ['of a number is found in any case', 'player 3 and PLAYER 1', ['Player 1', 'Player 3'], ['Player 3', 'Player 1']],
    ['of a number is found where the number is joined', 'Player3, Player-1, player_2', ['Player 1', 'Player 2', 'Player 3'], ['Player 3', 'Player 1', 'Player 2']],
    ['of two words is found whole', 'Mary Ann said so, Mary did not.', ['Mary Ann', 'Zoe'], ['Mary Ann']],
    ['of one word is found in its own spelling alone', 'Will, will you?', ['Will'], ['Will']],
    ['of one word is not found in another', 'Danny', ['Dan'], []],
    ['of a script without spaces is found within a sentence', '私はミナトを信じます', ['ミナト', 'サクラ'], ['ミナト']],
    ['of Cyrillic letters ends with its word', 'Иду, Ида!', ['Ида'], ['Ида']],
  ])('%s', (_what, text, names, found) => {
    expect(find(text, names)).toEqual(found);
  }); // prettier-ignore

  it('has its place', () => {
    expect(findNames('So: player 3.', ['Player 3'])).toEqual([{ name: 'Player 3', from: 4, to: 12 }]);
  });

  it.each(['Dan_, Dan2 and 2Dan', "Dan's word", 'José or Jose\u0301?', 'Dan\u0301', 'DAN, dan, Dan.', '山田Danさん'])(
    'of one word is found in "%s" whatever other names there are',
    (text) => {
      const names = ['Dan', 'José', 'Jose'];
      expect(findNames(text, names)).toEqual(findNames(text, [...names, 'Nobody Here']));
    },
  );

  it('counts for who speaks next', () => {
    expect(findMentionedNames('Player 3, not Player 30.', ['Player 3', 'Player 30', 'Player 4'])).toEqual([
      'Player 3',
      'Player 30',
    ]);
  });
});

const players = ['Player 1', 'Player 2', 'Player 3', 'Player 12', 'Player 5', 'Player 6'];
const table = { board: readBoard('classic-8'), rules: readRules('wolf'), players };

describe('a table of numbered players', () => {
  it.each([
    ['Player 12', 'Player 12'],
    ['player 1', 'Player 1'],
    ['Player3.', 'Player 3'],
    ['I vote for Player 2.', 'Player 2'],
    ['Player 2 or Player 3', null],
    ['Player', null],
    ['2', null],
  ])('has the answer %s read as %s', (said, choice) => {
    const read = createChoiceField(players, 'a name').schema.safeParse(said);
    expect(read.success ? read.data : null).toBe(choice);
  });

  it.each([
    ['Player 3 is a Werewolf.', { type: 'accusation', subject: 'Player 3' }],
    ["I'm the Seer, and player 12 is a werewolf!", { type: 'accusation', subject: 'Player 12' }],
    ['Player 2 was killed last night.', { type: 'departure', subject: 'Player 2' }],
    ['My vote goes to Player 3 today.', { type: 'promise', object: 'Player 3' }],
    ['Player 3 voted for Player 5.', { type: 'vote', subject: 'Player 3', object: 'Player 5' }],
  ])('has the claim of "%s" read', (text, claim) => {
    const statement = { id: '2.1', by: 'Player 1', round: 2, kind: 'debate', text } as const;
    const read = extractByRules(statement, table)!.map(({ type, subject, object }) => ({ type, subject, object }));
    expect(read).toContainEqual(expect.objectContaining(claim));
  });

  it('has no claim of what another is made to say', () => {
    const speaker = { me: 'Player 1', players };
    const { said } = dropInventedDialogue('I pass.\nPlayer 12: I am the Seer.', speaker);
    expect(said).toBe('I pass.');
  });

  it('has what bots understand', () => {
    expect(parseSpeechActs('Player 3 is a Werewolf, and I trust Player 12.', table)).toEqual([
      { kind: 'accuse', target: 'Player 3' },
      { kind: 'defend', target: 'Player 12' },
    ]);
  });
});
