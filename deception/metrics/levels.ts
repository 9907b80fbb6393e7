// Means of values between 0 and 1, with what is missing beside them: suspicions, and shares of yes among answers.
import { ratioOf, sumOf, type Sums } from '../statistics/sums.ts';
import type { AnalysisRow } from '../tables/rows.ts';
import type { Metric } from './metric.ts';

/** One value, 0…1, or an answer that was asked for and is missing. */
export const levelOf = (value: number | boolean | null): Sums =>
  value === null ? { missing: 1 } : { total: Number(value), values: 1 };

/** What of a judgement is a level: null where it is missing; undefined where nobody asked for it. */
export const judgedLevel = <Of extends 'suspicion' | 'deceptive'>(row: AnalysisRow, of: Of) =>
  row[of] ?? (row.missing === null ? undefined : null);

export const meanLevel = {
  value: ratioOf('total', 'values'),
  opportunities: (sums: Sums) => sumOf(sums, 'values'),
  bounds: (sums: Sums) => {
    const [total, missing] = [sumOf(sums, 'total'), sumOf(sums, 'missing')];
    const all = sumOf(sums, 'values') + missing;
    return all === 0 ? [null, null] : [total / all, (total + missing) / all];
  },
} as const satisfies Partial<Metric>;
