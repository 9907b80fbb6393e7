// The sums behind every figure, and ratios that are null where the denominator is 0.

/**
 * Named totals (sufficient statistics) of one cluster or of many, e.g. `{ lies: 3, claims: 12 }`. An absent name is 0.
 */
export type Sums = Readonly<Record<string, number>>;

/**
 * A statistic: a function of sums only, so that it can be computed again for any resample. Its value is null if
 * undefined.
 */
export interface Statistic {
  (sums: Sums): number | null;
  /**
   * Optional: creates a function that computes the statistic from totals in the order of `names`, starting at `offset`.
   * With this function, names are looked up once for thousands of resamples.
   */
  readonly prepare?:
    ((names: readonly string[], offset: number) => (totals: Float64Array) => number | null) | undefined;
  /**
   * Creates a function that writes the statistic's slopes at these totals, starting at `offset`. The function returns
   * false if the slopes are undefined. Statistics of many sums need this function if each swap needs a new standard
   * error, because slopes by differences take two evaluations per sum.
   */
  readonly prepareSlopes?: (
    names: readonly string[],
    offset: number,
  ) => (totals: Float64Array, slopes: Float64Array) => boolean;
  /** For a ratio, returns the numerator and the denominator. Intervals of shares need the number of cases. */
  readonly share?: ((sums: Sums) => readonly [part: number, whole: number]) | undefined;
  /**
   * Splits the name of a sum into the model in the name and the rest. Exchanging the labels of two models must also
   * exchange the models in the names of sums. If each arm has one model, sums of different arms are therefore matched
   * by the rest of their names.
   */
  readonly splitName?: (name: string) => { readonly model: string; readonly rest: string };
}

/** Returns the sum with this name; 0 if absent. */
export const getSum = (sums: Sums, name: string): number => sums[name] ?? 0;

/**
 * Creates a statistic from a function that reads amounts, given in the order of `names` and starting at `offset`.
 * `createReader` parses the names once for all resamples.
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
 * Adds up all clusters by name, with names sorted.
 *
 * @example
 * addSums([{ lies: 1, claims: 4 }, { claims: 2 }]); // { claims: 6, lies: 1 }
 */
export function addSums(clusters: readonly Sums[]): Sums {
  const totals = new Map<string, number>();
  for (const sums of clusters) {
    for (const name in sums) totals.set(name, (totals.get(name) ?? 0) + getSum(sums, name));
  }
  return Object.fromEntries([...totals.keys()].sort().map((name) => [name, totals.get(name) ?? 0]));
}

/**
 * Creates the statistic `part / whole` of the sums with these names: 0 to 1 if the whole contains the part; null if the
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
  const share = (sums: Sums) => [getSum(sums, part), getSum(sums, whole)] as const;
  return Object.assign((sums: Sums) => computeRatio(getSum(sums, part), getSum(sums, whole)), { prepare, share });
}

/**
 * Creates the statistic `part / whole` of a function that returns both; null if the whole is 0.
 *
 * @example createShare(({ tp = 0, fn = 0 }) => [tp, tp + fn])({ tp: 3, fn: 2 }) // 0.6
 */
export const createShare = (share: (sums: Sums) => readonly [part: number, whole: number]): Statistic =>
  Object.assign((sums: Sums) => computeRatio(...share(sums)), { share });

/**
 * Returns a function that reads one sum from totals in the order of `names`, starting at `offset`. It returns 0 for an
 * absent sum, like `getSum`.
 */
export function createTotalReader(name: string, names: readonly string[], offset: number) {
  const place = names.indexOf(name);
  return (totals: ArrayLike<number>): number => (place < 0 ? 0 : totals[offset + place]!);
}

/** Returns `part / whole`; null if `whole` is 0. */
export const computeRatio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Returns the number at an index; 0 if the index has none. */
export const readAt = (numbers: ArrayLike<number>, place: number): number => numbers[place] ?? 0;

/** Returns the total; 0 for no values. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the arithmetic mean; null for no values. */
export const mean = (values: readonly number[]): number | null => computeRatio(sum(values), values.length);
