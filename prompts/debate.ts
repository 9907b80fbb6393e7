// Questions of the debate: bid for the next turn, make a statement, and speak once more after a tie.
import { draftAction } from '../state/event-descriptions.ts';
import { type Bid, countTurns, type DraftedTurn, getTurnsPerDay, type Speech } from '../state/steps/debate.ts';
import type { View } from '../state/view.ts';
import { compose } from './compose.ts';
import { reasoning } from './fields.ts';
import type { Prompt, Question } from './prompt.ts';
import { createBidField, createDraftFields, createStatementField } from './shapes.ts';

/** Describes the place of the next statement in today's debate, e.g. "3 of 6". */
const describeTurn = ({ events, round, rules, alive }: View) =>
  `${countTurns(events, round) + 1} of ${getTurnsPerDay(rules, alive.length)}`;

export const bid: Question<Bid> = {
  action: 'bid',
  put: (view) =>
    compose({
      action: 'bid',
      view,
      kind: 'choice',
      task: [`How much do you want to make statement ${describeTurn(view)}?`],
      fields: { reasoning, bid: createBidField(view.rules) },
    }),
};

/** Bid and statement in one answer. The bid comes first, so that the text cannot anchor it. */
export const draft: Question<DraftedTurn> = {
  action: draftAction,
  put: (view) =>
    compose({
      action: draftAction,
      view,
      kind: 'talk',
      task: [
        `How much do you want to make statement ${describeTurn(view)} in today's debate, and what would you say?`,
        'If your bid is the highest, your statement is made as it is, and all players will read it; otherwise nobody will.',
      ],
      fields: { reasoning, ...createDraftFields(view.rules) },
    }),
};

/** Composes a question for a statement alone, also outside the debate. */
export const composeSpeech = (view: View, action: string, task: string): Prompt<Speech> =>
  compose({
    action,
    view,
    kind: 'talk',
    task: [task],
    fields: { reasoning, statement: createStatementField(view.rules) },
  });

export const debate: Question<Speech> = {
  action: 'debate',
  put: (view) =>
    composeSpeech(
      view,
      'debate',
      `It is your turn: statement ${describeTurn(view)} in today's debate. All players will read it.`,
    ),
};

export const pkDebate: Question<Speech> = {
  action: 'pk_debate',
  put: (view) =>
    composeSpeech(
      view,
      'pk_debate',
      'The vote is tied, and you are one of the tied. You speak once more, then the others vote between the tied. All players will read it.',
    ),
};
