// Intervals for a share of independent trials.
import jstat from 'jstat';

export type IntervalBounds = readonly [low: number, high: number];

/**
 * Returns the nearest number from 0 to 1; null for null.
 *
 * @example boundToShare(1.2) // 1
 */
export function boundToShare(value: number): number;
export function boundToShare(value: number | null): number | null;
export function boundToShare(value: number | null): number | null {
  return value === null ? null : Math.min(1, Math.max(0, value));
}

function checkCounts(successes: number, trials: number): void {
  const isShare = Number.isInteger(successes) && Number.isInteger(trials) && successes >= 0 && successes <= trials;
  if (!isShare) throw new RangeError(`${successes} of ${trials} is no share: give whole numbers, 0 ≤ part ≤ whole.`);
}

function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`The level is ${level}; it must lie between 0 and 1, e.g. 0.95.`);
}

/**
 * Computes Wilson's score interval (Wilson 1927) for a share of independent trials: within 0 to 1, null without trials.
 * Use it only where the match itself is the trial, such as for wins. Throws a RangeError unless counts are whole
 * numbers with 0 ≤ successes ≤ trials and 0 < level < 1.
 *
 * @example
 * computeWilsonBounds(7, 20); // about [0.181, 0.567]
 */
export function computeWilsonBounds(successes: number, trials: number, level = 0.95): IntervalBounds | null {
  checkCounts(successes, trials);
  checkLevel(level);
  if (trials === 0) return null;
  const z2 = jstat.normal.inv((1 + level) / 2, 0, 1) ** 2;
  const middle = (successes + z2 / 2) / (trials + z2);
  const reach = Math.sqrt(z2 * ((successes * (trials - successes)) / trials + z2 / 4)) / (trials + z2);
  return [successes === 0 ? 0 : middle - reach, successes === trials ? 1 : middle + reach];
}

/**
 * Computes the exact interval of Clopper & Pearson (1934) for a share of this many trials, from quantiles of the beta
 * distribution. The interval contains the true share in at least `level` of samples, whatever the true share. `share`
 * need not be a whole number of trials (as for an effective sample size). A share outside 0 to 1 counts as the nearer
 * end. Without any success, the upper bound at 95% is 1 − .025^(1/n), about 3.7 / n (the two-sided "rule of three").
 *
 * @example
 * computeShareBounds(7 / 20, 20); // about [0.154, 0.592]
 */
export function computeShareBounds(share: number, trials: number, level = 0.95): IntervalBounds {
  const tail = (1 - level) / 2;
  const part = Math.min(Math.max(share, 0), 1) * trials;
  return [
    part === 0 ? 0 : jstat.beta.inv(tail, part, trials - part + 1),
    part === trials ? 1 : jstat.beta.inv(1 - tail, part + 1, trials - part),
  ];
}

/** A share over clusters, such as deals. */
export interface ClusteredShare {
  readonly share: number;
  /** Standard error over clusters. */
  readonly error: number;
  readonly clusters: number;
  /** Number of trials. It limits the effective sample size. */
  readonly trials: number;
  /** Number of clusters that contain the rarer of the two outcomes. Default: all. */
  readonly rare?: number | undefined;
  /**
   * Number of independent trials if all trials of a cluster ended alike: (Σ n)² / Σ n² for clusters of n trials (Kish
   * 1965). Default: 1.
   */
  readonly independent?: number | undefined;
}

/**
 * Mean number of trials per cluster up to which intervals keep their coverage without a reduction of the degrees of
 * freedom.
 */
const SMALL_CLUSTER = 3;

/**
 * Returns the degrees of freedom of a standard error over clusters: clusters − 1. If clusters have more than three
 * trials on average and only `rare` of them contain the rarer outcome, returns at most 2 × rare + 1, because the other
 * clusters are alike and say nothing about the spread.
 */
const countFreedom = ({ clusters, trials, rare = clusters }: ClusteredShare) =>
  Math.max(1, Math.min(clusters - 1, trials > SMALL_CLUSTER * clusters ? 2 * rare + 1 : Infinity));

/**
 * Computes the effective sample size of a share over clusters (Korn & Graubard 1998): the number of independent trials
 * with the same standard error, corrected for the small number of clusters. It is at least `independent`, and at most
 * the number of trials. For a share of 0 or 1, which has no standard error, it is the number of clusters.
 *
 * @example
 * computeEffectiveTrials({ share: 0.9, error: 0.06, clusters: 20, trials: 100 }); // about 23
 */
export function computeEffectiveTrials(own: ClusteredShare): number {
  const { share, error, clusters, trials, independent = 1 } = own;
  if (error === 0 || share <= 0 || share >= 1) return Math.max(1, Math.min(clusters, trials));
  const freedom =
    trials > 1 ? (jstat.studentt.inv(0.975, trials - 1) / jstat.studentt.inv(0.975, countFreedom(own))) ** 2 : 1;
  return Math.max(1, Math.min(trials, Math.max(independent, ((share * (1 - share)) / error ** 2) * freedom)));
}

/** Number of independent cases of the rarer outcome below which bounds are exact. */
const FEW_CASES = 5;

/** Bounds of a share with the method that computed them. */
export interface ShareInterval {
  readonly bounds: IntervalBounds;
  /** Clopper & Pearson's bounds at the effective sample size, or Student's t on the scale of log-odds. */
  readonly method: 'exact' | 'logit';
}

/**
 * Computes the interval of a share over few clusters of few trials. If there are fewer than five independent cases of
 * the rarer outcome, the bounds are the exact bounds of Clopper & Pearson at the effective sample size (Korn & Graubard
 * 1998). Otherwise the bounds follow from Student's t on the scale of log-odds, with a standard error that is at least
 * that of independent trials. R's package survey has the same methods (`beta` and `logit` of `svyciprop`), except that
 * here large clusters without the rarer outcome add no degrees of freedom. `npm run validate -- --shares` tests the
 * coverage.
 *
 * @example
 * boundClusteredShare({ share: 0.2, error: 0.082, clusters: 10, trials: 20, rare: 4 }).bounds; // about [0.057, 0.437]
 */
export function boundClusteredShare(own: ClusteredShare, level = 0.95): ShareInterval {
  const { share, error, trials } = own;
  const effective = computeEffectiveTrials(own);
  if (error === 0 || effective * Math.min(share, 1 - share) < FEW_CASES)
    return { bounds: computeShareBounds(share, effective, level), method: 'exact' };
  const spread = share * (1 - share);
  const t = jstat.studentt.inv((1 + level) / 2, countFreedom(own));
  const reach = (t * Math.max(error, Math.sqrt(spread / trials))) / spread;
  const middle = Math.log(share / (1 - share));
  return { bounds: [1 / (1 + Math.exp(reach - middle)), 1 / (1 + Math.exp(-reach - middle))], method: 'logit' };
}
