// Tests of the biases of seats and votes: what is counted in one match, and what is concluded from several.
import { describe, expect, it } from '@jest/globals';
import { createSeatedMatch, type SeatedMatch, testBiases } from '../../../deception/summary/seat-bias.ts';
import { draw } from '../../../state/random.ts';
import { manifestOf } from '../match-builder.ts';
import { ballots, player } from '../metrics/game-row-builder.ts';
import { match, tables } from '../metrics/row-builder.ts';

const { setup } = manifestOf();

describe('the votes that a player got', () => {
  const played = tables({
    players: [
      player('Ginger', { survived: false, left_round: 1, left_cause: 'exile' }),
      player('Dan'),
      player('Will'),
      player('Leah', { survived: false, left_round: 2, left_cause: 'night' }),
    ],
    ballots: [
      ...ballots({ Dan: 'Will', Will: 'Dan' }, { round: 2 }),
      ...ballots({ Dan: 'Ginger', Will: 'Ginger', Leah: 'Dan' }),
      ...ballots({ Ginger: 'Leah' }, { is_drawn: true }),
      ...ballots({ Ginger: 'Leah', Dan: 'Leah', Will: 'Leah' }, { vote: 'pseudo' }),
      ...ballots({ Ginger: 'Will', Dan: 'Will' }, { vote: 'synthetic', step: 1 }),
    ],
  });

  it('are shares of the ballots for exile, not of those drawn, over the days when the player was there', () => {
    const { players } = createSeatedMatch(played, setup)!;
    const votes = new Map(players.map(({ labels, votes: all, firstVotes }) => [labels.name, [all, firstVotes]]));
    expect(votes.get('Ginger')).toEqual([2 / 3, 2 / 3]);
    expect(votes.get('Dan')).toEqual([(1 / 3 + 1 / 2) / 2, 1 / 3]);
    expect(votes.get('Will')).toEqual([1 / 4, 0]);
    expect(votes.get('Leah')).toEqual([0, 0]);
  });

  it('are not known where nobody voted, and nothing is counted of an imported match', () => {
    const { players } = createSeatedMatch({ ...played, ballots: [] }, setup)!;
    expect(players.map(({ votes }) => votes)).toEqual([null, null, null, null]);
    const imported = { ...played, match: match({ imported: 'werewolf-arena' }) };
    expect(createSeatedMatch(imported, setup)).toBeNull();
  });
});

describe('seats', () => {
  const chance = draw(1, 'seats in tests');
  /**
   * Creates a match of Villagers whose seats change from deal to deal. `gain`: additional votes for the player in the
   * first seat.
   */
  const play = (number: number, gain: number): SeatedMatch => ({
    ...{ deal: `d${number}`, arm: 'one', werewolvesWon: number % 2 },
    players: chance.shuffle(['1', '2', '3', '4']).map((seat, at) => ({
      ...{ dealt: `p${at}`, role: 'Villager', isWerewolf: false },
      labels: { seat, name: `p${at}`, 'speaking position': null },
      votes: chance.fraction() + (seat === '1' ? gain : 0),
      firstVotes: null,
    })),
  });
  const findVotes = (deals: number, gain: number) =>
    testBiases(
      Array.from({ length: deals }, (_, number) => play(number, gain)),
      { resamples: 499, seed: 1 },
    ).find(({ factor, outcome }) => factor === 'seat' && outcome === 'votes')!;

  it('that draw votes are found, others are not, and under ten deals there is no test', () => {
    expect(findVotes(20, 1)).toMatchObject({ deals: 20, labels: 4, p: 1 / 500, most: { label: '1' } });
    expect(findVotes(20, 0).p).toBeGreaterThan(0.05);
    expect(findVotes(9, 1)).toMatchObject({ deals: 9, p: null, most: null });
  });
});
