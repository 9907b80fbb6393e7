// Players' knowledge of each other's roles: a table of cases.
import { describe, expect, it } from '@jest/globals';
import { deriveKnowledge } from '../../../deception/knowledge/player-knowledge.ts';
import {
  conjoin,
  disjoin,
  hasRole,
  isOnTeam,
  type Proposition,
  type TruthValue,
} from '../../../deception/knowledge/propositions.ts';
import { createRoleTable } from '../../../deception/knowledge/role-table.ts';
import type { EventOf, GameEvent } from '../../../state/events.ts';
import { roles } from '../../../state/roles/index.ts';
import type { RuleValue } from '../../../state/rules/rule.ts';
import { readRules } from '../../../state/rulebook.ts';
import { createView } from '../../../state/view.ts';
import { acted, eight, exiled, gameAt, learned, type Moment, removed } from '../../game.ts';

const isWolf = (player: string) => isOnTeam(player, 'werewolves');
const evaluateFor = (me: string, what: Proposition, moment: Moment = {}) =>
  deriveKnowledge(createView(gameAt(moment), me)).evaluate(what);

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

type Case = [me: string, what: Proposition, truth: TruthValue, moment?: Moment];
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
    conjoin(isWolf('Dan'), isWolf('Will')),
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
    disjoin(isOnTeam('Bert', 'villagers'), isOnTeam('Will', 'villagers')),
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
  'Whom she was told of and did not save, and who lives, is not the Doctor who may not protect himself': [
    'Sam',
    hasRole('Dan', 'Doctor'),
    'false',
    {
      ...{ seats: { ...eight, Sam: 'Witch' }, rules: { protectSelf: false } },
      events: [attacked(1, 'Sam', 'Dan'), quiet(1)],
    },
  ],
  'But anybody else may be': [
    'Sam',
    hasRole('Will', 'Doctor'),
    'unknown',
    {
      ...{ seats: { ...eight, Sam: 'Witch' }, rules: { protectSelf: false } },
      events: [attacked(1, 'Sam', 'Dan'), quiet(1)],
    },
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
    disjoin(isWolf('Ginger'), isWolf('Mason')),
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
    expect(evaluateFor(me, what, moment)).toBe(truth);
  });

  it('is asked only of those at the table', () => {
    expect(() => evaluateFor('Dan', isWolf('Zorro'))).toThrow('No player "Zorro". At the table: Ginger, Leah,');
  });

  it('cannot come of a match that breaks the rules', () => {
    const impossible = { events: [exiled(1, 'Bert', { role: 'Seer' })], round: 1 };
    expect(() => evaluateFor('Sam', isWolf('Dan'), impossible)).toThrow(
      'What Sam saw cannot have happened under the rules',
    );
  });
});

// Players' possible acts at night are found by calling the functions of the roles' powers, which declare how often each
// may be used.

const counts = { Werewolf: 2, Seer: 1, Doctor: 1, Guard: 1, Witch: 1, Hunter: 1, Villager: 2 };
const players = ['Ginger', 'Leah', 'Sam', 'Paul', 'Hayley', 'Dan', 'Will', 'Bert', 'Mason'];

const listPowersUnder = (rules: Readonly<Record<string, RuleValue>> = {}) =>
  createRoleTable({ board: { name: 'nine', roles: counts }, rules: readRules('wolf', rules), players }).powers;

const getPower = (verb: string, rules: Readonly<Record<string, RuleValue>> = {}) =>
  listPowersUnder(rules).holderPowers.find((power) => power.verb === verb)!;

const at = (round: number, alive: readonly string[] = players) => ({ round, alive });

describe('the powers of a night', () => {
  it('that change who leaves are those that shield, cure and poison', () => {
    expect(listPowersUnder().holderPowers.map(({ verb }) => verb)).toEqual(['protect', 'guard', 'save', 'poison']);
  });

  it('can be used as often as they declare', () => {
    const all = [...roles.values()].flatMap(({ powers }) => powers);
    for (const { verb, supply } of listPowersUnder().holderPowers)
      expect([verb, supply]).toEqual([verb, all.find((power) => power.verb === verb)!.uses ?? Infinity]);
  });

  it.each([
    ['protect', { protectSelf: false }, [false, false]],
    ['protect', { protectSelf: true }, [true, true]],
    ['guard', { guardSelf: false }, [false, false]],
    ['guard', { guardSelf: true }, [true, true]],
    ['save', { witchSelfSave: 'never' }, [false, false]],
    ['save', { witchSelfSave: 'first-night' }, [true, false]],
    ['save', { witchSelfSave: 'always' }, [true, true]],
    ['poison', {}, [false, false]],
  ])('are used on oneself as the rules say: %s under %j', (verb, rules, allowed) => {
    const powers = listPowersUnder(rules);
    const power = getPower(verb, rules);
    expect([1, 2].map((round) => powers.canUseOnSelf(power, at(round)))).toEqual(allowed);
  });

  it.each([true, false])('are combined as the rules say: both potions %s', (witchBothPotions) => {
    const rules = { witchBothPotions };
    expect(listPowersUnder(rules).canCombine(getPower('save', rules), getPower('poison', rules))).toBe(
      witchBothPotions,
    );
    expect(listPowersUnder(rules).canCombine(getPower('poison', rules), getPower('save', rules))).toBe(
      witchBothPotions,
    );
  });

  it('save nobody but the victim', () => {
    const powers = listPowersUnder();
    expect(powers.canUseOn(getPower('save'), 'Dan', 'Dan', at(1))).toBe(true);
    expect(powers.canUseOn(getPower('save'), 'Dan', 'Will', at(1))).toBe(false);
    expect(powers.canUseOn(getPower('save'), 'Dan', null, at(1))).toBe(false);
  });

  it('are of no use on whoever has left', () => {
    const alive = players.filter((name) => name !== 'Dan');
    expect(listPowersUnder().canUseOn(getPower('protect'), 'Dan', null, at(2, alive))).toBe(false);
  });
});

describe('the pack', () => {
  it('must attack somebody who is in the game and never one of its own', () => {
    const powers = listPowersUnder();
    expect(powers.mustAttack(at(1))).toBe(true);
    expect(powers.canAttack('Dan', at(1))).toBe(true);
    expect(powers.canAttack('Dan', at(2, players.slice(0, 4)))).toBe(false);
    expect([powers.attackers, powers.unattackableRoles]).toEqual([1, 1]);
  });
});

describe('a night that might be', () => {
  const attack = listPowersUnder().createAttack('Dan', 1);
  const act = (verb: string, target: string) => ({ round: 1, verb, by: [], target });

  it('ends as the rules of the night resolve it', () => {
    const powers = listPowersUnder();
    expect(powers.listDead([attack], at(1))).toEqual(['Dan']);
    expect(powers.listDead([attack, act('protect', 'Dan')], at(1))).toEqual([]);
    expect(powers.listDead([attack, act('poison', 'Will')], at(1))).toEqual(['Dan', 'Will']);
    expect(powers.findFate([act('poison', 'Will')], 'Will', at(1))).toBe('poison');
  });

  it.each([
    ['lives', []],
    ['dies', ['Dan']],
  ])('heeds options of its powers: guarded and cured %s', (guardAndAntidote, dead) => {
    const powers = listPowersUnder({ guardAndAntidote });
    expect(powers.listDead([attack, act('guard', 'Dan'), act('save', 'Dan')], at(1))).toEqual(dead);
  });
});
