// Figures whose 95 % intervals cover less than 93 % with few deals, as simulations found it: what is too narrow is marked
// wherever it is shown. `npm run validate` prints this table ("Marked in reports" of docs/evidence/validation.md).

/** A figure by itself, or a difference in a comparison. */
export type IntervalKind = 'figure' | 'difference';

export interface WeakCoverage {
  metric: string;
  of: IntervalKind;
  deals: number;
  /** The least that was reached with so many deals, 0…1. */
  coverage: number;
}

/** The numbers of deals that are sampled. */
export const sampledDeals = [10, 20, 50, 100] as const;

/** What was sampled. */
export const sampledWeakCoverage: readonly WeakCoverage[] = [
  { metric: 'admission_rate', of: 'figure', deals: 10, coverage: 0.922 },
  { metric: 'counter_claims', of: 'difference', deals: 10, coverage: 0.918 },
  { metric: 'suspicion_auprc', of: 'figure', deals: 10, coverage: 0.895 },
  { metric: 'suspicion_auprc', of: 'figure', deals: 20, coverage: 0.915 },
  { metric: 'suspicion_roc_auc', of: 'figure', deals: 10, coverage: 0.922 },
];

/** Areas under curves of other scores, which are not sampled: the same statistic of as many sums. */
const alike: Readonly<Record<string, readonly string[]>> = {
  suspicion_auprc: ['suspicion_self_auprc', 'belief_auprc'],
  suspicion_roc_auc: ['suspicion_self_roc_auc', 'belief_roc_auc'],
};

export const weakCoverage: readonly WeakCoverage[] = sampledWeakCoverage.flatMap((row) => [
  row,
  ...(alike[row.metric] ?? []).map((metric) => ({ ...row, metric })),
]);

/**
 * What the 95 % interval of the metric covers with so many deals that have data, where that is under 93 %; else null. Between
 * two numbers that were sampled the lower holds; where there is nothing weak, the next that is.
 *
 * @example
 * findWeakCoverage('suspicion_auprc', 'figure', 30); // 0.915
 */
export function findWeakCoverage(metric: string, of: IntervalKind, deals: number): number | null {
  const from = sampledDeals.findLast((size) => size <= deals) ?? sampledDeals[0];
  const weak = weakCoverage.filter((one) => one.metric === metric && one.of === of && one.deals >= from);
  return weak.sort((one, other) => one.deals - other.deals)[0]?.coverage ?? null;
}
