// Differences of all metrics between arms. Each row appears once, is tested, and is adjusted for the number of tests.
import { getFiniteRange, type Metric } from '../metrics/metric.ts';
import { findMissingGroups } from '../metrics/metric-collection.ts';
import { findWeakCoverage } from '../metrics/weak-coverage.ts';
import { MIN_CLUSTERS, type Resampling } from '../statistics/bootstrap.ts';
import { getArmTotal, listArms } from '../statistics/arm-estimates.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import {
  computeContrast,
  describeContrast,
  detectableErrors,
  getWeights,
  MIN_EXTREME,
} from '../statistics/paired-test.ts';
import { computeCorrected } from '../statistics/prediction-powered.ts';
import type { Sums } from '../statistics/sums.ts';
import type { Endpoint } from './analysis-plan.ts';
import type { ContrastedFigure } from './contrasted-figure.ts';
import { type Difference, isSameCell, type TestFamily } from './comparison-schema.ts';
import {
  adjustInFamilies,
  type Families,
  familiesByPart,
  findHeadlinesAbove,
  type PlacedRow,
} from './test-families.ts';

/**
 * Computes the differences of the primary endpoints and of all other rows. Endpoints are in the plan's order, with p
 * adjusted by Holm's procedure; an endpoint without data has no figures but still counts in the adjustment. The other
 * rows are adjusted in families: headlines first, then finer cells under significant headlines. A row with several
 * names appears once: as the endpoint, else as the headline, else under its first name. Bare hit rates of listeners are
 * left out. Throws a RangeError for more deals than the resampling was made for. `families`: decides which rows are
 * tested as headlines, and which are tested together. `resampled`: see `Resampled`. `onRow`: see `RowListener`.
 */
export function computeDifferences(
  contrasted: readonly ContrastedFigure[],
  endpoints: readonly Endpoint[],
  resampling: Resampling,
  families: Families = familiesByPart,
  resampled: Resampled = 'all',
  onRow: RowListener = () => {},
): { primary: Difference[]; secondary: Difference[] } {
  const compared = contrasted.filter((row) => !isBareHitRate(row));
  const named = endpoints.map((endpoint) => compared.find((one) => isEndpoint(endpoint, one)) ?? null);
  const isNamed = new Set(named);
  const headlines = families.selectHeadlines(compared);
  const name = families.nameFamily;
  const merged = mergeRepeated(compared, [(one) => isNamed.has(one), (one) => headlines.has(one)], name);
  const byRow = new Map(merged.map((one) => [one.row, one]));
  const computeRow = (one: Merged) =>
    resampled === 'none' ? describeDifference(one, 'endpoint') : computeDifference(one, 'endpoint', resampling);
  // An endpoint that equals an earlier row keeps its place in the plan.
  const primary = named.map((row, place) =>
    row === null ? createNoData(endpoints[place]!) : computeRow(byRow.get(row) ?? { row, also: [], family: name(row) }),
  );
  const others = merged.filter(({ row }) => !isNamed.has(row));
  return {
    primary: adjustPrimary(primary),
    secondary: computeSecondary(others, headlines, resampling, { resampled, onRow }),
  };
}

/**
 * Whether the row is a listener effect on a bare rate of hits. Listeners are compared by detection instead: hits alone
 * would favor a listener that flags everything.
 */
const isBareHitRate = ({ metric, part }: ContrastedFigure) =>
  metric.isBareHitRate === true && part?.name === 'listener';

/**
 * Selects the rows, besides endpoints, that get p and an interval. Computing p and intervals takes nearly all of the
 * time. `tested`: headlines, and finer cells under significant headlines, because no conclusion rests on other rows.
 * `all`: every row. The choice between the two does not change the adjusted p of significant rows. `none`: no row at
 * all, and no endpoint either, as in a study that is not complete.
 */
export type Resampled = 'none' | 'tested' | 'all';

/** Listener that is called before each row is computed, with the row's place and the number of all rows. */
export type RowListener = (place: number, rows: number) => void;

/** Reason why a row has no interval: none was requested. */
export const notResampled = 'not resampled';

/** Adjusted p at or below which a row needs no more swaps. More swaps would only show how far below this value p is. */
const FOUND = 0.01;

