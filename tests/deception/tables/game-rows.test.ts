// The rows of players, rounds, ballots, bids and deeds.
import { describe, expect, it } from '@jest/globals';
import {
  buildBallotRows,
  buildBidRows,
  buildDeedRows,
  buildPlayerRows,
  buildRoundRows,
} from '../../../deception/tables/game-rows.ts';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { drawnBallot, ended, happened, matchOf, removed, said, silent, voted, votedAgain } from '../match-builder.ts';
import { goldenNames, readGoldenRecord } from '../../golden-records.ts';

const buildPlayers = (...events: Parameters<typeof matchOf>[0]) =>
  Object.fromEntries(buildPlayerRows(matchOf(events, [], { bots: ['Leah'] })).map((row) => [row.player, row]));

describe('the row of a player', () => {
  it('says what was dealt, and who answers', () => {
    const { Ginger, Dan, Will, Leah } = buildPlayers();
    expect(Ginger).toMatchObject({ seat: 1, role: 'Werewolf', team: 'werewolves', model: 'openai:two', is_bot: false });
    expect(Dan).toMatchObject({ seat: 2, role: 'Seer', team: 'villagers', is_special: true });
    expect(Will).toMatchObject({ seat: 3, is_special: false });
    expect(Leah).toMatchObject({ seat: 4, is_bot: true });
  });

  it('says when and how the player left, and in which place', () => {
    const { Ginger, Dan, Will, Leah } = buildPlayers(
      removed(1, 'Leah', 'night'),
      happened({ type: 'death', phase: 'night', player: 'Ginger', cause: 'last_act' }),
      removed(2, 'Will', 'exile'),
    );
    expect(Leah).toMatchObject({ survived: false, left_round: 1, left_cause: 'night', left_place: 1 });
    expect(Ginger).toMatchObject({ survived: false, left_round: 1, left_cause: 'last_act', left_place: 2 });
    expect(Will).toMatchObject({ survived: false, left_round: 2, left_cause: 'exile', left_place: 3 });
    expect(Dan).toMatchObject({ survived: true, left_round: null, left_cause: null, left_place: null });
  });

  it('says whose side won, the dead with the living, and nothing where nobody did', () => {
    const won = buildPlayers(removed(1, 'Will', 'exile'), ended(1, 'villagers'));
    expect([won['Will']!.has_won, won['Dan']!.has_won, won['Ginger']!.has_won]).toEqual([true, true, false]);
    expect(buildPlayers(ended(9, null))['Ginger']!.has_won).toBeNull();
    expect(buildPlayers()['Ginger']!.has_won).toBeNull();
  });

  it('counts turns of the debate alone and their words, silent ones without any', () => {
    const { Dan, Will, Leah } = buildPlayers(
      said('1.1', 'Dan', { text: 'I stand  for Sheriff.', occasion: 'campaign' }),
      said('1.2', 'Dan', { text: 'Trust me.' }),
      said('1.3', 'Dan', { text: 'Exile Will.', occasion: 'recommendation', recommends: 'Will' }),
      said('1.4', 'Dan', { text: 'Not me.', occasion: 'pk' }),
      silent('1.5', 'Will'),
      voted(1, 'Leah', 'Dan'),
    );
    expect(Dan).toMatchObject({ turns: 1, words: 2 });
    expect(Will).toMatchObject({ turns: 1, words: 0 });
    expect(Leah).toMatchObject({ turns: 0, words: 0 });
  });
});

// Rows of rounds: who could vote, who left, and whom the Sheriff recommended to exile.

const buildRounds = (...events: Parameters<typeof matchOf>[0]) => buildRoundRows(matchOf(events));

const elected = (player: string) => happened({ type: 'elected', player, how: 'vote' });
const passedTo = (round: number, by: string, to: string | null) => happened({ round, type: 'badge', by, to });
const shot = (round: number, player: string) => happened({ round, type: 'death', player, cause: 'last_act' });
const pseudo = (by: string, target: string) => happened({ type: 'pseudo_ballot', by, target });

