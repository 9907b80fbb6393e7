// Questions of the debate: bidding for the next turn, making a statement, and speaking once more after a tie.
import { type Bid, countTurns, getTurnsPerDay, type Speech } from '../state/steps/debate.ts';
import type { View } from '../state/view.ts';
import { compose } from './compose.ts';
import { createIntegerField, createHeardField, reasoning } from './fields.ts';
import type { Prompt, Question } from './prompt.ts';

/** The place of the next statement in today's debate, e.g. "3 of 6". */
const describeTurn = ({ events, round, rules, alive }: View) =>
  `${countTurns(events, round) + 1} of ${getTurnsPerDay(rules, alive.length)}`;

/**
 * What each bid means, by the highest: 0–4 in the words of section 3.3 of the Werewolf Arena paper. 0–10 says only how much,
 * so that who was addressed may still want silence, and who was not may still find it urgent.
 */
const meanings = {
  4: [
    '0: I would like to observe and listen for now.',
    '1: I have some general thoughts to share with the group.',
    '2: I have something critical and specific to contribute to this discussion.',
    '3: It is absolutely urgent for me to speak next.',
    '4: Someone has addressed me directly and I must respond.',
  ],
  10: [
    '0: I do not want to speak next, even if somebody has addressed me.',
    '1 to 3: I have some general thoughts, or an answer that can wait.',
    '4 to 6: I have something specific to contribute, or an answer to give.',
    '7 to 9: It is urgent that I speak next, whether or not somebody has addressed me.',
    '10: Nothing that another could say next matters as much as what I have to say.',
  ],
} as const;

export const bid: Question<Bid> = {
  action: 'bid',
  put: (view) =>
    compose({
      action: 'bid',
      view,
      kind: 'choice',
      task: [
        `Statement ${describeTurn(view)} in today's debate comes next. How much do you want to be the one who makes it?`,
        ...meanings[view.rules.bidScale],
      ],
      fields: { reasoning, bid: createIntegerField(0, view.rules.bidScale, 'how much you want to speak next') },
    }),
};

/** The field for words that all players will read. */
export const createStatementField = ({ rules }: View) =>
  createHeardField(`what you say to everybody, at most ${rules.maxWords} words`);

/** A question for a statement alone, also outside the debate. */
export const composeSpeech = (view: View, action: string, task: string): Prompt<Speech> =>
  compose({ action, view, kind: 'talk', task: [task], fields: { reasoning, statement: createStatementField(view) } });

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
