// The order of events in the record does not depend on who answered first.
import { describe, expect, it } from '@jest/globals';
import { EventLog } from '../../models/record/event-log.ts';
import type { GameEvent } from '../../state/event.ts';
import { said } from '../game.ts';

type Finished = [node: string, ...words: string[]];

/** What is written when these nodes run, superstep by superstep, each listed in the order of finishing. */
function written(...supersteps: Finished[][]): string[][] {
  const pieces: string[][] = [];
  const log = new EventLog((events) => void pieces.push(events.map(wordsOf)));
  for (const [superstep, nodes] of supersteps.entries()) {
    nodes.forEach(() => log.begin(superstep));
    for (const [node, ...words] of nodes) log.add(node, words.map(eventOf));
  }
  log.flush();
  return pieces;
}

const eventOf = (words: string): GameEvent => said('1.1', 'Dan', words);
const wordsOf = (event: GameEvent) => (event.type === 'statement' ? event.text : event.type);

describe('the event log', () => {
  it('orders the events of a superstep by node, whatever order the nodes finish in', () => {
    const wave: Finished[] = [
      ['unmask', 'u1'],
      ['eliminate', 'e1', 'e2'],
      ['protect', 'p1'],
    ];
    const [a, b, c] = wave as [Finished, Finished, Finished];
    for (const order of [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ])
      expect(written(order)).toEqual([['e1', 'e2', 'p1', 'u1']]);
  });

  it('keeps the order in which a node returned its events', () => {
    expect(written([['vote', 'z', 'a', 'm']])).toEqual([['z', 'a', 'm']]);
  });

  it('writes one superstep after the other, whatever their nodes are called', () => {
    expect(written([['vote', '1']], [['bid', '2']], [['debate', '3']])).toEqual([['1'], ['2'], ['3']]);
  });

  it('writes a superstep as soon as the next one begins, and not before', () => {
    const pieces: string[][] = [];
    const log = new EventLog((events) => void pieces.push(events.map(wordsOf)));
    log.begin(1);
    log.add('bid', [eventOf('1')]);
    log.begin(1);
    expect(pieces).toEqual([]);
    log.begin(2);
    expect(pieces).toEqual([['1']]);
    log.begin(2);
    expect(pieces).toEqual([['1']]);
  });

  it('writes nothing where nothing happened', () => {
    expect(written([['bid']], [['debate', '1']], [['end']])).toEqual([['1']]);
    expect(written([], [])).toEqual([]);
  });

  it('writes what waits only once', () => {
    const pieces: string[][] = [];
    const log = new EventLog((events) => void pieces.push(events.map(wordsOf)));
    log.begin(1);
    log.add('end', [eventOf('1')]);
    log.flush();
    log.flush();
    expect(pieces).toEqual([['1']]);
  });
});