describe('the row of a round', () => {
  it('counts the living when the first ballot for exile is cast, not those whom it exiles', () => {
    const [first, second] = buildRounds(
      removed(1, 'Leah', 'night'),
      voted(1, 'Dan', 'Will'),
      removed(1, 'Will', 'exile'),
      voted(2, 'Dan', 'Ginger'),
      removed(2, 'Ginger', 'exile'),
    );
    expect(first).toMatchObject({ round: 1, villagers_alive: 2, werewolves_alive: 1 });
    expect(second).toMatchObject({ round: 2, villagers_alive: 1, werewolves_alive: 1 });
  });

  it('counts those at its end where nobody voted', () => {
    const [first, second] = buildRounds(
      happened({ type: 'round_started' }),
      removed(1, 'Leah', 'night'),
      happened({ round: 2, type: 'round_started' }),
      removed(2, 'Will', 'night'),
      ended(2, 'werewolves'),
    );
    expect(first).toMatchObject({ villagers_alive: 2, werewolves_alive: 1, exiled: null });
    expect(second).toMatchObject({ villagers_alive: 1, werewolves_alive: 1, exiled: null });
  });

  it('is not made of the deal, which comes before the first', () => {
    expect(buildRounds(happened({ round: 0, type: 'round_started' }))).toEqual([]);
  });

  it('names who left, each by the way in which it was', () => {
    const [row] = buildRounds(
      removed(1, 'Leah', 'night'),
      removed(1, 'Will', 'night'),
      voted(1, 'Ginger', 'Dan'),
      removed(1, 'Dan', 'exile'),
      shot(1, 'Ginger'),
    );
    expect(row).toMatchObject({
      ...{ left_at_night: 'Leah Will', left_by_last_act: 'Ginger' },
      ...{ exiled: 'Dan', exiled_role: 'Seer', exiled_team: 'villagers' },
    });
    expect(buildRounds(voted(1, 'Ginger', 'Dan'))[0]).toMatchObject({
      ...{ left_at_night: '', left_by_last_act: '', exiled: null, exiled_role: null, exiled_team: null },
    });
  });

  it('counts turns of the debate alone, and their words', () => {
    const [row] = buildRounds(
      said('1.1', 'Dan', { text: 'Me for Sheriff.', occasion: 'campaign' }),
      silent('1.2', 'Will'),
      said('1.3', 'Ginger', { text: 'No.' }),
    );
    expect(row).toMatchObject({ turns: 2, words: 1 });
  });
});

describe('the Sheriff of a round', () => {
  it('is whoever held the badge when the ballots were cast, though exiled by them', () => {
    const [first, second] = buildRounds(
      elected('Ginger'),
      voted(1, 'Dan', 'Ginger'),
      removed(1, 'Ginger', 'exile'),
      passedTo(1, 'Ginger', 'Will'),
      voted(2, 'Dan', 'Will'),
    );
    expect(first).toMatchObject({ sheriff: 'Ginger', sheriff_team: 'werewolves' });
    expect(second).toMatchObject({ sheriff: 'Will', sheriff_team: 'villagers' });
  });

  it('is the successor of one who left in the night', () => {
    const [row] = buildRounds(
      elected('Ginger'),
      removed(1, 'Ginger', 'night'),
      passedTo(1, 'Ginger', 'Dan'),
      voted(1, 'Dan', 'Will'),
    );
    expect(row).toMatchObject({ sheriff: 'Dan', sheriff_team: 'villagers' });
  });

  it('is nobody where the badge was torn or nobody stood', () => {
    const torn = [elected('Ginger'), removed(1, 'Ginger', 'night'), passedTo(1, 'Ginger', null)];
    expect(buildRounds(...torn, voted(1, 'Dan', 'Will'))[0]).toMatchObject({ sheriff: null, sheriff_team: null });
    expect(buildRounds(voted(1, 'Dan', 'Will'))[0]).toMatchObject({ sheriff: null, recommended: null });
  });

  it('recommends between the pseudo-vote and the ballots', () => {
    const [row, other] = buildRounds(
      elected('Dan'),
      pseudo('Dan', 'Will'),
      said('1.1', 'Dan', { occasion: 'recommendation', recommends: 'Ginger' }),
      voted(1, 'Dan', 'Ginger'),
      votedAgain(1, 'Dan', 'Will'),
      silent('2.1', 'Dan'),
    );
    expect(row).toMatchObject({ sheriff: 'Dan', recommended: 'Ginger', villagers_alive: 3 });
    expect(other).toMatchObject({ round: 2, recommended: null });
  });
});

