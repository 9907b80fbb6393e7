// Computes the mean of a figure over the opponents that a model met. Every opponent has the same weight, whatever the
// number of statements against that opponent.
import type { Metric } from '../metrics/metric.ts';
import { mean, readAt, type Statistic, sum, type Sums } from '../statistics/sums.ts';

/** Separator in the keys of packed sums, between the number of an arm and the name of a sum. */
const separator = '\n';
/** Packs a deal's sums from all arms into one record, for the metric that `computeOverArms` returns. */
export const packArms = (arms: readonly Sums[]): Sums =>
  Object.fromEntries(
    arms.flatMap((sums, place) =>
      Object.entries(sums).map(([name, amount]) => [`${place}${separator}${name}`, amount] as const),
    ),
  );

/**
 * One record of sums per arm (`arms`), reused for every resample. `places` says which packed sum belongs to which name
 * in which record. Only the amounts change between resamples, so the places are found once.
 */
interface SplitSums {
  arms: readonly Record<string, number>[];
  places: readonly { joined: string; arm: Record<string, number>; name: string }[];
}

/**
 * Returns a metric that reads the packed sums of `count` arms. The value is the mean of the arms' values, and null
 * unless every arm has a value.
 *
 * @example computeOverArms(winRate, 2).value(packArms([{ for: 1, against: 1 }, { for: 1, against: 0 }])) // 0.75
 */
export function computeOverArms(metric: Metric, count: number): Metric {
  const known = new WeakMap<Sums, SplitSums>();
  const split = (sums: Sums): SplitSums['arms'] => {
    const found = known.get(sums) ?? createSplit(sums, count);
    known.set(sums, found);
    for (const { joined, arm, name } of found.places) arm[name] = sums[joined] ?? 0;
    return found.arms;
  };
  const value = (sums: Sums) => {
    const values = split(sums).map(metric.value);
    return values.some((one) => one === null) ? null : mean(values as number[]);
  };
  const { comparedGroups } = metric;
  const { share, prepare } = metric.value;
  const addShares = (sums: Sums) => {
    const found = split(sums).map((arm) => share?.(arm) ?? [0, 0]);
    return [sum(found.map(([part]) => part)), sum(found.map(([, whole]) => whole))] as const;
  };
  return {
    ...createWithoutBounds(metric),
    isOfMatches: false,
    value: Object.assign(
      value,
      share === undefined ? {} : { share: addShares },
      prepare === undefined ? {} : { prepare: prepareOverArms(prepare, count) },
    ),
    opportunities: (sums) => split(sums).reduce((total, arm) => total + (metric.opportunities(arm) ?? 0), 0),
    ...(comparedGroups && {
      comparedGroups: comparedGroups.flatMap((ofGroup) =>
        Array.from({ length: count }, (_, place) => (sums: Sums) => ofGroup(split(sums)[place] ?? {})),
      ),
    }),
  };
}

/**
 * Creates the `prepare` function of the averaged metric. For each arm, it copies the arm's totals and passes the copy
 * to the metric's own function; the mean of the results is the value.
 */
const prepareOverArms =
  (prepare: NonNullable<Statistic['prepare']>, count: number): NonNullable<Statistic['prepare']> =>
  (names, offset) => {
    const arms = Array.from({ length: count }, (_, place) => {
      const from = names.flatMap((name, column) => (name.startsWith(`${place}${separator}`) ? [offset + column] : []));
      const own = from.map((column) => (names[column - offset] ?? '').slice(`${place}${separator}`.length));
      return { from, totals: new Float64Array(from.length), compute: prepare(own, 0) };
    });
    return (totals) => {
      const values = arms.map((arm) => {
        arm.from.forEach((column, place) => (arm.totals[place] = readAt(totals, column)));
        return arm.compute(arm.totals);
      });
      return values.some((one) => one === null) ? null : mean(values as number[]);
    };
  };

/** Returns the metric without its bounds, which are valid only for the sums of a single arm. */
function createWithoutBounds(metric: Metric): Metric {
  const copy = { ...metric };
  delete copy.bounds;
  return copy;
}

function createSplit(sums: Sums, count: number): SplitSums {
  const arms = Array.from({ length: count }, (): Record<string, number> => ({}));
  const places = Object.keys(sums).flatMap((joined) => {
    const [place, ...name] = joined.split(separator);
    const arm = arms[Number(place)];
    return arm === undefined ? [] : [{ joined, arm, name: name.join(separator) }];
  });
  return { arms, places };
}
