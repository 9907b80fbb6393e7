// Matches as the answer tables count them.
import type { CountedAnswers } from '../../../deception/answers/answered-match.ts';

/**
 * Creates a match of eight seats without bots, whose claims a judge extracted and whose listeners were asked. `own`: the
 * values that differ.
 */
export const createCounted = (
  own: Pick<CountedAnswers, 'deal' | 'sides'> & Partial<CountedAnswers>,
): CountedAnswers => ({
  ...{ condition: '{}', extractor: 'openai:judge', isAsked: true, labels: [], seats: 8, bots: 0 },
  ...{ sums: {}, costs: [], players: [] },
  ...own,
});
