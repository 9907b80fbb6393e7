// Whether one entrant scores more than another: by exchanging the two within a unit, which is a deal, or in cyclic designs a
// block of deals, in which both meet the same opponents. The tests hold however few units tell of the pair, and such units
// are counted: where the Werewolves win nearly every match, only few do.
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
  /** Units that tell of the pair. */
  readonly informative: number;
}

/** Returns the unit within which two entrants are exchanged at once. */
export const nameUnit = ({ unit, deal }: RatedMatch): string => unit ?? deal;

/**
 * The mean of leads, one for each unit and each −1…1. Where every unit that tells was won by one of the two, its interval is
 * Tango's under six such units, and from six on Gaffke's, which agrees with the sign test. Of other leads it is the mean ± as
 * many standard errors as exchanges do not exceed, and none under six.
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
 * The score of an entrant against its field from what it scored in each unit, 0…1: as the lead of a score over what is left
 * to the others of two, and of more the wider of the bounds by exchange (Gaffke's under six units that tell) and of those
 * given, since scores of nearly all units are ½ where the Werewolves win nearly every match.
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

/** Whether each unit was won by one of the two, or by neither. */
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

/** Score intervals are narrower than the test in few units: none leaves out 0 where the test does not. */
function includeZero([low, high]: readonly [number, number], { p }: ExchangeTest, level: number) {
  return p !== null && p <= 1 - level ? ([low, high] as const) : ([Math.min(0, low), Math.max(0, high)] as const);
}

/** Which seats are compared: those of a role, or all of a side. */
interface ComparedSeats {
  readonly pair: readonly [string, string];
  readonly role?: { readonly team: Team; readonly role: string };
}

/**
 * The test of an estimated difference where opponents differ from unit to unit: exchanged is what each unit's matches leave
 * over once they are fitted with both as one entrant (Hemerik, Goeman & Finos 2020). The interval is the estimate ± as many
 * standard errors as exchanges do not exceed, none under six units that tell of the pair.
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

/** By unit what speaks for the first of the pair; null where the matches cannot be fitted. */
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
