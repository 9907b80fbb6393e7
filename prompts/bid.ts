// Bidding for the next turn to speak.
import type { Bid } from '../state/steps/debate.ts';
import { compose } from './compose.ts';
import { turnText } from './debate.ts';
import { reasoning, wholeNumber } from './fields.ts';
import type { Question } from './prompt.ts';

/** What each bid means: for 0–4 the words of section 3.3 of the Werewolf Arena paper, for 0–10 the same in steps. */
const meanings = {
  4: [
    '0: I would like to observe and listen for now.',
    '1: I have some general thoughts to share with the group.',
    '2: I have something critical and specific to contribute to this discussion.',
    '3: It is absolutely urgent for me to speak next.',
    '4: Someone has addressed me directly and I must respond.',
  ],
  10: [
    '0: I would like to observe and listen for now.',
    '1 to 3: I have some general thoughts to share with the group.',
    '4 to 6: I have something critical and specific to contribute to this discussion.',
    '7 to 9: It is absolutely urgent for me to speak next.',
    '10: Someone has addressed me directly and I must respond.',
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
        `Statement ${turnText(view)} in today's debate comes next. How much do you want to make it?`,
        ...meanings[view.rules.bidScale],
      ],
      fields: { reasoning, bid: wholeNumber(0, view.rules.bidScale, 'how much you want to speak next') },
    }),
};
