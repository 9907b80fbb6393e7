// Simulates whole comparisons in which one part differs as planted and another part does not differ. Counts how often a
// comparison reports a difference in the part without one.
import { computeDifferences } from '../../deception/comparison/differences.ts';
import { getFigureKey, type MetricCell } from '../../deception/metrics/metric.ts';
import { createResampling } from '../../deception/statistics/bootstrap.ts';
import type { Difference, TestFamily } from '../../deception/comparison/comparison-schema.ts';
import { isFound } from '../../report/comparison-findings.ts';
import { draw } from '../../state/random.ts';
import {
  type ArmedRow,
  getArms,
  listFamilies,
  runTrials,
  testWithinBounds,
  type SamplingTrial,
} from './measurement-validation.ts';
import { adjustHolm } from '../../deception/statistics/adjusted-p-values.ts';

/**
 * Ways of exchanging labels at random within deals. `werewolves`: X and Y exchange labels as Werewolves, so that only
 * the village's part can differ. `villagers`: the reverse. `both`: X and Y exchange labels on both sides together, so
 * that only the interaction can exist.
 */
export const exchanges = {
  // The order of the arms is [X, X], [X, Y], [Y, X], [Y, Y], with the Werewolves' model first.
  werewolves: { order: [2, 3, 0, 1], isNull: (side: string | null) => side !== 'villagers' },
  villagers: { order: [1, 0, 3, 2], isNull: (side: string | null) => side !== 'werewolves' },
  both: { order: [3, 2, 1, 0], isNull: (side: string | null) => side !== null },
} as const;
export type Exchange = keyof typeof exchanges;

/** Findings in one family of tests: how many comparisons report a difference in a part that has none. */
export interface PartFindings {
  exchanged: Exchange;
  family: TestFamily;
  comparisons: number;
  deals: number;
  /** Number of tested headlines about parts without a difference, over all comparisons. */
  tested: number;
  /** Number of comparisons in which any of these headlines, or any finer cell of such a headline, is significant. */
  any: number;
}

/**
 * Draws samples of deals from a crossed design of two models, and compares the models in every row of the comparison.
 * In each deal the given labels are exchanged with probability ½. Counts, by family, the comparisons that report a
 * difference where none exists. Throws a RangeError if there are no rows.
 *
 * @example measurePartComparisons(rows, 'werewolves', trial) // e.g. the speaker family: 4 of 200 comparisons
 */
export function measurePartComparisons(
  rows: readonly ArmedRow[],
  exchanged: Exchange,
  trial: Pick<SamplingTrial, 'size' | 'repetitions' | 'resamples' | 'seed'>,
): PartFindings[] {
  const { size, repetitions, seed } = trial;
  const deals = rows[0]?.deals.length ?? 0;
  if (deals === 0) throw new RangeError('Comparisons need rows that state their deal.');
  const { order, isNull } = exchanges[exchanged];
  const random = draw(seed, 'parts', exchanged);
  const needed = selectTestedRows(rows, isNull);
  const found = runTrials(trial, (resampling) => {
    const drawn = Array.from({ length: size }, () => ({
      deal: random.integer(deals),
      order: random.integer(2) === 0 ? [0, 1, 2, 3] : order,
    }));
    const sampled = needed.map((row) => ({ ...row, deals: drawn.map((deal) => getArms(row, deal)) }));
    return computeDifferences(sampled, [], resampling).secondary.filter(({ part }) => isNull(part?.side ?? null));
  });
  return listFamilies(found.flat().filter(isTestedHeadline)).map((family) => ({
    ...{ exchanged, family, comparisons: repetitions, deals: size },
    tested: found.flat().filter((row) => row.family === family && isTestedHeadline(row)).length,
    any: found.filter((own) => own.some((row) => row.family === family && isFound(row))).length,
  }));
}

/**
 * Selects the headlines, and the finer cells of headlines about parts without a difference. Other rows would only take
 * time.
 */
function selectTestedRows(rows: readonly ArmedRow[], isNull: (side: string | null) => boolean): ArmedRow[] {
  const { secondary } = computeDifferences(rows, [], createResampling(rows[0]!.deals.length, 1, 1));
  const tested = secondary.flatMap((row) =>
    row.tier === 'headline' || (row.tier === 'finer cell' && isNull(row.part?.side ?? null))
      ? [row, ...row.also].map(({ metric, of }) => nameRow(metric, of, row.part?.side ?? null))
      : [],
  );
  const isTested = new Set(tested);
  return rows.filter(({ metric, cell, part }) => isTested.has(nameRow(metric.name, cell, part?.side ?? null)));
}

const nameRow = (metric: string, cell: MetricCell, side: string | null) =>
  JSON.stringify([getFigureKey({ metric, cell }), side]);

const isTestedHeadline = ({ tier, p_adjusted: adjusted }: Difference) => tier === 'headline' && adjusted !== null;

/**
 * Lists the families in which more than 5% of comparisons report a difference where none exists. Uses exact tests with
 * Holm's procedure over all families.
 */
export function listBrokenParts<Row extends Pick<PartFindings, 'any' | 'comparisons'>>(rows: readonly Row[]): Row[] {
  const adjusted = adjustHolm(rows.map(({ any, comparisons }) => testWithinBounds(any, comparisons, [0, 0.05])));
  return rows.filter((_, place) => adjusted[place]! <= 0.05);
}

/** Findings of one family of tests where nothing differs. */
export interface NullFamily {
  design: string;
  family: TestFamily;
  comparisons: number;
  any: number;
}

/**
 * Lists the families in which more than 5% of comparisons report a difference although nothing differs. Uses exact
 * tests with Holm's procedure over all families of all designs.
 *
 * @example listBrokenNulls(comparisons) // [{ design: 'crossed', family: 'speaker', comparisons: 200, any: 21 }]
 */
export const listBrokenNulls = (
  compared: readonly { design: string; found: { families: readonly Omit<NullFamily, 'design'>[] } }[],
): NullFamily[] =>
  listBrokenParts(compared.flatMap(({ design, found }) => found.families.map((one) => ({ design, ...one }))));