describe('rounds of recorded matches', () => {
  it.each(goldenNames)('of %s all who are counted as living vote, and nobody else', (name) => {
    const record = readGoldenRecord(name);
    const ballots = buildBallotRows(record).filter(({ vote }) => vote === 'exile');
    for (const { round, villagers_alive: villagers, werewolves_alive: wolves } of buildRoundRows(record)) {
      const cast = ballots.filter((ballot) => ballot.round === round);
      if (cast.length === 0) continue;
      expect(cast.filter((ballot) => ballot.voter_team === 'villagers')).toHaveLength(villagers);
      expect(cast.filter((ballot) => ballot.voter_team === 'werewolves')).toHaveLength(wolves);
    }
  });
});

// Rows of ballots: every vote that players cast, by its purpose.

const rows = buildBallotRows(
  matchOf([
    happened({ type: 'badge_ballot', by: 'Will', target: 'Dan', ballot: 2 }),
    said('1.1', 'Dan'),
    happened({ type: 'synthetic_vote', audience: 'moderator', by: 'Leah', step: 1, target: 'Dan' }),
    happened({ type: 'pseudo_ballot', by: 'Leah', target: 'Ginger', mark: 'refusal' }),
    voted(1, 'Leah', 'Dan'),
    drawnBallot(1, 'Will', 'Ginger'),
    votedAgain(1, 'Leah', 'Ginger'),
    voted(2, 'Ginger', 'Dan'),
  ]),
);

describe('the row of a ballot', () => {
  it('says what was voted on, in the order of the votes', () => {
    expect(rows.map(({ round, vote, step, voter, target }) => [round, vote, step, voter, target])).toEqual([
      [1, 'sheriff', 2, 'Will', 'Dan'],
      [1, 'synthetic', 1, 'Leah', 'Dan'],
      [1, 'pseudo', null, 'Leah', 'Ginger'],
      [1, 'exile', null, 'Leah', 'Dan'],
      [1, 'exile', null, 'Will', 'Ginger'],
      [1, 'exile_again', null, 'Leah', 'Ginger'],
      [2, 'exile', null, 'Ginger', 'Dan'],
    ]);
  });

  it('says who voted and for whom', () => {
    expect(rows.at(-1)).toEqual({
      ...{ match_id: 'm1', round: 2, vote: 'exile', step: null, is_drawn: false },
      ...{ voter: 'Ginger', voter_role: 'Werewolf', voter_team: 'werewolves', voter_model: 'openai:two' },
      ...{ voter_is_bot: false, target: 'Dan', target_role: 'Seer', target_team: 'villagers' },
    });
  });

  it("says which were drawn in the player's stead, for want of an answer or after a refusal", () => {
    expect(rows.filter((row) => row.is_drawn).map(({ vote, voter }) => [vote, voter])).toEqual([
      ['pseudo', 'Leah'],
      ['exile', 'Will'],
    ]);
  });
});

// Rows of bids: how much each player wanted the turn, and who got it.

const bid = (step: number, by: string, amount: number | null, round = 1) =>
  happened({ round, type: 'bid', audience: [by], by, step, bid: amount });

const buildBids = (...events: Parameters<typeof matchOf>[0]) => buildBidRows(matchOf(events));

