// Hypotheses about the nights of a match: who may have been attacked and which powers others may have used, so that the
// night ended as it did. Each one is checked by resolving it with the game's own code for the night.
import type { Intent } from '../../state/game.ts';
import type { Nightfall } from './hypothetical-games.ts';
import type { NightPower } from './night-powers.ts';
import type { RoleSet, RoleTable } from './role-table.ts';

/** What one player knows of a night. Players are given by their seats. */
export interface KnownNight {
  round: number;
  /** Whether it has been announced who left, if anybody. */
  isAnnounced: boolean;
  /** Whether the player was in the game at nightfall. */
  wasAlive: boolean;
  /** Who was in the game at nightfall. */
  alive: readonly number[];
  /** Whom the pack has attacked, where the player was told; null: not known. */
  victim: number | null;
  /** What the player did. */
  ownActs: { verb: string; target: number }[];
  /** Who left in the night itself, without those who followed by a last act. */
  departed: number[];
  /** Those of them who cannot have been poisoned, since they then used a last act that the poisoned may not use. */
  notPoisoned: number[];
}

/** In place of a seat: any player of whom no event says anything, so that nothing about roles follows. */
const unnamedPlayer = null;

/** One explanation of a night, reduced to what it says about roles. Roles and powers are given by their places. */
export interface NightAssignment {
  /** The seat that was attacked; null: nobody, or a player of whom nothing follows. */
  victim: number | null;
  /** The observer's role if it is known and they were alive: they did what they remember and nothing else. */
  ownRole: number | null;
  /** How many other players of a role must have acted. */
  holders: readonly { role: number; count: number }[];
  /** How often other players used a power that runs out, and how often they can use it in a match (`supply`). */
  uses: readonly { power: number; times: number; supply: number }[];
  /** Seats on which a power was used that nobody may use on themselves: the only other holder sits elsewhere. */
  notSelf: readonly { seat: number; role: number }[];
}

/** The player whose knowledge it is. */
interface Observer {
  table: RoleTable;
  /** The player's seat. */
  me: number;
  /** The roles that each seat may have by single facts. */
  allowed: readonly RoleSet[];
}

/** A power that another player used, and on whom. */
interface PowerUse {
  power: NightPower;
  target: number | typeof unnamedPlayer;
}

/** Whom the pack attacked, where something follows from it, and which powers others used. */
interface NightExplanation {
  victim: number | null;
  uses: readonly PowerUse[];
}

/** Every explanation of a night, as far as they differ in what they say about roles. */
export function listNightAssignments(night: KnownNight, observer: Observer): NightAssignment[] {
  const { table } = observer;
  const nightfall = { round: night.round, alive: night.alive.map((seat) => table.seats[seat]!) };
  return recallExplanations(night, table, nightfall).map(({ victim, uses }) => ({
    victim,
    ...createAssignment(uses, night, observer, nightfall),
  }));
}

/** Table → what is known of a night → its explanations: most players know the same of it. */
const explained = new WeakMap<RoleTable, Map<string, readonly NightExplanation[]>>();

function recallExplanations(night: KnownNight, table: RoleTable, nightfall: Nightfall): readonly NightExplanation[] {
  const { round, alive, victim, ownActs, departed, notPoisoned } = night;
  const key = JSON.stringify([round, alive, victim, ownActs, departed, notPoisoned]);
  const ofTable = explained.get(table) ?? new Map<string, readonly NightExplanation[]>();
  const known = ofTable.get(key);
  if (known) return known;
  const explanations = listExplanations(night, table, nightfall);
  explained.set(table, ofTable.set(key, explanations));
  return explanations;
}

/**
 * Each candidate for the victim is tried. For each player involved, the smallest sets of powers are looked for by which
 * that player left or stayed as announced; their combinations are kept if the night then ends as it did.
 */
