// The debate: bidders, and the next speaker by bids or around the table.
import { describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/events.ts';
import {
  chooseNextSpeaker,
  findLastTurn,
  findMentionedNames,
  getNextStatementId,
  getTurnsPerDay,
  hasTurnsLeft,
  isBidFor,
  listBidders,
  listPkSpeakers,
} from '../../state/steps/debate.ts';
import { eight, elected, exiled, gameAt, type Moment, said, silent, stood, tied } from '../game.ts';

/** Measures each player's share of next turns over many seeds. */
function shares(moment: Moment, seeds = 3000) {
  const game = gameAt(moment);
  const speakers = Array.from({ length: seeds }, (_, seed) =>
    chooseNextSpeaker({ ...game, setup: { ...game.setup, seed } }),
  );
  return Object.fromEntries(
    [...Map.groupBy(speakers, (name) => name)].map(([name, all]) => [name, all.length / seeds]),
  );
}
/** Measures the shares with few seeds, for cases in which chance plays no part. */
const always = (moment: Moment) => shares(moment, 200);
const equal = { Ginger: 2, Leah: 2, Sam: 2, Paul: 2, Dan: 2, Will: 2, Bert: 2, Mason: 2 };

describe('the next speaker', () => {
  const rules = { bidders: 'others', bidTies: 'named-twice' };

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
    const found = shares({ rules, events, step: 1, bids: { Dan: 3, Will: 3, Bert: 3, Mason: 2 } });
    expect(found['Dan']).toBeCloseTo(2 / 5, 1.3);
    expect(found['Bert']).toBeCloseTo(2 / 5, 1.3);
    expect(found['Will']).toBeCloseTo(1 / 5, 1.3);
  });

  it('is not more likely for being named twice', () => {
    const events = [said('1.1', 'Leah', 'Dan, Dan, Dan: what do you say?')];
    expect(shares({ rules, events, step: 1, bids: { Dan: 3, Will: 3 } })['Dan']).toBeCloseTo(2 / 3, 1.3);
  });

  it('is not a named player who bid less', () => {
    const events = [said('1.1', 'Leah', 'Dan, speak!')];
    expect(always({ rules, events, step: 1, bids: { Dan: 2, Will: 3 } })).toEqual({ Will: 1 });
  });

  it('is named in the last statement only, not in an earlier one', () => {
    const events = [said('1.1', 'Leah', 'Dan?'), said('1.2', 'Sam', 'Nothing.')];
    expect(shares({ rules, events, step: 2, bids: { Dan: 3, Will: 3 } })['Dan']).toBeCloseTo(1 / 2, 1.3);
  });

  it('is not named by the last statement of the day before', () => {
    const events = [said('1.1', 'Leah', 'Dan?')];
    expect(shares({ rules, events, round: 2, bids: { Dan: 3, Will: 3 } })['Dan']).toBeCloseTo(1 / 2, 1.3);
  });

  it('is as likely one whom the last statement names as another under bidTies=lot', () => {
    const events = [said('1.1', 'Leah', 'Dan, speak!')];
    const found = shares({ rules: { bidTies: 'lot' }, events, step: 1, bids: { Dan: 3, Will: 3 } });
    expect(found['Dan']).toBeCloseTo(1 / 2, 1.3);
  });

  it('is who has just spoken only under bidders=all, whatever stands in the bids', () => {
    const events = [said('1.1', 'Dan', 'I am Dan.')];
    const speak = (bidders: string) => always({ rules: { bidders }, events, step: 1, bids: { Dan: 10, Will: 1 } });
    expect([speak('others'), speak('all')]).toEqual([{ Will: 1 }, { Dan: 1 }]);
  });

  it('is not whoever could not be understood, as long as one bid can be read', () => {
    expect(always({ bids: { ...equal, Dan: null, Will: 0 } })['Dan']).toBeUndefined();
    expect(always({ bids: { Dan: null, Will: 0, Bert: null } })).toEqual({ Will: 1 });
  });

  it.each([
    ['nobody can be understood', { Ginger: null, Dan: null, Will: null }],
    ['nobody bids', {}],
  ])('is drawn among all who may bid when %s', (_what, bids) => {
    const found = shares({ rules, bids, gone: ['Mason'], events: [said('1.1', 'Leah', 'Hm.')], step: 1 });
    expect(Object.keys(found).sort()).toEqual(['Bert', 'Dan', 'Ginger', 'Paul', 'Sam', 'Will']);
    for (const share of Object.values(found)) expect(share).toBeCloseTo(1 / 6, 1.3);
  });

  it('is drawn anew for every turn and round', () => {
    const turns = Array.from({ length: 40 }, (_, step) => chooseNextSpeaker(gameAt({ step, bids: equal })));
    const rounds = Array.from({ length: 40 }, (_, round) =>
      chooseNextSpeaker(gameAt({ round: round + 1, bids: equal })),
    );
    expect(new Set(turns).size).toBeGreaterThan(4);
    expect(new Set(rounds).size).toBeGreaterThan(4);
  });
});

