// The Werewolf: knows the pack, and each night the pack removes a player.
import { listAllies } from '../view.ts';
import type { Role } from './role.ts';

export const werewolf: Role = {
  name: 'Werewolf',
  plural: 'Werewolves',
  nicknames: { wolf: 'wolves', ww: 'wws', scum: 'scums' },
  team: 'werewolves',
  special: true,
  does: () => 'The Werewolves know each other. Each night one player is picked to be removed from the game.',
  advice:
    'Do not be found out: appear helpful, deflect suspicion to others, doubt those who accuse you or your partners, and do not defend a partner so openly that it gives you away. You may claim another role.',
  rules: {},
  powers: [
    {
      verb: 'eliminate',
      wave: 1,
      aim: 'harm',
      actor: 'team',
      spoken: 'remove',
      mayPass: false,
      question: 'Which player do you want to remove from the game tonight?',
      choices: (view) => view.alive.filter((name) => !listAllies(view).includes(name)),
      settle: ({ target }) => ({ kind: 'attack', target }),
    },
  ],
};
