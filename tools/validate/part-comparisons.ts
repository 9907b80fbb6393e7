// Whole comparisons in which one part differs as planted and another does not differ at all, and what these comparisons
// find in the latter.
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
 * Labels exchanged at random within deals. `werewolves`: X and Y as Werewolves then do not differ and do not interact
 * with the village, whose part stays. `villagers`: the reverse. `both`: exchanged together, so that only the
 * interaction stays.
 */
export const exchanges = {
  // Arms are [X, X], [X, Y], [Y, X], [Y, Y], the Werewolves' model first.
  werewolves: { order: [2, 3, 0, 1], isNull: (side: string | null) => side !== 'villagers' },
  villagers: { order: [1, 0, 3, 2], isNull: (side: string | null) => side !== 'werewolves' },
  both: { order: [3, 2, 1, 0], isNull: (side: string | null) => side !== null },
} as const;
export type Exchange = keyof typeof exchanges;

/**
 * Findings of comparisons in a family of tests without a difference, and the number of comparisons that find any
 * planted difference.
 */
export interface PartFindings {
  exchanged: Exchange;
  family: TestFamily;
  comparisons: number;
  deals: number;
  /** Number of tested headlines without a difference, over all comparisons. */
  tested: number;
  /** Number of comparisons that find any of these headlines, or a finer cell of one. */
  any: number;
}

/**
 * Compares samples of deals of a crossed design of two models in all rows, with these labels exchanged in each deal
 * with probability ½. Counts by family the comparisons that find any row without a difference. Throws a RangeError
 * without rows.
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
 * Selects the headlines, and the finer cells of headlines without a difference. All other rows would only take time.
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
 * Lists the families in which more than 5% of comparisons find something, by exact tests with Holm's procedure over
 * all.
 */
export function listBrokenParts<Row extends Pick<PartFindings, 'any' | 'comparisons'>>(rows: readonly Row[]): Row[] {
  const adjusted = adjustHolm(rows.map(({ any, comparisons }) => testWithinBounds(any, comparisons, [0, 0.05])));
  return rows.filter((_, place) => adjusted[place]! <= 0.05);
}

/** Findings of one family of tests in comparisons of what does not differ. */
export interface NullFamily {
  design: string;
  family: TestFamily;
  comparisons: number;
  any: number;
}

/**
 * Lists the families in which more than 5% of comparisons find something although nothing differs, by exact tests with
 * Holm's procedure over all families of all designs.
 *
 * @example listBrokenNulls(comparisons) // [{ design: 'crossed', family: 'speaker', comparisons: 200, any: 21 }]
 */
export const listBrokenNulls = (
  compared: readonly { design: string; found: { families: readonly Omit<NullFamily, 'design'>[] } }[],
): NullFamily[] =>
  listBrokenParts(compared.flatMap(({ design, found }) => found.families.map((one) => ({ design, ...one }))));
