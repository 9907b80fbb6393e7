// The register of roles: what shared code finds in it.
import { describe, expect, it } from '@jest/globals';
import { powerNamed, powers, roleNamed, roles } from '../../../state/roles/index.ts';

describe('the register of roles', () => {
  it('holds the four roles of the game', () => {
    expect([...roles.keys()].sort()).toEqual(['Doctor', 'Seer', 'Villager', 'Werewolf']);
  });

  it('holds the powers of the night, each with a verb of its own, in the order of their waves', () => {
    expect(powers.map(({ verb }) => verb).sort()).toEqual(['eliminate', 'protect', 'unmask']);
    expect(powers.map(({ wave }) => wave)).toEqual(powers.map(({ wave }) => wave).toSorted());
  });

  it('knows whose each power is', () => {
    expect(powerNamed('protect').role).toBe(roleNamed('Doctor'));
  });

  it('refuses roles and powers that nobody knows, with the known ones', () => {
    expect(() => roleNamed('Witch')).toThrow(
      new RangeError('Unknown role "Witch". Known roles: Werewolf, Seer, Doctor, Villager.'),
    );
    expect(() => powerNamed('poison')).toThrow(
      new RangeError('No role has the power "poison". Known: eliminate, unmask, protect.'),
    );
  });
});
