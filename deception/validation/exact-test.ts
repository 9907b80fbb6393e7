// Whether a count out of so many repetitions goes with a rate that was promised to lie within bounds.
import jstat from 'jstat';

/**
 * One-sided exact p of the hypothesis that the rate lies within the bounds: the probability of a count as far out or
 * farther, were the rate that of the nearest bound; 1 for a count within them,
 * and without any repetition.
 */
export function withinTest(count: number, repetitions: number, [low, high]: readonly [number, number]): number {
  if (repetitions === 0) return 1;
  const share = count / repetitions;
  if (share < low) return jstat.binomial.cdf(count, repetitions, low);
  if (share > high) return 1 - jstat.binomial.cdf(count - 1, repetitions, high);
  return 1;
}
