// Estimates of the single arms of a comparison. Many contrasts share arms, so everything that depends on one arm alone
// is computed only once.
import {
  computeTotals,
  createSparseSample,
  createStatisticEvaluator,
  listRowsWithData,
  listSparseCells,
  listSumNames,
} from './standard-error.ts';
import { addSums, type Statistic, type Sums } from './sums.ts';

/** The sums of one arm, deal by deal. Estimates are cached under the list object itself, not under its contents. */
export type ArmSums = readonly Sums[];

/** The sums of each arm, for each deal. */
type DealSums = readonly (readonly Sums[])[];

const armsOfDeals = new WeakMap<DealSums, readonly ArmSums[]>();

/**
 * Lists the deals of these arms, each with the sums of every arm. Contrasts that were laid out from the same list
 * object of an arm share the cached estimates of this arm.
 *
 * @example listArmDeals([[{ lies: 1 }, {}], [{ lies: 2 }, { lies: 3 }]]) // [[{ lies: 1 }, { lies: 2 }], [{}, { lies: 3 }]]
 */
export function listArmDeals(arms: readonly ArmSums[]): DealSums {
  const deals = (arms[0] ?? []).map((_, deal) => arms.map((arm) => arm[deal] ?? {}));
  armsOfDeals.set(deals, arms);
  return deals;
}

/** Lists the sums of each arm, deal by deal. */
export function listArms(deals: DealSums): readonly ArmSums[] {
  const arms = armsOfDeals.get(deals) ?? (deals[0] ?? []).map((_, arm) => deals.map((sums) => sums[arm] ?? {}));
  armsOfDeals.set(deals, arms);
  return arms;
}

const totalsOfArms = new WeakMap<ArmSums, Sums>();

/** Adds up an arm's sums over its deals. */
export function getArmTotal(arm: ArmSums): Sums {
  const total = totalsOfArms.get(arm) ?? addSums(arm);
  totalsOfArms.set(arm, total);
  return total;
}

interface ArmEstimate {
  /** The statistic over all deals. */
  readonly value: number | null;
  /** For each deal, whether any of its sums is not 0. */
  readonly isFilled: readonly boolean[];
  /** Number of filled deals with data: see `listRowsWithData`. */
  readonly withData: number;
  /** Whether the statistic is defined for a deal without sums, which then counts as a deal with data. */
  readonly isDefinedEmpty: boolean;
  /** Whether all sums are whole numbers. Their totals do not depend on the order of deals. */
  readonly isWhole: boolean;
}

const estimatesOfArms = new WeakMap<ArmSums, Map<Statistic, ArmEstimate>>();

function estimateArm(arm: ArmSums, statistic: Statistic): ArmEstimate {
  const known = estimatesOfArms.get(arm) ?? new Map<Statistic, ArmEstimate>();
  estimatesOfArms.set(arm, known);
  const before = known.get(statistic);
  if (before !== undefined) return before;
  const names = listSumNames(arm);
  const places = new Map(names.map((name, place) => [name, place]));
  const rows = arm.map((sums) => listSparseCells(sums, places));
  const evaluate = createStatisticEvaluator(statistic, names);
  const sample = createSparseSample(rows.filter((cells) => cells.length > 0), names.length, evaluate); // prettier-ignore
  const estimate = {
    value: evaluate(computeTotals(sample)),
    isFilled: rows.map((cells) => cells.length > 0),
    withData: listRowsWithData(sample).length,
    isDefinedEmpty: evaluate(new Float64Array(names.length)) !== null,
    isWhole: sample.amount.every(Number.isInteger),
  };
  known.set(statistic, estimate);
  return estimate;
}

/**
 * Estimates both sides of a contrast, and counts the rows with data of the arm that has the fewest, like
 * `describeContrast`. Null if estimates of single arms could differ from estimates of all arms together. This is so for
 * sums that are not whole numbers (in the last digits), and for statistics that read models from the names of sums.
 *
 * @example describeArms(deals, createRatio('flags', 'judgements'), pairContrast)?.difference
 */
export function describeArms(
  deals: DealSums,
  statistic: Statistic,
  contrast: { readonly a: readonly number[]; readonly b: readonly number[] },
) {
  if (deals.length === 0 || statistic.splitName !== undefined) return null;
  const estimates = listArms(deals).map((arm) => estimateArm(arm, statistic));
  if (!estimates.every(({ isWhole }) => isWhole)) return null;
  const filled = deals.filter((_, deal) => estimates.some(({ isFilled }) => isFilled[deal] === true)).length;
  const counts = estimates.map(({ isFilled, withData, isDefinedEmpty }) =>
    isDefinedEmpty ? withData + filled - isFilled.filter(Boolean).length : withData,
  );
  const values = estimates.map(({ value }) => value);
  const [a, b] = [weighValues(values, contrast.a), weighValues(values, contrast.b)];
  return { a, b, difference: a === null || b === null ? null : a - b, withData: Math.min(...counts) };
}

/** Returns the weighted sum of values. Null if a value with a weight other than 0 is null. */
function weighValues(values: readonly (number | null)[], weights: readonly number[]): number | null {
  let total = 0;
  for (const [place, value] of values.entries()) {
    const weight = weights[place] ?? 0;
    if (weight === 0) continue;
    if (value === null) return null;
    total += weight * value;
  }
  return total;
}
