// What players know of each other's roles: a table of cases.
import { describe, expect, it } from '@jest/globals';
import { knowledge } from '../../../deception/knowledge/knowledge.ts';
import { all, any, hasRole, isOn, type Proposition, type Truth } from '../../../deception/knowledge/proposition.ts';
import type { EventOf, GameEvent } from '../../../state/event.ts';
import { view } from '../../../state/view.ts';
import { acted, exiled, gameAt, learned, removed, type Moment } from '../../game.ts';

const isWolf = (player: string) => isOn(player, 'werewolves');
const knows = (me: string, what: Proposition, moment: Moment = {}) => knowledge(view(gameAt(moment), me)).known(what);

const night = (round: number) => ({ round, phase: 'night' as const });
const quiet = (round: number): EventOf<'quiet_night'> => ({
  ...night(round),
  audience: 'everyone',
  type: 'quiet_night',
});
const attacked = (round: number, by: string, player: string): GameEvent => ({
  ...night(round),
  audience: [by],
  type: 'attacked',
  player,
});
const picked = (round: number, target: string): GameEvent => ({
  ...night(round),
  audience: ['Ginger', 'Leah'],
  type: 'pick',
  verb: 'eliminate',
  target,
});
const shot = (by: string, target: string, { round, phase }: Pick<GameEvent, 'round' | 'phase'>): GameEvent[] => [
  { round, phase, audience: 'everyone', type: 'last_act', by, verb: 'shoot', target },
  { round, phase, audience: 'everyone', type: 'death', player: target, cause: 'last_act' },
];

/** Two Werewolves, a Witch, a Hunter, a Guard and four Villagers. */
const nine = {
  Ginger: 'Werewolf',
  Leah: 'Werewolf',
  Sam: 'Witch',
  Paul: 'Hunter',
  Hayley: 'Guard',
  Dan: 'Villager',
  Will: 'Villager',
  Bert: 'Villager',
  Mason: 'Villager',
};
const unguarded = { ...nine, Hayley: 'Villager' };

const protectedDan = acted(1, 'Paul', 'protect', 'Dan');
const guardedDan = acted(1, 'Hayley', 'guard', 'Dan');
const poisonedWill = acted(1, 'Sam', 'poison', 'Will');

