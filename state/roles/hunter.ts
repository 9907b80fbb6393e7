// The Hunter: on leaving the game he may take another player with him.
import { z } from 'zod';
import type { Role } from '../role.ts';
import { rule } from '../rule.ts';
import { livingOthers } from '../view.ts';

export const hunter: Role = {
  name: 'Hunter',
  plural: 'Hunters',
  team: 'villagers',
  special: true,
  does: ({ hunterPoisoned }) =>
    `A Hunter who leaves the game may at once shoot one living player, who leaves too, and everybody is told who shot whom${hunterPoisoned ? '' : '; if he was poisoned he may not'}.`,
  advice:
    'Your shot comes when you leave the game, so always know whom you would take with you. Shoot only someone you believe to be a Werewolf; holding fire is better than taking a friend. Being known as the Hunter makes the Werewolves think twice.',
  rules: {
    hunterPoisoned: rule({
      schema: z.boolean(),
      default: false,
      about: 'Whether a Hunter who was poisoned may shoot.',
      says: () => null, // stands in what the role does
    }),
  },
  powers: [],
  lastAct: {
    verb: 'shoot',
    aim: 'harm',
    question: 'You have just left the game. Which player do you shoot, if any?',
    isAllowed: (fate, { hunterPoisoned }) => fate !== 'poison' || hunterPoisoned === true,
    choices: livingOthers,
    tells: (by, target) => `${by} was the Hunter and shot ${target}`,
  },
};
