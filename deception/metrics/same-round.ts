// Differences between those to whom something happened and those of the same round to whom it did not.
import type { Sums } from '../statistics/sums.ts';
import type { Metric } from './metric.ts';

export type Group = 'those' | 'others';

/** The names of a group's sums in a round. */
const namesOf = (round: string, group: Group) => ({
  total: `${round} ${group} total`,
  n: `${round} ${group} n`,
  missing: `${round} ${group} missing`,
});
type Names = ReturnType<typeof namesOf>;

/** One level, 0…1, or a missing one, of a group in a round. */
export function inRound(group: Group, round: number, level: number | null): Sums {
  const { total, n, missing } = namesOf(String(round), group);
  return level === null ? { [missing]: 1 } : { [total]: level, [n]: 1 };
}

/** A resample fills the same object with other amounts under the same names: these are read once. */
const layouts = new WeakMap<Sums, readonly Record<Group, Names>[]>();

function roundsIn(sums: Sums): readonly Record<Group, Names>[] {
  const known = layouts.get(sums);
  if (known !== undefined) return known;
  const rounds = [...new Set(Object.keys(sums).map((name) => name.split(' ')[0]!))];
  const names = rounds.map((round) => ({ those: namesOf(round, 'those'), others: namesOf(round, 'others') }));
  layouts.set(sums, names);
  return names;
}

/** What stands for each missing level; null: they are left out. */
type Filling = Readonly<Record<Group, number>> | null;

/** Number and total of a group's levels in a round. */
function levelsIn(sums: Sums, names: Names, filler: number | null) {
  const missing = filler === null ? 0 : (sums[names.missing] ?? 0);
  return { n: (sums[names.n] ?? 0) + missing, total: (sums[names.total] ?? 0) + missing * (filler ?? 0) };
}

/** Over rounds that have both groups: levels of those, and the differences of means, each as often as those have levels. */
function compared(sums: Sums, filling: Filling) {
  let [counted, differences] = [0, 0];
  for (const round of roundsIn(sums)) {
    const those = levelsIn(sums, round.those, filling && filling.those);
    const others = levelsIn(sums, round.others, filling && filling.others);
    if (those.n === 0 || others.n === 0) continue;
    counted += those.n;
    differences += those.total - (those.n * others.total) / others.n;
  }
  return { counted, differences };
}

function differenceOf(sums: Sums, filling: Filling = null): number | null {
  const { counted, differences } = compared(sums, filling);
  return counted === 0 ? null : differences / counted;
}

/** Between means of the same round over all matches, −1…1; null where no round has both groups. */
export const sameRoundDifference = {
  range: [-1, 1],
  value: (sums: Sums) => differenceOf(sums),
  opportunities: (sums: Sums) => compared(sums, null).counted,
  bounds: (sums: Sums) => [differenceOf(sums, { those: 0, others: 1 }), differenceOf(sums, { those: 1, others: 0 })],
} as const satisfies Partial<Metric>;
