// The Medium: each night after an exile, learns whether the exiled player was a Werewolf.
import { isEventOfType } from '../events.ts';
import { createEventHeader } from '../game.ts';
import type { Role } from './role.ts';

export const medium: Role = {
  name: 'Medium',
  plural: 'Mediums',
  isLocal: true,
  renamedAs: { medium: 'registrar', mediums: 'registrars' },
  team: 'villagers',
  special: true,
  does: (_rules, count = 1) =>
    `Each night after a day on which a player was exiled, ${count > 1 ? 'each' : 'the'} Medium learns whether that player was on the side of the Werewolves.`,
  advice:
    'What you learn about exiled players is certain, and it shows whose votes and whose reports can be trusted. Weigh when to reveal yourself: too early makes you a target, too late wastes what you know.',
  rules: {},
  isTold: ['learned'],
  powers: [
    {
      verb: 'identify',
      wave: 1,
      aim: 'learn',
      saidAs: { identify: 'identified', divine: 'divined' },
      actor: 'moderator',
      mayPass: false,
      question: '',
      choices: ({ events, round }) =>
        events
          .filter(isEventOfType('death'))
          .filter((death) => death.cause === 'exile' && death.round === round - 1)
          .map(({ player }) => player),
      settle: ({ by, target }, game, sideOf) => ({
        kind: 'tell',
        event: {
          ...createEventHeader(game, by),
          type: 'learned',
          by: by[0] ?? '',
          about: target,
          team: sideOf(target),
        },
      }),
    },
  ],
};
