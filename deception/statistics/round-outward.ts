// Rounds the bounds of intervals outward. A printed interval then never excludes a value that the computed one holds.

/** Bounds that are a decimal fraction but for floating-point error are not moved to the next one. */
const TOLERANCE = 1e-9;

/** @example roundDown(0.1544, 2) // 0.15 */
export const roundDown = (value: number, decimals: number): number =>
  Math.floor(value * 10 ** decimals + TOLERANCE) / 10 ** decimals;

/** @example roundUp(0.1544, 2) // 0.16 */
export const roundUp = (value: number, decimals: number): number =>
  Math.ceil(value * 10 ** decimals - TOLERANCE) / 10 ** decimals;

/**
 * Returns the bounds with this many decimals: the lower rounded down, the upper rounded up. Every page prints intervals
 * and excluded differences through this function, so that one bound is never printed as two numbers.
 *
 * @example roundOutward({ low: -0.1544, high: 0.031 }, 2) // { low: -0.16, high: 0.04 }
 */
export const roundOutward = (
  { low, high }: { low: number; high: number },
  decimals: number,
): { low: number; high: number } => ({ low: roundDown(low, decimals), high: roundUp(high, decimals) });
