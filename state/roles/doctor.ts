// The Doctor: each night protects one player from being removed.
import { z } from 'zod';
import { defineRule } from '../rules/rule.ts';
import { createProtectPower, describeProtectable } from './protect-power.ts';
import type { Role } from './role.ts';

export const doctor: Role = {
  name: 'Doctor',
  plural: 'Doctors',
  nicknames: { doc: 'docs' },
  team: 'villagers',
  special: true,
  does: ({ protectSelf, protectRepeat }, count = 1) =>
    `Each night ${count > 1 ? 'each' : 'the'} Doctor protects one ${describeProtectable('Doctor', protectSelf === true, protectRepeat === true)}. A protected player is not removed by the Werewolves that night.`,
  advice:
    'Protect whoever the Werewolves would most like to remove. Keep your role to yourself unless revealing it saves you or clears someone who matters; a night in which nobody was removed is a clue you share with nobody else.',
  rules: {
    protectSelf: defineRule({
      schema: z.boolean(),
      default: true,
      about: 'Whether Doctors may protect themselves.',
      says: () => null, // part of the role's description
    }),
    protectRepeat: defineRule({
      schema: z.boolean(),
      default: true,
      about: 'Whether the Doctor may protect the same player two nights in a row.',
      says: () => null, // part of the role's description
    }),
  },
  powers: [
    createProtectPower({
      verb: 'protect',
      question: 'Which player do you want to protect tonight?',
      mayPass: false,
      rules: { self: 'protectSelf', repeat: 'protectRepeat' },
      clashes: () => false,
    }),
  ],
};
