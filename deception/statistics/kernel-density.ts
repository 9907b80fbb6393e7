// A smooth density of weighted values: a sum of normal curves, one around each value (Silverman 1986).

/** A value and its share of the total. */
export interface WeightedValue {
  at: number;
  weight: number;
}

/**
 * Computes the kernel's width by Scott's rule, sd · n^(−1/5) (Scott 1992), like seaborn's `kdeplot`; null if all values
 * are the same. `n`: number of values.
 *
 * @example computeScottBandwidth([{ at: 0, weight: 0.5 }, { at: 4, weight: 0.5 }], 32) // 1.0159…
 */
export function computeScottBandwidth(values: readonly WeightedValue[], n: number): number | null {
  const mean = values.reduce((total, { at, weight }) => total + weight * at, 0);
  const variance = values.reduce((total, { at, weight }) => total + weight * (at - mean) ** 2, 0);
  if (n < 2 || variance <= 0) return null;
  return Math.sqrt((variance * n) / (n - 1)) * n ** (-1 / 5);
}

/**
 * Computes the density at a point with a Gaussian kernel. Weights add up to 1.
 *
 * @example computeNormalDensity([{ at: 0, weight: 1 }], 0, 1) // 0.3989…
 */
export const computeNormalDensity = (values: readonly WeightedValue[], at: number, bandwidth: number): number =>
  values.reduce((total, { at: value, weight }) => {
    const z = (at - value) / bandwidth;
    return total + (weight * Math.exp((-z * z) / 2)) / (bandwidth * Math.sqrt(2 * Math.PI));
  }, 0);
