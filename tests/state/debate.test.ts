// The debate: who may bid, who speaks next.
import { describe, expect, it } from '@jest/globals';
import { bidders, lastTurn, mentioned, nextSpeaker, statementId } from '../../state/debate.ts';
import { gameAt, said, silent, type Moment } from '../game.ts';

/** How often each player speaks next, as a share of many seeds. */
function shares(moment: Moment, seeds = 3000) {
  const speakers = Array.from({ length: seeds }, (_, seed) => nextSpeaker(gameAt({ ...moment, seed })));
  return Object.fromEntries(
    [...Map.groupBy(speakers, (name) => name)].map(([name, all]) => [name, all.length / seeds]),
  );
}
/** The same where chance has no part in it. */
const always = (moment: Moment) => shares(moment, 200);
const equal = { Ginger: 2, Leah: 2, Sam: 2, Paul: 2, Dan: 2, Will: 2, Bert: 2, Mason: 2 };

describe('the next speaker', () => {
  it('is the highest bidder', () => {
    expect(always({ bids: { ...equal, Dan: 3 } })).toEqual({ Dan: 1 });
  });

  it('is drawn among the highest bidders, each as likely', () => {
    const found = shares({ bids: { ...equal, Dan: 3, Will: 3, Bert: 3 } });
    expect(Object.keys(found).sort()).toEqual(['Bert', 'Dan', 'Will']);
    for (const share of Object.values(found)) expect(share).toBeCloseTo(1 / 3, 1.3);
  });

  it('is twice as likely one whom the last statement names, among equals', () => {
    const events = [said('1.1', 'Leah', 'I trust Dan and Bert.')];
    const found = shares({ events, step: 1, bids: { Dan: 3, Will: 3, Bert: 3, Mason: 2 } });
    expect(found['Dan']).toBeCloseTo(2 / 5, 1.3);
    expect(found['Bert']).toBeCloseTo(2 / 5, 1.3);
    expect(found['Will']).toBeCloseTo(1 / 5, 1.3);
  });

  it('is not more likely for being named twice', () => {
    const events = [said('1.1', 'Leah', 'Dan, Dan, Dan: what do you say?')];
    expect(shares({ events, step: 1, bids: { Dan: 3, Will: 3 } })['Dan']).toBeCloseTo(2 / 3, 1.3);
  });

  it('is not a named player who bid less', () => {
    const events = [said('1.1', 'Leah', 'Dan, speak!')];
    expect(always({ events, step: 1, bids: { Dan: 2, Will: 3 } })).toEqual({ Will: 1 });
  });

  it('is named in the last statement only, not in an earlier one', () => {
    const events = [said('1.1', 'Leah', 'Dan?'), said('1.2', 'Sam', 'Nothing.')];
    expect(shares({ events, step: 2, bids: { Dan: 3, Will: 3 } })['Dan']).toBeCloseTo(1 / 2, 1.3);
  });

  it('is not named by the last statement of the day before', () => {
    const events = [said('1.1', 'Leah', 'Dan?')];
    expect(shares({ events, round: 2, bids: { Dan: 3, Will: 3 } })['Dan']).toBeCloseTo(1 / 2, 1.3);
  });

  it('is never who has just spoken, whatever stands in the bids', () => {
    const events = [said('1.1', 'Dan', 'I am Dan.')];
    expect(always({ events, step: 1, bids: { Dan: 10, Will: 1 } })).toEqual({ Will: 1 });
  });

  it('is not whoever could not be understood, as long as one bid can be read', () => {
    expect(always({ bids: { ...equal, Dan: null, Will: 0 } })['Dan']).toBeUndefined();
    expect(always({ bids: { Dan: null, Will: 0, Bert: null } })).toEqual({ Will: 1 });
  });

  it.each([
    ['nobody can be understood', { Ginger: null, Dan: null, Will: null }],
    ['nobody bids', {}],
  ])('is drawn among all who may bid when %s', (_what, bids) => {
    const found = shares({ bids, gone: ['Mason'], events: [said('1.1', 'Leah', 'Hm.')], step: 1 });
    expect(Object.keys(found).sort()).toEqual(['Bert', 'Dan', 'Ginger', 'Paul', 'Sam', 'Will']);
    for (const share of Object.values(found)) expect(share).toBeCloseTo(1 / 6, 1.3);
  });

  it('is drawn anew for every turn and round', () => {
    const turns = Array.from({ length: 40 }, (_, step) => nextSpeaker(gameAt({ step, bids: equal })));
    const rounds = Array.from({ length: 40 }, (_, round) => nextSpeaker(gameAt({ round: round + 1, bids: equal })));
    expect(new Set(turns).size).toBeGreaterThan(4);
    expect(new Set(rounds).size).toBeGreaterThan(4);
  });
});

describe('those who may bid', () => {
  it('are all the living at the start of a day', () => {
    const yesterday = [said('1.6', 'Dan', 'Good night.')];
    expect(bidders(gameAt({ round: 2, gone: ['Leah', 'Will'], events: yesterday }))).toEqual([
      'Ginger',
      'Sam',
      'Paul',
      'Dan',
      'Bert',
      'Mason',
    ]);
  });

  it.each([
    ['spoken', said('1.2', 'Sam', 'Well.')],
    ['had the turn and said nothing', silent('1.2', 'Sam')],
  ])('are all but whoever has just %s', (_what, turn) => {
    const events = [said('1.1', 'Dan', 'Well.'), turn];
    expect(bidders(gameAt({ step: 2, events }))).not.toContain('Sam');
    expect(bidders(gameAt({ step: 2, events }))).toContain('Dan');
  });
});

describe('a name is mentioned', () => {
  const names = ['Dan', 'Will', 'Sam', 'Zoë'];

  it.each([
    ['Dan is lying.', ['Dan']],
    ['I ask Dan, Will and Sam.', ['Dan', 'Will', 'Sam']],
    ["Dan's vote; (Will)", ['Dan', 'Will']],
    ['"Dan"', ['Dan']],
    ['—Dan—', ['Dan']],
    ['I trust Zoë!', ['Zoë']],
  ])('in %j', (text, found) => {
    expect(mentioned(text, names)).toEqual(found);
  });

  it.each([
    'Daniel and Danish pastry',
    'Jordan',
    'I will vote',
    'SAMSON or Samuel',
    'DAN',
    'Dan_1 and Dan2',
    'éDan and Dané',
    'Zoëlle',
    '',
  ])('as a whole word only, not in %j', (text) => {
    expect(mentioned(text, names)).toEqual([]);
  });
});

describe('a statement', () => {
  it('is numbered by round and turn', () => {
    expect(statementId({ roundNum: 2, step: 0 })).toBe('2.1');
    expect(statementId({ roundNum: 10, step: 5 })).toBe('10.6');
  });

  it('is the last one only until the day is over', () => {
    const events = [said('1.1', 'Dan', 'One.'), said('1.2', 'Sam', 'Two.')];
    expect(lastTurn(gameAt({ events }))).toEqual(events[1]);
    expect(lastTurn(gameAt({ events, round: 2 }))).toBeUndefined();
    expect(lastTurn(gameAt())).toBeUndefined();
  });
});
