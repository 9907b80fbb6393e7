// The Werewolf: knows the other Werewolves; together they remove one player each night.
import { listAllies } from '../view.ts';
import type { Role } from './role.ts';

export const werewolf: Role = {
  name: 'Werewolf',
  plural: 'Werewolves',
  recordedAs: ['MAFIA'],
  nicknames: { wolf: 'wolves', ww: 'wws', scum: 'scums', mafia: 'mafia', mafioso: 'mafiosi' },
  team: 'werewolves',
  special: true,
  does: ({ pack }, count = 1) =>
    count === 1
      ? 'Each night the Werewolf picks one player, who is to be removed from the game.'
      : `The Werewolves know each other. ${
          pack === 'one'
            ? 'Each night one of them, drawn by lot, picks a player to be removed from the game, and the others learn the pick.'
            : 'Each night each of them proposes a player to be removed from the game, all at the same time and with a reason. If they do not agree, they see the proposals and propose again; then the player proposed most often is picked, in a tie by lot. A Werewolf who is left alone picks alone.'
        }`,
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
