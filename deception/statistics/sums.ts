// The sums that every figure is computed from, and ratios that stay unknown where there is nothing to divide by.

/** Named totals (sufficient statistics) of one cluster or of many, e.g. `{ lies: 3, claims: 12 }`. An absent name is 0. */
export type Sums = Readonly<Record<string, number>>;

/** A function of sums alone, so that it can be computed again for any resample; null where undefined. */
export interface Statistic {
  (sums: Sums): number | null;
  /**
   * Makes the same function of totals in the order of `names`, the first at `offset`: names are then looked up once for
   * thousands of resamples. A statistic may do without.
   */
  readonly prepare?: (names: readonly string[], offset: number) => (totals: Float64Array) => number | null;
  /**
   * Makes what computes the slopes of the same function at these totals and writes them from `offset` on; it returns false where
   * the function is undefined. A statistic of many sums needs it to be divided by its standard error after each swap: slopes by
   * differences take two evaluations a sum.
   */
  readonly prepareSlopes?: (
    names: readonly string[],
    offset: number,
  ) => (totals: Float64Array, slopes: Float64Array) => boolean;
  /** For a ratio: name of the sum in the denominator, i.e. the number of cases. */
  readonly whole?: string;
  /**
   * Of a statistic whose sums are named after models: what a sum's name is without its model. Exchanging the labels of two models
   * exchanges all that bears them, so that arms of one model each must not be told apart by the names of their sums.
   */
  readonly splitName?: (name: string) => { readonly model: string; readonly rest: string };
}

/** The sum of that name, 0 where it is absent. */
export const getSum = (sums: Sums, name: string): number => sums[name] ?? 0;

/**
 * A statistic of what `createReader` makes of the amounts in the order of `names`, the first at `offset`: it looks into names
 * once for all resamples.
 */
export function createStatistic<Read>(
  createReader: (names: readonly string[], offset: number) => (amounts: ArrayLike<number>) => Read,
  compute: (read: Read) => number | null,
): Statistic {
  const prepare: Statistic['prepare'] = (names, offset) => {
    const read = createReader(names, offset);
    return (totals) => compute(read(totals));
  };
  return Object.assign((sums: Sums) => compute(createReader(Object.keys(sums), 0)(Object.values(sums))), { prepare });
}

/**
 * The totals by name over all clusters, names in sorted order.
 *
 * @example
 * addSums([{ lies: 1, claims: 4 }, { claims: 2 }]); // { claims: 6, lies: 1 }
 */
export function addSums(clusters: readonly Sums[]): Sums {
  const totals = new Map<string, number>();
  for (const sums of clusters) {
    for (const [name, amount] of Object.entries(sums)) totals.set(name, (totals.get(name) ?? 0) + amount);
  }
  return Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The statistic `part / whole` of the sums of those names: 0…1 where the part is contained in the whole; null where the
 * whole is 0.
 *
 * @example
 * createRatio('lies', 'claims')({ lies: 3, claims: 12 }); // 0.25
 */
export function createRatio(part: string, whole: string): Statistic {
  const prepare: Statistic['prepare'] = (names, offset) => {
    const [getPart, getWhole] = [createTotalReader(part, names, offset), createTotalReader(whole, names, offset)];
    return (totals) => computeRatio(getPart(totals), getWhole(totals));
  };
  return Object.assign((sums: Sums) => computeRatio(getSum(sums, part), getSum(sums, whole)), { prepare, whole });
}

/** Returns a function that finds a sum among totals in the order of `names`, the first at `offset`; 0 if absent, like `getSum`. */
export function createTotalReader(name: string, names: readonly string[], offset: number) {
  const place = names.indexOf(name);
  return (totals: ArrayLike<number>): number => (place < 0 ? 0 : totals[offset + place]!);
}

/** `part / whole`; null where `whole` is 0. */
export const computeRatio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The number at that place; 0 where there is none. */
export const readAt = (numbers: ArrayLike<number>, place: number): number => numbers[place] ?? 0;

/** The total; 0 for no values. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The arithmetic mean; null for no values. */
export const mean = (values: readonly number[]): number | null => computeRatio(sum(values), values.length);
