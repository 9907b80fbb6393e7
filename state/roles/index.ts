// The register of roles: one line for each role.
import { UsageError } from '../usage-error.ts';
import { doctor } from './doctor.ts';
import { guard } from './guard.ts';
import { hunter } from './hunter.ts';
import { idiot } from './idiot.ts';
import { expectDeclared, expectExpressible } from './private-facts.ts';
import { recordedRoles } from './recorded-roles.ts';
import type { LastAct, Power, Role } from './role.ts';
import { seer } from './seer.ts';
import { villager } from './villager.ts';
import { werewolf } from './werewolf.ts';
import { witch } from './witch.ts';

const register = [werewolf, seer, doctor, guard, witch, hunter, idiot, villager];

/** Roles that a match can be played with. */
export const roles: ReadonlyMap<string, Role> = buildRoleRegister(register);

/** Roles that exist only in recorded games of other programs. */
const foreign: ReadonlyMap<string, Role> = buildRoleRegister(recordedRoles);

/** Returns whether matches are played with a role. All other roles occur only in imported games. */
export const isPlayable = (name: string): boolean => roles.has(name);

/**
 * Maps names to roles. Throws a UsageError if a role tells its holder a fact that the analysis of players' knowledge
 * cannot express.
 */
export function buildRoleRegister(some: readonly Role[]): ReadonlyMap<string, Role> {
  some.forEach(expectExpressible);
  return new Map(some.map((role) => [role.name, role]));
}

/**
 * Returns a role by name. Throws a UsageError that lists the known roles.
 *
 * @example getRole('Seer').team // 'villagers'
 */
export function getRole(name: string): Role {
  const role = roles.get(name) ?? foreign.get(name);
  if (!role)
    throw new UsageError(`Unknown role ${JSON.stringify(name)}. Known roles: ${[...roles.keys()].join(', ')}.`);
  return role;
}

/** A power with the role that holds it. */
export interface HeldPower extends Power {
  role: Role;
}

/** All powers, ordered by wave and then as in the register. */
export const powers: readonly HeldPower[] = register
  .flatMap(listHeldPowers)
  .sort((one, other) => one.wave - other.wave);

/** Powers of roles that only recorded games have. */
const foreignPowers: readonly HeldPower[] = recordedRoles.flatMap(listHeldPowers);

/**
 * Returns the role that another program's record names in capitals; undefined if there is none.
 *
 * @example findRecordedRole('BODYGUARD')?.name // 'Guard'
 */
export const findRecordedRole = (word: string): Role | undefined =>
  [...roles.values(), ...foreign.values()].find(
    ({ name, recordedAs = [] }) => name.toUpperCase() === word || recordedAs.includes(word),
  );

/**
 * Lists the powers of a role. The powers throw a UsageError if they tell their holder facts that the role does not
 * declare in `isTold`.
 */
export function listHeldPowers(role: Role): HeldPower[] {
  return role.powers.map((power) => ({
    ...power,
    role,
    ...(power.brief && { brief: (game, me) => expectDeclared(role, power.brief!(game, me)) }),
    settle: (intent, game) => {
      const effect = power.settle(intent, game);
      if (effect.kind === 'tell') expectDeclared(role, [effect.event]);
      return effect;
    },
  }));
}

/** Returns a power by its verb. Throws a UsageError if no role has it. */
export function getPower(verb: string): HeldPower {
  const isCalled = (candidate: HeldPower) => candidate.verb === verb;
  const power = powers.find(isCalled) ?? foreignPowers.find(isCalled);
  if (!power)
    throw new UsageError(
      `No role has the power ${JSON.stringify(verb)}. Known: ${powers.map((known) => known.verb).join(', ')}.`,
    );
  return power;
}

/** Returns a power's verb as its team reads it. Throws a UsageError if no role has the verb. */
export const getPowerLabel = (verb: string) => getPower(verb).spoken ?? verb;

/** A last act with the role that allows it. */
interface HeldLastAct extends LastAct {
  role: Role;
}

/** All last acts, in the order of the register. */
export const lastActs: readonly HeldLastAct[] = register.flatMap((role) =>
  role.lastAct ? [{ ...role.lastAct, role }] : [],
);

/** Returns a last act by its verb. Throws a UsageError if no role has it. */
export function getLastAct(verb: string): HeldLastAct {
  const act = lastActs.find((candidate) => candidate.verb === verb);
  if (!act)
    throw new UsageError(
      `No role has the last act "${verb}". Known: ${lastActs.map((known) => known.verb).join(', ')}.`,
    );
  return act;
}