/**
 * Draws more swaps for rows that remain undecided, because adjusting for many tests enlarges their small p. Swaps are
 * slow, so finer cells get more only if their headline is significant.
 */
function computeSecondary(
  merged: readonly Merged[],
  headlines: ReadonlySet<ContrastedFigure>,
  resampling: Resampling,
  { resampled, onRow }: { resampled: Resampled; onRow: RowListener },
): Difference[] {
  const above = findHeadlinesAbove(merged.map(placeRow), headlines);
  const listTier = ({ row }: Merged, place: number): Difference['tier'] => {
    const lower = above[place] === null ? 'not tested' : 'finer cell';
    return headlines.has(row) ? 'headline' : lower;
  };
  if (resampled === 'none') return merged.map((one, place) => describeDifference(one, listTier(one, place)));
  let rows = merged.map((one, place) => {
    onRow(place, merged.length);
    const tier = listTier(one, place);
    return resampled === 'all' || tier === 'headline'
      ? computeDifference(one, tier, resampling, false)
      : describeDifference(one, tier);
  });
  for (const tier of ['headline', 'finer cell'] as const) {
    if (tier === 'finer cell' && resampled === 'tested') rows = resampleUnderFound(rows);
    const least = rows.map(({ p }) => p !== null && p * (1 + resampling.resamples) <= MIN_EXTREME);
    const adjusted = adjustInFamilies(rows, above).map((row) => row.p_adjusted);
    const isOpen = (place: number) => {
      const [own, headline] = [adjusted[place] ?? null, above[place] ?? null];
      return own !== null && own > FOUND && (headline === null || (adjusted[headline] ?? 1) <= MOST_FOUND);
    };
    rows = merged.map((one, place) => {
      onRow(place, merged.length);
      const row = rows[place]!;
      return row.tier === tier && least[place] && isOpen(place) ? computeDifference(one, tier, resampling) : row;
    });
  }
  return adjustInFamilies(rows, above);

  function resampleUnderFound(known: readonly Difference[]): Difference[] {
    const adjusted = adjustInFamilies(known, above).map((row) => row.p_adjusted);
    const isUnderFound = (place: number) => {
      const headline = above[place] ?? null;
      return headline !== null && (adjusted[headline] ?? 1) <= MOST_FOUND;
    };
    return known.map((row, place) => {
      onRow(place, merged.length);
      const one = merged[place];
      return one && isUnderFound(place) ? computeDifference(one, row.tier, resampling, false) : row;
    });
  }
}

/** Largest adjusted p at which a headline is significant. */
const MOST_FOUND = 0.05;

const placeRow = ({ row, also }: Merged): PlacedRow => ({
  row,
  cells: [row.cell, ...also.flatMap((one) => (one.metric === row.metric.name && !one.is_complement ? [one.of] : []))],
});

const isEndpoint = (endpoint: Endpoint, { metric, cell, part }: ContrastedFigure) =>
  metric.name === endpoint.metric &&
  isSameCell(endpoint.of, cell) &&
  part?.name === endpoint.part &&
  (endpoint.models === undefined || part?.models.join('\n') === endpoint.models.join('\n'));

/** A row, with the names of the equal rows that were merged into it. */
interface Merged {
  row: ContrastedFigure;
  also: Difference['also'];
  family: TestFamily;
}

/**
 * Merges rows whose figures and sums are equal in every deal and arm, and rows that add up to 1. The merged row has the
 * name of the first `preferred` row (an endpoint, or else a headline). If there is none, it has the name with the
 * fewest dimensions; among equals, a name by side and, in a crossed design, by speakers and listeners. The other names
 * are listed with the row.
 */
