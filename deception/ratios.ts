// Ratios that stay unknown where there is nothing to divide by.

/** `part / whole`; null where `whole` is 0. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The arithmetic mean; null for no values. */
export const mean = (values: readonly number[]): number | null => ratio(sum(values), values.length);
