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
      task: [
        `The round is over. Summarize for yourself what matters of what was said, thought and done${describeForgotten(view)}.`,
      ],
      fields: {
        reasoning,
        summary: createTextField('your private summary, at most 150 words; no other player ever sees it'),
      },
    }),
};

function describeForgotten({ rules }: View): string {
  const words = rules.memory === 'summary' ? 'the words of the debate' : null;
  const thoughts = rules.thoughts === 'this-round' ? 'your thoughts' : null;
  const gone = [words, thoughts].filter((one) => one !== null).join(' and ');
  return gone === '' ? '' : `: you will not remember ${gone}, only this summary`;
}
