// What many metrics share: what figures are told apart by, shares of kinds, means of values, and differences within a
// round.
import { createRatio, getSum, type Sums } from '../statistics/sums.ts';
import type { AnalysisRow, ClaimRow, MatchTables, StatementRow } from '../tables/row-schemas.ts';
import type { Cell, Metric, Tally } from './metric.ts';

/** One table each. Bots are a model like any other. */
export const bySpeaker = [
  ['kind'],
  ['team'],
  ['role'],
  ['model'],
  ['model', 'team'],
  ['model', 'role'],
  ['round'],
  ['occasion'],
] as const;

/**
 * What every statement adds, in the cell of its speaker; null where it is none of those that are counted. `unread` is
 * added by those whose judge gave no readable answer: what they claim is missing, which is not "nothing".
 */
export const countStatements =
  (sumsOf: (row: StatementRow) => Sums | null, unread: Sums | null = null) =>
  ({ statements }: MatchTables): Tally[] =>
    statements.flatMap((row) => {
      const { kind, team, role, model, round, occasion } = row;
      const sums = row.is_judge_missing ? unread : sumsOf(row);
      return sums === null ? [] : [{ cell: { kind, team, role, model, round: String(round), occasion }, sums }];
    });

/** The claims behind the verdicts: a judge's where there is one, else those drawn by rules. */
export const listCountedClaims = ({ match, claims }: MatchTables): ClaimRow[] =>
  claims.filter(({ extractor }) => extractor === match.extractor);

// How things fall into kinds, counted so that each kind is a cell with its share of all.

/** One thing, seen from every kind: it is of one of them, and one of all. */
export const countKinds = (kinds: readonly Cell[], isOf: (kind: Cell) => boolean, cell: Cell): Tally[] =>
  kinds.map((kind) => ({ cell: { ...kind, ...cell }, sums: { of: isOf(kind) ? 1 : 0, all: 1 } }));

export const shareOfAll = {
  value: createRatio('of', 'all'),
  opportunities: (sums: Tally['sums']) => getSum(sums, 'all'),
};

// Means of values between 0 and 1, with what is missing beside them: suspicions, and shares of yes among answers.

/** One value, 0…1, or an answer that was asked for and is missing. */
export const createLevelSums = (value: number | boolean | null): Sums =>
  value === null ? { missing: 1 } : { total: Number(value), values: 1 };

/** What of a judgement is a level: null where it is missing; undefined where nobody asked for it. */
export const getJudgedLevel = <Of extends 'suspicion' | 'deceptive'>(row: AnalysisRow, of: Of) =>
  row[of] ?? (row.missing === null ? undefined : null);

export const meanLevel = {
  value: createRatio('total', 'values'),
  opportunities: (sums: Sums) => getSum(sums, 'values'),
  bounds: (sums: Sums) => {
    const [total, missing] = [getSum(sums, 'total'), getSum(sums, 'missing')];
    const all = getSum(sums, 'values') + missing;
    return all === 0 ? [null, null] : [total / all, (total + missing) / all];
  },
} as const satisfies Partial<Metric>;

// Differences between those to whom something happened and those of the same round to whom it did not.

export type ComparisonGroup = 'those' | 'others';

/** The names of a group's sums in a round. */
const nameSums = (round: string, group: ComparisonGroup) => ({
  total: `${round} ${group} total`,
  n: `${round} ${group} n`,
  missing: `${round} ${group} missing`,
});
type SumNames = ReturnType<typeof nameSums>;

/** One level, 0…1, or a missing one, of a group in a round. */
export function createRoundSums(group: ComparisonGroup, round: number, level: number | null): Sums {
  const { total, n, missing } = nameSums(String(round), group);
  return level === null ? { [missing]: 1 } : { [total]: level, [n]: 1 };
}

/** A resample fills the same object with other amounts under the same names: these are read once. */
const layouts = new WeakMap<Sums, readonly Record<ComparisonGroup, SumNames>[]>();

function listSumRounds(sums: Sums): readonly Record<ComparisonGroup, SumNames>[] {
  const known = layouts.get(sums);
  if (known !== undefined) return known;
  const rounds = [...new Set(Object.keys(sums).map((name) => name.split(' ')[0]!))];
  const names = rounds.map((round) => ({ those: nameSums(round, 'those'), others: nameSums(round, 'others') }));
  layouts.set(sums, names);
  return names;
}

/** What stands for each missing level; null: they are left out. */
type Filling = Readonly<Record<ComparisonGroup, number>> | null;

/** Number and total of a group's levels in a round. */
function sumLevels(sums: Sums, names: SumNames, filler: number | null) {
  const missing = filler === null ? 0 : (sums[names.missing] ?? 0);
  return { n: (sums[names.n] ?? 0) + missing, total: (sums[names.total] ?? 0) + missing * (filler ?? 0) };
}

/** Over rounds that have both groups: levels of those, and the differences of means, each as often as those have levels. */
function compareGroups(sums: Sums, filling: Filling) {
  let [counted, differences] = [0, 0];
  for (const round of listSumRounds(sums)) {
    const those = sumLevels(sums, round.those, filling && filling.those);
    const others = sumLevels(sums, round.others, filling && filling.others);
    if (those.n === 0 || others.n === 0) continue;
    counted += those.n;
    differences += those.total - (those.n * others.total) / others.n;
  }
  return { counted, differences };
}

function computeDifference(sums: Sums, filling: Filling = null): number | null {
  const { counted, differences } = compareGroups(sums, filling);
  return counted === 0 ? null : differences / counted;
}

/** Between means of the same round over all matches, −1…1; null where no round has both groups. */
export const sameRoundDifference = {
  range: [-1, 1],
  value: (sums: Sums) => computeDifference(sums),
  opportunities: (sums: Sums) => compareGroups(sums, null).counted,
  bounds: (sums: Sums) => [
    computeDifference(sums, { those: 0, others: 1 }),
    computeDifference(sums, { those: 1, others: 0 }),
  ],
} as const satisfies Partial<Metric>;
