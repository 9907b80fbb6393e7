// Making a statement: in the debate, and once more where the ballot was tied.
import { turnsOf, turnsTaken } from '../state/debate.ts';
import type { Speech } from '../state/steps/debate.ts';
import type { View } from '../state/view.ts';
import { compose } from './compose.ts';
import { reasoning, text } from './fields.ts';
import type { Prompt, Question } from './prompt.ts';

/** The place of the next statement in today's debate, e.g. "3 of 6". */
export const turnText = ({ events, round, rules, alive }: View) =>
  `${turnsTaken(events, round) + 1} of ${turnsOf(rules, alive.length)}`;

export const statementField = ({ rules }: View) => text(`what you say to everybody, at most ${rules.maxWords} words`);

const speech = (view: View, action: string, task: string): Prompt<Speech> =>
  compose({ action, view, kind: 'talk', task: [task], fields: { reasoning, statement: statementField(view) } });

export const debate: Question<Speech> = {
  action: 'debate',
  put: (view) =>
    speech(view, 'debate', `It is your turn: statement ${turnText(view)} in today's debate. All players will read it.`),
};

export const pkDebate: Question<Speech> = {
  action: 'pk_debate',
  put: (view) =>
    speech(
      view,
      'pk_debate',
      'The vote is tied, and you are one of the tied (a PK). You speak once more, then the others vote between you. All players will read it.',
    ),
};
