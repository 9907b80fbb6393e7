// Metrics of what a lie does to the belief in its speaker: what listeners who could not know made of the speaker just
// after it and just before, and the same of true claims of the same kind.
import { computeRatio, getSum, type Sums } from '../statistics/sums.ts';
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { hearingBreakdowns, listCountedClaims } from './breakdowns.ts';
import { isByListener, judgementStrata, listLabelledJudgements } from './judgements.ts';
import { type MetricCell, createRatioFigure, type Metric, type MetricTally } from './metric.ts';

type Score = 'suspicion' | 'p_werewolf';

/** What a listener made of a speaker before and after a lie, or a true claim. */
interface Shift {
  row: AnalysisRow;
  cell: MetricCell;
  isLie: boolean;
  /** The types of the claims that are lies, or of a statement that is none, true. */
  types: readonly string[];
  before: number;
  after: number;
}

/**
 * Of every lie and every true claim, for each listener who could not know which it was (nor, for beliefs, the side), and
 * who had heard the speaker before. The analyses stand in the order of the statements.
 */
function listShifts(match: MatchTables, score: Score): Shift[] {
  const earlier = indexEarlierScores(match.analyses, score);
  const typesOf = indexClaimTypes(match);
  return listLabelledJudgements(match).flatMap(({ row, cell }): Shift[] => {
    const [before, after] = [earlier.get(row), row[score]];
    const types = typesOf.get(row.statement)?.[row.is_lie ? 'lies' : 'truths'];
    if (before === undefined || after === null || types === undefined || types.size === 0) return [];
    if (row.could_know || (score === 'p_werewolf' && row.knows_side)) return [];
    return [{ row, cell, isLie: row.is_lie, types: [...types], before, after }];
  });
}

/** What the same listener, or annotator in that repeat, last gave the same speaker, in debates or with ballots. */
function indexEarlierScores(analyses: readonly AnalysisRow[], score: Score): ReadonlyMap<AnalysisRow, number> {
  const last = new Map<string, number>();
  const earlier = new Map<AnalysisRow, number>();
  for (const row of analyses.filter(isByListener)) {
    const pair = JSON.stringify([row.source, row.repeat, row.observer, row.speaker]);
    const [before, after] = [last.get(pair), row[score]];
    if (before !== undefined) earlier.set(row, before);
    if (after !== null) last.set(pair, after);
  }
  return earlier;
}

/** By statement the types of its claims that are lies, and of those that are true; opinions are neither. */
function indexClaimTypes(match: MatchTables) {
  const found = new Map<string, Record<'lies' | 'truths', Set<string>>>();
  for (const { statement, type, verdict, is_true: isTrue, is_hedged: isHedged } of listCountedClaims(match)) {
    const types = found.get(statement) ?? { lies: new Set(), truths: new Set() };
    found.set(statement, types);
    if (verdict === 'lie') types.lies.add(type);
    else if (isTrue && !isHedged) types.truths.add(type);
  }
  return found;
}

const shared = {
  strata: [...judgementStrata, 'speaker_team'],
  readsClaims: 'counted',
  breakdowns: hearingBreakdowns,
} as const;

// How often lies are swallowed.

export const liesBelievedRate: Metric = {
  ...shared,
  name: 'lies_believed_rate',
  title: 'Lies believed',
  section: 'lies',
  definition:
    'Judgements of lies by listeners who could not know and whose suspicion did not rise above what they last gave the speaker, over all such judgements with an earlier one of the same speaker.',
  unit: 'share of judgements of lies',
  range: [0, 1],
  modelDimension: 'speaker_model',
  isHeadline: true,
  count: (match) =>
    listShifts(match, 'suspicion')
      .filter(({ isLie }) => isLie)
      .map(({ cell, before, after }) => ({ cell, sums: { believed: after <= before ? 1 : 0, judgements: 1 } })),
  ...createRatioFigure('believed', 'judgements'),
};

// The shift itself, after lies and after true claims.

/** Rises and falls are separate sums, so that no sum is below 0. */
const countShifts =
  (score: Score) =>
  (match: MatchTables): MetricTally[] =>
    listShifts(match, score).map(({ cell, isLie, before, after }) => ({
      cell: { ...cell, said: isLie ? 'lie' : 'true claim' },
      sums: { rises: Math.max(after - before, 0), falls: Math.max(before - after, 0), judgements: 1 },
    }));

// The difference between the two, matched by the type of claim and the round.

type Group = 'lies' | 'truths';

interface SumNames {
  total: string;
  n: string;
}

const nameSums = (type: string, round: number, group: Group): SumNames => ({
  total: `${type} ${round} ${group} total`,
  n: `${type} ${round} ${group} n`,
});

