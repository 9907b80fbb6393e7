// The rows of players: what was dealt, when they left, what they said.
import { describe, expect, it } from '@jest/globals';
import { playerRows } from '../../../deception/tables/player-rows.ts';
import { ended, happened, matchOf, removed, said, silent, voted } from '../match-builder.ts';

const rowsOf = (...events: Parameters<typeof matchOf>[0]) =>
  Object.fromEntries(playerRows(matchOf(events, [], { bots: ['Leah'] })).map((row) => [row.player, row]));

describe('the row of a player', () => {
  it('says what was dealt, and who answers', () => {
    const { Ginger, Dan, Will, Leah } = rowsOf();
    expect(Ginger).toMatchObject({ seat: 1, role: 'Werewolf', team: 'werewolves', model: 'openai:two', is_bot: false });
    expect(Dan).toMatchObject({ seat: 2, role: 'Seer', team: 'villagers', is_special: true });
    expect(Will).toMatchObject({ seat: 3, is_special: false });
    expect(Leah).toMatchObject({ seat: 4, is_bot: true });
  });

  it('says when and how the player left, and in which place', () => {
    const { Ginger, Dan, Will, Leah } = rowsOf(
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
    const won = rowsOf(removed(1, 'Will', 'exile'), ended(1, 'villagers'));
    expect([won['Will']!.has_won, won['Dan']!.has_won, won['Ginger']!.has_won]).toEqual([true, true, false]);
    expect(rowsOf(ended(9, null))['Ginger']!.has_won).toBeNull();
    expect(rowsOf()['Ginger']!.has_won).toBeNull();
  });

  it('counts turns of the debate alone and their words, silent ones without any', () => {
    const { Dan, Will, Leah } = rowsOf(
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
