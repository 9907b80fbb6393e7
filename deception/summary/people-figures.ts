// Figures that show people next to models: figures of all people together, with the person as cluster, and figures of
// the models at the same tables.
import { getDealKey } from '../design/schedule.ts';
import { metrics } from '../metrics/index.ts';
import { getFiniteRange, type Metric, type MetricCell } from '../metrics/metric.ts';
import { analysisActions, statementActions } from '../record/match-record.ts';
import { MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { computeDealSpread, computeHalfWidth } from '../statistics/sample-size.ts';
import { addSums, createRatio, type Statistic, type Sums } from '../statistics/sums.ts';
import type { CallRow } from '../tables/call-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { isPersonSpec } from '../../state/model-identity.ts';
import { compareText } from '../../state/text.ts';
import type { Report } from './report-schema.ts';

/** A measure that is reported for people and for models. */
interface PeopleMeasure {
  name: string;
  title: string;
  range: Metric['range'];
  value: Statistic;
  /** Counts a match: returns sums by model and cell. A person counts as a model. */
  count: (tables: MatchTables) => { model: string; cell: MetricCell; sums: Sums }[];
}

// Time to answer.

const judgmentActions: readonly string[] = [
  ...Object.values(analysisActions).flatMap(({ self, peer }) => [...self, ...peer]),
  'beliefs',
];

const nameQuestion = (action: string): string => {
  if (statementActions.includes(action)) return 'statement';
  return judgmentActions.includes(action) ? 'judgment' : 'other';
};

const readTime = ({ model, ms, calls, shown_ms: shownMs, shown }: CallRow): Sums =>
  isPersonSpec(model)
    ? { seconds: (shownMs ?? 0) / 1000, answers: shown ?? 0 }
    : { seconds: ms / 1000, answers: calls };

const timeToAnswer: PeopleMeasure = {
  name: 'seconds_to_answer',
  title: 'Seconds to answer',
  range: [0, null],
  value: createRatio('seconds', 'answers'),
  count: ({ calls }) =>
    calls.map((row) => ({ model: row.model, cell: { question: nameQuestion(row.action) }, sums: readTime(row) })),
};

// Lying, catching, judgment and calibration: metrics that reports have by model.

const chosenMetrics = ['lie_turn_rate', 'suspicion_roc_auc', 'belief_roc_auc', 'belief_brier', 'belief_ece'];

function toMeasure(metric: Metric): PeopleMeasure {
  const { name, title, range, value, strata, modelDimension = 'model', count } = metric;
  return {
    ...{ name, title, range, value },
    count: (tables) =>
      count(tables).flatMap(({ cell, sums }) => {
        const { [modelDimension]: model, source = 'match' } = cell;
        if (model === undefined || source !== 'match') return []; // annotators read the match afterward
        const kept = strata.filter((dimension) => dimension !== 'source' && cell[dimension] !== undefined);
        return [{ model, cell: Object.fromEntries(kept.map((dimension) => [dimension, cell[dimension] ?? ''])), sums }];
      }),
  };
}

const measures: readonly PeopleMeasure[] = [
  timeToAnswer,
  ...chosenMetrics.flatMap((name) => metrics.filter((metric) => metric.name === name)).map(toMeasure),
];

/** Sums of one model in one match, for one measure and cell. */
interface CountedModel {
  measure: string;
  model: string;
  cell: MetricCell;
  sums: Sums;
}

/** The data of a match with people that the figures of people need. */
export interface PeopleMatch {
  deal: string;
  people: readonly string[];
  counted: readonly CountedModel[];
}

/** Returns the sums of a match for the comparison; null if no person played in it. */
export function createPeopleMatch(tables: MatchTables): PeopleMatch | null {
  const people = [...new Set(tables.players.map(({ model }) => model).filter(isPersonSpec))].map(nameGroup);
  if (people.length === 0) return null;
  const counted = measures.flatMap(({ name, count }) => count(tables).map((one) => ({ measure: name, ...one })));
  return { deal: getDealKey(tables.match), people, counted };
}

/**
 * Returns a person's name in the clusters. The time that a person has for an answer is left out, because people with
 * different time limits are still the same person.
 */
const nameGroup = (model: string): string => (isPersonSpec(model) ? model.replace(/\?.*$/, '') : model);

const everybody = 'people';

/**
 * Estimates the figures of all people as one group, and the figures of each model that played at tables with people.
 * For people, the cluster is the person; for models, it is the deal. Differences between people and models are not
 * estimated: people differ from each other and each plays a deal only once, so no design can separate people from their
 * deals and opponents. Null without people.
 *
 * @example measurePeople(matches)?.figures.filter(({ of }) => of === 'people')
 */
export function measurePeople(matches: readonly PeopleMatch[]): NonNullable<Report['people']> | null {
  const people = new Set(matches.flatMap((match) => match.people));
  if (people.size === 0) return null;
  const figures = measures.flatMap((measure) => {
    const counted = matches.flatMap(({ deal, counted: all }) =>
      all
        .filter((one) => one.measure === measure.name)
        .map(({ model, cell, sums }) => {
          const isPerson = isPersonSpec(model);
          return { of: isPerson ? everybody : model, cluster: isPerson ? nameGroup(model) : deal, cell, sums };
        }),
    );
    const groups = [...Map.groupBy(counted, ({ of, cell }) => JSON.stringify([cell, of])).values()];
    return groups
      .flatMap((own) => estimateGroup(measure, own))
      .sort(
        (one, other) =>
          compareText(JSON.stringify(one.cell), JSON.stringify(other.cell)) ||
          Number(other.of === everybody) - Number(one.of === everybody) ||
          compareText(one.of, other.of),
      );
  });
  return { people: people.size, matches: matches.length, figures };
}

type Counted = { of: string; cluster: string; cell: MetricCell; sums: Sums };
type PeopleFigure = NonNullable<Report['people']>['figures'][number];

/** Estimates the figure of one group in one cell. `counted`: the sums of the group in this cell. */
function estimateGroup(
  { name, title, value: statistic, range }: PeopleMeasure,
  counted: readonly Counted[],
): PeopleFigure[] {
  const clusters = [...Map.groupBy(counted, ({ cluster }) => cluster).values()].map((own) =>
    addSums(own.map(({ sums }) => sums)),
  );
  const value = statistic(addSums(clusters));
  const [first] = counted;
  if (first === undefined || value === null) return [];
  const found =
    clusters.length < MIN_CLUSTERS
      ? null
      : computeDealSpread(
          clusters.map((sums) => [sums]),
          statistic,
          [1],
        );
  const half = found === null || found.spread === 0 ? null : computeHalfWidth(found.spread, found.withData);
  const [least, most] = getFiniteRange(range) ?? [range[0], Infinity];
  return [
    {
      ...{ figure: name, title, cell: first.cell, of: first.of, value, clusters: clusters.length },
      low: half === null ? null : Math.max(least, value - half),
      high: half === null ? null : Math.min(most, value + half),
    },
  ];
}
