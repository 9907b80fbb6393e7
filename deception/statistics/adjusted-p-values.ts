// P-values adjusted for many tests: Holm's, Benjamini and Hochberg's, and over families.

/** A p-value for each hypothesis, in the order given; null where there was no test. */
type PValues = readonly (number | null)[];

/**
 * Holm's step-down adjusted p-values (Holm 1979): the i-th smallest of m is multiplied by m − i + 1, and none is less
 * than one before it; at most 1. Those at most α hold the chance of any false finding at α, however they depend.
 *
 * m is the number of hypotheses named before the data were seen. One without a test (null) counts in it as if its p were
 * 1, since only the data show which of them can be tested. Results are in 0…1, null where there was no test. Throws a
 * RangeError for a p outside 0…1.
 *
 * @example
 * adjustHolm([0.01, 0.04, null]); // [0.03, 0.08, null]
 */
export const adjustHolm = (values: PValues): (number | null)[] =>
  adjustPValues(values, (ranked) => {
    let most = 0;
    return ranked.map((p, i) => (most = Math.max(most, Math.min(1, p * (values.length - i)))));
  });

/**
 * Benjamini & Hochberg's step-up adjusted p-values (1995): the i-th smallest of m is multiplied by m / i, and none is
 * more than one after it. Those at most q hold the expected share of false findings at q (under independence). m is the
 * number of tests: a hypothesis without one (null) does not count. Results are in 0…1. Throws a RangeError for a p
 * outside 0…1.
 *
 * @example
 * adjustBenjaminiHochberg([0.01, 0.04, null]); // [0.02, 0.04, null]
 */
export const adjustBenjaminiHochberg = (values: PValues): (number | null)[] =>
  adjustPValues(values, (ranked) => {
    let least = 1;
    return ranked
      .map((_, i) => ranked.length - 1 - i)
      .map((i) => (least = Math.min(least, (ranked[i]! * ranked.length) / (i + 1))))
      .reverse();
  });

/**
 * p-values adjusted over families of hypotheses (Benjamini & Bogomolov 2014): a family's own p is Simes's (1986); families
 * are adjusted by Benjamini & Hochberg's procedure, and in a rejected family each hypothesis by the same procedure at the
 * level q times the share of families that are rejected. What is at most q holds the expected share of false findings at
 * q in each family that is rejected, averaged over these, and over families. A result is the least q at which a hypothesis
 * is rejected; with one family it is Benjamini & Hochberg's. Null where there was no test.
 *
 * @example
 * adjustByFamilies([0.01, 0.04, 0.5], ['lies', 'lies', 'game']); // [0.04, 0.08, 0.5]
 */
export function adjustByFamilies(values: PValues, families: readonly string[]): (number | null)[] {
  const names = [...new Set(families.filter((_, place) => values[place] !== null))];
  const within = names.map((name) =>
    adjustBenjaminiHochberg(values.map((p, place) => (families[place] === name ? p : null))),
  );
  // Simes's p of a family is the least of its adjusted ones.
  const ofFamilies = adjustBenjaminiHochberg(within.map((own) => Math.min(...own.flatMap((p) => p ?? [])))) as number[];
  const rising = [...ofFamilies].sort((a, b) => a - b);
  return values.map((value, place) => {
    if (value === null) return null;
    const family = names.indexOf(families[place]!);
    const own = within[family]![place]!;
    // With so many families rejected, which takes a level of `rising[rejected - 1]`.
    const levels = rising.map((least, k) => Math.max(least, ofFamilies[family]!, (own * names.length) / (k + 1)));
    return Math.min(1, ...levels);
  });
}

/** Applies `adjust` to the p-values there are in rising order, and puts the results back in their places. */
function adjustPValues(values: PValues, adjust: (ranked: readonly number[]) => number[]): (number | null)[] {
  for (const p of values) {
    if (p !== null && !(p >= 0 && p <= 1)) throw new RangeError(`A p-value is ${p}; it must lie in 0…1.`);
  }
  const tested = values.flatMap((p, place) => (p === null ? [] : [{ p, place }])).sort((a, b) => a.p - b.p);
  const results: (number | null)[] = values.map(() => null);
  adjust(tested.map(({ p }) => p)).forEach((p, i) => (results[tested[i]!.place] = p));
  return results;
}
