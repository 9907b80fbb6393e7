// The Seer: learns each night what one player is.
import { describe, expect, it } from '@jest/globals';
import { powerNamed, roleNamed } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { gameAt, learned, type Moment } from '../../game.ts';

const targets = (moment: Moment = {}) =>
  powerNamed('unmask').choices(view(gameAt({ phase: 'night', ...moment }), 'Sam'));
const told = (target: string, rules: Moment['rules'] = {}) =>
  powerNamed('unmask').settle(
    { round: 2, verb: 'unmask', by: ['Sam'], target },
    gameAt({ round: 2, phase: 'night', rules }),
  );
const news = { round: 2, phase: 'night', audience: ['Sam'], type: 'learned', by: 'Sam' };

describe('the Seer', () => {
  it('is special to the village and checks alone', () => {
    expect(roleNamed('Seer')).toMatchObject({ team: 'villagers', special: true });
    expect(powerNamed('unmask')).toMatchObject({ aim: 'learn', actor: 'holder' });
  });

  it('may check every other living player', () => {
    expect(targets()).toEqual(['Ginger', 'Leah', 'Paul', 'Dan', 'Will', 'Bert', 'Mason']);
    expect(targets({ gone: ['Leah', 'Dan'] })).toEqual(['Ginger', 'Paul', 'Will', 'Bert', 'Mason']);
  });

  it('checks nobody twice', () => {
    const events = [learned(1, 'Sam', 'Ginger', 'Werewolf'), learned(2, 'Sam', 'Dan', 'Villager')];
    expect(targets({ events, round: 3 })).toEqual(['Leah', 'Paul', 'Will', 'Bert', 'Mason']);
  });

  it('may check whom another Seer has checked', () => {
    const seats = {
      Ginger: 'Werewolf',
      Sam: 'Seer',
      Bert: 'Seer',
      Dan: 'Villager',
      Will: 'Villager',
      Leah: 'Villager',
    };
    expect(targets({ seats, events: [learned(1, 'Bert', 'Ginger', 'Werewolf')] })).toContain('Ginger');
  });

  it('has nobody to check when all the living are known', () => {
    const events = ['Ginger', 'Dan'].map((name) => learned(1, 'Sam', name, 'Villager'));
    expect(targets({ events, round: 2, gone: ['Leah', 'Paul', 'Will', 'Bert', 'Mason'] })).toEqual([]);
  });

  it.each([
    ['role', 'Leah', { role: 'Werewolf' }],
    ['role', 'Paul', { role: 'Doctor' }],
    ['team', 'Leah', { team: 'werewolves' }],
    ['team', 'Paul', { team: 'villagers' }],
  ])('with checkTells=%s learns of %s: %j, and is alone in learning it', (checkTells, about, what) => {
    expect(told(about, { checkTells })).toEqual({ kind: 'tell', event: { ...news, about, ...what } });
  });
});
