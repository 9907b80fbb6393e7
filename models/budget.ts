// The money that may be spent, over one match or several.

/** No further call may start: the cap is reached. What was recorded stays, and the match can be resumed with more. */
export class BudgetReached extends Error {
  override name = 'BudgetReached';
}

export interface Budget {
  /** Adds the cost of a call in USD, recorded or just made. */
  spend(cost: number): void;
  /** Throws BudgetReached once the money spent has reached the cap. */
  check(): void;
  /** USD. */
  spent(): number;
}

/** A budget of `cap` USD; null: no limit. */
export function createBudget(cap: number | null): Budget {
  let total = 0;
  return {
    spend: (cost) => (total += cost),
    spent: () => total,
    check: () => {
      if (cap !== null && total >= cap)
        throw new BudgetReached(
          `The budget of $${cap} is reached: $${total.toFixed(4)} spent. Resume with a higher --max-cost.`,
        );
    },
  };
}

/**
 * The budget as a match sees it that goes on after its record: what was taken for its answers before, `account.paid`
 * USD, is not taken again; what is taken now is added there. No call starts once `refusal` gives a reason.
 */
export function createMatchBudget(budget: Budget, account: { paid: number }, refusal: () => Error | null): Budget {
  let covered = account.paid;
  return {
    ...budget,
    check: () => {
      const refused = refusal();
      if (refused) throw refused;
      budget.check();
    },
    spend: (cost) => {
      const free = Math.min(covered, cost);
      covered -= free;
      account.paid += cost - free;
      budget.spend(cost - free);
    },
  };
}