describe('the row of a bid', () => {
  it('says what was bid on which scale, and whose bid got the turn', () => {
    const rows = buildBids(bid(0, 'Dan', 4), bid(0, 'Will', 2), bid(0, 'Leah', null), said('1.1', 'Dan'));
    expect(rows.map(({ bidder, bid: amount, scale, is_speaker: speaks }) => [bidder, amount, scale, speaks])).toEqual([
      ['Dan', 4, 10, true],
      ['Will', 2, 10, false],
      ['Leah', null, 10, false],
    ]);
    expect(rows[0]).toMatchObject({ round: 1, step: 0, bidder_role: 'Seer', bidder_team: 'villagers' });
  });

  it('says that a silent player had the turn too', () => {
    expect(buildBids(bid(0, 'Dan', 4), silent('1.1', 'Dan'))[0]!.is_speaker).toBe(true);
  });

  it('says whether the statement just before named the bidder, by a whole word', () => {
    const rows = buildBids(
      said('1.1', 'Dan', { text: 'I doubt Willow and Leah.' }),
      bid(1, 'Will', 1),
      bid(1, 'Leah', 1),
      said('1.2', 'Leah', { text: 'Why, Dan?' }),
      bid(2, 'Will', 1),
      bid(2, 'Dan', 3),
    );
    expect(rows.map(({ step, bidder, is_mentioned: named }) => [step, bidder, named])).toEqual([
      [1, 'Will', false],
      [1, 'Leah', true],
      [2, 'Will', false],
      [2, 'Dan', true],
    ]);
  });

  it('knows of nobody named before the first turn of a day, or by a silent player', () => {
    const rows = buildBids(
      said('1.1', 'Dan', { text: 'Leah!' }),
      bid(0, 'Leah', 1, 2),
      silent('2.1', 'Dan'),
      bid(1, 'Leah', 1, 2),
    );
    expect(rows.map((row) => row.is_mentioned)).toEqual([false, false]);
  });

  it('says of a draft which lie was kept back, whom it accuses, and whether the statement accuses the same player', () => {
    const draft = (by: string, text: string) =>
      happened({ round: 1, type: 'draft', audience: 'moderator', id: '1.1', by, text });
    const record = matchOf([
      ...['Dan', 'Will', 'Leah', 'Ginger'].map((by) => bid(0, by, by === 'Dan' ? 4 : 1)),
      said('1.1', 'Dan', { text: 'Leah is a Werewolf.' }),
      draft('Will', 'I am the Seer. I checked Leah, who is a Werewolf.'),
      draft('Leah', 'Will is a Werewolf.'),
      draft('Ginger', 'What do you think?'),
    ]);
    const rows = buildBidRows(record, extractMatchClaims(record));
    expect(
      rows.map((row) => [row.bidder, row.draft_verdict, row.draft_is_lie, row.draft_accuses, row.draft_agrees]),
    ).toEqual([
      ['Dan', null, null, null, null],
      ['Will', 'lie', true, 'Leah', true],
      ['Leah', 'error', false, 'Will', false],
      ['Ginger', null, null, null, null],
    ]);
    expect(extractMatchClaims(record).statements.map(({ by }) => by)).toEqual(['Dan']);
  });

  it('has no speaker for a turn that never came', () => {
    expect(buildBids(bid(0, 'Dan', 4), bid(0, 'Will', 2)).map((row) => row.is_speaker)).toEqual([false, false]);
  });
});

describe('bids of recorded matches', () => {
  it.each(goldenNames)('of %s one of the highest bidders has each turn', (name) => {
    const turns = Map.groupBy(buildBidRows(readGoldenRecord(name)), ({ round, step }) => `${round} ${step}`);
    for (const bids of turns.values()) {
      const speakers = bids.filter((row) => row.is_speaker);
      expect(speakers).toHaveLength(1);
      const readable = bids.flatMap(({ bid: amount }) => amount ?? []);
      expect(speakers[0]!.bid).toBe(readable.length === 0 ? null : Math.max(...readable));
    }
  });
});

// Rows of deeds: powers and last acts, used or unused.

const night = (rest: object) => happened({ phase: 'night', ...rest });
const picked = (target: string, changes: object = {}) =>
  night({ type: 'pick', audience: ['Ginger'], verb: 'eliminate', target, ...changes });
const acted = (by: string, verb: string, target: string, changes: object = {}) =>
  night({ type: 'acted', audience: [by], by, verb, target, ...changes });
const passed = (by: string, verb: string, changes: object = {}) =>
  night({ type: 'passed', audience: [by], by, verb, ...changes });
const shoots = (by: string, target: string) => happened({ type: 'last_act', by, verb: 'shoot', target });
const shotDead = (player: string) => happened({ type: 'death', player, cause: 'last_act' });

const buildDeeds = (...events: Parameters<typeof matchOf>[0]) => buildDeedRows(matchOf(events));

