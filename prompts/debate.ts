// Making a statement in the debate.
import { compose } from './compose.ts';
import { reasoning, text } from './fields.ts';
import type { Question } from './prompt.ts';

export const debate: Question<{ reasoning: string; statement: string }> = {
  action: 'debate',
  put: (view) =>
    compose({
      action: 'debate',
      view,
      kind: 'talk',
      task: [
        `It is your turn: statement ${view.step + 1} of ${view.rules.debateTurns} in today's debate. All players will read it.`,
      ],
      fields: {
        reasoning,
        statement: text(`what you say to everybody, at most ${view.rules.maxWords} words`),
      },
    }),
};