describe('those who may bid', () => {
  it('are all the living at the start of a day', () => {
    const yesterday = [said('1.6', 'Dan', 'Good night.')];
    expect(listBidders(gameAt({ round: 2, gone: ['Leah', 'Will'], events: yesterday }))).toEqual([
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
    const list = (bidders: string) => listBidders(gameAt({ step: 2, events, rules: { bidders } }));
    expect(list('others')).not.toContain('Sam');
    expect(list('others')).toContain('Dan');
    expect(list('all')).toEqual(gameAt({}).alivePlayers);
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
    expect(findMentionedNames(text, names)).toEqual(found);
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
    expect(findMentionedNames(text, names)).toEqual([]);
  });
});

describe('a statement', () => {
  it('is numbered by round and turn', () => {
    expect(getNextStatementId({ roundNum: 2, step: 0 })).toBe('2.1');
    expect(getNextStatementId({ roundNum: 10, step: 5 })).toBe('10.6');
  });

  it('is the last one only until the day is over', () => {
    const events = [said('1.1', 'Dan', 'One.'), said('1.2', 'Sam', 'Two.')];
    expect(findLastTurn(gameAt({ events }))).toEqual(events[1]);
    expect(findLastTurn(gameAt({ events, round: 2 }))).toBeUndefined();
    expect(findLastTurn(gameAt())).toBeUndefined();
  });
});

// A debate around the table, with the Sheriff's choice of direction, and second speeches of tied players.

const names = Object.keys(eight);
const inOrder = { debateOrder: 'round-robin' };

/** Lists the speakers in order, until the debate is over. */
function speakers({ events = [], round = 1, ...moment }: Moment): string[] {
  const spoken: GameEvent[] = [...events];
  const order: string[] = [];
  for (;;) {
    const game = gameAt({ ...moment, round, events: spoken, step: order.length });
    if (!hasTurnsLeft(game)) return order;
    const next = chooseNextSpeaker(game);
    spoken.push(
      order.length % 3 === 2
        ? silent(`${round}.${order.length + 1}`, next)
        : said(`${round}.${order.length + 1}`, next, 'Hm.'),
    );
    order.push(next);
  }
}

const around = (first: string, list: readonly string[] = names) => {
  const from = list.indexOf(first);
  return [...list.slice(from), ...list.slice(0, from)];
};

describe('a debate around the table', () => {
  it.each([1, 2, 3])('has everybody speak in every one of %i passes, also after silence', (debatePasses) => {
    const order = speakers({ rules: { ...inOrder, debatePasses } });
    expect(order).toEqual(Array.from({ length: debatePasses }, () => around(order[0]!)).flat());
  });

  it('begins with one drawn by the seed, anew each day', () => {
    const firsts = Array.from({ length: 100 }, (_, seed) => chooseNextSpeaker(gameAt({ rules: inOrder, seed })));
    expect(new Set(firsts)).toEqual(new Set(names));
    const days = Array.from({ length: 30 }, (_, day) => chooseNextSpeaker(gameAt({ rules: inOrder, round: day + 1 })));
    expect(new Set(days).size).toBeGreaterThan(3);
  });

  it('begins with the next seat each day under rotation, or with the next living one', () => {
    const rules = { ...inOrder, debateLead: 'rotation' };
    const firsts = Array.from({ length: 10 }, (_, day) => speakers({ rules, round: day + 1 })[0]);
    expect(firsts).toEqual([...names, 'Ginger', 'Leah']);
    expect(speakers({ rules, round: 3, gone: ['Sam', 'Paul'] })[0]).toBe('Dan');
    expect(speakers({ rules, round: 8, gone: ['Mason'] })[0]).toBe('Ginger');
  });

  it('passes over the dead', () => {
    expect(speakers({ rules: inOrder, gone: ['Leah', 'Dan'] }).toSorted()).toEqual(
      names.filter((name) => name !== 'Leah' && name !== 'Dan').toSorted(),
    );
  });

  it('begins with the Sheriff, up or down the order of seats as the Sheriff says today', () => {
    const rules = { ...inOrder, debateLead: 'rotation', sheriff: true };
    const order = (round: number, direction: 'up' | 'down'): GameEvent => ({
      ...{ round, phase: 'day', audience: 'everyone' },
      ...{ type: 'speaking_order', by: 'Paul', direction },
    });
    const events = [elected('Paul'), order(1, 'down'), order(2, 'up')];
    expect(speakers({ rules, events })).toEqual(around('Paul', names.toReversed()));
    expect(speakers({ rules, events, round: 2 })).toEqual(around('Paul'));
    const left = [...events, exiled(2, 'Paul')];
    expect(speakers({ rules, events: left, gone: ['Paul'], round: 3 })[0]).toBe('Sam');
  });

  it('has as many turns as there are living players, times the passes', () => {
    const { rules } = gameAt({ rules: { ...inOrder, debatePasses: 3 } }).setup;
    expect(getTurnsPerDay(rules, 5)).toBe(15);
    expect(getTurnsPerDay(gameAt({ rules: { debateTurns: 4 } }).setup.rules, 5)).toBe(4);
  });

  it('is not bid for', () => {
    expect(isBidFor(gameAt({ rules: inOrder }))).toBe(false);
  });
});

describe('a debate for which players bid', () => {
  const rules = { sheriff: true };

  it('is opened by the Sheriff, without bids; all else is bid for', () => {
    const opening = gameAt({ rules, events: [elected('Dan')], bids: { Will: 9 } });
    expect([isBidFor(opening), chooseNextSpeaker(opening)]).toEqual([false, 'Dan']);
    const second = gameAt({ rules, events: [elected('Dan'), said('1.1', 'Dan', 'Hm.')], bids: { Will: 9 }, step: 1 });
    expect([isBidFor(second), chooseNextSpeaker(second)]).toEqual([true, 'Will']);
  });

  it('is bid for from the first statement where there is no Sheriff any more', () => {
    expect(isBidFor(gameAt({ rules, events: [elected('Dan'), exiled(1, 'Dan')], gone: ['Dan'], round: 2 }))).toBe(true);
  });

  it('counts neither the words of candidates nor those of the tied', () => {
    const campaign = { ...said('1.1', 'Dan', 'Me!'), occasion: 'campaign' as const };
    const again = { ...said('1.3', 'Will', 'Not me.'), occasion: 'pk' as const };
    const events = [stood('Dan'), campaign, elected('Dan'), said('1.2', 'Dan', 'Hm.'), again];
    expect(hasTurnsLeft(gameAt({ rules: { ...rules, debateTurns: 2 }, events }))).toBe(true);
    expect(hasTurnsLeft(gameAt({ rules: { ...rules, debateTurns: 1 }, events }))).toBe(false);
  });
});

describe('those between whom the ballot is tied', () => {
  it('speak once more, one after another, in seat order', () => {
    const tie = tied(1, 'Sam', 'Dan');
    expect(listPkSpeakers(gameAt({ events: [said('1.1', 'Sam', 'Hm.'), tie] }))).toEqual(['Sam', 'Dan']);
    const again = { ...said('1.2', 'Sam', 'Not me.'), occasion: 'pk' as const };
    expect(listPkSpeakers(gameAt({ events: [tie, again] }))).toEqual(['Dan']);
    expect(listPkSpeakers(gameAt({ events: [tie, again, { ...silent('1.3', 'Dan'), occasion: 'pk' }] }))).toEqual([]);
  });

  it('are nobody where there was no tie today', () => {
    expect(listPkSpeakers(gameAt())).toEqual([]);
    expect(listPkSpeakers(gameAt({ events: [tied(1, 'Sam', 'Dan')], round: 2 }))).toEqual([]);
  });
});
