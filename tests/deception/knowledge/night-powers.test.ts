// What players can do at night is found by asking their powers.
import { describe, expect, it } from '@jest/globals';
import { createRoleTable } from '../../../deception/knowledge/role-table.ts';
import { readRules } from '../../../state/rules.ts';
import { roles } from '../../../state/roles/index.ts';
import type { RuleValue } from '../../../state/rule.ts';

const counts = { Werewolf: 2, Seer: 1, Doctor: 1, Guard: 1, Witch: 1, Hunter: 1, Villager: 2 };
const players = ['Ginger', 'Leah', 'Sam', 'Paul', 'Hayley', 'Dan', 'Will', 'Bert', 'Mason'];

const powersUnder = (rules: Readonly<Record<string, RuleValue>> = {}) =>
  createRoleTable({ board: { name: 'nine', roles: counts }, rules: readRules('wolf', rules), players }).powers;

const named = (verb: string, rules: Readonly<Record<string, RuleValue>> = {}) =>
  powersUnder(rules).ofHolders.find((power) => power.verb === verb)!;

const at = (round: number, alive: readonly string[] = players) => ({ round, alive });

describe('the powers of a night', () => {
  it('that change who leaves are those that shield, cure and poison', () => {
    expect(powersUnder().ofHolders.map(({ verb }) => verb)).toEqual(['protect', 'guard', 'save', 'poison']);
  });

  it('can be used as often as they declare', () => {
    const all = [...roles.values()].flatMap(({ powers }) => powers);
    for (const { verb, supply } of powersUnder().ofHolders)
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
    const powers = powersUnder(rules);
    const power = named(verb, rules);
    expect([1, 2].map((round) => powers.canUseOnSelf(power, at(round)))).toEqual(allowed);
  });

  it.each([true, false])('are combined as the rules say: both potions %s', (witchBothPotions) => {
    const rules = { witchBothPotions };
    expect(powersUnder(rules).canCombine(named('save', rules), named('poison', rules))).toBe(witchBothPotions);
    expect(powersUnder(rules).canCombine(named('poison', rules), named('save', rules))).toBe(witchBothPotions);
  });

  it('save nobody but the victim', () => {
    const powers = powersUnder();
    expect(powers.canUseOn(named('save'), 'Dan', 'Dan', at(1))).toBe(true);
    expect(powers.canUseOn(named('save'), 'Dan', 'Will', at(1))).toBe(false);
    expect(powers.canUseOn(named('save'), 'Dan', null, at(1))).toBe(false);
  });

  it('are of no use on whoever has left', () => {
    const alive = players.filter((name) => name !== 'Dan');
    expect(powersUnder().canUseOn(named('protect'), 'Dan', null, at(2, alive))).toBe(false);
  });
});

describe('the pack', () => {
  it('must attack somebody who is in the game and never one of its own', () => {
    const powers = powersUnder();
    expect(powers.mustAttack(at(1))).toBe(true);
    expect(powers.canAttack('Dan', at(1))).toBe(true);
    expect(powers.canAttack('Dan', at(2, players.slice(0, 4)))).toBe(false);
    expect([powers.attackers, powers.spared]).toEqual([1, 1]);
  });
});

describe('a night that might be', () => {
  const attack = powersUnder().createAttack('Dan', 1);
  const act = (verb: string, target: string) => ({ round: 1, verb, by: [], target });

  it('ends as the rules of the night resolve it', () => {
    const powers = powersUnder();
    expect(powers.listDead([attack], at(1))).toEqual(['Dan']);
    expect(powers.listDead([attack, act('protect', 'Dan')], at(1))).toEqual([]);
    expect(powers.listDead([attack, act('poison', 'Will')], at(1))).toEqual(['Dan', 'Will']);
    expect(powers.findFate([act('poison', 'Will')], 'Will', at(1))).toBe('poison');
  });

  it.each([
    ['lives', []],
    ['dies', ['Dan']],
  ])('heeds options of its powers: guarded and cured %s', (guardAndAntidote, dead) => {
    const powers = powersUnder({ guardAndAntidote });
    expect(powers.listDead([attack, act('guard', 'Dan'), act('save', 'Dan')], at(1))).toEqual(dead);
  });
});
