// Metrics of debates: bids, turns, and the votes after each of them.
import { describe, expect, it } from '@jest/globals';
import { findFigure, computeFigures, findValue } from './figures.ts';
import { ballots, bid, day, deed, player } from './game-row-builder.ts';
import { match, tables } from './row-builder.ts';

/** Creates the votes after each turn of the debate, and then the ballot. */
const createPolls = (
  votes: readonly Readonly<Record<string, string>>[],
  ballot: Readonly<Record<string, string>> = {},
) => [...votes.flatMap((cast, place) => ballots(cast, { vote: 'synthetic', step: place + 3 })), ...ballots(ballot)];

/**
 * Five living players: votes split 2:1:1:1, then three name Ginger, then two go to Dan, and the ballot exiles Ginger.
 */
const debated = tables({
  rounds: [day(1, 'Ginger', { villagers_alive: 4, werewolves_alive: 1 })],
  ballots: createPolls(
    [
      { Sam: 'Ginger', Dan: 'Ginger', Will: 'Sam', Hugo: 'Will', Ginger: 'Dan' },
      { Sam: 'Ginger', Dan: 'Ginger', Will: 'Ginger', Hugo: 'Will', Ginger: 'Dan' },
      { Sam: 'Ginger', Dan: 'Ginger', Will: 'Dan', Hugo: 'Dan', Ginger: 'Dan' },
    ],
    { Sam: 'Ginger', Dan: 'Ginger', Will: 'Ginger', Hugo: 'Ginger', Ginger: 'Dan' },
  ),
});

describe('voting entropy', () => {
  it('is that of the votes after each turn, in bits, and the ballot is the last of them', () => {
    const figures = computeFigures('voting_entropy', debated);
    const [first, second] = [-0.4 * Math.log2(0.4) - 3 * 0.2 * Math.log2(0.2), 1.3709505944546687];
    const [third, last] = [0.9709505944546686, 0.7219280948873623];
    expect(findValue(figures, { round: '1', index: '1' })).toBeCloseTo(first, 12);
    expect(findValue(figures, { round: '1', index: '2' })).toBeCloseTo(second, 12);
    expect(findValue(figures, { round: '1', index: '3' })).toBeCloseTo(third, 12);
    expect(findValue(figures, { round: '1', index: '4' })).toBeCloseTo(last, 12);
    expect(findValue(figures)).toBeCloseTo((first + second + third + last) / 4, 12);
  });

  it('is 0 where all name the same player, and its mean is over matches', () => {
    const agreed = tables({ rounds: [day(1)], ballots: createPolls([{ Sam: 'Ginger', Dan: 'Ginger' }]) });
    const split = tables({ rounds: [day(1)], ballots: createPolls([{ Sam: 'Ginger', Dan: 'Will' }]) });
    expect(findValue(computeFigures('voting_entropy', agreed))).toBe(0);
    expect(findValue(computeFigures('voting_entropy', agreed, split), { round: '1', index: '1' })).toBe(1 / 2);
  });

  it('has an interval over matches around its value, between 0 and what the number of voters allows', () => {
    const agreed = tables({
      rounds: [day(1)],
      ballots: createPolls([{ Sam: 'Ginger', Dan: 'Ginger', Will: 'Ginger' }]),
    });
    const split = tables({ rounds: [day(1)], ballots: createPolls([{ Sam: 'Ginger', Dan: 'Will', Will: 'Dan' }]) });
    const matches = Array.from({ length: 12 }, (_, place) => (place % 3 === 0 ? split : agreed));
    const { value, low, high } = findFigure(computeFigures('voting_entropy', ...matches))!;
    expect(value).toBeCloseTo(Math.log2(3) / 3, 12);
    expect(low).toBeGreaterThanOrEqual(0);
    expect(low).toBeLessThan(value!);
    expect(high).toBeGreaterThan(value!);
    expect(high).toBeLessThanOrEqual(Math.log2(3));
  });

  it('is the same in whatever order the rows stand', () => {
    const turned = { ...debated, ballots: debated.ballots.toReversed() };
    for (const metric of ['voting_entropy', 'consensus_point', 'exile_lead_point', 'vote_change_rate', 'vote_flow'])
      expect(computeFigures(metric, turned)).toEqual(computeFigures(metric, debated));
  });

  it('is 0 where one voter alone cast a ballot, which counts too', () => {
    const lonely = tables({
      rounds: [day(1)],
      ballots: createPolls([{ Sam: 'Ginger', Dan: 'Will' }], { Sam: 'Dan' }),
    });
    expect(findValue(computeFigures('voting_entropy', lonely), { round: '1', index: '2' })).toBe(0);
    expect(findValue(computeFigures('vote_change_rate', lonely))).toBe(1);
  });

  it('has no part in days without such votes', () => {
    const figures = computeFigures('voting_entropy', tables({ rounds: [day(1)], ballots: ballots({ Sam: 'Dan' }) }));
    expect(figures).toEqual([]);
  });
});

