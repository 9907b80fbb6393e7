// The order of a debate in which all speak around the table, what a Sheriff has to say in it, and the word of the tied.
import { describe, expect, it } from '@jest/globals';
import { hasTurnsLeft, isBidFor, nextSpeaker, pkSpeakers, turnsOf } from '../../state/debate.ts';
import type { GameEvent } from '../../state/event.ts';
import { elected, eight, exiled, gameAt, said, silent, stood, tied, type Moment } from '../game.ts';

const names = Object.keys(eight);
const inOrder = { debateOrder: 'round-robin' };

/** Who speaks, turn by turn, until the debate is over. */
function speakers({ events = [], round = 1, ...moment }: Moment): string[] {
  const spoken: GameEvent[] = [...events];
  const order: string[] = [];
  for (;;) {
    const game = gameAt({ ...moment, round, events: spoken, step: order.length });
    if (!hasTurnsLeft(game)) return order;
    const next = nextSpeaker(game);
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
    const firsts = Array.from({ length: 100 }, (_, seed) => nextSpeaker(gameAt({ rules: inOrder, seed })));
    expect(new Set(firsts)).toEqual(new Set(names));
    const days = Array.from({ length: 30 }, (_, day) => nextSpeaker(gameAt({ rules: inOrder, round: day + 1 })));
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
    expect(turnsOf(rules, 5)).toBe(15);
    expect(turnsOf(gameAt({ rules: { debateTurns: 4 } }).setup.rules, 5)).toBe(4);
  });

  it('is not bid for', () => {
    expect(isBidFor(gameAt({ rules: inOrder }))).toBe(false);
  });
});

describe('a debate for which players bid', () => {
  const rules = { sheriff: true };

  it('is opened by the Sheriff, without bids; all else is bid for', () => {
    const opening = gameAt({ rules, events: [elected('Dan')], bids: { Will: 9 } });
    expect([isBidFor(opening), nextSpeaker(opening)]).toEqual([false, 'Dan']);
    const second = gameAt({ rules, events: [elected('Dan'), said('1.1', 'Dan', 'Hm.')], bids: { Will: 9 }, step: 1 });
    expect([isBidFor(second), nextSpeaker(second)]).toEqual([true, 'Will']);
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
    expect(pkSpeakers(gameAt({ events: [said('1.1', 'Sam', 'Hm.'), tie] }))).toEqual(['Sam', 'Dan']);
    const again = { ...said('1.2', 'Sam', 'Not me.'), occasion: 'pk' as const };
    expect(pkSpeakers(gameAt({ events: [tie, again] }))).toEqual(['Dan']);
    expect(pkSpeakers(gameAt({ events: [tie, again, { ...silent('1.3', 'Dan'), occasion: 'pk' }] }))).toEqual([]);
  });

  it('are nobody where there was no tie today', () => {
    expect(pkSpeakers(gameAt())).toEqual([]);
    expect(pkSpeakers(gameAt({ events: [tied(1, 'Sam', 'Dan')], round: 2 }))).toEqual([]);
  });
});
