// Bounds of a share over clusters of few cases, which need no bootstrap.
import { boundClusteredShare, type ClusteredShare, type ShareInterval } from './proportion.ts';
import type { EstimateWithError } from './standard-error.ts';
import { type Statistic, sum, type Sums } from './sums.ts';

/**
 * Maximum number of cases per cluster for this method of computing bounds. In larger clusters, if few cases count, the
 * similarity within clusters cannot be estimated well enough.
 */
const MOST_CASES_PER_CLUSTER = 6;

/** Numbers of clusters and cases of a share. */
export type ShareCases = Pick<ClusteredShare, 'clusters' | 'trials' | 'rare' | 'independent'>;

/**
 * Computes the bounds of a share of few cases per cluster (`boundClusteredShare`). For such shares the bootstrap's
 * bounds are sometimes far too wide, such as [.04, .86] for 4 of 20 or [.76, .98] for 58 of 60. Null for clusters of
 * more than six cases on average, and for figures that are no shares of 0 to 1.
 *
 * @example boundShare({ value: 58 / 60, error: 0.023 }, { clusters: 20, trials: 60 }, [0, 1])?.bounds; // about [0.884, 0.996]
 */
export function boundShare(
  { value, error }: EstimateWithError,
  cases: ShareCases,
  [least, most]: readonly [number, number],
  level = 0.95,
): ShareInterval | null {
  const { clusters, trials } = cases;
  if (least !== 0 || most !== 1 || trials < clusters || trials > MOST_CASES_PER_CLUSTER * clusters) return null;
  return boundClusteredShare({ share: value, error, ...cases }, level);
}

/**
 * Counts the cases of a share. Null for other statistics, and if the cases are not 0, ½ (a draw) or 1: means of
 * fractions spread less than shares do.
 */
export function countShareCases(
  clusters: readonly Sums[],
  { share }: Statistic,
  value: number,
): Omit<ShareCases, 'clusters'> | null {
  if (share === undefined) return null;
  const found = clusters.map(share).filter(([, whole]) => whole > 0);
  const isCounted = found.every(
    ([part, whole]) => Number.isInteger(2 * part) && Number.isInteger(whole) && part >= 0 && part <= whole,
  );
  if (!isCounted || found.length === 0) return null;
  const trials = sum(found.map(([, whole]) => whole));
  const rare = found.filter(([part, whole]) => (value <= 0.5 ? part > 0 : part < whole)).length;
  return { trials, rare, independent: trials ** 2 / sum(found.map(([, whole]) => whole ** 2)) };
}
