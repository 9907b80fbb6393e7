// The election of the Sheriff: who stands, speaks and votes, and what a tie comes to.
import { describe, expect, it } from '@jest/globals';
import {
  campaigners,
  candidates,
  electable,
  electionOutcome,
  electors,
  isElectionDue,
  isElectionOpen,
} from '../../state/election.ts';
import type { GameEvent } from '../../state/event.ts';
import { badgeVote, eight, elected, gameAt, said, stood } from '../game.ts';

const names = Object.keys(eight);
const sheriff = { rules: { sheriff: true } };
/** All say whether they stand: these do. */
const standing = (...who: string[]) => names.map((name) => stood(name, who.includes(name)));
const gameWith = (events: readonly GameEvent[], seed = 1) => gameAt({ ...sheriff, events, seed });
const none: GameEvent = { round: 1, phase: 'day', audience: 'everyone', type: 'no_sheriff' };

describe('an election', () => {
  it('is due where the rules have a Sheriff, once in a match', () => {
    expect(isElectionDue(gameWith([]))).toBe(true);
    expect(isElectionDue(gameAt())).toBe(false);
    expect(isElectionDue(gameWith(standing('Dan')))).toBe(false);
    expect(isElectionDue(gameAt({ ...sheriff, round: 2, events: [...standing(), none] }))).toBe(false);
  });

  it('is open from the declarations to the result', () => {
    const declared = standing('Dan', 'Will');
    expect(isElectionOpen(gameWith([]))).toBe(false);
    expect(isElectionOpen(gameWith(declared))).toBe(true);
    expect(isElectionOpen(gameWith([...declared, elected('Dan')]))).toBe(false);
    expect(isElectionOpen(gameWith([...standing(), none]))).toBe(false);
  });
});

describe('candidates', () => {
  it('are those who stand, in seat order', () => {
    expect(candidates(gameWith(standing('Will', 'Dan')).gameLogs)).toEqual(['Dan', 'Will']);
  });

  it('speak once each, in an order that the seed draws', () => {
    const declared = standing('Dan', 'Will', 'Sam');
    const orders = Array.from({ length: 40 }, (_, seed) => campaigners(gameWith(declared, seed)));
    for (const order of orders) expect(order.toSorted()).toEqual(['Dan', 'Sam', 'Will']);
    expect(new Set(orders.map(([first]) => first)).size).toBe(3);
    const [first, ...others] = orders[1]!;
    const spoken = { ...said('1.1', first!, 'Me!'), occasion: 'campaign' as const };
    expect(campaigners(gameWith([...declared, spoken], 1))).toEqual(others);
  });
});

describe('those who vote', () => {
  it('are the others', () => {
    expect(electors(gameWith(standing('Dan', 'Will')))).toEqual(['Ginger', 'Leah', 'Sam', 'Paul', 'Bert', 'Mason']);
  });

  it('are all where all stand', () => {
    expect(electors(gameWith(standing(...names)))).toEqual(names);
  });

  it('are never the dead', () => {
    const game = gameAt({ ...sheriff, events: standing('Dan'), gone: ['Leah'] });
    expect(electors(game)).not.toContain('Leah');
  });
});

describe('the votes', () => {
  const declared = standing('Dan', 'Will', 'Sam');
  const first = [
    badgeVote('Leah', 'Dan'),
    badgeVote('Paul', 'Will'),
    badgeVote('Bert', 'Dan'),
    badgeVote('Mason', 'Will'),
  ];
  const again = (...targets: string[]) =>
    ['Leah', 'Paul', 'Bert', 'Mason'].map((by, index) => badgeVote(by, targets[index]!, 2));

  it('elect whoever is named most, however few that are', () => {
    const votes = [badgeVote('Leah', 'Sam'), badgeVote('Paul', 'Dan'), badgeVote('Bert', 'Sam')];
    expect(electionOutcome(gameWith(declared), votes)).toMatchObject({ player: 'Sam', how: 'vote' });
  });

  it('are cast again where they are tied, between the tied', () => {
    expect(electable(gameWith(declared).gameLogs)).toEqual(['Sam', 'Dan', 'Will']);
    expect(electionOutcome(gameWith(declared), first)).toBeNull();
    expect(electable(gameWith([...declared, ...first]).gameLogs)).toEqual(['Dan', 'Will']);
  });

  it('decide the second time', () => {
    const game = gameWith([...declared, ...first]);
    expect(electionOutcome(game, again('Dan', 'Will', 'Dan', 'Dan'))).toMatchObject({ player: 'Dan', how: 'vote' });
  });

  it('are drawn by the seed where they are tied twice, between those tied then', () => {
    const outcomes = Array.from({ length: 60 }, (_, seed) =>
      electionOutcome(gameWith([...declared, ...first], seed), again('Dan', 'Will', 'Will', 'Dan')),
    );
    expect(new Set(outcomes.map((outcome) => outcome!.player))).toEqual(new Set(['Dan', 'Will']));
    expect(new Set(outcomes.map((outcome) => outcome!.how))).toEqual(new Set(['draw']));
  });
});
