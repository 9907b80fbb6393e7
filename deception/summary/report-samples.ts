// The whole sample and its variants, for which headlines are shown side by side.
import { Collection } from '../metrics/collect.ts';
import type { Metric } from '../metrics/metric.ts';
import { keepFirstAnswers } from '../tables/first-answers.ts';
import type { MatchTables } from '../tables/row-schemas.ts';

/** Matches in which more of the questions had no usable answer are left out in one variant. */
export const MOST_FALLBACKS = 0.02;

/** The name of the sample that leaves nothing out. */
export const wholeSample = 'all';

export interface SampleVariant {
  /** Unique. */
  name: string;
  title: string;
  definition: string;
  metrics: readonly Metric[];
  /** What of a match belongs to it; null for nothing. */
  of: (match: MatchTables) => MatchTables | null;
}

/** The first is the whole, with all metrics; the others have the headlines, and what these are covered by. Boards are told apart where several are named. */
export function listSampleVariants(metrics: readonly Metric[], boards: readonly string[]): SampleVariant[] {
  const first = metrics.filter(({ isHeadline }) => isHeadline);
  const covering = new Set(first.map(({ coveredBy }) => coveredBy));
  const headlines = metrics
    .filter((metric) => first.includes(metric) || covering.has(metric.name))
    .map((metric) => ({ ...metric, by: [] }));
  const byBoard = boards.map((board): SampleVariant => ({
    name: `board ${board}`,
    title: `Board ${board}`,
    definition: `Matches on the board ${board}.`,
    metrics: headlines,
    of: (match) => (match.match.board === board ? match : null),
  }));
  return [
    {
      name: wholeSample,
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

/** Adds matches, in any order, to all samples. The match is the unit; it has the number that it is given. */
export class SampleCollections {
  readonly #samples: readonly { sample: SampleVariant; collection: Collection }[];

  constructor(samples: readonly SampleVariant[]) {
    this.#samples = samples.map((sample) => ({ sample, collection: new Collection(sample.metrics) }));
  }

  add(number: number, match: MatchTables): void {
    for (const { sample, collection } of this.#samples) {
      const part = sample.of(match);
      if (part !== null) collection.add(part, String(number));
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
