// Tests whether one entrant scores more than another. The test exchanges the two entrants within a unit in which both
// meet the same opponents. A unit is a deal or, in cyclic designs, a block of deals. The tests are valid with any
// number of informative units, and report this number. If the Werewolves win almost every match, only few units are
// informative.
import { computeMeanBounds, computeTangoBounds } from '../statistics/bounded-mean.ts';
import { type ExchangeTest, MIN_INFORMATIVE, testExchanges } from '../statistics/exchange-test.ts';
import { readAt, sum } from '../statistics/sums.ts';
import type { Team } from '../../state/teams.ts';
import { countOutcomes, estimateParameters } from './firth-fit.ts';
import { createMissingEstimate, type EstimateOptions, type RatingEstimate } from './rating-estimates.ts';
import { createRatingModel, type RatedMatch } from './rating-model.ts';

/** A difference with its test. */
export interface TestedPair {
  readonly difference: RatingEstimate;
  /** Number of units in which the scores of the pair differ. */
  readonly informative: number;
}

/** Returns the unit of a match. An exchange swaps the labels of two entrants in all matches of a unit at once. */
export const nameUnit = ({ unit, deal }: RatedMatch): string => unit ?? deal;

/**
 * Computes the mean lead of one entrant over another, with its interval and test. `leads`: the first entrant's score
 * minus the second's, one lead per unit, each from −1 to 1.
 *
 * If every lead is −1, 0 or 1, the interval is Tango's with fewer than six informative units, and otherwise Gaffke's,
 * which agrees with the sign test. For all other leads, the interval is the mean ± c standard errors, where c is a
 * number that exchanges rarely exceed. This interval requires six informative units.
 *
 * @example compareLeads([1, 1, 1, ...zeros], options).difference // { value: .15, low: -.04, high: .36, p: .25, … }
 */
export function compareLeads(leads: readonly number[], { resampling, level = 0.95 }: EstimateOptions): TestedPair {
  const inOrder = leads.toSorted((one, other) => one - other);
  const test = testExchanges(inOrder, resampling, level);
  const { informative } = test;
  if (leads.length === 0) return { difference: createMissingEstimate('no data'), informative };
  const value = sum(inOrder) / inOrder.length;
  const error = computeError(inOrder, value);
  const bounds = boundLeads(inOrder, test, level);
  if (bounds === null) return { difference: createMissingEstimate('too few'), informative };
  const [low, high] = includeZero(bounds, test, level);
  return { difference: { ...{ value, error, low, high, reason: null }, p: test.p }, informative };
}

/**
 * Computes the bounds of an entrant's score against its field from the entrant's score in each unit, 0 to 1. If every
 * unit was won by one of two entrants or by neither, returns the bounds of the exchange test. Otherwise returns the
 * wider of two pairs of bounds: the bounds of the exchange test (Gaffke's with fewer than six informative units), and
 * the bounds of `estimate`. The wider bounds matter if the Werewolves win almost every match, because almost all units
 * then score ½.
 *
 * @example boundScore(estimate, unitScores, { resampling }).low
 */
export function boundScore(
  estimate: RatingEstimate,
  unitScores: readonly number[],
  { resampling, level = 0.95 }: EstimateOptions,
): RatingEstimate {
  if (estimate.low === null || estimate.high === null) return estimate;
  const leads = unitScores.map((score) => 2 * score - 1).toSorted((one, other) => one - other);
  const test = testExchanges(leads, resampling, level);
  const bounds = boundLeads(leads, test, level) ?? computeMeanBounds(leads, [-1, 1], level);
  const [low, high] = includeZero(bounds, test, level).map((bound) => (1 + bound) / 2) as [number, number];
  return isPaired(leads)
    ? { ...estimate, low, high }
    : { ...estimate, low: Math.min(low, estimate.low), high: Math.max(high, estimate.high) };
}

/** Returns whether every lead is −1, 0 or 1, i.e. every unit was won by one of the two entrants or by neither. */
const isPaired = (leads: readonly number[]) => leads.every((lead) => lead === 0 || Math.abs(lead) === 1);

