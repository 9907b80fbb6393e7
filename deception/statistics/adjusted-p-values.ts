// P-values adjusted for many tests: Holm's, Benjamini and Hochberg's, and of finer hypotheses under headlines.

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

/** The adjusted p of headlines, and of the hypotheses under each of them. */
interface AdjustedGroups {
  headlines: number[];
  finer: (number | null)[][];
}

/**
 * p-values of headlines adjusted by Holm's procedure, and of finer hypotheses under each of them by Benjamini & Bogomolov's
 * (2014): under a rejected headline Benjamini & Hochberg's procedure at the level q times the share of headlines that are
 * rejected. The chance of any false headline is at most q, however they depend, and so is the chance that anything is found
 * where no headline is false; what is found under rejected headlines is false in an expected share of at most q, averaged
 * over these. A result is the least q at which a hypothesis is rejected. Null where there was no test. `finer`: for each
 * headline the hypotheses under it. Throws a RangeError for a p outside 0…1.
 *
 * @example
 * adjustUnderHeadlines([0.01, 0.5], [[0.001, 0.04], []]); // { headlines: [0.02, 0.5], finer: [[0.02, 0.08], []] }
 */
export function adjustUnderHeadlines(headlines: readonly number[], finer: readonly PValues[]): AdjustedGroups {
  const ofHeadlines = adjustHolm(headlines) as number[]; // There is a p for each.
  const rising = [...ofHeadlines].sort((a, b) => a - b);
  return {
    headlines: ofHeadlines,
    finer: finer.map((values, headline) =>
      adjustBenjaminiHochberg(values).map((own) => {
        if (own === null) return null;
        // With so many headlines rejected, which takes a level of `rising[rejected - 1]`.
        const levels = rising.map((least, k) => Math.max(least, (own * headlines.length) / (k + 1)));
        return Math.max(ofHeadlines[headline] ?? 1, Math.min(1, ...levels));
      }),
    ),
  };
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
