// The Hunter: on leaving the game he may shoot one living player.
import { describe, expect, it } from '@jest/globals';
import { lastActNamed, roleNamed } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { eight, gameAt } from '../../game.ts';

const hunter = roleNamed('Hunter');
const shoot = lastActNamed('shoot');

describe('the Hunter', () => {
  it('is special to the village and does nothing at night', () => {
    expect(hunter).toMatchObject({ team: 'villagers', special: true, powers: [] });
    expect(shoot).toEqual({ ...hunter.lastAct, role: hunter });
    expect(shoot.aim).toBe('harm');
  });

  it.each([
    ['attack', true, true],
    ['exile', true, true],
    ['last_act', true, true],
    ['poison', false, true],
  ] as const)('who leaves by %s may shoot: %s; with hunterPoisoned: %s', (fate, may, mayWithOption) => {
    expect(shoot.isAllowed(fate, { hunterPoisoned: false })).toBe(may);
    expect(shoot.isAllowed(fate, { hunterPoisoned: true })).toBe(mayWithOption);
  });

  it('may shoot every living player', () => {
    const game = gameAt({ seats: { ...eight, Paul: 'Hunter' }, gone: ['Paul', 'Sam'] });
    expect(shoot.choices(view(game, 'Paul'))).toEqual(['Ginger', 'Leah', 'Dan', 'Will', 'Bert', 'Mason']);
  });

  it('has nobody to shoot when nobody is left', () => {
    expect(shoot.choices(view(gameAt({ gone: Object.keys(eight) }), 'Paul'))).toEqual([]);
  });

  it('is known by his shot', () => {
    const deed = { by: 'Paul', target: 'Dan' };
    expect(shoot.tells({ ...deed, count: 1 })).toBe('Paul was the Hunter and shot Dan');
    expect(shoot.tells({ ...deed, count: 2 })).toBe('Paul was a Hunter and shot Dan');
    expect(shoot.tells({ ...deed, count: 1, isOwn: true })).toBe('You were the Hunter and shot Dan');
    expect(shoot.tells(deed)).toBe('Paul was a Hunter and shot Dan');
  });

  it('is said in the rules to hold fire when poisoned, unless the option lets him shoot', () => {
    expect(hunter.does({ hunterPoisoned: false })).toContain('if he was poisoned he may not');
    expect(hunter.does({ hunterPoisoned: true })).not.toContain('poisoned');
  });
});
