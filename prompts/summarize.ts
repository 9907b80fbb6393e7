// The question for a player's own summary at the end of a round.
import type { RoundSummary } from '../state/steps/round.ts';
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
        view.rules.memory === 'summary'
          ? 'The round is over. Summarize for yourself what matters of what was said and done: you will not remember the words of the debate, only this summary.'
          : 'The round is over. Summarize for yourself what matters of what was said and done.',
      ],
      fields: {
        reasoning,
        summary: createTextField('your private summary, at most 150 words; no other player ever sees it'),
      },
    }),
};
