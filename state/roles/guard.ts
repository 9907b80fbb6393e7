// The Guard: each night shields one player or nobody. The shield can clash with the Witch's antidote.
import { z } from 'zod';
import { defineRule } from '../rules/rule.ts';
import { createProtectPower, describeProtectable } from './protect-power.ts';
import type { Role } from './role.ts';

export const guard: Role = {
  name: 'Guard',
  plural: 'Guards',
  recordedAs: ['BODYGUARD'],
  team: 'villagers',
  special: true,
  does: ({ guardSelf, guardRepeat }, count = 1) =>
    `Each night ${count > 1 ? 'each' : 'the'} Guard may guard one ${describeProtectable('Guard', guardSelf === true, guardRepeat === true)}. A guarded player is not removed by the Werewolves that night.`,
  advice:
    'Guard whoever the Werewolves would most like to remove, and vary whom you guard so that they cannot count on it. Keep your role to yourself unless revealing it saves you or clears someone who matters.',
  rules: {
    guardSelf: defineRule({
      schema: z.boolean(),
      default: true,
      before: true,
      about: 'Whether Guards may guard themselves.',
      says: () => null, // part of the role's description
    }),
    guardRepeat: defineRule({
      schema: z.boolean(),
      default: false,
      before: false,
      about: 'Whether the Guard may guard the same player two nights in a row.',
      says: () => null, // part of the role's description
    }),
    guardAndAntidote: defineRule({
      schema: z.enum(['lives', 'dies']),
      default: 'lives',
      before: 'lives',
      needsPower: 'save',
      about: "What becomes of a victim who is both guarded and given the Witch's antidote.",
      says: () => null, // part of the Witch's description
    }),
  },
  powers: [
    createProtectPower({
      verb: 'guard',
      question: 'Which player do you want to guard tonight?',
      mayPass: true,
      rules: { self: 'guardSelf', repeat: 'guardRepeat' },
      clashes: ({ guardAndAntidote }) => guardAndAntidote === 'dies',
    }),
  ],
};