describe('consensus', () => {
  it('is reached where more than half of the living name the same player, even if it is lost again', () => {
    expect(findValue(computeFigures('consensus_point', debated), { round: '1' })).toBe(2);
    expect(findValue(computeFigures('consensus_rate', debated))).toBe(1);
  });

  it('takes the most votes, and no tie, where a plurality exiles', () => {
    const rules = { match: match({ rules: '{"exile":"plurality"}' }) };
    expect(findValue(computeFigures('consensus_point', { ...debated, ...rules }))).toBe(1);
    const tied = tables({ ...rules, rounds: [day(1)], ballots: createPolls([{ Sam: 'Ginger', Dan: 'Will' }]) });
    const figures = computeFigures('consensus_point', tied);
    expect(findValue(figures)).toBeNull();
    expect(findValue(computeFigures('consensus_rate', tied, { ...debated, ...rules }))).toBe(1 / 2);
  });

  it('counts a Sheriff as the rules weigh the vote', () => {
    const votes = createPolls([{ Sam: 'Ginger', Dan: 'Ginger', Will: 'Dan', Ginger: 'Dan' }]);
    const living = { villagers_alive: 3, werewolves_alive: 1 };
    const heavy = tables({
      match: match({ rules: '{"sheriffWeight":1.5}' }),
      rounds: [day(1, null, { ...living, sheriff: 'Sam', sheriff_team: 'villagers' })],
      ballots: votes,
    });
    expect(findValue(computeFigures('consensus_point', heavy))).toBe(1); // 2.5 of 4.5
    expect(
      findValue(computeFigures('consensus_point', tables({ rounds: [day(1, null, living)], ballots: votes }))),
    ).toBeNull();
  });

  it('leaves out what was drawn in a voter’s stead', () => {
    const drawn = ballots(
      { Sam: 'Ginger', Dan: 'Ginger', Will: 'Ginger' },
      { vote: 'synthetic', step: 1, is_drawn: true },
    );
    const rounds = [day(1, null, { villagers_alive: 4, werewolves_alive: 1 })];
    expect(findValue(computeFigures('consensus_rate', tables({ rounds, ballots: drawn })))).toBe(0);
  });
});

describe('the lead of the exile', () => {
  it('begins where it is not lost any more', () => {
    expect(findValue(computeFigures('exile_lead_point', debated))).toBe(4); // Dan leads after the third turn
    const kept = { ...debated, ballots: debated.ballots.filter(({ step }) => step !== 5) };
    expect(findValue(computeFigures('exile_lead_point', kept))).toBe(1);
  });

  it('is none where another led the ballot, or nobody was exiled', () => {
    const other = { ...debated, rounds: [day(1, 'Dan', { villagers_alive: 4, werewolves_alive: 1 })] };
    expect(findValue(computeFigures('exile_lead_point', other))).toBeNull();
    expect(findValue(computeFigures('exile_lead_rate', other, debated))).toBe(1 / 2);
    expect(computeFigures('exile_lead_rate', { ...debated, rounds: [day(1)] })).toEqual([]);
  });
});

describe('the flow of votes', () => {
  it('counts who names another player than one turn before', () => {
    const figures = computeFigures('vote_change_rate', debated);
    expect(findValue(figures, { index: '2' })).toBe(1 / 5); // Will
    expect(findValue(figures, { index: '3' })).toBe(2 / 5); // Will, Hugo
    expect(findValue(figures, { index: '4' })).toBe(2 / 5); // Will and Hugo again
    expect(findValue(figures)).toBe(5 / 15);
    expect(findValue(figures, { team: 'werewolves' })).toBe(0);
  });

  it('tells from whom to whom', () => {
    const figures = computeFigures('vote_flow', debated);
    expect(findValue(figures, { from: 'villagers', to: 'werewolves' })).toBe(3 / 5);
    expect(findValue(figures, { from: 'werewolves', to: 'villagers' })).toBe(1 / 5);
    expect(findValue(figures, { from: 'villagers', to: 'villagers' })).toBe(1 / 5);
    expect(findValue(figures, { from: 'werewolves', to: 'werewolves' })).toBe(0);
  });
});

