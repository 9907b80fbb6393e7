// Stances: who speaks against whom and for whom in today's debate; the last word of each on each counts.
import type { Remark } from './testimony.ts';

export interface Stances {
  /** Who speaks against the player, in the order in which they first spoke of them. */
  against(name: string): readonly string[];
  /** Who speaks for the player. */
  for(name: string): readonly string[];
}

/** The stances of those who are `alive`. */
export function stancesIn(remarks: readonly Pick<Remark, 'by' | 'acts'>[], alive: readonly string[]): Stances {
  const said = new Map<string, Map<string, boolean>>();
  for (const { by, acts } of remarks) {
    if (!alive.includes(by)) continue;
    for (const act of acts) {
      const accuses =
        act.kind === 'accuse' || act.kind === 'defend'
          ? act.kind === 'accuse'
          : act.kind === 'report'
            ? act.team === 'werewolves'
            : null;
      if (accuses === null || !('target' in act)) continue;
      said.set(act.target, (said.get(act.target) ?? new Map<string, boolean>()).set(by, accuses));
    }
  }
  const those = (name: string, accuse: boolean) =>
    [...(said.get(name) ?? [])].filter(([, accuses]) => accuses === accuse).map(([by]) => by);
  const players = [...said.keys()];
  const against = new Map(players.map((name) => [name, those(name, true)]));
  const inFavour = new Map(players.map((name) => [name, those(name, false)]));
  return { against: (name) => against.get(name) ?? [], for: (name) => inFavour.get(name) ?? [] };
}
