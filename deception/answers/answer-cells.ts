// Builds cells of the table of answers: the parts that all cells share, the share of statements read, and the cost.
import { computeFigure } from '../metrics/metric-collection.ts';
import type { Metric } from '../metrics/metric.ts';
import type { AnswerCell, AnswerQuestion } from '../metrics/answer-table-schema.ts';
import { computeAnyTimeFactor } from '../statistics/any-time-interval.ts';
import type { Resampling } from '../statistics/bootstrap.ts';
import { computeRatio, getSum, sum, type Sums } from '../statistics/sums.ts';
import { rulesExtractor } from '../metrics/comparability.ts';
import type { CountedAnswers } from './answered-match.ts';

/** Creates an empty cell. */
export const createCell = (question: AnswerQuestion, state: AnswerCell['state']): AnswerCell => ({
  ...{ question, state, value: null, low: null, high: null, lowest: null, highest: null },
  ...{ counted: null, of: null, deals: null, chance: null, as_found: null, is_compared: false },
});

/** Default fields of the metrics that exist only in the table of answers. */
export const ownMetric: Metric = {
  ...{ name: 'score', title: '', section: 'outcomes', definition: '', unit: '', range: [0, 1], strata: [] },
  ...{ breakdowns: [], count: () => [], value: () => null, opportunities: () => null },
};

/**
 * Returns the interval of a figure. If the tournament may stop early, the interval is widened, so that it stays valid
 * however often somebody looks at it.
 */
export function boundAtAnyTime(
  { value, low, high, matches: deals }: Pick<ReturnType<typeof computeFigure>, 'value' | 'low' | 'high' | 'matches'>,
  { sequential }: { sequential?: { plannedDeals: number } },
  [least, most]: readonly [number, number],
): { low: number | null; high: number | null } {
  if (sequential === undefined || value === null || low === null || high === null) return { low, high };
  const times = computeAnyTimeFactor(deals, sequential.plannedDeals);
  return { low: Math.max(least, value - times * (value - low)), high: Math.min(most, value + times * (high - value)) };
}

/** Whether a metric is computed from claims. */
export const isOfClaims = ({ readsClaims }: Metric) => readsClaims !== undefined;

/**
 * Counts the deals that contain each of the groups that the metric compares, and returns the smallest count. Infinity
 * if the metric compares no groups.
 */
export const countScarcest = ({ comparedGroups = [] }: Metric, clusters: readonly { sums: Sums }[]) =>
  Math.min(Infinity, ...comparedGroups.map((count) => clusters.filter(({ sums }) => count(sums) > 0).length));

// The share of statements that the extractor could read.

/** Whether all claims were extracted by rules. */
export const isByRules = (extractors: readonly string[]) => extractors.every((one) => one === rulesExtractor);

/** Counts the players' statements, and how many of them the extractor could read. */
export const measureRead = (players: readonly { read: number; statements: number }[]) => ({
  read: sum(players.map((one) => one.read)),
  statements: sum(players.map((one) => one.statements)),
});

/** Answers the question: what share of a model's statements was read? */
export function answerRead(
  model: string,
  { matches, extractors }: { matches: readonly CountedAnswers[]; extractors: readonly string[] },
): AnswerCell {
  if (isByRules(extractors)) return createCell('read', 'not read');
  const { read, statements } = measureRead(
    matches.flatMap(({ players }) => players.filter((one) => one.model === model)),
  );
  return { ...createCell('read', 'known'), value: computeRatio(read, statements), counted: read, of: statements };
}

// Cost of a model's play.

/** Data of a study from which the cost of a model is computed. */
interface CostedStudy {
  matches: readonly CountedAnswers[];
  resampling: Resampling;
  sequential?: { plannedDeals: number };
}

/** Returns the share of a model's calls whose cost is unknown. */
export function measureUnpriced(model: string, { matches }: Pick<CostedStudy, 'matches'>): number {
  const own = matches.flatMap(({ costs }) => costs.filter((one) => one.model === model));
  const count = (of: 'calls' | 'unpriced') => sum(own.map((one) => one[of]));
  return computeRatio(count('unpriced'), count('calls')) ?? 0;
}

/** Returns a model's mean cost per match. If the price of some calls is unknown, the cost is a lower bound. */
export function answerCost(model: string, study: CostedStudy): AnswerCell {
  const { matches, resampling } = study;
  const own = matches.flatMap(({ deal, costs }) =>
    costs.flatMap((one) => (one.model === model && one.cost !== null ? [{ ...one, deal, cost: one.cost }] : [])),
  );
  if (own.length === 0) return createCell('cost', 'no price');
  const clusters = [...Map.groupBy(own, ({ deal }) => deal)].map(([unit, rows]) => ({
    unit,
    sums: { cost: sum(rows.map(({ cost }) => cost)), matches: rows.length },
  }));
  const value = (sums: Sums) => computeRatio(getSum(sums, 'cost'), getSum(sums, 'matches'));
  const figure = computeFigure({ metric: { ...ownMetric, range: [0, null], value }, cell: {}, clusters }, resampling);
  const state = measureUnpriced(model, study) === 0 ? 'known' : 'at least';
  const bounds = boundAtAnyTime(figure, study, [0, Infinity]);
  return { ...createCell('cost', state), value: figure.value, ...bounds, of: own.length, deals: clusters.length };
}
