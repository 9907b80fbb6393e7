// The sums that every figure is made of, and ratios that stay unknown where there is nothing to divide by.

/** Named sums over one cluster (a match), or over all of them. A name that is absent stands for 0. */
export type Sums = Readonly<Record<string, number>>;

/** A figure is a function of sums alone, so that it can be made again for any resample; null where undefined. */
export type Statistic = (sums: Sums) => number | null;

/** The sum of that name, 0 where absent. */
export const getSum = (sums: Sums, name: string): number => sums[name] ?? 0;

/** The sums whose names begin with `prefix`, without it: those of one figure among those of many. */
export function selectByPrefix(sums: Sums, prefix: string): Sums {
  const own = Object.entries(sums).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, amount]) => [name.slice(prefix.length), amount]));
}

/** The totals by name over all clusters, names in sorted order. */
export function addSums(clusters: readonly Sums[]): Sums {
  const totals = new Map<string, number>();
  for (const sums of clusters) {
    for (const [name, amount] of Object.entries(sums)) totals.set(name, (totals.get(name) ?? 0) + amount);
  }
  return Object.fromEntries([...totals].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The figure `part / whole` over sums of those names; null where the whole is 0. */
export const createRatio =
  (part: string, whole: string): Statistic =>
  (sums) => {
    const denominator = getSum(sums, whole);
    return denominator === 0 ? null : getSum(sums, part) / denominator;
  };

// Ratios that stay unknown where there is nothing to divide by.

/** `part / whole`; null where `whole` is 0. */
export const computeRatio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The arithmetic mean; null for no values. */
export const mean = (values: readonly number[]): number | null => computeRatio(sum(values), values.length);
