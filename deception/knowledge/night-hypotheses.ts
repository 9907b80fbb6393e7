// What may have happened in a night that ended as it did: hypotheses about who was attacked and what others did, each
// checked by letting the night's own step resolve it.
import type { Intent } from '../../state/game.ts';
import type { NightPower } from './night-powers.ts';
import type { RoleSet, RoleTable } from './role-table.ts';

/** A night as one player knows it. Players are given by their seats. */
export interface Night {
  round: number;
  /** Whether it was said who left, if anybody. */
  isAnnounced: boolean;
  /** Whether the player was still in the game at nightfall. */
  wasThere: boolean;
  /** Who was in the game at nightfall. */
  alive: readonly number[];
  /** Whom the team that attacks has attacked, where the player was told. */
  victim: number | null;
  /** The player's own acts. */
  own: { verb: string; target: number }[];
  /** Who left in the night; others may have followed by a last act. */
  gone: number[];
  /** Those of them who then did what the poisoned may not do. */
  unpoisoned: number[];
}

/** Somebody to whom it happened of whom nothing follows. */
const somebody = null;

/** One way in which a night can have come about. Roles and powers are given by their places. */
export interface NightAssignment {
  /** Who was attacked; null: nobody, or somebody of whom nothing follows. */
  victim: number | null;
  /** The own role, where one was still in the game: its holder did what one knows to have done, and nothing else. */
  own: number | null;
  /** How many others of a role were at work. */
  holders: readonly { role: number; count: number }[];
  /** How often they used what can be used so often in a game. */
  spent: readonly { power: number; times: number; supply: number }[];
  /** Who was not of a role if only one other had it, who may not do this to themselves. */
  notSelf: readonly { seat: number; role: number }[];
}

/** Who sees it: the own seat, and the roles that each seat may have by single facts. */
export interface Observer {
  table: RoleTable;
  me: number;
  allowed: readonly RoleSet[];
}

/** A power that somebody else used, and the seat on which. */
interface PowerUse {
  power: NightPower;
  on: number | typeof somebody;
}

/** Every way in which the night can have come about, as far as they differ in what they say about roles. */
export function listNightAssignments(night: Night, observer: Observer): NightAssignment[] {
  const { table } = observer;
  const nightfall = { round: night.round, alive: night.alive.map((seat) => table.seats[seat]!) };
  const getName = (seat: number) => table.seats[seat]!;
  const own = night.own.map(({ verb, target }) => ({ verb, round: night.round, by: [], target: getName(target) }));
  const named = [...new Set([...night.gone, ...night.own.map(({ target }) => target)])];
  const isAttackable = (seat: number) => table.powers.canAttack(getName(seat), nightfall);

  const explain = (victim: number | null, isNamed: boolean): NightAssignment[] => {
    const seats = [...new Set([...named, ...(victim === null ? [] : [victim])])];
    const attack = victim === null ? [] : [table.powers.createAttack(getName(victim), night.round)];
    const toll = victim === null ? null : getName(victim);
    const ways = seats.map((seat) => {
      const given = [...attack, ...own].filter(({ target }) => target === getName(seat));
      const usable = table.powers.ofHolders.filter((power) =>
        table.powers.canUseOn(power, getName(seat), toll, nightfall),
      );
      const isSo = (uses: readonly NightPower[]) => isAsSeen(seat, [...given, ...listIntents(uses, seat)]);
      const on = seat === victim && !isNamed ? somebody : seat;
      return listMinimalSubsets(usable, isSo).map((uses) => uses.map((power) => ({ power, on, seat })));
    });
    return combine(ways)
      .map((lists) => lists.flat())
      .filter((uses) => {
        const others = uses.flatMap(({ power, seat }) => listIntents([power], seat));
        const dead = table.powers.listDead([...attack, ...own, ...others], nightfall);
        return dead.length === night.gone.length && night.gone.every((seat) => dead.includes(getName(seat)));
      })
      .map((uses) => ({ victim: isNamed ? victim : null, ...assign(uses, night, observer, nightfall) }));
  };
  const listIntents = (uses: readonly NightPower[], seat: number): Intent[] =>
    uses.map(({ verb }) => ({ round: night.round, verb, by: [], target: getName(seat) }));
  const isAsSeen = (seat: number, intents: readonly Intent[]) => {
    const fate = table.powers.findFate(intents, getName(seat), nightfall);
    if ((fate !== null) !== night.gone.includes(seat)) return false;
    return fate !== 'poison' || !night.unpoisoned.includes(seat);
  };

  if (night.victim !== null) return explain(night.victim, true);
  const unnamed = night.alive.find((seat) => !named.includes(seat) && isAttackable(seat));
  return [
    ...(table.powers.mustAttack(nightfall) ? [] : explain(null, true)),
    ...named.filter(isAttackable).flatMap((seat) => explain(seat, true)),
    ...(unnamed === undefined ? [] : explain(unnamed, false)),
  ];
}

