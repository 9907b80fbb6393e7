// The options of the Sheriff, an office to which the players elect one of them.
import { z } from 'zod';
import { rule, type RuleValues } from './rule.ts';

export const sheriffRules = {
  sheriff: rule({
    schema: z.boolean(),
    default: false,
    about: 'Whether the players elect a Sheriff on the first day, whose vote counts more and who leads the ballot.',
    says: (on, rules) => (on ? sheriffText(rules) : null),
  }),
  sheriffWeight: rule({
    schema: z.literal([1, 1.5, 2]),
    default: 1.5,
    needs: { sheriff: [true] },
    about: "How much the Sheriff's ballot weighs.",
    says: () => null, // stands in the sentence of `sheriff`
  }),
};

const sheriffText = ({ sheriffWeight, debateOrder, ballots }: RuleValues) =>
  [
    'On the first day, before the debate, the players elect a Sheriff: those who want to stand speak once, then those who do not stand vote; a tie is voted on again between the tied, then decided by lot. If only one stands, that player is Sheriff; if all stand, each votes for another; if nobody stands, there is no Sheriff.',
    `The badge is known to everybody${ballots === 'secret' ? ', and so are the votes for Sheriff and the first vote of a day' : ''}. The Sheriff's vote counts ${sheriffWeight === 1 ? 'like any other' : `as ${sheriffWeight} votes`}.`,
    ...(debateOrder === 'round-robin' ? [] : ['The Sheriff makes the first statement of every debate.']),
    'After the debate everybody votes a first time, which exiles nobody and is shown to all (a pseudo-vote); then the Sheriff sums up and recommends one player to exile, and the vote that counts is held.',
    'A Sheriff who leaves the game names a living player as successor or tears the badge.',
  ].join(' ');
