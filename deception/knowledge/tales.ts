// What may be supposed about all nights together: plots that go with each other.
import type { RoleSet } from './cast.ts';
import type { Plot } from './plots.ts';

/** What has been supposed about the nights so far. */
export interface Tale {
  /** The roles that each seat may have by it. */
  allowed: readonly RoleSet[];
  /** How often others than oneself have used each power, in the order of `Cast.powers`. */
  used: readonly number[];
}

/**
 * The tale so far with a night added, once for each plot that goes with it. `left` are the living at nightfall, by role.
 *
 * Deeds are given to roles, not to players, so where several others have a role some impossible tales pass: that nobody
 * uses a potion twice, or a power on themselves, is then seen only in part. Nor is it seen that some may not shield the
 * same player twice in a row, and must shield another.
 */
export const talesOf = (plots: readonly Plot[], tale: Tale, left: readonly number[], attackers: RoleSet): Tale[] =>
  plots.flatMap((plot) => {
    const others = (role: number) => left[role]! - (plot.own === role ? 1 : 0);
    const canBe =
      plot.holders.every(({ role, count }) => count <= others(role)) &&
      plot.spent.every(({ power, times, supply }) => tale.used[power]! + times <= supply);
    return canBe ? [told(plot, tale, others, attackers)] : [];
  });

function told(plot: Plot, tale: Tale, others: (role: number) => number, attackers: RoleSet): Tale {
  const allowed = [...tale.allowed];
  const used = [...tale.used];
  if (plot.victim !== null) allowed[plot.victim]! &= ~attackers;
  for (const { seat, role } of plot.notSelf) if (others(role) === 1) allowed[seat]! &= ~(1 << role);
  for (const { power, times } of plot.spent) used[power]! += times;
  return { allowed, used };
}
