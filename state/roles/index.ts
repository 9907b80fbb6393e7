// The register of roles: one line for each role.
import type { Game, Intent } from '../game.ts';
import type { Team } from '../teams.ts';
import { UsageError } from '../usage-error.ts';
import { doctor } from './doctor.ts';
import { guard } from './guard.ts';
import { hunter } from './hunter.ts';
import { idiot } from './idiot.ts';
import { expectDeclared, expectExpressible } from './private-facts.ts';
import { medium } from './medium.ts';
import { possessed } from './possessed.ts';
import { getCountedSide, type LastAct, type NightEffect, type Power, type Role } from './role.ts';
import { seer } from './seer.ts';
import { villager } from './villager.ts';
import { werewolf } from './werewolf.ts';
import { witch } from './witch.ts';

const register = [werewolf, seer, doctor, guard, witch, hunter, idiot, villager, possessed, medium];

/** Roles that a match can be played with. */
export const roles: ReadonlyMap<string, Role> = buildRoleRegister(register);

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
  const role = roles.get(name);
  if (!role)
    throw new UsageError(`Unknown role ${JSON.stringify(name)}. Known roles: ${[...roles.keys()].join(', ')}.`);
  return role;
}

/**
 * Returns the side to which checks, announcements and counts assign the holders of a role. `role`: the role's name.
 * Throws a UsageError for an unknown role.
 *
 * @example getShownSide('Possessed') // 'villagers'
 */
export const getShownSide = (role: string): Team => getCountedSide(getRole(role));

/**
 * Returns the side to which checks, announcements and counts assign a player. Throws a UsageError if nobody has this
 * name.
 *
 * @example getSide(game, 'Dan') // 'villagers'
 */
export const getSide = ({ roles: dealt }: Pick<Game, 'roles'>, player: string): Team =>
  getShownSide(dealt[player] ?? '');

/** A power with the role that holds it. */
export interface HeldPower extends Omit<Power, 'settle'> {
  role: Role;
  /** Returns the effect of one use when the night is resolved. */
  settle(intent: Intent, game: Game): NightEffect;
}

const allPowers: readonly HeldPower[] = register.flatMap(listHeldPowers).sort((one, other) => one.wave - other.wave);

/** All powers that players use, ordered by wave and then as in the register. */
export const powers: readonly HeldPower[] = allPowers.filter(({ actor }) => actor !== 'moderator');

/** Powers that the moderator uses for their holders when a night is resolved. */
export const moderatorPowers: readonly HeldPower[] = allPowers.filter(({ actor }) => actor === 'moderator');

/**
 * Returns the role that another program's record names in capitals; undefined if there is none.
 *
 * @example findRecordedRole('BODYGUARD')?.name // 'Guard'
 */
export const findRecordedRole = (word: string): Role | undefined =>
  [...roles.values()].find(({ name, recordedAs = [] }) => name.toUpperCase() === word || recordedAs.includes(word));

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
      const effect = power.settle(intent, game, (player) => getSide(game, player));
      if (effect.kind === 'tell') expectDeclared(role, [effect.event]);
      return effect;
    },
  }));
}

/** Returns a power by its verb. Throws a UsageError if no role has it. */
export function getPower(verb: string): HeldPower {
  const power = allPowers.find((candidate) => candidate.verb === verb);
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
