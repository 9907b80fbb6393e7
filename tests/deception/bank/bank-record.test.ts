// The counts in a bank's record.
import { describe, expect, it } from '@jest/globals';
import { BankCounter } from '../../../deception/bank/bank-record.ts';
import type { BankStatement } from '../../../deception/bank/bank-rows.ts';

const say = (split: BankStatement['split'], deal: string, more: Partial<BankStatement> = {}) =>
  ({
    ...{ split, deal, board: 'six', model: 'bot:classic', is_lie: true, is_unread: false, is_bot: true },
    ...{ raw: '{}', villager: 'Sam', claims: [], ...more },
  }) as BankStatement;

describe('the counter of a bank', () => {
  it('counts nothing before the first match', () => {
    const none = { deals: 0, statements: 0, lies: 0, truths: 0 };
    const counts = new BankCounter().count({ pairs: 0, promptsMissing: 0 });
    expect(counts).toMatchObject({ ...none, matches: 0, unlabelled: 0, claims: 0, boards: [], models: {} });
    expect(counts.splits).toEqual({ train: none, validation: none, test: none });
  });

  it('counts each statement in its split and by its label, and a deal once', () => {
    const counter = new BankCounter();
    counter.add('m1', [say('train', 'a'), say('train', 'a', { is_lie: false }), say('train', 'b')], 2);
    counter.add('m2', [say('test', 'c', { is_lie: null, raw: null })], 1);
    const counts = counter.count({ pairs: 5, promptsMissing: 6 });
    expect(counts).toMatchObject({
      ...{ matches: 2, deals: 3, statements: 4, lies: 2, truths: 1, unlabelled: 1 },
      ...{ silences: 3, pairs: 5, prompts_missing: 6, raw_missing: 1, bot_statements: 4 },
    });
    expect(counts.splits).toEqual({
      train: { deals: 2, statements: 3, lies: 2, truths: 1 },
      validation: { deals: 0, statements: 0, lies: 0, truths: 0 },
      test: { deals: 1, statements: 1, lies: 0, truths: 0 },
    });
  });
});
