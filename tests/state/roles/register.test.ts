// The register of roles: what shared code finds in it.
import { describe, expect, it } from '@jest/globals';
import { lastActNamed, powerNamed, powers, roleNamed, roles } from '../../../state/roles/index.ts';

describe('the register of roles', () => {
  it('holds the roles of the game', () => {
    const names = ['Doctor', 'Guard', 'Hunter', 'Seer', 'Villager', 'Werewolf', 'Witch'];
    expect([...roles.keys()].sort()).toEqual(names);
  });

  it('holds the powers of the night, each with a verb of its own, in the order of their waves', () => {
    expect(powers.map(({ verb }) => verb).sort()).toEqual([
      'eliminate',
      'guard',
      'poison',
      'protect',
      'save',
      'unmask',
    ]);
    expect(powers.map(({ wave }) => wave)).toEqual(powers.map(({ wave }) => wave).toSorted());
  });

  it('knows whose each power is', () => {
    expect(powerNamed('protect').role).toBe(roleNamed('Doctor'));
  });

  it('refuses roles and powers that nobody knows, with the known ones', () => {
    expect(() => roleNamed('Bard')).toThrow(
      new RangeError('Unknown role "Bard". Known roles: Werewolf, Seer, Doctor, Guard, Witch, Hunter, Villager.'),
    );
    expect(() => powerNamed('sing')).toThrow(
      new RangeError('No role has the power "sing". Known: eliminate, unmask, protect, guard, save, poison.'),
    );
    expect(() => lastActNamed('sing')).toThrow(new RangeError('No role has the last act "sing". Known: shoot.'));
  });
});
