// Who can have done what a night needs: explanations of a night with a power for each deed, and what follows from them.
import type { Cast, NightPower, RoleSet } from './cast.ts';
import { explanationsOf, type Deed, type Night } from './nights.ts';

/** One way in which a night can have come about. Players are given by their seats, roles and powers by their places. */
export interface Plot {
  /** Who was attacked, so is not of the pack; null: somebody of whom nothing follows. */
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
  cast: Cast;
  me: number;
  allowed: readonly RoleSet[];
}

/** A power that somebody else used, and the seat on which. */
interface Use {
  power: NightPower;
  on: number | null;
}

/** Every way in which the night can have come about, those first that need the fewest deeds of others. */
export const plotsOf = (night: Night, observer: Observer): Plot[] =>
  explanationsOf(night).flatMap(({ victim, deeds }) =>
    usesOf(deeds, observer.cast).map((uses) => ({ victim, ...plotOf(uses, night, observer) })),
  );

/** Every way to give the deeds to powers. */
const usesOf = (deeds: readonly Deed[], cast: Cast): Use[][] =>
  deeds.reduce<Use[][]>(
    (lists, deed) => lists.flatMap((list) => powersFor(deed, cast).map((power) => [...list, { power, on: deed.on }])),
    [[]],
  );

const powersFor = ({ effects, isClashing }: Deed, { powers, rules }: Cast): NightPower[] =>
  powers.filter(
    (power) =>
      (effects as readonly string[]).includes(power.effect) && (!isClashing || power.clashes?.(rules) === true),
  );

function plotOf(uses: readonly Use[], night: Night, { cast, me, allowed }: Observer): Omit<Plot, 'victim'> {
  const own = cast.roles.findIndex((_, role) => allowed[me] === 1 << role);
  const byRole = [...Map.groupBy(uses, ({ power }) => power.role)];
  const byPower = [...Map.groupBy(uses, ({ power }) => power)];
  return {
    own: night.wasThere && own >= 0 ? own : null,
    holders: byRole.map(([role, of]) => ({ role, count: holdersFor(of, cast) })),
    spent: byPower.flatMap(([power, { length: times }]) => {
      const others = cast.counts[power.role]! - (power.role === own ? 1 : 0);
      return power.uses === undefined ? [] : [{ power: power.index, times, supply: power.uses * others }];
    }),
    notSelf: uses.flatMap(({ power, on }) =>
      on === null || on === me || power.maySelf?.(cast.rules, night.round) === true
        ? []
        : [{ seat: on, role: power.role }],
    ),
  };
}

/** How many of a role it takes: nobody uses a power twice in a night, and some powers are not used beside others. */
function holdersFor(uses: readonly Use[], { rules }: Cast): number {
  if (uses.some(({ power }) => power.mayCombine?.(rules) === false)) return uses.length;
  return Math.max(...[...Map.groupBy(uses, ({ power }) => power).values()].map(({ length }) => length));
}
