// Figures whose 95 % intervals cover less than 93 % with few deals, as simulations found it: what is too narrow is marked
// wherever it is shown. `npm run validate` prints this table ("Marked in reports").

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

/** By the areas under curves of any score: they are the same statistics of many sums. */
const areas: readonly Omit<WeakCoverage, 'of'>[] = [
  ...['suspicion_auprc', 'suspicion_self_auprc', 'belief_auprc'].flatMap((metric) => [
    { metric, deals: 20, coverage: 0.894 },
    { metric, deals: 50, coverage: 0.92 },
  ]),
  ...['suspicion_roc_auc', 'suspicion_roc_auc_within_side', 'suspicion_self_roc_auc', 'belief_roc_auc'].map(
    (metric) => ({
      ...{ metric, deals: 20, coverage: 0.924 },
    }),
  ),
];

export const weakCoverage: readonly WeakCoverage[] = areas.map((row) => ({ ...row, of: 'figure' }));

/**
 * What the 95 % interval of the metric covers with so many deals that have data, where that is under 93 %; else null. Between
 * two numbers that were sampled the lower holds; where there is nothing weak, the next that is.
 *
 * @example
 * findWeakCoverage('suspicion_auprc', 'figure', 30); // 0.894
 */
export function findWeakCoverage(metric: string, of: IntervalKind, deals: number): number | null {
  const from = sampledDeals.findLast((size) => size <= deals) ?? sampledDeals[0];
  const weak = weakCoverage.filter((one) => one.metric === metric && one.of === of && one.deals >= from);
  return weak.sort((one, other) => one.deals - other.deals)[0]?.coverage ?? null;
}