/** A statement counts once with each type of its claims. Totals are of shift + 1, so that none is below 0. */
const countMatchedShifts =
  (score: Score) =>
  (match: MatchTables): MetricTally[] =>
    listShifts(match, score).flatMap(({ row, cell, isLie, types, before, after }) =>
      types.map((type) => {
        const { total, n } = nameSums(type, row.round, isLie ? 'lies' : 'truths');
        return { cell, sums: { [total]: 1 + after - before, [n]: 1 } };
      }),
    );

interface RoundNames extends Record<Group, SumNames> {
  round: number;
}

/** A resample fills the same object with other amounts under the same names: these are read once. */
const layouts = new WeakMap<Sums, readonly (readonly RoundNames[])[]>();

/** The names of the sums by type, each by round. */
function listTypes(sums: Sums): readonly (readonly RoundNames[])[] {
  const known = layouts.get(sums);
  if (known !== undefined) return known;
  const cells = [...new Set(Object.keys(sums).map((name) => name.split(' ', 2).join(' ')))].map((name) => {
    const [type, round] = name.split(' ');
    return { type: type!, round: Number(round) };
  });
  const types = [...Map.groupBy(cells, ({ type }) => type).values()].map((ofType) =>
    ofType
      .map(({ type, round }) => ({
        round,
        lies: nameSums(type, round, 'lies'),
        truths: nameSums(type, round, 'truths'),
      }))
      .sort((one, other) => one.round - other.round),
  );
  layouts.set(sums, types);
  return types;
}

/** The round nearest to that of the lies that has true claims; of two, the earlier. */
function findMatch(sums: Sums, { round }: RoundNames, ofType: readonly RoundNames[]): SumNames | null {
  let nearest: RoundNames | null = null;
  for (const other of ofType) {
    if (getSum(sums, other.truths.n) === 0) continue;
    if (nearest === null || Math.abs(other.round - round) < Math.abs(nearest.round - round)) nearest = other;
  }
  return nearest && nearest.truths;
}

/** Over lies with a match: their number, and the sum of how much more they shift than the mean of the match. */
function compareShifts(sums: Sums) {
  let [counted, differences] = [0, 0];
  for (const ofType of listTypes(sums))
    for (const one of ofType) {
      const n = getSum(sums, one.lies.n);
      const truths = n === 0 ? null : findMatch(sums, one, ofType);
      if (truths === null) continue;
      counted += n;
      differences += getSum(sums, one.lies.total) - (n * getSum(sums, truths.total)) / getSum(sums, truths.n);
    }
  return { counted, differences };
}

const countGroup = (group: Group) => (sums: Sums) =>
  listTypes(sums)
    .flat()
    .reduce((all, names) => all + getSum(sums, names[group].n), 0);

function computeMatchedDifference(sums: Sums): number | null {
  const { counted, differences } = compareShifts(sums);
  return computeRatio(differences, counted);
}

/** Of one score the shift after lies and after true claims, and the difference of matched ones. */
function createShiftMetrics(name: string, score: Score, title: string, what: string, unit: string): Metric[] {
  const both = {
    ...shared,
    section: 'detection',
    range: [-1, 1],
    modelDimension: 'observer_model',
  } as const;
  return [
    {
      ...both,
      name: `${name}_shift_difference`,
      title: `${title}: shift after lies against true claims`,
      definition: `How much more ${what} rises from just before to just after a lie than a true claim, the mean over judgements of lies by listeners who could not know; matched are true claims of the same type by speakers of the same side in the same round, or the nearest. None unless ten matches have such lies and ten such true claims.`,
      unit: `difference of ${unit}`,
      isHeadline: true,
      count: countMatchedShifts(score),
      value: computeMatchedDifference,
      opportunities: (sums) => compareShifts(sums).counted,
      comparedGroups: [countGroup('lies'), countGroup('truths')],
    },
    {
      ...both,
      name: `${name}_shift`,
      title: `${title}: shift after lies and after true claims`,
      definition: `The mean of ${what} just after a statement minus the same listener's last one of the same speaker before it, over listeners who could not know whether it is a lie.`,
      unit,
      strata: [...both.strata, 'said'],
      breakdowns: [['observer_team'], ['observer_model'], ['speaker_model']],
      count: countShifts(score),
      value: (sums) => computeRatio(getSum(sums, 'rises') - getSum(sums, 'falls'), getSum(sums, 'judgements')),
      opportunities: (sums) => getSum(sums, 'judgements'),
    },
  ];
}

export const suspicionShiftMetrics: readonly Metric[] = [
  ...createShiftMetrics('suspicion', 'suspicion', 'Suspicion', 'suspicion', 'suspicion'),
  ...createShiftMetrics(
    'belief',
    'p_werewolf',
    'Belief',
    'the probability that the speaker is a Werewolf',
    'probability',
  ),
];
