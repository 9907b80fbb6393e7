// Names for occasions, and for statements that were not all made in debates.
import type { StatementOccasion } from '../deception/statements.ts';
import type { DeceptionSummary } from '../deception/summary-schema.ts';

export const occasionNames: Record<StatementOccasion, string> = {
  campaign: 'Campaign',
  debate: 'Debate',
  recommendation: 'Recommendation',
  ballot: 'Ballot',
  pk: 'PK',
  pk_ballot: 'Ballot after a tie',
};

type Occasions = Pick<DeceptionSummary, 'by_occasion'>;

/** Whether turns were taken outside debates, so that figures of the kind `debate` include them. */
const isMoreThanDebate = ({ by_occasion: by }: Occasions) =>
  by !== undefined && [by.campaign, by.recommendation, by.pk].some((figures) => figures !== undefined);

/** What the statements of the kind `debate` are: "statements in debates", or "public statements" where there are others. */
export const turnsText = (summary: Occasions) =>
  isMoreThanDebate(summary) ? 'public statements' : 'statements in debates';
