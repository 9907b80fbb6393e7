// The rows of ballots: every vote that players cast, told apart by what it is for.
import { describe, expect, it } from '@jest/globals';
import { ballotRows } from '../../../deception/tables/ballot-rows.ts';
import { drawnBallot, happened, matchOf, said, voted, votedAgain } from '../match-builder.ts';

const rows = ballotRows(
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
