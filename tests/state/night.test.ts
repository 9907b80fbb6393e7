// The night's outcome: what all acts come to together.
import { describe, expect, it } from '@jest/globals';
import { resolveNight, survivors } from '../../state/night.ts';
import { exiled, gameAt, removed, type Moment } from '../game.ts';

const nightWith = (acts: Moment['acts'], moment: Moment = {}) =>
  resolveNight(gameAt({ phase: 'night', acts, ...moment } as Moment));
const quiet = { round: 1, phase: 'night', audience: 'everyone', type: 'quiet_night' };

describe('a night', () => {
  it('removes whom the pack picked', () => {
    expect(nightWith({ eliminate: [['Ginger', 'Leah'], 'Dan'] })).toEqual([removed(1, 'Dan')]);
  });

  it("spares the Doctor's patient", () => {
    expect(nightWith({ eliminate: [['Ginger', 'Leah'], 'Dan'], protect: ['Paul', 'Dan'] })).toEqual([quiet]);
  });

  it('spares the Doctor who protects himself', () => {
    expect(nightWith({ eliminate: [['Ginger'], 'Paul'], protect: ['Paul', 'Paul'] })).toEqual([quiet]);
  });

  it('removes one player while the Doctor watches another', () => {
    expect(nightWith({ eliminate: [['Ginger'], 'Dan'], protect: ['Paul', 'Will'] })).toEqual([removed(1, 'Dan')]);
  });

  it('lets the Doctor protect in the very night in which he is removed', () => {
    expect(nightWith({ protect: ['Paul', 'Dan'], eliminate: [['Ginger'], 'Paul'] })).toEqual([removed(1, 'Paul')]);
  });

  it('spares a player whom one of two Doctors protects', () => {
    const seats = {
      Ginger: 'Werewolf',
      Paul: 'Doctor',
      Sam: 'Doctor',
      Dan: 'Villager',
      Will: 'Villager',
      Bert: 'Seer',
    };
    const game = gameAt({ seats, phase: 'night', acts: { eliminate: ['Ginger', 'Dan'] } });
    const protects = (by: string, target: string) => ({ round: 1, verb: 'protect', by: [by], target });
    const intents = [...game.intents, protects('Paul', 'Will'), protects('Sam', 'Dan')];
    expect(resolveNight({ ...game, intents })).toEqual([quiet]);
  });

  it('is quiet when nobody acts', () => {
    expect(nightWith({})).toEqual([quiet]);
  });

  it('does not repeat the acts of earlier nights', () => {
    const game = gameAt({ phase: 'night', round: 2 });
    const intents = [{ round: 1, verb: 'eliminate', by: ['Ginger'], target: 'Dan' }];
    expect(resolveNight({ ...game, intents })).toEqual([{ ...quiet, round: 2 }]);
  });

  it('removes nobody who has left the game already', () => {
    expect(nightWith({ eliminate: ['Ginger', 'Dan'] }, { gone: ['Dan'] })).toEqual([quiet]);
  });

  it('tells the Seer of a check even in the night in which he is removed', () => {
    expect(nightWith({ unmask: ['Sam', 'Leah'], eliminate: [['Ginger'], 'Sam'] })).toEqual([
      expect.objectContaining({ type: 'learned', by: 'Sam', about: 'Leah', role: 'Werewolf', audience: ['Sam'] }),
      removed(1, 'Sam'),
    ]);
  });

  it.each([
    ['none', {}],
    ['team', { team: 'villagers' }],
    ['role', { role: 'Doctor' }],
  ] as const)('reveals of the removed, with reveal=%s, %j', (reveal, revealed) => {
    expect(nightWith({ eliminate: ['Ginger', 'Paul'] }, { rules: { reveal } })).toEqual([
      { ...removed(1, 'Paul'), ...revealed },
    ]);
  });
});

describe('those who are left', () => {
  it('are the living without those who have just gone, in seat order', () => {
    expect(survivors(['Ginger', 'Dan', 'Paul', 'Will'], [removed(1, 'Dan'), exiled(1, 'Will')])).toEqual([
      'Ginger',
      'Paul',
    ]);
  });

  it('stay the same where nobody goes, and never become more', () => {
    expect(survivors(['Ginger', 'Paul'], [])).toEqual(['Ginger', 'Paul']);
    expect(survivors(['Ginger', 'Paul'], [removed(1, 'Dan')])).toEqual(['Ginger', 'Paul']);
  });
});
