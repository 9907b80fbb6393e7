// The Witch: has one antidote for a victim of the night, and one poison.
import { z } from 'zod';
import { type EventOf, isEventOfType } from '../events.ts';
import { createEventHeader, type Game } from '../game.ts';
import { defineRule, type RuleValues } from '../rules/rule.ts';
import { listLivingOthers } from '../view.ts';
import type { Role } from './role.ts';

const antidote = 'save';
const poison = 'poison';

const canSaveSelf = ({ witchSelfSave }: RuleValues, round: number) =>
  witchSelfSave === 'always' || (witchSelfSave === 'first-night' && round === 1);

const canCombine = ({ witchBothPotions }: RuleValues) => witchBothPotions === true;

export const witch: Role = {
  name: 'Witch',
  plural: 'Witches',
  team: 'villagers',
  special: true,
  does: (rules, count = 1) =>
    [
      `${count > 1 ? 'Each' : 'The'} Witch has one antidote and one poison, and can use each once in the game.`,
      `As long as the antidote is unused, the Witch is told each night whom the Werewolves have picked, and may save that player with it${describeSelfSave(rules)}.`,
      `The Witch may also poison another player, who is removed from the game, ${rules['witchBothPotions'] ? 'even in a night in which the antidote is used, and even the player just saved' : 'but not in a night in which the antidote is used'}.`,
      'Nothing protects from the poison.',
      ...(rules['guardAndAntidote'] === 'dies'
        ? [
            'The protection of a Guard and the antidote cancel each other out: a player who has both is removed unless something else protects that player.',
          ]
        : []),
    ].join(' '),
  advice:
    'Both potions decide the game, and each works once. Save the antidote for someone worth it, and poison only when you are confident that you hit a Werewolf. Whom the Werewolves picked is a clue that only you have.',
  rules: {
    witchSelfSave: defineRule({
      schema: z.enum(['always', 'first-night', 'never']),
      default: 'first-night',
      before: 'first-night',
      about: 'When Witches may save themselves.',
      says: () => null, // part of the role's description
    }),
    witchBothPotions: defineRule({
      schema: z.boolean(),
      default: false,
      before: false,
      about: 'Whether the Witch may use both potions in one night.',
      says: () => null, // part of the role's description
    }),
  },
  isTold: ['attacked'],
  powers: [
    {
      verb: antidote,
      wave: 2,
      aim: 'shield',
      saidAs: {
        save: 'saved',
        rescue: 'rescued',
        heal: 'healed',
        cure: 'cured',
        'keep … alive': 'kept … alive',
        'use my antidote on': 'used my antidote on',
        'use the antidote on': 'used the antidote on',
        'spend my antidote on': 'spent my antidote on',
        'give … my antidote': 'gave … my antidote',
        'give … the antidote': 'gave … the antidote',
      },
      actor: 'holder',
      mayPass: true,
      question:
        'Do you use your antidote tonight? If so, choose the player whom the Werewolves picked. You have one antidote for the whole game.',
      isReady: ({ events, me }) => !hasUsed(antidote, events, me),
      brief: (game, me) => (hasUsed(antidote, game.gameLogs, me) ? [] : createAttackNotices(game, me)),
      choices: (view) => {
        const attacked = view.events.filter(isEventOfType('attacked')).filter(({ round }) => round === view.round);
        return hasUsed(antidote, view.events, view.me)
          ? []
          : attacked
              .map(({ player }) => player)
              .filter((name) => name !== view.me || canSaveSelf(view.rules, view.round));
      },
      settle: ({ target }) => ({ kind: 'cure', target }),
      uses: 1,
    },
    {
      verb: poison,
      wave: 3,
      aim: 'harm',
      saidAs: {
        poison: 'poisoned',
        'use my poison on': 'used my poison on',
        'use the poison on': 'used the poison on',
        'spend my poison on': 'spent my poison on',
        'kill … with my poison': 'killed … with my poison',
        'give … my poison': 'gave … my poison',
        'give … the poison': 'gave … the poison',
      },
      actor: 'holder',
      mayPass: true,
      question: 'Do you use your poison tonight, and on whom? You have one poison for the whole game.',
      choices: (view) => {
        const tonight = view.events.some((event) => isUse(antidote, view.me)(event) && event.round === view.round);
        const isTooMuch = tonight && !canCombine(view.rules);
        return isTooMuch || hasUsed(poison, view.events, view.me) ? [] : listLivingOthers(view);
      },
      settle: ({ target }) => ({ kind: 'poison', target }),
      uses: 1,
    },
  ],
};

const isUse =
  (verb: string, by: string) =>
  (event: { type: string }): boolean =>
    isEventOfType('acted')(event) && event.verb === verb && event.by === by;

const hasUsed = (verb: string, events: readonly { type: string }[], by: string) => events.some(isUse(verb, by));

/** Creates the events that tell `me` whom the Werewolves picked this night. */
const createAttackNotices = (game: Game, me: string): EventOf<'attacked'>[] =>
  game.gameLogs
    .filter(isEventOfType('pick'))
    .filter(({ round }) => round === game.roundNum)
    .map(({ target }) => ({ ...createEventHeader(game, [me]), type: 'attacked', player: target }));

const describeSelfSave = ({ witchSelfSave }: RuleValues) =>
  witchSelfSave === 'never'
    ? ', unless the Witch was picked'
    : witchSelfSave === 'always'
      ? ''
      : '; if the Witch was picked, only in the first night';
