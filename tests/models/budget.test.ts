// Money: no call starts once the cap is reached.
import { describe, expect, it } from '@jest/globals';
import { BudgetReached, openBudget } from '../../models/budget.ts';

describe('a budget', () => {
  it('lets calls start until the money spent reaches the cap', () => {
    const budget = openBudget(1);
    budget.spend(0.5);
    budget.check();
    budget.spend(0.49);
    budget.check();
    budget.spend(0.01);
    expect(() => budget.check()).toThrow(BudgetReached);
  });

  it('says how much was spent and how to go on', () => {
    const budget = openBudget(0.25);
    budget.spend(0.3125);
    expect(() => budget.check()).toThrow(
      'The budget of $0.25 is reached: $0.3125 spent. Resume with a higher --max-cost.',
    );
  });

  it('of none is never reached', () => {
    const budget = openBudget(null);
    budget.spend(1e9);
    budget.check();
    expect(budget.spent()).toBe(1e9);
  });

  it('is not touched by calls that cost nothing', () => {
    const budget = openBudget(0.01);
    for (let call = 0; call < 1000; call++) budget.spend(0);
    budget.check();
    expect(budget.spent()).toBe(0);
  });

  it('of nothing lets no call start', () => {
    expect(() => openBudget(0).check()).toThrow(BudgetReached);
  });
});
