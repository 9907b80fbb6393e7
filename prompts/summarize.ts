// The question for a player's own summary at the end of a round.
import type { RoundSummary } from '../state/steps/round.ts';
import type { View } from '../state/view.ts';
import { compose } from './compose.ts';
import { reasoning, createTextField } from './fields.ts';
import type { Question } from './prompt.ts';

export const summarize: Question<RoundSummary> = {
  action: 'summarize',
  put: (view) =>
    compose({
      action: 'summarize',
      view,
      kind: 'talk',
      task: [['The round is over. Summarize for yourself what matters.', ...describeForgotten(view)].join(' ')],
      fields: {
        reasoning,
        summary: createTextField('your private summary, at most 150 words; no other player ever sees it'),
      },
    }),
};

function describeForgotten({ rules }: View): string[] {
  const words = rules.memory === 'summary' ? ['what was said'] : [];
  const thoughts = rules.thoughts === 'this-round' ? ['what you thought'] : [];
  const gone = [...words, ...thoughts].join(' or ');
  return gone === ''
    ? []
    : [`From now on you will still see what happened, but not ${gone}: of that you keep only this summary.`];
}
