// By what a baseline is kept: board and rules, as far as matches by chance go by them.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { groundHash } from '../../../deception/baseline/ground.ts';
import { rulesOn } from '../../../state/board-rules.ts';
import { boards } from '../../../state/boards.ts';
import type { Rule, RuleValue } from '../../../state/rule.ts';
import { rulebook } from '../../../state/rulebook.ts';

const board = boards['plus-12-sheriff']!;
const rules = rulesOn(board, 'plus');
const hashWith = (changes: Readonly<Record<string, RuleValue>>) =>
  groundHash({ board, rules: { ...rules, ...changes } });

/** Another value that the rule can have. */
function otherValue({ schema }: Rule, value: RuleValue): RuleValue {
  const { enum: named = [] } = z.toJSONSchema(schema) as { enum?: RuleValue[] };
  return [...named, true, false, 2, 7].find((one) => one !== value && schema.safeParse(one).success)!;
}

/** Words, memory and temperatures are nothing to chance; what would be analysed is not. */
const nothingToChance = [
  'maxWords',
  'memory',
  'honesty',
  'coaching',
  'choiceTemperature',
  'talkTemperature',
  'analysis',
  'analyzeBallots',
  'scores',
];

describe('the hash of a baseline', () => {
  it.each(Object.entries(rulebook))('minds %s, unless that is nothing to chance', (name, rule) => {
    const changed = { [name]: otherValue(rule, rules[name]!) };
    expect(rule.schema.safeParse(changed[name]).success).toBe(true);
    expect(hashWith(changed) === hashWith({})).toBe(nothingToChance.includes(name));
  });

  it('is the same however often beliefs are asked for, if they are', () => {
    expect(hashWith({ beliefs: 'each-statement' })).toBe(hashWith({ beliefs: 'each-round' }));
  });

  it('minds who sits at the table, not what the board is called or the order of its roles', () => {
    const renamed = {
      name: 'other',
      roles: Object.fromEntries(Object.entries({ ...board.roles, Doctor: 0 }).reverse()),
    };
    expect(groundHash({ board: renamed, rules })).toBe(hashWith({}));
    expect(groundHash({ board: { roles: { ...board.roles, Villager: 5 } }, rules })).not.toBe(hashWith({}));
  });

  it('takes rules that a record does not name yet at their defaults', () => {
    const { bidScale, ...older } = rules;
    expect(groundHash({ board, rules: older })).toBe(hashWith({ bidScale }));
  });
});
