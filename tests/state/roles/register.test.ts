// The register of roles: what shared code finds in it.
import { describe, expect, it } from '@jest/globals';
import { lastActNamed, powerNamed, powers, roleNamed, roles } from '../../../state/roles/index.ts';
import { UsageError } from '../../../state/usage-error.ts';

const lastActs = [...roles.values()].flatMap(({ lastAct }) => lastAct?.verb ?? []);

describe('the register of roles', () => {
  it('knows every role by its name', () => {
    for (const [name, role] of roles) expect(roleNamed(name)).toBe(role);
    expect([...roles.values()].map(({ name }) => name)).toEqual([...roles.keys()]);
  });

  it('holds the powers of the night, each with a verb of its own, in the order of their waves', () => {
    const verbs = powers.map(({ verb }) => verb);
    expect(verbs.toSorted()).toEqual([...roles.values()].flatMap((role) => role.powers.map(({ verb }) => verb)).sort());
    expect(new Set(verbs).size).toBe(verbs.length);
    expect(powers.map(({ wave }) => wave)).toEqual(powers.map(({ wave }) => wave).toSorted());
  });

  it('knows whose each power is', () => {
    expect(powerNamed('protect').role).toBe(roleNamed('Doctor'));
  });

  it('refuses roles and powers that nobody knows, with the known ones', () => {
    expect(() => roleNamed('Bard')).toThrow(
      new UsageError(`Unknown role "Bard". Known roles: ${[...roles.keys()].join(', ')}.`),
    );
    expect(() => powerNamed('sing')).toThrow(
      new UsageError(`No role has the power "sing". Known: ${powers.map(({ verb }) => verb).join(', ')}.`),
    );
    expect(() => lastActNamed('sing')).toThrow(
      new UsageError(`No role has the last act "sing". Known: ${lastActs.join(', ')}.`),
    );
    expect(lastActNamed('shoot').role).toBe(roleNamed('Hunter'));
  });
});
