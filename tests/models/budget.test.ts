// Money: no call starts after the cap is reached, and a resumed match pays for no call twice.
import { describe, expect, it } from '@jest/globals';
import { BudgetReached, createBudget, createMatchBudget } from '../../models/budget.ts';

describe('a budget', () => {
  it('lets calls start until the money spent reaches the cap', () => {
    const budget = createBudget(1);
    budget.spend(0.5);
    budget.check();
    budget.spend(0.49);
    budget.check();
    budget.spend(0.01);
    expect(() => budget.check()).toThrow(BudgetReached);
  });

  it('says how much was spent and how to go on', () => {
    const budget = createBudget(0.25);
    budget.spend(0.3125);
    expect(() => budget.check()).toThrow(
      'The budget of $0.25 is reached: $0.3125 spent. Resume with a higher --max-cost.',
    );
  });

  it('of none is never reached', () => {
    const budget = createBudget(null);
    budget.spend(1e9);
    budget.check();
    expect(budget.spent()).toBe(1e9);
  });

  it('is not touched by calls that cost nothing', () => {
    const budget = createBudget(0.01);
    for (let call = 0; call < 1000; call++) budget.spend(0);
    budget.check();
    expect(budget.spent()).toBe(0);
  });

  it('of nothing lets no call start', () => {
    expect(() => createBudget(0).check()).toThrow(BudgetReached);
  });
});

describe('the share of a match that goes on', () => {
  it('takes nothing again that was taken for its answers before, however often it goes on', () => {
    const budget = createBudget(10);
    const account = { paid: 2 };
    budget.spend(2);
    const first = createMatchBudget(budget, account, () => null);
    for (const cost of [1.5, 1.5]) first.spend(cost);
    expect(budget.spent()).toBe(3);
    const second = createMatchBudget(budget, account, () => null);
    for (const cost of [1.5, 1.5, 4]) second.spend(cost);
    expect(budget.spent()).toBe(7);
    expect(account.paid).toBe(7);
  });

  it('lets no call start once there is a reason against all', () => {
    const share = createMatchBudget(createBudget(null), { paid: 0 }, () => new Error('The key is refused.'));
    expect(() => share.check()).toThrow('The key is refused.');
  });
});
