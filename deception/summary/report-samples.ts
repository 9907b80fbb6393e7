// The samples of a report: all matches, and parts of these matches whose headline figures are shown next to each other.
import { createMatchTally, MetricCollection } from '../metrics/metric-collection.ts';
import type { Metric } from '../metrics/metric.ts';
import { type MatchTables, keepFirstAnswers } from '../tables/match-tables.ts';

/** Maximum share of questions without a usable answer in a match of the sample `few_fallbacks`. */
const MOST_FALLBACKS = 0.02;

/** Name of the sample of all matches. */
export const wholeSampleName = 'all';

export interface SampleVariant {
  /** Unique name. */
  name: string;
  title: string;
  definition: string;
  metrics: readonly Metric[];
  /** Returns the part of a match that belongs to the sample; null if no part belongs to it. */
  of: (match: MatchTables) => MatchTables | null;
}

/**
 * Lists the samples of a report. The first sample holds all matches, with all metrics. All further samples have only
 * the headline metrics and the metrics of the headlines' coverage. If there are several boards, there is also one
 * sample per board.
 *
 * @example
 * listSampleVariants(metrics, ['plus-9']).map(({ name }) => name); // ['all', 'few_fallbacks', 'first_answers']
 */
export function listSampleVariants(metrics: readonly Metric[], boards: readonly string[]): SampleVariant[] {
  const headlineMetrics = metrics.filter(({ isHeadline }) => isHeadline);
  const listCovered = ({ name }: Metric) => headlineMetrics.filter(({ coveredBy }) => coveredBy === name);
  const headlines = metrics
    .filter((metric) => headlineMetrics.includes(metric) || listCovered(metric).length > 0)
    .map((metric) => ({ ...metric, breakdowns: listCovered(metric).map(({ strata }) => strata) }));
  const byBoard = boards.map((board): SampleVariant => ({
    name: `board ${board}`,
    title: `Board ${board}`,
    definition: `Matches on the board ${board}.`,
    metrics: headlines,
    of: (match) => (match.match.board === board ? match : null),
  }));
  return [
    {
      name: wholeSampleName,
      title: 'All matches',
      definition: 'Everything that was recorded.',
      metrics,
      of: (match) => match,
    },
    {
      name: 'few_fallbacks',
      title: 'Few fallbacks',
      definition: `Without matches in which more than ${MOST_FALLBACKS * 100} % of the questions had no usable answer, or in which that is not known, as in imported ones.`,
      metrics: headlines,
      of: (match) => ((match.match.fallback_share ?? 1) > MOST_FALLBACKS ? null : match),
    },
    {
      name: 'first_answers',
      title: 'First answers',
      definition:
        'Without statements and analyses for which a model had to be asked more than once. Where that is not known, as in imported matches, they stay.',
      metrics: headlines,
      of: keepFirstAnswers,
    },
    ...(boards.length > 1 ? byBoard : []),
  ];
}

/**
 * Counts matches in all samples. Matches may be added in any order. The unit is the match, identified by its number.
 */
export class SampleCollections {
  readonly #samples: readonly { sample: SampleVariant; collection: MetricCollection }[];

  constructor(samples: readonly SampleVariant[]) {
    this.#samples = samples.map((sample) => ({ sample, collection: new MetricCollection(sample.metrics) }));
  }

  add(number: number, match: MatchTables): void {
    const tally = createMatchTally(match);
    for (const { sample, collection } of this.#samples) {
      const part = sample.of(match);
      if (part !== null) collection.add(part, String(number), part === match ? tally : undefined);
    }
  }

  listCollected() {
    return this.#samples.map(({ sample, collection }) => ({
      sample: sample.name,
      matches: collection.size,
      cells: collection
        .listCells()
        .map(({ metric, cell, clusters }) => ({ key: { sample: sample.name, metric: metric.name, cell }, clusters })),
    }));
  }
}