type Case = [me: string, what: Proposition, truth: Truth, moment?: Moment];
const cases: Record<string, Case> = {
  'A Villager knows himself': ['Dan', hasRole('Dan', 'Villager'), 'true'],
  'A Villager knows nobody else': ['Dan', isWolf('Will'), 'unknown'],
  'A Villager does not know that somebody who is the Seer is': ['Dan', hasRole('Sam', 'Seer'), 'unknown'],
  'A Villager knows that there is no Witch at the table': ['Dan', hasRole('Sam', 'Witch'), 'false'],
  'A Seer knows that another who claims to be the Seer is not': ['Sam', hasRole('Ginger', 'Seer'), 'false'],
  'A Seer knows whom he checked': [
    'Sam',
    isWolf('Ginger'),
    'true',
    { events: [learned(1, 'Sam', 'Ginger', 'Werewolf')] },
  ],
  'Nobody else knows what a Seer learned': [
    'Dan',
    isWolf('Ginger'),
    'unknown',
    { events: [learned(1, 'Sam', 'Ginger', 'Werewolf')] },
  ],
  'A Seer who has found both Werewolves knows all others': [
    'Sam',
    isWolf('Will'),
    'false',
    {
      events: [learned(1, 'Sam', 'Ginger', 'Werewolf'), quiet(1), learned(2, 'Sam', 'Leah', 'Werewolf'), quiet(2)],
      round: 2,
    },
  ],
  'A Werewolf knows the pack': ['Ginger', hasRole('Leah', 'Werewolf'), 'true'],
  'A Werewolf knows who is not a Werewolf': ['Ginger', isWolf('Dan'), 'false'],
  'A Werewolf does not know who is the Seer': ['Ginger', hasRole('Sam', 'Seer'), 'unknown'],
  'A Werewolf knows that a packmate who claims to be the Seer is not': ['Ginger', hasRole('Leah', 'Seer'), 'false'],
  'Where nobody poisons, who left in the night was no Werewolf': [
    'Dan',
    isWolf('Bert'),
    'false',
    { events: [removed(1, 'Bert')] },
  ],
  'A silent exile says nothing': [
    'Dan',
    isWolf('Bert'),
    'unknown',
    { events: [removed(1, 'Will'), exiled(1, 'Bert')] },
  ],
  'A Doctor knows after a quiet night whom the pack attacked': [
    'Paul',
    isWolf('Dan'),
    'false',
    { events: [protectedDan, quiet(1)] },
  ],
  'Only the Doctor knows that': ['Will', isWolf('Dan'), 'unknown', { events: [protectedDan, quiet(1)] }],
  'A Guard beside a Witch with her antidote does not know it': [
    'Hayley',
    isWolf('Dan'),
    'unknown',
    { seats: nine, events: [guardedDan, quiet(1)] },
  ],
  'After two quiet nights he knows it of one of two, as the antidote works once': [
    'Hayley',
    all(isWolf('Dan'), isWolf('Will')),
    'false',
    { seats: nine, round: 2, events: [guardedDan, quiet(1), acted(2, 'Hayley', 'guard', 'Will'), quiet(2)] },
  ],
  'After a quiet night the Doctor was not among those who had left': [
    'Dan',
    hasRole('Bert', 'Doctor'),
    'false',
    { events: [removed(1, 'Will'), exiled(1, 'Bert'), quiet(2)], round: 2 },
  ],
  'Before it he may have been': [
    'Dan',
    hasRole('Bert', 'Doctor'),
    'unknown',
    { events: [removed(1, 'Will'), exiled(1, 'Bert')] },
  ],
  'A Witch knows that the victim of whom she was told is no Werewolf': [
    'Sam',
    isWolf('Dan'),
    'false',
    { seats: nine, events: [attacked(1, 'Sam', 'Dan'), removed(1, 'Dan')] },
  ],
  'Where a Witch and a Guard live, one who left in the night may be a Werewolf': [
    'Dan',
    isWolf('Bert'),
    'unknown',
    { seats: nine, events: [removed(1, 'Bert')] },
  ],
  'Without a Guard he may not: the antidote is not used beside the poison': [
    'Dan',
    isWolf('Bert'),
    'false',
    { seats: unguarded, events: [removed(1, 'Bert')] },
  ],
  'Unless the rules allow both potions in one night': [
    'Dan',
    isWolf('Bert'),
    'unknown',
    { seats: unguarded, rules: { witchBothPotions: true }, events: [removed(1, 'Bert')] },
  ],
  'Of two who left in a night one at least was no Werewolf': [
    'Dan',
    any(isOn('Bert', 'villagers'), isOn('Will', 'villagers')),
    'true',
    { seats: nine, events: [removed(1, 'Bert'), removed(1, 'Will')] },
  ],
  'A Witch who poisoned one of them knows that the other was attacked': [
    'Sam',
    isWolf('Bert'),
    'false',
    { seats: nine, events: [attacked(1, 'Sam', 'Bert'), poisonedWill, removed(1, 'Bert'), removed(1, 'Will')] },
  ],
  'But not what she poisoned': [
    'Sam',
    isWolf('Will'),
    'unknown',
    { seats: nine, events: [attacked(1, 'Sam', 'Bert'), poisonedWill, removed(1, 'Bert'), removed(1, 'Will')] },
  ],
  'Who shoots is the Hunter': [
    'Dan',
    hasRole('Paul', 'Hunter'),
    'true',
    { seats: nine, events: [removed(1, 'Paul'), ...shot('Paul', 'Will', night(1))] },
  ],
  'What he shot is not known': [
    'Dan',
    isWolf('Will'),
    'unknown',
    { seats: nine, events: [removed(1, 'Paul'), ...shot('Paul', 'Will', night(1))] },
  ],
  'The poisoned do not shoot, so of two the other was poisoned, and not by herself': [
    'Dan',
    hasRole('Bert', 'Witch'),
    'false',
    { seats: nine, events: [removed(1, 'Paul'), removed(1, 'Bert'), ...shot('Paul', 'Will', night(1))] },
  ],
  'A revealed role is known': [
    'Dan',
    hasRole('Bert', 'Doctor'),
    'true',
    { events: [removed(1, 'Will'), exiled(1, 'Bert', { role: 'Doctor' })] },
  ],
  'A revealed team is known': [
    'Dan',
    hasRole('Bert', 'Werewolf'),
    'true',
    { events: [removed(1, 'Will'), exiled(1, 'Bert', { team: 'werewolves' })] },
  ],
  'A revealed team leaves the role open': [
    'Dan',
    hasRole('Bert', 'Seer'),
    'unknown',
    { events: [removed(1, 'Will'), exiled(1, 'Bert', { team: 'villagers' })] },
  ],
  'A revealed Seer makes liars of all others who claim it': [
    'Dan',
    hasRole('Mason', 'Seer'),
    'false',
    { events: [removed(1, 'Will'), exiled(1, 'Bert', { role: 'Seer' })] },
  ],
  'The game going on with four, at most one Werewolf lives, so the only one exiled was one': [
    'Dan',
    isWolf('Bert'),
    'true',
    { round: 3, events: [removed(1, 'Will'), exiled(1, 'Bert'), removed(2, 'Mason'), removed(3, 'Sam')] },
  ],
  'That it goes on after the exile of one Werewolf of two says that the other lives': [
    'Ginger',
    isWolf('Leah'),
    'true',
    { round: 2, phase: 'night', events: [removed(1, 'Will'), exiled(1, 'Ginger')] },
  ],
  'Of three, one of the other two is the Werewolf': [
    'Dan',
    any(isWolf('Ginger'), isWolf('Mason')),
    'true',
    {
      round: 3,
      events: [removed(1, 'Will'), exiled(1, 'Leah'), removed(2, 'Sam'), exiled(2, 'Paul'), removed(3, 'Bert')],
    },
  ],
  'A pack whose pick survived knows that he is not the Doctor, who may not protect himself': [
    'Ginger',
    hasRole('Paul', 'Doctor'),
    'false',
    { rules: { protectSelf: false }, events: [picked(1, 'Paul'), quiet(1)] },
  ],
  'Where the Doctor may, the pack does not know': [
    'Ginger',
    hasRole('Paul', 'Doctor'),
    'unknown',
    { events: [picked(1, 'Paul'), quiet(1)] },
  ],
};

describe('What a player knows', () => {
  it.each(Object.entries(cases))('%s.', (_what, [me, what, truth, moment]) => {
    expect(knows(me, what, moment)).toBe(truth);
  });

  it('is asked only of those at the table', () => {
    expect(() => knows('Dan', isWolf('Zorro'))).toThrow('No player "Zorro". At the table: Ginger, Leah,');
  });

  it('cannot come of a match that breaks the rules', () => {
    const impossible = { events: [exiled(1, 'Bert', { role: 'Seer' })], round: 1 };
    expect(() => knows('Sam', isWolf('Dan'), impossible)).toThrow('What Sam saw cannot have happened under the rules');
  });
});