function mergeRepeated(
  rows: readonly ContrastedFigure[],
  preferred: readonly ((row: ContrastedFigure) => boolean)[],
  nameFamily: Families['nameFamily'],
): Merged[] {
  const rank = ({ cell, part }: ContrastedFigure) => {
    const dimensions = Object.keys(cell);
    const hasParts = part?.name === 'speaker' || part?.name === 'listener'; // the most informative name
    return (hasParts ? 0 : 1000) + 2 * dimensions.length - (dimensions.some((name) => name.endsWith('team')) ? 1 : 0);
  };
  return [...Map.groupBy(rows, getContents).values()].map((same) => {
    const first = preferred.map((isFirst) => same.filter(isFirst)).find((some) => some.length > 0) ?? same;
    const row = first.reduce((one, other) => (rank(other) < rank(one) ? other : one));
    const others = same.filter((one) => one !== row);
    const figures = getFigures(row);
    const isComplement = (one: ContrastedFigure) => JSON.stringify(getFigures(one)) !== JSON.stringify(figures);
    return {
      row,
      family: nameFamily(row),
      also: others.map((one) => ({ metric: one.metric.name, of: one.cell, is_complement: isComplement(one) })),
    };
  });
}

/**
 * Returns the contents that identify a row: the figures of all arms, deal by deal and together. Two shares that add up
 * to 1 have equal contents. If all figures are the same number, another metric may have the same figures by accident,
 * so the contents then include the metric and its sums.
 */
function getContents(row: ContrastedFigure): string {
  const { metric, deals, part } = row;
  const figures = getFigures(row);
  const different = new Set(figures.filter((figure) => figure !== null));
  const own = different.size > 1 ? null : [metric.name, deals];
  const [least, most] = metric.range;
  const isShare = least === 0 && most === 1 && different.size > 1;
  const complement = figures.map((figure) => (figure === null ? null : round(1 - figure)));
  const [one, other] = [JSON.stringify(figures), isShare ? JSON.stringify(complement) : null];
  const contents = other !== null && other < one ? other : one;
  return JSON.stringify([part?.models, part?.name === 'interaction', part?.side, contents, own]);
}

const figuresByRow = new WeakMap<ContrastedFigure, readonly (number | null)[]>();

/**
 * Returns the figures of all arms, deal by deal and together, rounded to remove floating-point noise. The result is
 * cached, because there are many rows.
 */
function getFigures(row: ContrastedFigure): readonly (number | null)[] {
  const known = figuresByRow.get(row) ?? computeFigures(row);
  figuresByRow.set(row, known);
  return known;
}

/** Metric → sums → value. Rows about different models and parts share these sums. */
const valuesBySums = new WeakMap<Metric['value'], WeakMap<Sums, number | null>>();

/** Creates a function that computes the metric from sums, only once for each object of sums. */
function createCachedValue({ value }: Metric): (sums: Sums) => number | null {
  const known = valuesBySums.get(value) ?? new WeakMap<Sums, number | null>();
  valuesBySums.set(value, known);
  return (sums) => {
    const found = known.get(sums);
    if (found !== undefined) return found;
    const computed = value(sums);
    known.set(sums, computed);
    return computed;
  };
}

const computeFigures = (row: ContrastedFigure): (number | null)[] => {
  const compute = createCachedValue(row.metric);
  const whole = listArms(row.deals).map((arm) => compute(getArmTotal(arm)));
  return [...row.deals.flatMap((arms) => arms.map(compute)), ...whole].map((figure) =>
    figure === null ? null : round(figure),
  );
};

const round = (value: number) => Math.round(value * 1e9) / 1e9;

/** Describes the properties of a row that need no resampling. */
function describeDifference({ row, also, family }: Merged, tier: Difference['tier']): Difference {
  const { metric, cell, deals, contrast, isJoint, part } = row;
  const of = { metric: metric.name, of: cell, family, tier, joint: isJoint, part, also };
  const missing = findMissingInArms(row);
  const none = { ...createNoData({ metric: metric.name, of: cell }), ...of };
  if (missing) return { ...none, ...missing };
  if (metric.asFound !== undefined) return { ...none, ...describeCorrected(row, { isTested: false }) };
  const { a, b, difference, withData } = describeContrast(deals, metric.value, contrast);
  return {
    ...none,
    ...countCases(row),
    a,
    b,
    difference,
    pairs: withData,
    reason: difference === null ? 'no data' : notResampled,
  };
}

