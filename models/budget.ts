// The budget of one match, or of several matches together.

/**
 * Signals that the cap is reached, so that no further call begins. The record stays, and the match can be resumed with
 * a higher cap.
 */
export class BudgetReached extends Error {
  override name = 'BudgetReached';
}

export interface Budget {
  /** Adds the cost of a call in USD, either recorded or just made. */
  spend(cost: number): void;
  /** Throws BudgetReached once the money spent has reached the cap. */
  check(): void;
  /** Returns the money spent so far, in USD. */
  spent(): number;
  /**
   * Resolves when a call of this estimated cost, in USD, may begin. Call the returned function once, with the actual
   * cost. Throws BudgetReached once the money spent has reached the cap.
   */
  reserve(estimate: number): Promise<(cost: number) => void>;
}

/**
 * Creates a budget of `cap` USD; null means no limit.
 *
 * @example
 * const budget = createBudget(0.5);
 * budget.spend(0.6);
 * budget.check(); // throws BudgetReached
 */
export function createBudget(cap: number | null, name?: string): Budget {
  let total = 0;
  const spend = (cost: number) => void (total += cost);
  const check = () => {
    if (cap !== null && total >= cap) throw createBudgetReached(cap, total, name);
  };
  return {
    ...{ spend, check },
    spent: () => total,
    reserve: async () => {
      check();
      return Promise.resolve(spend);
    },
  };
}

/** Creates the error. `name`: the option that gave the cap. */
export const createBudgetReached = (cap: number, spent: number, name = '--max-cost'): BudgetReached =>
  new BudgetReached(`The budget of $${cap} is reached: $${spent.toFixed(4)} spent. Resume with a higher ${name}.`);

/**
 * Returns a shared budget for the use of one match. A resumed match counts its recorded answers again, so its first
 * `account.paid` USD are not charged to the shared budget a second time. New spending is added to `account.paid`. If
 * `refusal` returns an error, no call begins.
 */
export function createMatchBudget(budget: Budget, account: { paid: number }, refusal: () => Error | null): Budget {
  let covered = account.paid;
  const refuse = () => {
    const error = refusal();
    if (error) throw error;
  };
  return {
    ...budget,
    check: () => {
      refuse();
      budget.check();
    },
    reserve: async (estimate) => {
      refuse();
      const settle = await budget.reserve(estimate);
      return (cost) => {
        account.paid += cost;
        settle(cost);
      };
    },
    spend: (cost) => {
      const free = Math.min(covered, cost);
      covered -= free;
      account.paid += cost - free;
      budget.spend(cost - free);
    },
  };
}
