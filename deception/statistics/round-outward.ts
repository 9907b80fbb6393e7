// Rounds the bounds of intervals outward, so that a printed interval contains every value of the computed interval.

/**
 * A bound that differs from a decimal fraction by no more than this (floating-point error) is not moved to the next
 * decimal fraction.
 */
const TOLERANCE = 1e-9;

/** @example roundDown(0.1544, 2) // 0.15 */
export const roundDown = (value: number, decimals: number): number =>
  Math.floor(value * 10 ** decimals + TOLERANCE) / 10 ** decimals;

/** @example roundUp(0.1544, 2) // 0.16 */
export const roundUp = (value: number, decimals: number): number =>
  Math.ceil(value * 10 ** decimals - TOLERANCE) / 10 ** decimals;

/**
 * Returns the bounds with this many decimals: the lower bound rounded down, the upper bound rounded up. Every page
 * prints intervals and excluded differences through this function, so that all pages print the same number for a bound.
 *
 * @example roundOutward({ low: -0.1544, high: 0.031 }, 2) // { low: -0.16, high: 0.04 }
 */
export const roundOutward = (
  { low, high }: { low: number; high: number },
  decimals: number,
): { low: number; high: number } => ({ low: roundDown(low, decimals), high: roundUp(high, decimals) });
