// The options of the debate: who speaks when, and how long.
import { z } from 'zod';
import { rule, type RuleValues } from './rule.ts';

const inOrder = ({ debateOrder }: RuleValues) => debateOrder === 'round-robin';

export const debateRules = {
  debateTurns: rule({
    schema: z.number().int().min(1).max(40),
    default: 6,
    needs: { debateOrder: ['bidding'] },
    about: 'Statements in the debate of a day, where players bid for them.',
    says: (turns, rules) =>
      inOrder(rules)
        ? null
        : `Each day the living players debate: ${turns} statement${turns === 1 ? '' : 's'}, one after another.`,
  }),
  debateOrder: rule({
    schema: z.enum(['bidding', 'round-robin']),
    default: 'bidding',
    about: 'Whether players bid for every statement or speak one after another around the table.',
    says: (order, rules) => (order === 'bidding' ? null : orderText(rules)),
  }),
  debatePasses: rule({
    schema: z.number().int().min(1).max(5),
    default: 1,
    needs: { debateOrder: ['round-robin'] },
    about: 'How often everybody speaks in the debate of a day, where they speak in order.',
    says: () => null, // stands in the sentence of `debateOrder`
  }),
  debateLead: rule({
    schema: z.enum(['seed', 'rotation']),
    default: 'seed',
    needs: { debateOrder: ['round-robin'] },
    about: 'Who speaks first where no Sheriff decides: one drawn by the seed, or each day the next seat.',
    says: () => null, // stands in the sentence of `debateOrder`
  }),
  bidScale: rule({
    schema: z.literal([4, 10]),
    default: 10,
    needs: { debateOrder: ['bidding'] },
    about: 'The highest bid for a turn to speak: 4 (Werewolf Arena) or 10 (WOLF).',
    says: (top, rules) =>
      inOrder(rules)
        ? null
        : `For every statement the players bid from 0 to ${top} for the turn; the highest bid speaks, and among equals a draw decides in which those named in the last statement count twice. Whoever has just spoken does not bid.`,
  }),
};

function orderText({ debatePasses, debateLead, sheriff }: RuleValues): string {
  const often = debatePasses === 1 ? 'once' : debatePasses === 2 ? 'twice' : `${debatePasses} times`;
  const lead =
    debateLead === 'rotation' ? 'each day the next seat speaks first' : 'a draw decides each day who speaks first';
  const led = sheriff
    ? `the Sheriff speaks first and decides in which direction it goes; where there is no Sheriff, ${lead}`
    : lead;
  return `Each day the living players debate: everybody speaks ${often}, in the order in which they sit (that of the names above); ${led}.`;
}
