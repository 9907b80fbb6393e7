// Roles that exist only in games of other programs. Their records can be read and measured, but no match is played with
// these roles.
import { createEventHeader, getTeam } from '../game.ts';
import { isEventOfType } from '../events.ts';
import type { Role } from './role.ts';

const possessed: Role = {
  name: 'Possessed',
  plural: 'Possessed',
  team: 'werewolves',
  countsAs: 'villagers',
  special: true,
  does: () =>
    'The Possessed wins with the Werewolves, but is human: a check finds no Werewolf, the Werewolves and the Possessed do not know each other, and the Possessed counts among the others.',
  advice: '',
  rules: {},
  powers: [],
};

const medium: Role = {
  name: 'Medium',
  plural: 'Mediums',
  team: 'villagers',
  special: true,
  does: () => 'After each exile the Medium learns whether the exiled player was a Werewolf.',
  advice: '',
  rules: {},
  isTold: ['learned'],
  powers: [
    {
      verb: 'identify',
      wave: 1,
      aim: 'learn',
      saidAs: { identify: 'identified', divine: 'divined' },
      actor: 'holder',
      mayPass: false,
      question: 'Whom do you identify?',
      choices: ({ events }) => {
        const exiled = events.filter(isEventOfType('death')).findLast(({ cause }) => cause === 'exile');
        return exiled === undefined ? [] : [exiled.player];
      },
      settle: ({ by, target }, game) => ({
        kind: 'tell',
        event: {
          ...createEventHeader(game, by),
          type: 'learned',
          by: by[0] ?? '',
          about: target,
          team: getTeam(game, target),
        },
      }),
    },
  ],
};

/** All roles that exist only in recorded games. */
export const recordedRoles: readonly Role[] = [possessed, medium];
