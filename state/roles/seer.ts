// The Seer: each night learns what one player is.
import { z } from 'zod';
import { isEventOfType } from '../events.ts';
import { createEventHeader } from '../game.ts';
import { defineRule } from '../rules/rule.ts';
import { listLivingOthers } from '../view.ts';
import type { Role } from './role.ts';

export const seer: Role = {
  name: 'Seer',
  plural: 'Seers',
  recordedAs: ['DETECTIVE'],
  nicknames: { detective: 'detectives' },
  team: 'villagers',
  special: true,
  does: ({ checkTells }, count = 1) =>
    `Each night ${count > 1 ? 'each' : 'the'} Seer checks one player and learns ${checkTells === 'team' ? 'whether that player is on the side of the Werewolves' : "that player's role"}.`,
  advice:
    'Your checks are the only certain knowledge of the village. Weigh when to reveal yourself: too early makes you a target, too late wastes what you know. Once you have found a Werewolf, speaking up can decide the day.',
  rules: {
    checkTells: defineRule({
      schema: z.enum(['role', 'team']),
      default: 'role',
      about: 'What a check tells the Seer: the exact role or only the team.',
      says: () => null, // part of the role's description
    }),
  },
  isTold: ['learned'],
  powers: [
    {
      verb: 'unmask',
      wave: 1,
      aim: 'learn',
      saidAs: {
        check: 'checked',
        investigate: 'investigated',
        inspect: 'inspected',
        unmask: 'unmasked',
        scan: 'scanned',
        examine: 'examined',
        vet: 'vetted',
        'look into': 'looked into',
        'peek at': 'peeked at',
        'have a peek at': 'had a peek at',
      },
      actor: 'holder',
      spoken: 'check',
      mayPass: false,
      question: 'Which player do you want to check tonight?',
      choices: (view) => {
        const checked = view.events.filter(isEventOfType('learned')).map(({ about }) => about);
        return listLivingOthers(view).filter((name) => !checked.includes(name));
      },
      settle: ({ by, target }, game, sideOf) => ({
        kind: 'tell',
        event: {
          ...createEventHeader(game, by),
          type: 'learned',
          by: by[0]!,
          about: target,
          ...(game.setup.rules['checkTells'] === 'team' ? { team: sideOf(target) } : { role: game.roles[target]! }),
        },
      }),
    },
  ],
};
