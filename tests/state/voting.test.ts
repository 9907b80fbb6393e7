// Ballots: voters, weights, and the exile.
import { describe, expect, it } from '@jest/globals';
import { listLeaders, listVoters, resolveExile, countVotes } from '../../state/steps/voting.ts';
import { eight, elected, exiled, gameAt, type Moment, tied } from '../game.ts';

const outcome = (votes: Record<string, string>, moment: Moment = {}) => resolveExile(gameAt({ votes, ...moment }));
const nobody = (reason: 'no majority' | 'tie') => ({
  round: 1,
  phase: 'day',
  audience: 'everyone',
  type: 'no_exile',
  reason,
});
/** Votes of the eight players: `count` of them for Ginger, and each other vote for a different player. */
const against = (count: number) => {
  const voters = ['Leah', 'Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason', 'Ginger'];
  const others = ['Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason', 'Leah', 'Sam'];
  return Object.fromEntries(voters.map((voter, index) => [voter, index < count ? 'Ginger' : others[index]!]));
};

describe('with exile by majority', () => {
  it.each([
    [5, 'is exiled by', exiled(1, 'Ginger')],
    [8, 'is exiled by', exiled(1, 'Ginger')],
    [4, 'stays with', nobody('no majority')],
    [3, 'stays with', nobody('no majority')],
  ])('by %i ballots of eight living a player %s them', (count, _stays, event) => {
    expect(outcome(against(count))).toEqual(event);
  });

  it('counts the living, not those who were dealt in', () => {
    const votes = { Leah: 'Ginger', Sam: 'Ginger', Paul: 'Ginger', Ginger: 'Sam', Dan: 'Leah' };
    expect(outcome(votes, { gone: ['Will', 'Bert', 'Mason'] })).toEqual(exiled(1, 'Ginger'));
  });

  it('counts the living, not the ballots that were cast', () => {
    expect(outcome({ Leah: 'Ginger', Sam: 'Ginger', Paul: 'Ginger' })).toEqual(nobody('no majority'));
  });

  it('needs more than an exact half of an even table and of an odd one', () => {
    const half = { Leah: 'Ginger', Sam: 'Ginger', Paul: 'Leah', Ginger: 'Leah' };
    expect(outcome(half, { gone: ['Dan', 'Will', 'Bert', 'Mason'] })).toEqual(nobody('no majority'));
    const three = { ...half, Paul: 'Ginger', Dan: 'Sam' };
    expect(outcome(three, { gone: ['Will', 'Bert', 'Mason'] })).toEqual(exiled(1, 'Ginger'));
  });

  it('never draws', () => {
    for (let seed = 0; seed < 20; seed++) expect(outcome(against(4), { seed })).toEqual(nobody('no majority'));
  });

  it('exiles nobody when no ballot was cast', () => {
    expect(outcome({})).toEqual(nobody('no majority'));
  });
});

describe('with exile by plurality', () => {
  const plurality = { exile: 'plurality' };
  const tied = { Leah: 'Ginger', Sam: 'Ginger', Paul: 'Leah', Dan: 'Leah', Will: 'Bert' };

  it('exiles whoever is named most, however few that are', () => {
    expect(outcome(against(2), { rules: plurality })).toEqual(exiled(1, 'Ginger'));
  });

  it('exiles nobody in a tie where ties save', () => {
    expect(outcome(tied, { rules: { ...plurality, exileTies: 'nobody' } })).toEqual(nobody('tie'));
  });

  it('draws among the tied, and only among them, where ties are drawn', () => {
    const drawn = Array.from({ length: 400 }, (_, seed) => {
      const event = outcome(tied, { seed, rules: { ...plurality, exileTies: 'random' } });
      return event.type === 'death' ? event.player : event.type;
    });
    expect(new Set(drawn)).toEqual(new Set(['Ginger', 'Leah']));
    expect(drawn.filter((name) => name === 'Ginger').length / 400).toBeCloseTo(0.5, 1);
  });

  it('draws the same for the same seed and round, and anew in another round', () => {
    const drawn = (seed: number, round: number) =>
      outcome(tied, { seed, round, rules: { ...plurality, exileTies: 'random' } });
    expect(drawn(3, 1)).toEqual(drawn(3, 1));
    const rounds = Array.from({ length: 30 }, (_, index) => drawn(3, index + 1));
    expect(new Set(rounds.map((event) => (event.type === 'death' ? event.player : null))).size).toBe(2);
  });
});

it.each([
  ['none', {}],
  ['team', { team: 'werewolves' }],
  ['role', { role: 'Werewolf' }],
] as const)('reveals of the exiled, with reveal=%s, %j', (reveal, revealed) => {
  expect(outcome(against(5), { rules: { reveal } })).toEqual(exiled(1, 'Ginger', revealed));
});

describe('the count', () => {
  const ballots = ['Dan', 'Will', 'Dan', 'Sam', 'Will'].map((target) => ({ by: 'X', target }));

  it('puts the most named first, equals in the order in which they were named', () => {
    expect(countVotes(ballots)).toEqual([
      ['Dan', 2],
      ['Will', 2],
      ['Sam', 1],
    ]);
    expect(countVotes([])).toEqual([]);
  });

  it('has all the most named as leaders', () => {
    expect(listLeaders(ballots)).toEqual(['Dan', 'Will']);
    expect(listLeaders([])).toEqual([]);
  });
});