function boundLeads(leads: readonly number[], { informative, within }: ExchangeTest, level: number) {
  const isFew = informative < MIN_INFORMATIVE;
  if (isPaired(leads)) {
    const count = (lead: number) => leads.filter((one) => one === lead).length;
    return isFew
      ? computeTangoBounds({ first: count(1), second: count(-1), pairs: leads.length }, level)
      : computeMeanBounds(leads, [-1, 1], level);
  }
  if (isFew) return null;
  const value = sum(leads) / leads.length;
  const reach = within * computeError(leads, value);
  return [Math.max(-1, value - reach), Math.min(1, value + reach)] as const;
}

const computeError = (leads: readonly number[], value: number) =>
  Math.sqrt(sum(leads.map((lead) => (lead - value) ** 2)) / leads.length / Math.max(1, leads.length - 1));

/**
 * Extends bounds to include 0 if the test is not significant. With few units, score intervals can exclude 0 although
 * the test is not significant.
 */
function includeZero([low, high]: readonly [number, number], { p }: ExchangeTest, level: number) {
  return p !== null && p <= 1 - level ? ([low, high] as const) : ([Math.min(0, low), Math.max(0, high)] as const);
}

/** The seats on which a pair is compared: the seats of one role, or all seats of both sides. */
interface ComparedSeats {
  readonly pair: readonly [string, string];
  readonly role?: { readonly team: Team; readonly role: string };
}

/**
 * Tests the estimated difference of a pair whose opponents differ between units. Fits the matches as if the two
 * entrants were one, then swaps the residuals within each unit (Hemerik, Goeman & Finos 2020). The interval is the
 * estimate ± c standard errors, where c is a number that swaps rarely exceed. With fewer than six informative units
 * there is no interval.
 *
 * @example compareFitted(matches, { pair: ['gpt', 'gemini'] }, estimate, { resampling }).difference.p
 */
export function compareFitted(
  matches: readonly RatedMatch[],
  seats: ComparedSeats,
  estimate: RatingEstimate,
  { resampling, level = 0.95 }: EstimateOptions,
): TestedPair {
  const leads = listLeftOver(matches, seats);
  if (leads === null) return { difference: createMissingEstimate('unstable'), informative: 0 };
  const test = testExchanges(leads, resampling, level);
  const { informative } = test;
  if (estimate.value === null || estimate.error === null) return { difference: estimate, informative };
  if (informative < MIN_INFORMATIVE) return { difference: createMissingEstimate('too few'), informative };
  const reach = test.within * estimate.error;
  const bounds = [Math.max(-1, estimate.value - reach), Math.min(1, estimate.value + reach)] as const;
  const [low, high] = includeZero(bounds, test, level);
  return { difference: { ...estimate, low, high, p: test.p }, informative };
}

/** Lists, by unit, the residual in favor of the first entrant of the pair. Null if the matches cannot be fitted. */
function listLeftOver(matches: readonly RatedMatch[], { pair, role }: ComparedSeats): number[] | null {
  const isMeant = (seat: RatedMatch['seats'][number]) =>
    pair.includes(seat.entrant) && (role === undefined || (seat.team === role.team && seat.role === role.role));
  const merged = matches.map((match) => ({
    ...match,
    seats: match.seats.map((seat) => (isMeant(seat) ? { ...seat, entrant: pair[0] } : seat)),
  }));
  const { design, deals, cellOf } = createRatingModel(merged, { byRole: role !== undefined });
  const fit = estimateParameters(design, countOutcomes(deals, new Float64Array(deals.length).fill(1), design.cells.length)); // prettier-ignore
  if (fit === null) return null;
  const leads = new Map<string, number>();
  matches.forEach((match, place) => {
    const own = match.seats.filter(isMeant);
    if (own.length === 0) return;
    const cell = readAt(cellOf, place);
    const expected = readAt(fit.probabilities, 3 * cell) + readAt(fit.probabilities, 3 * cell + 2) / 2;
    const score = match.winner === null ? 0.5 : match.winner === 'werewolves' ? 1 : 0;
    const countSide = (side: Team) => match.seats.filter(({ team }) => team === side).length;
    const lead = own.reduce(
      (sum, { entrant, team }) =>
        sum + ((entrant === pair[0] ? 1 : -1) * (team === 'werewolves' ? 1 : -1)) / countSide(team),
      0,
    );
    leads.set(nameUnit(match), (leads.get(nameUnit(match)) ?? 0) + lead * (score - expected));
  });
  return [...leads].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, lead]) => lead);
}