function computeDifference(
  { row, also, family }: Merged,
  tier: Difference['tier'],
  resampling: Resampling,
  isRefined = true,
): Difference {
  const { metric, cell, deals, contrast, isJoint, part } = row;
  const of = { metric: metric.name, of: cell, family, tier, joint: isJoint, part, also };
  const missing = findMissingInArms(row);
  if (missing) return { ...createNoData({ metric: metric.name, of: cell }), ...of, ...missing };
  if (metric.asFound !== undefined)
    return { ...createNoData({ metric: metric.name, of: cell }), ...of, ...describeCorrected(row, { isTested: true }) };
  const { a, b, difference, p, leastP, detectable } = computeContrast(deals, metric.value, contrast, {
    ...{ resampling, isRefined },
    range: getFiniteRange(metric.range),
  });
  const { estimate, low, high, method, reason, withData } = difference;
  return {
    ...{ ...of, confirmatory: false, pairs: withData },
    covers: low === null ? null : findWeakCoverage(metric.name, 'difference', withData),
    ...countCases(row),
    ...{ a, b, difference: estimate, low, high, method, reason, p, least_p: leastP, p_adjusted: null, detectable },
    as_found: null,
  };
}

/**
 * Describes a difference that is corrected for the extractor's errors, with the difference by the extractor alone
 * beside it. `isTested`: whether p and an interval are wanted.
 */
function describeCorrected(row: ContrastedFigure, { isTested }: { isTested: boolean }): Partial<Difference> {
  const { metric, deals, contrast } = row;
  const found = describeContrast(deals, metric.asFound ?? metric.value, contrast);
  const asFound = { a: found.a, b: found.b, difference: found.difference };
  const [a, b] = [contrast.a, contrast.b].map((weights) => computeCorrected(deals, weights)?.estimate ?? null);
  const own = computeCorrected(deals, getWeights(contrast));
  const known = { ...countCases(row), a: a ?? null, b: b ?? null, pairs: found.withData, as_found: asFound };
  if (found.difference === null || own === null) return { pairs: found.withData, reason: 'no data' };
  const { estimate, low, high, p, error } = own;
  const corrected = { ...known, difference: estimate };
  if (!isTested) return { ...corrected, reason: notResampled };
  if (found.withData < MIN_CLUSTERS || low === null || error === null) return { ...corrected, reason: 'too few' };
  if (error === 0) return { ...corrected, reason: 'no variation' };
  const detectable = detectableErrors * error;
  return { ...corrected, low, high, p, detectable, method: 'corrected', reason: null };
}

/** Counts the cases behind each side of a contrast, over all its arms. A share means little without this number. */
function countCases({ metric, deals, contrast }: ContrastedFigure): Pick<Difference, 'cases_a' | 'cases_b'> {
  const count = (weights: readonly number[]) => {
    const counted = listArms(deals).flatMap((arm, place) =>
      weights[place] === 0 ? [] : (metric.opportunities(getArmTotal(arm)) ?? []),
    );
    return counted.length === 0 ? null : counted.reduce((total, one) => total + one, 0);
  };
  return { cases_a: count(contrast.a), cases_b: count(contrast.b) };
}

/**
 * Finds an arm in which too few deals contain one of the groups that the metric compares. Returns the reason, and the
 * smallest number of deals.
 */
function findMissingInArms({ metric, deals }: ContrastedFigure) {
  if (metric.comparedGroups === undefined) return null;
  const found = (deals[0] ?? []).flatMap((_, arm) => {
    const missing = findMissingGroups(
      metric,
      deals.map((arms) => arms[arm]!),
    );
    return missing ? [{ reason: missing.reason, pairs: missing.withData }] : [];
  });
  return found.sort((one, other) => one.pairs - other.pairs)[0] ?? null;
}

const createNoData = ({ metric, of }: Endpoint): Difference => ({
  ...{ metric, of, family: null, tier: 'endpoint', joint: false, part: null, also: [], confirmatory: false, pairs: 0 },
  ...{
    a: null,
    b: null,
    cases_a: null,
    cases_b: null,
    difference: null,
    low: null,
    high: null,
    covers: null,
    method: null,
    reason: 'no data',
  },
  ...{ p: null, least_p: null, p_adjusted: null, detectable: null, as_found: null },
});

const adjustPrimary = (rows: readonly Difference[]) => replaceAdjusted(rows, adjustHolm(rows.map(({ p }) => p)));

const replaceAdjusted = (rows: readonly Difference[], values: readonly (number | null)[]) =>
  rows.map((row, index) => ({ ...row, p_adjusted: values[index]! }));
