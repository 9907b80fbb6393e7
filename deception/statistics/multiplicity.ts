// Adjusted p-values where many differences are tested.

/** A p-value for each hypothesis, in the order given; null where there was no test. */
type PValues = readonly (number | null)[];

/**
 * Holm's step-down adjusted p-values (Holm 1979): the i-th smallest of m is multiplied by m − i + 1, and none is less
 * than one before it; at most 1. Those at most α hold the chance of any false finding at α, however they depend.
 *
 * m is the number of hypotheses named before the data were seen. One without a test counts in it, as if its p were 1:
 * which of them can be tested is known only from the data.
 */
export const holm = (values: PValues): (number | null)[] =>
  adjusted(values, (ranked) => {
    let most = 0;
    return ranked.map((p, i) => (most = Math.max(most, Math.min(1, p * (values.length - i)))));
  });

/**
 * Benjamini & Hochberg's step-up adjusted p-values (1995): the i-th smallest of m is multiplied by m / i, and none is
 * more than one after it. Those at most q hold the expected share of false findings at q (under independence). m is the
 * number of tests: a hypothesis without one does not count.
 */
export const benjaminiHochberg = (values: PValues): (number | null)[] =>
  adjusted(values, (ranked) => {
    let least = 1;
    return ranked
      .map((_, i) => ranked.length - 1 - i)
      .map((i) => (least = Math.min(least, (ranked[i]! * ranked.length) / (i + 1))))
      .reverse();
  });

/** Applies `adjust` to the p-values there are in rising order, and puts the results back in their places. */
function adjusted(values: PValues, adjust: (ranked: readonly number[]) => number[]): (number | null)[] {
  for (const p of values) {
    if (p !== null && !(p >= 0 && p <= 1)) throw new RangeError(`A p-value is ${p}; it must lie in 0…1.`);
  }
  const tested = values.flatMap((p, place) => (p === null ? [] : [{ p, place }])).sort((a, b) => a.p - b.p);
  const results: (number | null)[] = values.map(() => null);
  adjust(tested.map(({ p }) => p)).forEach((p, i) => (results[tested[i]!.place] = p));
  return results;
}
