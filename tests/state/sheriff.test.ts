// The Sheriff: who holds the badge, what weight the holder's ballot has, and how a Sheriff is elected.
import { describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/events.ts';
import { createBallotWeigher, findBadgeHolder, findSheriff } from '../../state/sheriff.ts';
import {
  isElectionDue,
  isElectionOpen,
  listCampaigners,
  listCandidates,
  listElectable,
  listElectors,
  resolveElection,
} from '../../state/steps/sheriff.ts';
import { listLeaders, countVotes } from '../../state/steps/voting.ts';
import { badge, badgeVote, eight, elected, exiled, gameAt, said, stood } from '../game.ts';

describe('the badge', () => {
  it('is with nobody before an election', () => {
    expect(findBadgeHolder([])).toBeNull();
    expect(findSheriff(gameAt())).toBeNull();
  });

  it('is with whoever was elected', () => {
    expect(findSheriff(gameAt({ events: [elected('Dan')] }))).toBe('Dan');
  });

  it('stays with whoever has just left until it is passed on, but that is no Sheriff any more', () => {
    const game = gameAt({ events: [elected('Dan'), exiled(1, 'Dan')], gone: ['Dan'] });
    expect(findBadgeHolder(game.gameLogs)).toBe('Dan');
    expect(findSheriff(game)).toBeNull();
  });

  it('goes from hand to hand', () => {
    const events = [elected('Dan'), badge(1, 'Dan', 'Will'), badge(2, 'Will', 'Sam')];
    expect(findBadgeHolder(events)).toBe('Sam');
  });

  it('is with nobody for good once it was torn', () => {
    expect(findBadgeHolder([elected('Dan'), badge(1, 'Dan', null)])).toBeNull();
  });
});

describe("the Sheriff's ballot", () => {
  const ballots = [
    { by: 'Dan', target: 'Ginger' },
    { by: 'Will', target: 'Leah' },
    { by: 'Sam', target: 'Leah' },
  ];

  it.each([1, 1.5, 2])('weighs %d, all others one', (sheriffWeight) => {
    const weightOf = createBallotWeigher({ sheriffWeight }, 'Dan');
    expect([weightOf('Dan'), weightOf('Will')]).toEqual([sheriffWeight, 1]);
    expect(createBallotWeigher({ sheriffWeight }, null)('Dan')).toBe(1);
  });

  it('beats one other, not two, with 1.5, and ties two with 2', () => {
    expect(listLeaders(ballots.slice(0, 2), createBallotWeigher({ sheriffWeight: 1.5 }, 'Dan'))).toEqual(['Ginger']);
    expect(listLeaders(ballots, createBallotWeigher({ sheriffWeight: 1.5 }, 'Dan'))).toEqual(['Leah']);
    expect(listLeaders(ballots, createBallotWeigher({ sheriffWeight: 2 }, 'Dan'))).toEqual(['Ginger', 'Leah']);
  });

  it('is counted exactly, in whatever order the ballots come', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      by: `p${index}`,
      target: index % 2 === 0 ? 'Ginger' : 'Leah',
    }));
    const weightOf = createBallotWeigher({ sheriffWeight: 1.5 }, 'p1');
    for (const order of [many, many.toReversed()])
      expect(Object.fromEntries(countVotes(order, weightOf))).toEqual({ Ginger: 5, Leah: 4.5 });
  });
});

// The election: candidates, speeches, votes, and ties.

const names = Object.keys(eight);
const sheriff = { rules: { sheriff: true } };
/** Everybody says whether they stand for Sheriff; these players do. */
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
    expect(listCandidates(gameWith(standing('Will', 'Dan')).gameLogs)).toEqual(['Dan', 'Will']);
  });

  it('speak once each, in an order that the seed draws', () => {
    const declared = standing('Dan', 'Will', 'Sam');
    const orders = Array.from({ length: 40 }, (_, seed) => listCampaigners(gameWith(declared, seed)));
    for (const order of orders) expect(order.toSorted()).toEqual(['Dan', 'Sam', 'Will']);
    expect(new Set(orders.map(([first]) => first)).size).toBe(3);
    const [first, ...others] = orders[1]!;
    const spoken = { ...said('1.1', first!, 'Me!'), occasion: 'campaign' as const };
    expect(listCampaigners(gameWith([...declared, spoken], 1))).toEqual(others);
  });
});

describe('those who vote', () => {
  it('are the others', () => {
    expect(listElectors(gameWith(standing('Dan', 'Will')))).toEqual(['Ginger', 'Leah', 'Sam', 'Paul', 'Bert', 'Mason']);
  });

  it('are all where all stand', () => {
    expect(listElectors(gameWith(standing(...names)))).toEqual(names);
  });

  it('are never the dead', () => {
    const game = gameAt({ ...sheriff, events: standing('Dan'), gone: ['Leah'] });
    expect(listElectors(game)).not.toContain('Leah');
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
    expect(resolveElection(gameWith(declared), votes)).toMatchObject({ player: 'Sam', how: 'vote' });
  });

  it('are cast again where they are tied, between the tied', () => {
    expect(listElectable(gameWith(declared).gameLogs)).toEqual(['Sam', 'Dan', 'Will']);
    expect(resolveElection(gameWith(declared), first)).toBeNull();
    expect(listElectable(gameWith([...declared, ...first]).gameLogs)).toEqual(['Dan', 'Will']);
  });

  it('decide the second time', () => {
    const game = gameWith([...declared, ...first]);
    expect(resolveElection(game, again('Dan', 'Will', 'Dan', 'Dan'))).toMatchObject({ player: 'Dan', how: 'vote' });
  });

  it('are drawn by the seed where they are tied twice, between those tied then', () => {
    const outcomes = Array.from({ length: 60 }, (_, seed) =>
      resolveElection(gameWith([...declared, ...first], seed), again('Dan', 'Will', 'Will', 'Dan')),
    );
    expect(new Set(outcomes.map((outcome) => outcome!.player))).toEqual(new Set(['Dan', 'Will']));
    expect(new Set(outcomes.map((outcome) => outcome!.how))).toEqual(new Set(['draw']));
  });
});
