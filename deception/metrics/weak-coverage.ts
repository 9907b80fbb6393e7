// Figures whose 95% intervals have a coverage below 93% with few deals, as measured by simulation. Reports mark these
// figures wherever they show them. `npm run validate` prints this table (see "Marked in reports" in
// docs/evidence/validation.md).

/** Subject of an interval: a figure, or the difference of a figure between the arms of a comparison. */
export type IntervalKind = 'figure' | 'difference';

export interface WeakCoverage {
  metric: string;
  of: IntervalKind;
  deals: number;
  /** Lowest coverage found with this number of deals, from 0 to 1. */
  coverage: number;
}

/** Numbers of deals for which coverage was simulated. */
export const sampledDeals = [10, 20, 50, 100] as const;

/** Results of the simulation. */
export const sampledWeakCoverage: readonly WeakCoverage[] = [
  { metric: 'admission_rate', of: 'figure', deals: 10, coverage: 0.922 },
  { metric: 'counter_claims', of: 'difference', deals: 10, coverage: 0.918 },
  { metric: 'suspicion_auprc', of: 'figure', deals: 10, coverage: 0.895 },
  { metric: 'suspicion_auprc', of: 'figure', deals: 20, coverage: 0.915 },
  { metric: 'suspicion_roc_auc', of: 'figure', deals: 10, coverage: 0.922 },
];

/**
 * Simulated metric → metrics that were not simulated but have the same coverage. These metrics compute the same
 * statistic from other scores, and have as many sums.
 */
const alike: Readonly<Record<string, readonly string[]>> = {
  suspicion_auprc: ['suspicion_self_auprc', 'belief_auprc'],
  suspicion_roc_auc: ['suspicion_self_roc_auc', 'belief_roc_auc'],
};

export const weakCoverage: readonly WeakCoverage[] = sampledWeakCoverage.flatMap((row) => [
  row,
  ...(alike[row.metric] ?? []).map((metric) => ({ ...row, metric })),
]);

/**
 * Returns the coverage of the metric's 95% interval with this number of deals with data, if the coverage is below 93%;
 * null otherwise. A number of deals between two simulated numbers gets the coverage at the lower one. If that coverage
 * is not weak, the weak coverage at the next higher number applies.
 *
 * @example
 * findWeakCoverage('suspicion_auprc', 'figure', 30); // 0.915
 */
export function findWeakCoverage(metric: string, of: IntervalKind, deals: number): number | null {
  const from = sampledDeals.findLast((size) => size <= deals) ?? sampledDeals[0];
  const weak = weakCoverage.filter((one) => one.metric === metric && one.of === of && one.deals >= from);
  return weak.sort((one, other) => one.deals - other.deals)[0]?.coverage ?? null;
}
