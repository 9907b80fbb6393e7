// P-values adjusted for many tests, by Holm's procedure or by Benjamini and Hochberg's. Also adjusts p-values of
// hypotheses that are grouped under headlines.

/** A p-value for each hypothesis, in the given order; null if there was no test. */
type PValues = readonly (number | null)[];

/**
 * Computes Holm's step-down adjusted p-values (Holm 1979): multiplies the i-th smallest of m by m − i + 1, and makes
 * results nondecreasing and at most 1. If all hypotheses with a result of at most α are rejected, the chance of any
 * false finding is at most α, however the tests depend on each other.
 *
 * m is the number of hypotheses named before the data were seen. A hypothesis without a test (null) counts as if its p
 * were 1, because only the data show which hypotheses can be tested. Results are 0 to 1; null if there was no test.
 * Throws a RangeError for a p outside 0 to 1.
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
 * Computes Benjamini & Hochberg's step-up adjusted p-values (1995): multiplies the i-th smallest of m by m / i, and
 * makes results nondecreasing. If all hypotheses with a result of at most q are rejected, the expected share of false
 * findings is at most q (under independence). m is the number of tests, so hypotheses without a test (null) do not
 * count. Results are 0 to 1; null if there was no test. Throws a RangeError for a p outside 0 to 1.
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

/** Adjusted p-values of headlines, and of the hypotheses under each headline. */
interface AdjustedGroups {
  headlines: number[];
  finer: (number | null)[][];
}

/**
 * Adjusts p-values of headlines by Holm's procedure, and p-values of the finer hypotheses under each headline by
 * Benjamini & Bogomolov's procedure (2014). Under a rejected headline, the latter is Benjamini & Hochberg's procedure
 * at level q times the share of rejected headlines.
 *
 * Guarantees at level q: the chance of any false headline is at most q, however the tests depend on each other. If no
 * headline is false, the chance of any finding is also at most q. Among findings under rejected headlines, the expected
 * share of false findings is at most q, averaged over these headlines.
 *
 * A result is the smallest q that rejects the hypothesis; null if there was no test. `finer`: for each headline, the
 * p-values of the hypotheses under it. Throws a RangeError for a p outside 0 to 1.
 *
 * @example
 * adjustUnderHeadlines([0.01, 0.5], [[0.001, 0.04], []]); // { headlines: [0.02, 0.5], finer: [[0.02, 0.08], []] }
 */
export function adjustUnderHeadlines(headlines: readonly number[], finer: readonly PValues[]): AdjustedGroups {
  const ofHeadlines = adjustHolm(headlines) as number[]; // No p is null, because all were given.
  const rising = [...ofHeadlines].sort((a, b) => a - b);
  return {
    headlines: ofHeadlines,
    finer: finer.map((values, headline) =>
      adjustBenjaminiHochberg(values).map((own) => {
        if (own === null) return null;
        // At level `rising[k]`, k + 1 headlines are rejected; at a lower level, fewer.
        const levels = rising.map((least, k) => Math.max(least, (own * headlines.length) / (k + 1)));
        return Math.max(ofHeadlines[headline] ?? 1, Math.min(1, ...levels));
      }),
    ),
  };
}

/**
 * Applies `adjust` to the p-values that are not null, in ascending order, and returns the results in the original
 * order.
 */
function adjustPValues(values: PValues, adjust: (ranked: readonly number[]) => number[]): (number | null)[] {
  for (const p of values) {
    if (p !== null && !(p >= 0 && p <= 1)) throw new RangeError(`A p-value is ${p}; it must lie in 0…1.`);
  }
  const tested = values.flatMap((p, place) => (p === null ? [] : [{ p, place }])).sort((a, b) => a.p - b.p);
  const results: (number | null)[] = values.map(() => null);
  adjust(tested.map(({ p }) => p)).forEach((p, i) => (results[tested[i]!.place] = p));
  return results;
}
