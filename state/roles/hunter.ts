// The Hunter: may take another player along when leaving the game.
import { z } from 'zod';
import { defineRule } from '../rules/rule.ts';
import { listLivingOthers } from '../view.ts';
import type { Role } from './role.ts';

export const hunter: Role = {
  name: 'Hunter',
  plural: 'Hunters',
  team: 'villagers',
  special: true,
  does: ({ hunterPoisoned, reveal }) =>
    [
      `A Hunter who leaves the game may immediately shoot one living player, who leaves too${hunterPoisoned ? '' : '; a Hunter who was poisoned may not'}.`,
      `Everybody is told who shot whom, and thereby that the shooter was a Hunter${reveal === 'none' ? ', although roles are not revealed otherwise' : ''}; if a Hunter shoots nobody, nothing is announced.`,
    ].join(' '),
  advice:
    'Your shot comes when you leave the game, so always know whom you would take with you. Shoot only someone you believe to be a Werewolf; holding fire is better than taking a friend. Being known as the Hunter makes the Werewolves think twice.',
  rules: {
    hunterPoisoned: defineRule({
      schema: z.boolean(),
      default: false,
      before: false,
      about: 'Whether a Hunter who was poisoned may shoot.',
      says: () => null, // part of the role's description
    }),
  },
  powers: [],
  lastAct: {
    verb: 'shoot',
    aim: 'harm',
    saidAs: {
      shoot: 'shot',
      'gun down': 'gunned down',
      'take … with him': 'took … with him',
      'take … with her': 'took … with her',
      'take … along': 'took … along',
    },
    question: 'You have just left the game. Which player do you shoot, if any?',
    isAllowed: (fate, { hunterPoisoned }) => fate !== 'poison' || hunterPoisoned === true,
    choices: listLivingOthers,
    tells: ({ by, target, isOwn = false, count }) =>
      `${isOwn ? 'You were' : `${by} was`} ${count === 1 ? 'the' : 'a'} Hunter and shot ${target}`,
  },
};