// Ballots with an extra weight, and ties that lead to a second vote.

const outcomeWithSheriff = (votes: Record<string, string>, moment: Moment = {}) =>
  resolveExile(gameAt({ votes, events: [elected('Dan')], ...moment }));
const ballotsFor = (target: string, ...by: string[]) => Object.fromEntries(by.map((name) => [name, target]));

describe("the Sheriff's ballot", () => {
  const plurality = { exile: 'plurality', sheriff: true };
  const tie = { ...ballotsFor('Ginger', 'Dan', 'Sam'), ...ballotsFor('Leah', 'Will', 'Bert') };

  it('decides what would be a tie', () => {
    expect(outcomeWithSheriff(tie, { rules: plurality })).toEqual(exiled(1, 'Ginger'));
    expect(outcomeWithSheriff(tie, { rules: plurality, events: [] })).toEqual(nobody('tie'));
  });

  it('does not weigh more than one and a half', () => {
    const votes = { ...ballotsFor('Ginger', 'Dan'), ...ballotsFor('Leah', 'Will', 'Bert') };
    expect(outcomeWithSheriff(votes, { rules: plurality })).toEqual(exiled(1, 'Leah'));
  });

  it('weighs like any other in a rule that says so, or once the Sheriff has left', () => {
    expect(outcomeWithSheriff(tie, { rules: { ...plurality, sheriffWeight: 1 } })).toEqual(nobody('tie'));
    expect(outcomeWithSheriff(tie, { rules: plurality, gone: ['Dan'] })).toEqual(nobody('tie'));
  });

  it('counts for a majority of all that the living weigh', () => {
    const rules = { sheriff: true };
    const gone = ['Paul', 'Mason']; // six left, who weigh 6.5: more than 3.25 is a majority
    expect(outcomeWithSheriff(ballotsFor('Ginger', 'Dan', 'Sam', 'Will'), { rules, gone })).toEqual(
      exiled(1, 'Ginger'),
    );
    expect(outcomeWithSheriff(ballotsFor('Ginger', 'Leah', 'Sam', 'Will'), { rules, gone })).toEqual(
      nobody('no majority'),
    );
    const three = { rules: { ...rules, sheriffWeight: 2 }, gone: ['Paul', 'Mason', 'Bert', 'Will'] };
    expect(outcomeWithSheriff(ballotsFor('Ginger', 'Dan'), three)).toEqual(nobody('no majority')); // 2 of 5
    expect(outcomeWithSheriff(ballotsFor('Ginger', 'Dan', 'Sam'), three)).toEqual(exiled(1, 'Ginger')); // 3 of 5
  });

  it('is no majority at exactly one half', () => {
    // Five players are left, of whom one has weight 2: six votes in all.
    const gone = ['Paul', 'Mason', 'Bert'];
    const rules = { sheriff: true, sheriffWeight: 2 };
    expect(outcomeWithSheriff(ballotsFor('Ginger', 'Dan', 'Sam'), { rules, gone })).toEqual(nobody('no majority'));
    expect(outcomeWithSheriff(ballotsFor('Ginger', 'Dan', 'Sam', 'Will'), { rules, gone })).toEqual(
      exiled(1, 'Ginger'),
    );
  });
});

describe('a tie under exileTies=pk', () => {
  const rules = { exile: 'plurality', exileTies: 'pk' };
  const votes = {
    ...ballotsFor('Leah', 'Sam', 'Paul'),
    ...ballotsFor('Ginger', 'Will', 'Bert'),
  };
  const moment = { rules, events: [] };

  it('is announced the first time, the tied in seat order, and exiles nobody yet', () => {
    expect(outcomeWithSheriff(votes, moment)).toEqual(tied(1, 'Ginger', 'Leah'));
  });

  it('exiles nobody the second time', () => {
    expect(outcomeWithSheriff(votes, { rules, events: [tied(1, 'Ginger', 'Leah')] })).toEqual(nobody('tie'));
  });

  it('of yesterday does not count today', () => {
    expect(outcomeWithSheriff(votes, { rules, events: [tied(1, 'Ginger', 'Leah')], round: 2 })).toEqual(
      tied(2, 'Ginger', 'Leah'),
    );
  });

  it('of all the living leaves nobody to decide, and exiles nobody', () => {
    const gone = ['Sam', 'Paul', 'Dan', 'Will', 'Bert'];
    const circle = { Ginger: 'Leah', Leah: 'Mason', Mason: 'Ginger' };
    expect(outcomeWithSheriff(circle, { ...moment, gone })).toEqual(nobody('tie'));
  });

  it('is none where weights differ', () => {
    expect(outcomeWithSheriff(votes, { rules: { ...rules, sheriff: true }, events: [elected('Sam')] })).toEqual(
      exiled(1, 'Leah'),
    );
  });
});

describe('those who vote', () => {
  const names = Object.keys(eight);

  it('are all the living; between the tied, all others', () => {
    expect(listVoters(gameAt({ gone: ['Sam'] }))).toEqual(names.filter((name) => name !== 'Sam'));
    const tie = [tied(1, 'Ginger', 'Leah')];
    expect(listVoters(gameAt({ events: tie }))).toEqual(names.slice(2));
    expect(listVoters(gameAt({ events: tie, round: 2 }))).toEqual(names);
  });
});
