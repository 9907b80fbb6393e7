// The deal, which is the unit of comparisons and the cluster of reports.
import type { MatchRow } from '../tables/row-schemas.ts';

/** Matches with the same key have the same players in the same seats with the same roles, on the same board. */
export const getDealKey = ({ board, deal }: Pick<MatchRow, 'board' | 'deal'>): string => `${board}: ${deal}`;