function listExplanations(night: KnownNight, table: RoleTable, nightfall: Nightfall): NightExplanation[] {
  const getName = (seat: number) => table.seats[seat]!;
  const ownIntents = night.ownActs.map(({ verb, target }) => ({
    verb,
    round: night.round,
    by: [],
    target: getName(target),
  }));
  const named = [...new Set([...night.departed, ...night.ownActs.map(({ target }) => target)])];
  const isAttackable = (seat: number) => table.powers.canAttack(getName(seat), nightfall);

  const explain = (victim: number | null, isNamed: boolean): NightExplanation[] => {
    const seats = [...new Set([...named, ...(victim === null ? [] : [victim])])];
    const attack = victim === null ? [] : [table.powers.createAttack(getName(victim), night.round)];
    const victimName = victim === null ? null : getName(victim);
    const usesBySeat = seats.map((seat) => {
      const knownIntents = [...attack, ...ownIntents].filter(({ target }) => target === getName(seat));
      const usable = table.powers.holderPowers.filter((power) =>
        table.powers.canUseOn(power, getName(seat), victimName, nightfall),
      );
      const explainsFate = (powers: readonly NightPower[]) =>
        hasAnnouncedFate(seat, [...knownIntents, ...listIntents(powers, seat)]);
      const target = seat === victim && !isNamed ? unnamedPlayer : seat;
      return listMinimalSubsets(usable, explainsFate).map((powers) => powers.map((power) => ({ power, target, seat })));
    });
    return listCombinations(usesBySeat)
      .map((lists) => lists.flat())
      .filter((uses) => {
        const others = uses.flatMap(({ power, seat }) => listIntents([power], seat));
        const dead = table.powers.listDead([...attack, ...ownIntents, ...others], nightfall);
        return dead.length === night.departed.length && night.departed.every((seat) => dead.includes(getName(seat)));
      })
      .map((uses) => ({ victim: isNamed ? victim : null, uses }));
  };
  const listIntents = (powers: readonly NightPower[], seat: number): Intent[] =>
    powers.map(({ verb }) => ({ round: night.round, verb, by: [], target: getName(seat) }));
  const hasAnnouncedFate = (seat: number, intents: readonly Intent[]) => {
    const fate = table.powers.findFate(intents, getName(seat), nightfall);
    if ((fate !== null) !== night.departed.includes(seat)) return false;
    return fate !== 'poison' || !night.notPoisoned.includes(seat);
  };

  if (night.victim !== null) return explain(night.victim, true);
  // All those who are not named are alike here, so one of them stands for all.
  const unnamed = night.alive.find((seat) => !named.includes(seat) && isAttackable(seat));
  return [
    ...(table.powers.mustAttack(nightfall) ? [] : explain(null, true)),
    ...named.filter(isAttackable).flatMap((seat) => explain(seat, true)),
    ...(unnamed === undefined ? [] : explain(unnamed, false)),
  ];
}

/** That somebody used a power of single holders on another, or on themselves. */
export interface ClaimedUse {
  verb: string;
  isOnSelf: boolean;
  /** The player's seat. */
  target: number;
}

/**
 * Whether the night can have ended for the player as it did although that power was used on them, be it by whomever: with
 * or without an attack, and with whatever others can have used on the same player. True where the end is not known, and
 * for what does not change who leaves.
 */
export function canHaveBeenUsed(
  { verb, isOnSelf, target }: ClaimedUse,
  night: KnownNight,
  { powers, seats, counts }: RoleTable,
): boolean {
  const used = powers.holderPowers.find((power) => power.verb === verb);
  if (!used || !night.isAnnounced) return true;
  const nightfall = { round: night.round, alive: night.alive.map((seat) => seats[seat]!) };
  const name = seats[target]!;
  const createIntents = (ofPowers: readonly NightPower[]): Intent[] =>
    ofPowers.map((power) => ({ round: night.round, verb: power.verb, by: [], target: name }));
  const byOthers = powers.holderPowers.map((power) => {
    const most = counts[power.role]! - (power === used ? 1 : 0);
    return Array.from({ length: most + 1 }, (_, times) => Array<NightPower>(times).fill(power));
  });
  const canBeUsed = (victim: string | null) =>
    isOnSelf ? powers.canUseOnSelf(used, nightfall) : powers.canUseOn(used, name, victim, nightfall);
  const isAsAnnounced = (attack: readonly Intent[]) =>
    listCombinations(byOthers).some((others) => {
      const fate = powers.findFate([...attack, ...createIntents([used, ...others.flat()])], name, nightfall);
      return (
        (fate !== null) === night.departed.includes(target) &&
        !(fate === 'poison' && night.notPoisoned.includes(target))
      );
    });
  const canBeAttacked = night.victim === null ? powers.canAttack(name, nightfall) : night.victim === target;
  const otherVictims =
    night.victim === null ? [null, ...nightfall.alive.filter((one) => one !== name)] : [seats[night.victim]!];
  return (
    (canBeAttacked && canBeUsed(name) && isAsAnnounced([powers.createAttack(name, night.round)])) ||
    (night.victim !== target && otherVictims.some(canBeUsed) && isAsAnnounced([]))
  );
}