describe('bids', () => {
  const createBids = (rounds = [day(1)]) =>
    tables({
      rounds,
      bids: [
        ...[bid('Sam', 4, { step: 8, scale: 4 }), bid('Ginger', 1, { step: 8, scale: 4 })],
        ...[bid('Sam', null, { step: 9, scale: 4 }), bid('Ginger', 4, { step: 9, scale: 4, is_mentioned: true })],
      ],
    });

  it('are means of what could be read, by turn of the debate and by mention, with bounds for the rest', () => {
    const figures = computeFigures('bid_height', createBids());
    expect(findFigure(figures)).toMatchObject({ value: 9 / 12, opportunities: 3, lowest: 9 / 16, highest: 13 / 16 });
    expect(findValue(figures, { turn: '1' })).toBe(5 / 8);
    expect(findValue(figures, { turn: '2' })).toBe(1);
    expect(findValue(figures, { is_mentioned: 'false' })).toBe(5 / 8);
    expect(findValue(figures, { model: 'openai:two', team: 'werewolves' })).toBe(5 / 8);
  });

  it('are for the second turn where a Sheriff opens', () => {
    const figures = computeFigures(
      'bid_height',
      createBids([day(1, null, { sheriff: 'Sam', sheriff_team: 'villagers' })]),
    );
    expect(findValue(figures, { turn: '2' })).toBe(5 / 8);
  });

  it('are told by their value, and how many are the highest', () => {
    const figures = computeFigures('bid_share', createBids());
    expect(['0', '1', '4'].map((value) => findValue(figures, { scale: '4', bid: value }))).toEqual([0, 1 / 3, 2 / 3]);
    expect(findValue(computeFigures('highest_bid_rate', createBids()))).toBe(2 / 3);
  });

  it.each(['true', 'false'])('add up to all bids of a turn, of those who were mentioned (%s) apart', (is_mentioned) => {
    const own = createBids().bids.filter((row) => String(row.is_mentioned) === is_mentioned);
    const cells = computeFigures('bid_share', createBids()).filter(
      ({ cell }) => cell['is_mentioned'] === is_mentioned && 'turn' in cell,
    );
    const turns = [...new Set(cells.map(({ cell }) => cell['turn']))];
    expect(turns.length).toBeGreaterThan(0);
    const read = own.filter(({ bid }) => bid !== null).length;
    const counted = turns.map((turn) => cells.find(({ cell }) => cell['turn'] === turn)!.opportunities!);
    expect(counted.reduce((total, one) => total + one, 0)).toBe(read);
    for (const turn of turns) {
      const values = cells.filter(({ cell, value }) => cell['turn'] === turn && value !== null);
      if (values.length > 0) expect(values.reduce((total, { value }) => total + value!, 0)).toBeCloseTo(1, 12);
    }
  });
});

describe('turns and words', () => {
  /** Hugo is removed in night 1, Dan is exiled on day 1, and Will leaves by Dan's last act. There is no day 3. */
  const spoken = tables({
    rounds: [day(1, 'Dan', { turns: 6, words: 90 }), day(2, null, { turns: 4, words: 40 }), day(3)],
    players: [
      player('Ginger', { turns: 4, words: 40 }),
      player('Sam', { turns: 3, words: 60 }),
      player('Dan', { turns: 2, words: 20, survived: false, left_round: 1, left_cause: 'exile' }),
      player('Will', { turns: 1, words: 10, survived: false, left_round: 1, left_cause: 'last_act' }),
      player('Hugo', { survived: false, left_round: 1, left_cause: 'night' }),
    ],
    deeds: [deed('Dan', 'shoot', 'Will')],
  });

  it('are counted over the days on which a player was there', () => {
    const figures = computeFigures('turns_per_round', spoken);
    expect(findFigure(figures)).toMatchObject({ value: 10 / 6, opportunities: 6 });
    expect(findValue(figures, { role: 'Villager' })).toBe(3 / 2);
    expect(findValue(figures, { role: 'Hunter' })).toBeNull();
    expect(findValue(computeFigures('words_per_round', spoken), { role: 'Seer' })).toBe(30);
    expect(findValue(computeFigures('words_per_turn', spoken), { team: 'werewolves' })).toBe(10);
  });

  it('are counted for a side over the days on which anybody spoke', () => {
    const figures = computeFigures('side_turns_per_round', spoken);
    expect(findValue(figures, { team: 'villagers' })).toBe(6 / 2);
    expect(findValue(figures, { team: 'werewolves', model: 'openai:two' })).toBe(4 / 2);
  });
});
