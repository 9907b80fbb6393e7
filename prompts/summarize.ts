// The questions for a player's own summaries: at the end of a round, and under `voteSummary` about the debate before
// the vote.
import { describeForgotten } from '../state/rules/common-rules.ts';
import type { RoundSummary } from '../state/steps/round.ts';
import { compose } from './compose.ts';
import { reasoning } from './fields.ts';
import type { Question } from './prompt.ts';
import { summaryField } from './shapes.ts';

export const summarize: Question<RoundSummary> = {
  action: 'summarize',
  put: (view) => {
    const gone = describeForgotten(view.rules, 'you');
    const warning = gone === null ? '' : ` In later rounds you see this summary in place of ${gone}.`;
    return compose({
      action: 'summarize',
      view,
      kind: 'talk',
      task: [`The round is over. Summarize for yourself what matters.${warning}`],
      fields: { reasoning, summary: summaryField },
    });
  },
};

export const sumUp: Question<RoundSummary> = {
  action: 'sum_up',
  put: (view) =>
    compose({
      action: 'sum_up',
      view,
      kind: 'talk',
      task: ['The debate is over, and the vote that counts follows. Sum up the debate for yourself.'],
      fields: { reasoning, summary: summaryField },
    }),
};
