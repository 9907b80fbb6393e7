// Intervals that stay valid however often somebody looks at a growing sample.

/** z of a 95% interval for a sample of fixed size, and the probability outside that interval. */
const [fixedZ, alpha] = [1.959964, 0.05];

/**
 * Returns the factor by which a 95% interval of `units` independent units must be widened to hold at all sizes of the
 * sample at once. The factor is above 1. It follows the asymptotic confidence sequence with Robbins' mixture
 * (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024), tuned to be narrowest at the `planned` number of units. Throws
 * a RangeError unless both numbers are above 0.
 *
 * @example computeAnyTimeFactor(100, 100) // about 1.55
 */
export function computeAnyTimeFactor(units: number, planned: number): number {
  if (!(units > 0 && planned > 0)) throw new RangeError(`${units} of ${planned} units: both must be above 0.`);
  const wanted = -2 * Math.log(alpha);
  const mixed = ((wanted + Math.log(wanted) + 1) / planned) * units; // t ρ², with ρ for the planned size
  return Math.sqrt(((2 * (mixed + 1)) / mixed) * Math.log(Math.sqrt(mixed + 1) / alpha)) / fixedZ;
}
