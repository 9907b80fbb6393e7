// Hypotheses about the nights of a match: who may have been attacked, and which powers other players may have used, so
// that each night ended as it did. Each hypothesis is checked by resolving it with the game's own code for the night.
import type { Intent } from '../../state/game.ts';
import type { Nightfall } from './hypothetical-games.ts';
import type { NightPower } from './night-powers.ts';
import type { RoleSet, RoleTable } from './role-table.ts';

/** One player (the observer) and what that player knows about one night. Players are given by their seats. */
export interface KnownNight {
  round: number;
  /** Whether the result of the night has been announced. */
  isAnnounced: boolean;
  /** Whether the observer was in the game at nightfall. */
  wasAlive: boolean;
  /** Players in the game at nightfall. */
  alive: readonly number[];
  /** The player whom the Werewolves attacked, if the observer learned this; null if unknown. */
  victim: number | null;
  /** The observer's own acts. */
  ownActs: { verb: string; target: number }[];
  /** Players who left during this night. Excludes players who left because of another player's last act. */
  departed: number[];
  /**
   * Players in `departed` who used a last act that is forbidden after poison. Poison therefore cannot have killed them.
   */
  notPoisoned: number[];
}

/** Represents any player whom no event mentions. Nothing about roles follows from such a player. */
const unnamedPlayer = null;

/** One explanation of a night, reduced to its consequences for roles. Roles and powers are given by index. */
export interface NightAssignment {
  /** Seat that was attacked. Null if nobody was attacked, or if nothing follows about the attacked player. */
  victim: number | null;
  /**
   * The observer's role. Null if it is unknown, or if the observer had left before this night. The observer's own acts
   * in this night are fully known.
   */
  ownRole: number | null;
  /** For each role, the number of other players with this role who must have acted. */
  holders: readonly { role: number; count: number }[];
  /** Uses of limited powers by other players. `supply`: number of uses that the power allows in a match. */
  uses: readonly { power: number; times: number; supply: number }[];
  /**
   * Seats on which a power was used although its holders may not use it on themselves. If only one other player has the
   * role, that player sits in another seat.
   */
  notSelf: readonly { seat: number; role: number }[];
}

/** The player whose knowledge is derived. */
interface Observer {
  table: RoleTable;
  /** Seat of the player. */
  me: number;
  /** For each seat, the roles that remain possible after single observations, such as checks and reveals. */
  allowed: readonly RoleSet[];
}

/** A power that another player used, with its target. */
interface PowerUse {
  power: NightPower;
  target: number | typeof unnamedPlayer;
}

/**
 * The victim of the Werewolves, and the powers that other players used. `victim` is null if nothing follows from the
 * victim.
 */
interface NightExplanation {
  victim: number | null;
  uses: readonly PowerUse[];
}

/** Lists the explanations of a night. Explanations with the same consequences for roles are listed once. */
export function listNightAssignments(night: KnownNight, observer: Observer): NightAssignment[] {
  const { table } = observer;
  const nightfall = { round: night.round, alive: night.alive.map((seat) => table.seats[seat]!) };
  return recallExplanations(night, table, nightfall).map(({ victim, uses }) => ({
    victim,
    ...createAssignment(uses, night, observer, nightfall),
  }));
}

/**
 * Cache of explanations: table → knowledge of a night → explanations of that night. Most players know the same about a
 * night, so they share the cached explanations.
 */
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
 * Lists the explanations of a night. Tries each candidate for the victim. For each player involved, finds the smallest
 * sets of powers that explain why the player left or stayed as announced. Keeps the combinations of these sets after
 * which the night ends as it did.
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
  // No event so far distinguishes the unnamed players, so one of them represents all.
  const unnamed = night.alive.find((seat) => !named.includes(seat) && isAttackable(seat));
  return [
    ...(table.powers.mustAttack(nightfall) ? [] : explain(null, true)),
    ...named.filter(isAttackable).flatMap((seat) => explain(seat, true)),
    ...(unnamed === undefined ? [] : explain(unnamed, false)),
  ];
}

/**
 * A claim that a player used a power on another player or on themselves. Powers that a team uses together are excluded.
 */
export interface ClaimedUse {
  verb: string;
  isOnSelf: boolean;
  /** Seat of the target. */
  target: number;
}

/**
 * Returns whether the night can have ended as it did for the target if somebody used that power on the target. Assumes
 * nothing about attacks or other powers used on the target. Also returns true if the end of the night is unknown, and
 * for powers that do not affect who leaves.
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

/**
 * Lists the smallest subsets for which `isExplanation` is true. Larger subsets can be ignored, because they exclude no
 * further roles.
 */
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

/** Lists all combinations of one item from each list. */
const listCombinations = <Item>(lists: readonly (readonly Item[])[]): Item[][] =>
  lists.reduce<Item[][]>((chosen, list) => chosen.flatMap((items) => list.map((item) => [...items, item])), [[]]);

/** Derives the consequences for roles from the uses of powers in one explanation. */
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

/**
 * Counts the players of one role that its uses of powers in this explanation require. No player uses a power twice in a
 * night, or uses two powers that cannot be combined.
 */
function countHolders(uses: readonly PowerUse[], { powers }: RoleTable): number {
  const byPower = [...Map.groupBy(uses, ({ power }) => power)];
  const isExclusive = byPower.some(([one]) =>
    byPower.some(([other]) => one !== other && !powers.canCombine(one, other)),
  );
  return isExclusive ? uses.length : Math.max(...byPower.map(([, { length }]) => length));
}

/** Assumptions about all nights so far. */
export interface NightHypothesis {
  /** Roles that each seat may have under the assumptions. */
  allowed: readonly RoleSet[];
  /** Number of times that other players used each power, by `NightPower.index`. */
  used: readonly number[];
}

/**
 * Extends a hypothesis by one night. Returns one new hypothesis for each explanation of the night that is consistent
 * with the given hypothesis. `headcount`: number of living players of each role at nightfall. `spared`: roles that the
 * Werewolves never attack. Acts are counted by role, not by player, so some impossible hypotheses pass if several other
 * players have the same role. The limit on one player's potions and the ban on using certain powers on oneself are then
 * checked only in part. The ban on shielding the same player twice in a row is not checked.
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
