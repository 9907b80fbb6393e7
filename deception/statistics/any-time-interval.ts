// Intervals that hold however often one looks at a growing sample.

/** z of a 95% interval of a sample of fixed size, and what is left outside of it. */
const [fixedZ, alpha] = [1.959964, 0.05];

/**
 * Returns by what factor a 95% interval of `units` independent units is widened so that it holds at all sizes of the sample at once:
 * that of the asymptotic confidence sequence with the mixture of Robbins (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024),
 * narrowest at the `planned` number of units. Above 1. Throws a RangeError unless both are above 0.
 *
 * @example computeAnyTimeFactor(100, 100) // about 1.55
 */
export function computeAnyTimeFactor(units: number, planned: number): number {
  if (!(units > 0 && planned > 0)) throw new RangeError(`${units} of ${planned} units: both must be above 0.`);
  const wanted = -2 * Math.log(alpha);
  const mixed = ((wanted + Math.log(wanted) + 1) / planned) * units; // t ρ², with ρ for the planned size
  return Math.sqrt(((2 * (mixed + 1)) / mixed) * Math.log(Math.sqrt(mixed + 1) / alpha)) / fixedZ;
}
