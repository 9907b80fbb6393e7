// The rows of rounds: who could vote, who left, whom the Sheriff advised.
import path from 'node:path';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ballotRows } from '../../../deception/tables/ballot-rows.ts';
import { roundRows } from '../../../deception/tables/round-rows.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { ended, happened, matchOf, removed, said, silent, voted, votedAgain } from '../match-builder.ts';

const rowsOf = (...events: Parameters<typeof matchOf>[0]) => roundRows(matchOf(events));

const elected = (player: string) => happened({ type: 'elected', player, how: 'vote' });
const passedTo = (round: number, by: string, to: string | null) => happened({ round, type: 'badge', by, to });
const shot = (round: number, player: string) => happened({ round, type: 'death', player, cause: 'last_act' });
const pseudo = (by: string, target: string) => happened({ type: 'pseudo_ballot', by, target });

describe('the row of a round', () => {
  it('counts the living when the first ballot for exile is cast, not those whom it exiles', () => {
    const [first, second] = rowsOf(
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
    const [first, second] = rowsOf(
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
    expect(rowsOf(happened({ round: 0, type: 'round_started' }))).toEqual([]);
  });

  it('names who left, each by the way in which it was', () => {
    const [row] = rowsOf(
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
    expect(rowsOf(voted(1, 'Ginger', 'Dan'))[0]).toMatchObject({
      ...{ left_at_night: '', left_by_last_act: '', exiled: null, exiled_role: null, exiled_team: null },
    });
  });

  it('counts turns of the debate alone, and their words', () => {
    const [row] = rowsOf(
      said('1.1', 'Dan', { text: 'Me for Sheriff.', occasion: 'campaign' }),
      silent('1.2', 'Will'),
      said('1.3', 'Ginger', { text: 'No.' }),
    );
    expect(row).toMatchObject({ turns: 2, words: 1 });
  });
});

describe('the Sheriff of a round', () => {
  it('is whoever held the badge when the ballots were cast, though exiled by them', () => {
    const [first, second] = rowsOf(
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
    const [row] = rowsOf(
      elected('Ginger'),
      removed(1, 'Ginger', 'night'),
      passedTo(1, 'Ginger', 'Dan'),
      voted(1, 'Dan', 'Will'),
    );
    expect(row).toMatchObject({ sheriff: 'Dan', sheriff_team: 'villagers' });
  });

  it('is nobody where the badge was torn or nobody stood', () => {
    const torn = [elected('Ginger'), removed(1, 'Ginger', 'night'), passedTo(1, 'Ginger', null)];
    expect(rowsOf(...torn, voted(1, 'Dan', 'Will'))[0]).toMatchObject({ sheriff: null, sheriff_team: null });
    expect(rowsOf(voted(1, 'Dan', 'Will'))[0]).toMatchObject({ sheriff: null, recommended: null });
  });

  it('recommends between the pseudo-vote and the ballots', () => {
    const [row, other] = rowsOf(
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

describe('in recorded matches', () => {
  const golden = path.join(import.meta.dirname, '../../golden');
  const folders = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it.each(folders.map(({ name }) => name))('of %s all who are counted as living vote, and nobody else', (name) => {
    const record = readRecord(path.join(golden, name));
    const ballots = ballotRows(record).filter(({ vote }) => vote === 'exile');
    for (const { round, villagers_alive: villagers, werewolves_alive: wolves } of roundRows(record)) {
      const cast = ballots.filter((ballot) => ballot.round === round);
      if (cast.length === 0) continue;
      expect(cast.filter((ballot) => ballot.voter_team === 'villagers')).toHaveLength(villagers);
      expect(cast.filter((ballot) => ballot.voter_team === 'werewolves')).toHaveLength(wolves);
    }
  });
});
