// Parts that several metrics share: breakdowns by speaker, counts of statements and claims, shares of kinds, means of
// values from 0 to 1, and differences within a round.
import type { Team } from '../../state/teams.ts';
import { getSum, type Sums } from '../statistics/sums.ts';
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { ClaimRow } from '../tables/claim-rows.ts';
import type { SilenceRow } from '../tables/silence-rows.ts';
import type { StatementRow } from '../tables/statement-rows.ts';
import { createRatioFigure, type MetricCell, type Metric, type MetricTally } from './metric.ts';

/** Breakdowns of metrics of debate statements. Bots count as models. */
export const speakerBreakdowns = [
  ['team'],
  ['role'],
  ['model'],
  ['model', 'team'],
  ['model', 'role'],
  ['round'],
  ['occasion'],
] as const;

/**
 * Breakdowns of metrics that already separate the speaker's side: by the listener, by the speaker's model, and by both.
 */
export const hearingBreakdowns = [
  ['observer_team'],
  ['observer_model'],
  ['speaker_model'],
  ['observer_model', 'speaker_model'],
  ['is_same_model'],
] as const;

/**
 * Counts either debate statements or explanations of ballots, each in its speaker's cell. Explanations hold almost no
 * lies, so counting both kinds together would only inflate the denominator. `sumsOf` returns null for a statement that
 * does not count. `unread`: sums of a statement whose claims are missing, because the judge gave no readable answer, or
 * because the model refused or gave no readable statement.
 */
export const countStatements =
  (sumsOf: (row: StatementRow) => Sums | null, unread: Sums | null = null, kind: StatementRow['kind'] = 'debate') =>
  ({ statements, silences }: MatchTables): MetricTally[] =>
    [
      ...statements.map((row) => ({ row, sums: row.is_judge_missing ? unread : sumsOf(row) })),
      ...silences.map((row) => ({ row, sums: unread })),
    ].flatMap(({ row, sums }) => (sums === null || row.kind !== kind ? [] : [{ cell: getSpeakerCell(row), sums }]));

/** Returns the cell of a statement, or of a turn without a readable statement. */
export const getSpeakerCell = ({ team, role, model, round, occasion }: StatementRow | SilenceRow): MetricCell => ({
  ...{ team, role, model, round: String(round), occasion },
});

/** Lists the claims behind the verdicts: the judge's claims if there is a judge, else the claims found by rules. */
export const listCountedClaims = ({ match, claims }: MatchTables): ClaimRow[] =>
  claims.filter(({ extractor }) => extractor === match.extractor);

/**
 * Whether a judge could not read one of these statements. The number of claims is then unknown for the whole match.
 * Leaving out only the speakers of unread statements would favor players who speak little or not at all.
 */
export const hasUnreadStatement = (statements: readonly StatementRow[]): boolean =>
  statements.some((row) => row.is_judge_missing);

/**
 * Returns a cell that names the model in all seats of the other side. The cell is empty if several models share that
 * side.
 */
export function getOpponentCell(
  { villagers_model: villagers, werewolves_model: werewolves }: MatchTables['match'],
  team: Team,
): MetricCell {
  const opponent = team === 'villagers' ? werewolves : villagers;
  return opponent === null ? {} : { opponent };
}

// Shares of kinds: each kind is a cell with its share of the total.

/**
 * Returns the tallies of one item: one tally in the cell of every kind. Each tally adds 1 to `all`. The tally of the
 * item's own kind also adds 1 to `of`.
 */
export const countKinds = (
  kinds: readonly MetricCell[],
  isOf: (kind: MetricCell) => boolean,
  cell: MetricCell,
): MetricTally[] => kinds.map((kind) => ({ cell: { ...kind, ...cell }, sums: { of: isOf(kind) ? 1 : 0, all: 1 } }));

export const levelShareFigure = createRatioFigure('of', 'all');

// Means of values from 0 to 1, with the number of missing values. A value is a suspicion, or a yes (1) or no (0).

/** Returns the sums of one value from 0 to 1, or of a missing answer (null). */
export const createLevelSums = (value: number | boolean | null): Sums =>
  value === null ? { missing: 1 } : { total: Number(value), values: 1 };

/**
 * Returns the suspicion or the flag of a judgment. Null if the answer is missing; undefined if no answer was requested.
 */
export const getJudgedLevel = <Of extends 'suspicion' | 'deceptive'>(row: AnalysisRow, of: Of) =>
  row[of] ?? (row.missing === null ? undefined : null);

export const meanLevel = {
  ...createRatioFigure('total', 'values'),
  bounds: (sums: Sums) => {
    const [total, missing] = [getSum(sums, 'total'), getSum(sums, 'missing')];
    const all = getSum(sums, 'values') + missing;
    return all === 0 ? [null, null] : [total / all, (total + missing) / all];
  },
} as const satisfies Partial<Metric>;

// Differences within a round between the players with some property or event (`those`) and all other players
// (`others`).

export type ComparisonGroup = 'those' | 'others';

/** Returns the names of a group's sums in a round. */
const nameSums = (round: string, group: ComparisonGroup) => ({
  total: `${round} ${group} total`,
  n: `${round} ${group} n`,
  missing: `${round} ${group} missing`,
});
type SumNames = ReturnType<typeof nameSums>;

/** Returns the sums of one value (0 to 1) of a group in a round. The value is null if it is missing. */
export function createRoundSums(group: ComparisonGroup, round: number, level: number | null): Sums {
  const { total, n, missing } = nameSums(String(round), group);
  return level === null ? { [missing]: 1 } : { [total]: level, [n]: 1 };
}

/**
 * Cache of the parsed names of sums. Resamples reuse one object of sums and change only its amounts, so the names of
 * each object are parsed once.
 */
const layouts = new WeakMap<Sums, readonly Record<ComparisonGroup, SumNames>[]>();

function listSumRounds(sums: Sums): readonly Record<ComparisonGroup, SumNames>[] {
  const known = layouts.get(sums);
  if (known !== undefined) return known;
  const rounds = [...new Set(Object.keys(sums).map((name) => name.split(' ')[0]!))];
  const names = rounds.map((round) => ({ those: nameSums(round, 'those'), others: nameSums(round, 'others') }));
  layouts.set(sums, names);
  return names;
}

/** Value that replaces each missing value of a group; null to leave missing values out. */
type Filling = Readonly<Record<ComparisonGroup, number>> | null;

/** Returns the number and total of a group's values in a round. */
function sumLevels(sums: Sums, names: SumNames, filler: number | null) {
  const missing = filler === null ? 0 : (sums[names.missing] ?? 0);
  return { n: (sums[names.n] ?? 0) + missing, total: (sums[names.total] ?? 0) + missing * (filler ?? 0) };
}

/**
 * Compares the two groups over the rounds in which both groups have values. Returns the number of values of `those`,
 * and the sum of the differences of means, each weighted by the number of values of `those` in its round.
 */
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

/**
 * Difference between the groups' means within a round, averaged over the rounds of all matches, from −1 to 1. Null if
 * no round has values of both groups.
 */
export const sameRoundDifference = {
  range: [-1, 1],
  value: (sums: Sums) => computeDifference(sums),
  opportunities: (sums: Sums) => compareGroups(sums, null).counted,
  bounds: (sums: Sums) => [
    computeDifference(sums, { those: 0, others: 1 }),
    computeDifference(sums, { those: 1, others: 0 }),
  ],
} as const satisfies Partial<Metric>;
