// The samples of a report: all matches, and parts of these matches whose headline figures are shown next to each other.
import { createGrouping, createMatchTally, listTables, type TallyCell } from '../metrics/metric-collection.ts';
import type { Metric } from '../metrics/metric.ts';
import { type MatchTables, keepFirstAnswers } from '../tables/match-tables.ts';
import { type CellSums, CellSumsBuilder } from './sufficient-statistics.ts';

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
 * the headline metrics and the metrics that state the coverage of headlines. If there are several boards, there is also
 * one sample per board.
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
      definition: `Without matches in which more than ${MOST_FALLBACKS * 100} % of the questions had no usable answer, and without matches for which this is not known, such as imported ones.`,
      metrics: headlines,
      of: (match) => ((match.match.fallback_share ?? 1) > MOST_FALLBACKS ? null : match),
    },
    {
      name: 'first_answers',
      title: 'First answers',
      definition:
        'Without statements and analyses for which a model had to be asked more than once. If this is not known, as in imported matches, they are kept.',
      metrics: headlines,
      of: keepFirstAnswers,
    },
    ...(boards.length > 1 ? byBoard : []),
  ];
}

/** A table of metrics with the same `count` function, and the cells found in matches so far. */
interface SampleTable {
  group: ReturnType<typeof createGrouping>;
  metrics: readonly string[];
  isPerMatch: boolean;
  drafts: Map<TallyCell, ReturnType<CellSumsBuilder['open']>>;
}

interface CollectedSample {
  sample: SampleVariant;
  matches: number;
  tables: ReadonlyMap<Metric['count'], readonly SampleTable[]>;
}

/**
 * Adds up the sums of matches in all samples. Matches may be added in any order. Each match needs a different number,
 * which identifies its unit.
 *
 * @example
 * const collection = new SampleCollection(listSampleVariants(metrics, ['plus-9']));
 * collection.add(0, tables);
 * collection.take().cells; // e.g. [{ sample: 'all', metric: 'lie_rate', … }, …]
 */
export class SampleCollection {
  readonly #samples: readonly CollectedSample[];
  readonly #sums = new CellSumsBuilder();

  constructor(samples: readonly SampleVariant[]) {
    this.#samples = samples.map((sample) => ({ sample, matches: 0, tables: createTables(sample.metrics) }));
  }

  add(number: number, match: MatchTables): void {
    const tally = createMatchTally(match);
    for (const collected of this.#samples) {
      const part = collected.sample.of(match);
      if (part === null) continue;
      collected.matches++;
      this.#addPart(collected, number, part === match ? tally : createMatchTally(part));
    }
  }

  #addPart({ sample, tables: all }: CollectedSample, number: number, tally: ReturnType<typeof createMatchTally>) {
    for (const [count, tables] of all) {
      const tallies = tally(count);
      for (const { group, metrics, isPerMatch, drafts } of tables) {
        for (const { of, sums } of group(tallies)) {
          let draft = drafts.get(of);
          if (draft === undefined) {
            draft = this.#sums.open(metrics.map((metric) => ({ sample: sample.name, metric, cell: of.cell })));
            drafts.set(of, draft);
          }
          draft.add(number, isPerMatch ? { ...sums, matches: 1 } : sums);
        }
      }
    }
  }

  /**
   * Returns the cells of all matches, and the number of matches in each sample. Removes the cells from the collection.
   */
  take(): { cells: CellSums[]; matches: Record<string, number> } {
    for (const { tables } of this.#samples) for (const { drafts } of [...tables.values()].flat()) drafts.clear();
    return {
      cells: this.#sums.take(),
      matches: Object.fromEntries(this.#samples.map(({ sample, matches }) => [sample.name, matches])),
    };
  }
}

/** Creates the tables of metrics. Metrics with the same `count` function share their tables. */
function createTables(metrics: readonly Metric[]): Map<Metric['count'], SampleTable[]> {
  return new Map(
    [...Map.groupBy(metrics, ({ count }) => count)].map(([count, sharing]) => {
      const listed = sharing.flatMap((metric) => listTables(metric).map((dimensions) => ({ metric, dimensions })));
      const alike = Map.groupBy(
        listed,
        ({ metric, dimensions }) => `${metric.isPerMatch ?? false} ${dimensions.join()}`,
      );
      return [
        count,
        [...alike.values()].map((same) => ({
          group: createGrouping(same[0]?.dimensions ?? []),
          metrics: [...new Set(same.map(({ metric }) => metric.name))],
          isPerMatch: same.some(({ metric }) => metric.isPerMatch),
          drafts: new Map(),
        })),
      ];
    }),
  );
}