/** The smallest sets for which `isExplanation` holds: a larger one that holds too rules out no fewer roles. */
function listMinimalSubsets<Item>(
  items: readonly Item[],
  isExplanation: (subset: readonly Item[]) => boolean,
): Item[][] {
  const subsets = items.reduce<Item[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
  const minimal: Item[][] = [];
  for (const set of subsets.sort((one, other) => one.length - other.length)) {
    const isLarger = minimal.some((smaller) => smaller.every((item) => set.includes(item)));
    if (!isLarger && isExplanation(set)) minimal.push(set);
  }
  return minimal;
}

/** One item of each list, in every combination. */
const listCombinations = <Item>(lists: readonly (readonly Item[])[]): Item[][] =>
  lists.reduce<Item[][]>((chosen, list) => chosen.flatMap((items) => list.map((item) => [...items, item])), [[]]);

/** What the uses of powers in one explanation say about roles. */
function createAssignment(
  uses: readonly PowerUse[],
  night: KnownNight,
  { table, me, allowed }: Observer,
  nightfall: Nightfall,
): Omit<NightAssignment, 'victim'> {
  const ownRole = table.roles.findIndex((_, role) => allowed[me] === 1 << role);
  const byRole = [...Map.groupBy(uses, ({ power }) => power.role)];
  const byPower = [...Map.groupBy(uses, ({ power }) => power)];
  return {
    ownRole: night.wasAlive && ownRole >= 0 ? ownRole : null,
    holders: byRole.map(([role, ofRole]) => ({ role, count: countHolders(ofRole, table) })),
    uses: byPower.flatMap(([power, { length: times }]) => {
      const others = table.counts[power.role]! - (power.role === ownRole ? 1 : 0);
      return power.supply === Infinity ? [] : [{ power: power.index, times, supply: power.supply * others }];
    }),
    notSelf: uses.flatMap(({ power, target }) =>
      target === unnamedPlayer || target === me || table.powers.canUseOnSelf(power, nightfall)
        ? []
        : [{ seat: target, role: power.role }],
    ),
  };
}

/** How many holders the uses of one role's powers take: nobody uses a power twice in a night, nor certain two together. */
function countHolders(uses: readonly PowerUse[], { powers }: RoleTable): number {
  const byPower = [...Map.groupBy(uses, ({ power }) => power)];
  const isExclusive = byPower.some(([one]) =>
    byPower.some(([other]) => one !== other && !powers.canCombine(one, other)),
  );
  return isExclusive ? uses.length : Math.max(...byPower.map(([, { length }]) => length));
}

/** What is assumed about all nights so far. */
export interface NightHypothesis {
  /** The roles that each seat may have if it is true. */
  allowed: readonly RoleSet[];
  /** How often other players have used each power, by `NightPower.index`. */
  used: readonly number[];
}

/**
 * Extends a hypothesis by one night: one new hypothesis for each explanation of the night that agrees with it.
 * `headcount` is how many of each role live at nightfall, `spared` the roles that the pack never attacks.
 *
 * Acts belong to roles here, not to single players. Where several other players have a role, some impossible hypotheses
 * therefore pass: the limits that one player uses a potion once, or no power on themselves, are checked only in part.
 * The rule that nobody shields the same player twice in a row is not checked at all.
 */
export const extendHypothesis = (
  assignments: readonly NightAssignment[],
  hypothesis: NightHypothesis,
  headcount: readonly number[],
  spared: RoleSet,
): NightHypothesis[] =>
  assignments.flatMap(({ victim, ownRole, holders, uses, notSelf }) => {
    const countOthers = (role: number) => headcount[role]! - (ownRole === role ? 1 : 0);
    const isPossible =
      holders.every(({ role, count }) => count <= countOthers(role)) &&
      uses.every(({ power, times, supply }) => hypothesis.used[power]! + times <= supply);
    if (!isPossible) return [];
    const allowed = [...hypothesis.allowed];
    const used = [...hypothesis.used];
    if (victim !== null) allowed[victim]! &= ~spared;
    for (const { seat, role } of notSelf) if (countOthers(role) === 1) allowed[seat]! &= ~(1 << role);
    for (const { power, times } of uses) used[power]! += times;
    return [{ allowed, used }];
  });