/** The smallest sets of which `isSo` holds: whatever holds of a larger one besides says no less about roles. */
function listMinimalSubsets<Item>(items: readonly Item[], isSo: (some: readonly Item[]) => boolean): Item[][] {
  const subsets = items.reduce<Item[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
  const found: Item[][] = [];
  for (const set of subsets.sort((one, other) => one.length - other.length)) {
    const isLarger = found.some((smaller) => smaller.every((item) => set.includes(item)));
    if (!isLarger && isSo(set)) found.push(set);
  }
  return found;
}

/** One of each list, in every combination. */
const combine = <Item>(lists: readonly (readonly Item[])[]): Item[][] =>
  lists.reduce<Item[][]>((chosen, list) => chosen.flatMap((some) => list.map((item) => [...some, item])), [[]]);

function assign(
  uses: readonly PowerUse[],
  night: Night,
  { table, me, allowed }: Observer,
  nightfall: { round: number; alive: readonly string[] },
): Omit<NightAssignment, 'victim'> {
  const own = table.roles.findIndex((_, role) => allowed[me] === 1 << role);
  const byRole = [...Map.groupBy(uses, ({ power }) => power.role)];
  const byPower = [...Map.groupBy(uses, ({ power }) => power)];
  return {
    own: night.wasThere && own >= 0 ? own : null,
    holders: byRole.map(([role, of]) => ({ role, count: countHolders(of, table) })),
    spent: byPower.flatMap(([power, { length: times }]) => {
      const others = table.counts[power.role]! - (power.role === own ? 1 : 0);
      return power.supply === Infinity ? [] : [{ power: power.index, times, supply: power.supply * others }];
    }),
    notSelf: uses.flatMap(({ power, on }) =>
      on === somebody || on === me || table.powers.canUseOnSelf(power, nightfall)
        ? []
        : [{ seat: on, role: power.role }],
    ),
  };
}

/** How many of a role it takes: nobody uses a power twice in a night, and some powers are not used beside others. */
function countHolders(uses: readonly PowerUse[], { powers }: RoleTable): number {
  const used = [...Map.groupBy(uses, ({ power }) => power)];
  const isApart = used.some(([one]) => used.some(([other]) => one !== other && !powers.canCombine(one, other)));
  return isApart ? uses.length : Math.max(...used.map(([, { length }]) => length));
}

/** What has been supposed about the nights so far. */
export interface NightHypothesis {
  /** The roles that each seat may have by it. */
  allowed: readonly RoleSet[];
  /** How often others than oneself have used each power, in the order of `NightPowers.ofHolders`. */
  used: readonly number[];
}

/**
 * A hypothesis with a night added, once for each assignment that goes with it. `left` are the living at nightfall, by
 * role.
 *
 * Acts are given to roles, not to players, so where several others have a role some impossible hypotheses pass: that
 * nobody uses a potion twice, or a power on themselves, is then seen only in part. Nor is it seen that some may not
 * shield the same player twice in a row, and must shield another.
 */
export const extendHypothesis = (
  assignments: readonly NightAssignment[],
  hypothesis: NightHypothesis,
  left: readonly number[],
  spared: RoleSet,
): NightHypothesis[] =>
  assignments.flatMap(({ victim, own, holders, spent, notSelf }) => {
    const countOthers = (role: number) => left[role]! - (own === role ? 1 : 0);
    const isPossible =
      holders.every(({ role, count }) => count <= countOthers(role)) &&
      spent.every(({ power, times, supply }) => hypothesis.used[power]! + times <= supply);
    if (!isPossible) return [];
    const allowed = [...hypothesis.allowed];
    const used = [...hypothesis.used];
    if (victim !== null) allowed[victim]! &= ~spared;
    for (const { seat, role } of notSelf) if (countOthers(role) === 1) allowed[seat]! &= ~(1 << role);
    for (const { power, times } of spent) used[power]! += times;
    return [{ allowed, used }];
  });