describe('the row of a deed', () => {
  it('says who did what to whom', () => {
    expect(buildDeeds(acted('Dan', 'unmask', 'Ginger'))).toEqual([
      {
        ...{ match_id: 'm1', round: 1, verb: 'unmask', aim: 'learn', is_joint: false, is_last_act: false },
        ...{ by: 'Dan', by_role: 'Seer', by_team: 'villagers', by_model: 'openai:one', by_is_bot: false },
        ...{ target: 'Ginger', target_role: 'Werewolf', target_team: 'werewolves' },
        ...{ is_on_victim: false, is_fatal: false, is_drawn: false },
      },
    ]);
  });

  it("says which were drawn in the player's stead", () => {
    const rows = buildDeeds(
      acted('Dan', 'unmask', 'Ginger', { mark: 'fallback' }),
      picked('Will', { mark: 'refusal' }),
      passed('Dan', 'guard', { mark: 'fallback' }),
    );
    expect(rows.map((row) => row.is_drawn)).toEqual([true, true, true]);
  });

  it('has no target where a power was left unused', () => {
    expect(buildDeeds(picked('Will'), passed('Dan', 'guard'))[1]).toMatchObject({
      ...{ by: 'Dan', verb: 'guard', aim: 'shield', is_last_act: false },
      ...{ target: null, target_role: null, target_team: null, is_on_victim: null, is_fatal: null },
    });
  });
});

describe('a deed of the pack', () => {
  it('is one row by its first living member', () => {
    expect(buildDeeds(picked('Will'), removed(1, 'Will', 'night'))).toMatchObject([
      { by: 'Ginger', by_model: 'openai:two', is_joint: true, verb: 'eliminate', is_on_victim: true, is_fatal: true },
    ]);
  });

  it('makes its target the victim of that night alone, whether or not anybody saved it', () => {
    const rows = buildDeeds(
      picked('Will'),
      acted('Dan', 'protect', 'Will'),
      acted('Dan', 'unmask', 'Leah'),
      acted('Dan', 'protect', 'Will', { round: 2 }),
    );
    expect(rows.map(({ verb, is_on_victim: on, is_fatal: fatal }) => [verb, on, fatal])).toEqual([
      ['eliminate', true, false],
      ['protect', true, false],
      ['unmask', false, false],
      ['protect', false, false],
    ]);
  });
});

describe('a deed in the night', () => {
  it('is fatal where its target left in that night, not by day or in another one', () => {
    const fatal = (...events: Parameters<typeof matchOf>[0]) =>
      buildDeeds(acted('Dan', 'poison', 'Will'), ...events)[0]!.is_fatal;
    expect(fatal(removed(1, 'Will', 'night'))).toBe(true);
    expect(fatal(removed(1, 'Will', 'exile'))).toBe(false);
    expect(fatal(removed(2, 'Will', 'night'))).toBe(false);
    expect(fatal(removed(1, 'Leah', 'night'))).toBe(false);
  });

  it('counts though who did it left in the same night', () => {
    expect(buildDeeds(picked('Dan'), acted('Dan', 'unmask', 'Ginger'), removed(1, 'Dan', 'night'))).toHaveLength(2);
  });
});

describe('a last act', () => {
  it('says whom it took along, without any victim of a night', () => {
    expect(
      buildDeeds(picked('Dan'), removed(1, 'Dan', 'night'), shoots('Dan', 'Ginger'), shotDead('Ginger'))[1],
    ).toMatchObject({
      ...{ by: 'Dan', verb: 'shoot', aim: 'harm', is_last_act: true, is_joint: false },
      ...{ target: 'Ginger', is_on_victim: null, is_fatal: true },
    });
  });

  it('is one too where it is left undone, by night or by day', () => {
    const rows = buildDeeds(passed('Dan', 'shoot'), passed('Will', 'shoot', { phase: 'day' }));
    expect(rows).toMatchObject([
      { by: 'Dan', verb: 'shoot', is_last_act: true, target: null, is_fatal: null },
      { by: 'Will', verb: 'shoot', is_last_act: true, target: null, is_fatal: null },
    ]);
  });
});
