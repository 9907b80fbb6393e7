// Tests whether two competitors are equal by exchanging them, unit by unit. Both competitors must have played each unit
// under the same conditions. An exchange reverses the sign of the unit's difference. This file also computes the number
// of units that a significant result requires.
import jstat from 'jstat';
import type { Resampling } from './bootstrap.ts';
import { readAt } from './sums.ts';

/**
 * Maximum number of informative units at which all exchanges are tried. With more units, random exchanges are drawn.
 */
const MOST_ENUMERATED = 14;
const RANDOM_EXCHANGES = 9_999;

/** Values whose relative difference is below this count as equal. */
const ROUNDING = 1e-9;

/**
 * Minimum number of informative units with which a test of one pair can reach .05. With six units, two of the 64
 * exchanges are the most extreme, so the smallest p is 2/64 = .03.
 */
export const MIN_INFORMATIVE = 6;

export interface ExchangeTest {
  /** Number of units in which the two competitors' results differ. All other units carry no information. */
  readonly informative: number;
  /** Two-sided p; null if no unit differs. */
  readonly p: number | null;
  /**
   * Size of the sum of leads, in standard errors, that a share `level` of the exchanges does not exceed. Infinity if
   * there is no such limit.
   */
  readonly within: number;
}

/**
 * Tests the hypothesis that two competitors are equal (Fisher 1935, § 21; Hemerik, Goeman & Finos 2020 for
 * contributions of a fitted model). `leads`: for each unit, the first competitor's result minus the second's. Tries all
 * exchanges if at most 14 units differ, and 9,999 random exchanges otherwise. If all leads have the same size, the
 * result is the exact sign test.
 *
 * @example
 * testExchanges([1, 1, 1, 0, 0, 0], resampling).p; // 0.25: three units of one sign
 */
export function testExchanges(leads: readonly number[], resampling: Resampling, level = 0.95): ExchangeTest {
  const largest = Math.max(0, ...leads.map(Math.abs));
  const own = leads
    .filter((lead) => Math.abs(lead) > ROUNDING * Math.max(1, largest))
    .toSorted((one, other) => one - other);
  const count = own.length;
  if (count === 0) return { informative: 0, p: null, within: Infinity };
  const observed = Math.abs(own.reduce((sum, lead) => sum + lead, 0));
  const squares = own.reduce((sum, lead) => sum + lead * lead, 0);
  /**
   * Converts the size of a sum to standard errors over all units. The larger the sum, the smaller the remaining spread.
   */
  const studentize = (size: number) => {
    const spread = (squares - (size * size) / leads.length) * (leads.length / (leads.length - 1));
    return spread <= ROUNDING * squares ? Infinity : size / Math.sqrt(spread);
  };
  const { sizes, isAll } = listExchangedSizes(own, resampling);
  const extreme = sizes.filter((size) => size >= observed * (1 - ROUNDING) - ROUNDING).length;
  const sorted = sizes.sort();
  const last = Math.ceil(level * (sorted.length + (isAll ? 0 : 1)) - ROUNDING) - 1;
  // The observed order is an exchange too. The random exchanges do not include it, so it is counted in addition.
  const unseen = isAll ? 0 : 1;
  const p = isOfOneSize(own) ? computeSignP(own) : (unseen + extreme) / (unseen + sizes.length);
  return { informative: count, p: Math.min(1, p), within: studentize(sorted[last] ?? Infinity) };
}

function listExchangedSizes(leads: readonly number[], resampling: Resampling) {
  const isAll = leads.length <= MOST_ENUMERATED;
  const swapped = new Uint8Array(leads.length);
  const sizes = Float64Array.from({ length: isAll ? 2 ** leads.length : RANDOM_EXCHANGES }, (_, exchange) => {
    if (isAll) for (let unit = 0; unit < leads.length; unit++) swapped[unit] = (exchange >> unit) & 1;
    else resampling.drawSwaps(resampling.resamples + exchange, swapped);
    return Math.abs(leads.reduce((sum, lead, unit) => (swapped[unit] === 0 ? sum + lead : sum - lead), 0));
  });
  return { sizes, isAll };
}

const isOfOneSize = (leads: readonly number[]) => {
  const size = Math.abs(readAt(leads, 0));
  return leads.every((lead) => Math.abs(Math.abs(lead) - size) <= ROUNDING * size);
};

/** Computes p of the sign test. The p of random exchanges converges to this p. */
function computeSignP(leads: readonly number[]): number {
  const fewer = Math.min(leads.filter((lead) => lead > 0).length, leads.filter((lead) => lead < 0).length);
  // jStat rounds to ten decimals, so p is computed directly if no unit has the opposite sign.
  return fewer === 0 ? 2 ** (1 - leads.length) : 2 * jstat.binomial.cdf(fewer, leads.length, 0.5);
}

/**
 * Returns whether this many informative units can make one of `tests` hypotheses significant at .05 after Holm's
 * correction. One pair needs six units, three pairs need seven, and six pairs need eight.
 *
 * @example
 * isEnough(6, 3); // false
 */
export const isEnough = (informative: number, tests: number): boolean => tests * 2 ** (1 - informative) <= 0.05;
