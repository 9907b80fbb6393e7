// The test of exchanging two who are compared, unit by unit, where a unit is what both played alike: an exchange changes the
// sign of what the unit says of their difference. And how few units can say nothing.
import jstat from 'jstat';
import type { Resampling } from './bootstrap.ts';
import { readAt } from './sums.ts';

/** Up to so many units that tell something all exchanges are tried; above, so many random ones. */
const MOST_ENUMERATED = 14;
const RANDOM_EXCHANGES = 9_999;

/** Sizes that differ by less than this share count as equal. */
const ROUNDING = 1e-9;

/** With fewer informative units no exchange test of one pair reaches .05: of six, two of 64 exchanges are the most extreme. */
export const MIN_INFORMATIVE = 6;

export interface ExchangeTest {
  /** Units in which the two differ: the others say nothing. */
  readonly informative: number;
  /** Two-sided; null where no unit differs. */
  readonly p: number | null;
  /** The size of the sum that a share `level` of exchanges does not exceed, in standard errors; Infinity where all may be reached. */
  readonly within: number;
}

/**
 * Tests that two who are compared are equal (Fisher 1935, § 21; Hemerik, Goeman & Finos 2020 for contributions of a fitted
 * model): `leads` says of each unit how much better the first was. All exchanges up to 14 units that differ, 9,999 random
 * ones above; where all leads are of one size, the exact sign test.
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
  /** The size of a sum in standard errors over all units: the greater the sum, the less is left as spread. */
  const studentize = (size: number) => {
    const spread = (squares - (size * size) / leads.length) * (leads.length / (leads.length - 1));
    return spread <= ROUNDING * squares ? Infinity : size / Math.sqrt(spread);
  };
  const { sizes, isAll } = listExchangedSizes(own, resampling);
  const extreme = sizes.filter((size) => size >= observed * (1 - ROUNDING) - ROUNDING).length;
  const sorted = sizes.sort();
  const last = Math.ceil(level * (sorted.length + (isAll ? 0 : 1)) - ROUNDING) - 1;
  // The observed order is one of all exchanges, and none of the random ones.
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

/** The sign test: as random exchanges, without their chance. */
function computeSignP(leads: readonly number[]): number {
  const fewer = Math.min(leads.filter((lead) => lead > 0).length, leads.filter((lead) => lead < 0).length);
  // jStat rounds to ten decimals: with no unit of the other sign the p is known without it.
  return fewer === 0 ? 2 ** (1 - leads.length) : 2 * jstat.binomial.cdf(fewer, leads.length, 0.5);
}

/**
 * Whether so many informative units can make one of `tests` hypotheses significant at .05 after Holm's correction: six for one
 * pair, seven for three, eight for six.
 *
 * @example
 * isEnough(6, 3); // false
 */
export const isEnough = (informative: number, tests: number): boolean => tests * 2 ** (1 - informative) <= 0.05;
