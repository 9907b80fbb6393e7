// Inquiries about many records at the same time, with one limit on calls and one budget for all of them.
import pLimit from 'p-limit';
import type { Limit } from '../models/ask.ts';
import { openBudget, type Budget } from '../models/budget.ts';
import { defaultConcurrency } from './play-match.ts';

export interface Shared {
  concurrency: Limit;
  budget: Budget;
}

/** An inquiry about one record has few questions: so many together keep all calls busy that may be under way. */
const recordsAtOnce = 8;

/**
 * Does `work` for each record. What stops one lets no other begin a further call; calls under way are waited for, since
 * they are paid for. Then throws what stopped the first.
 */
export async function sideBySide<Item>(
  records: readonly Item[],
  {
    maxCost = null,
    concurrency = defaultConcurrency,
  }: { maxCost?: number | null | undefined; concurrency?: number | undefined },
  work: (record: Item, shared: Shared) => Promise<void>,
): Promise<void> {
  const whole = openBudget(maxCost);
  let stopped: { by: unknown } | null = null;
  const check = () => {
    if (stopped) throw stopped.by;
    whole.check();
  };
  const shared: Shared = { concurrency: pLimit(concurrency), budget: { ...whole, check } };
  const atOnce = pLimit(recordsAtOnce);
  const done = records.map((record) =>
    atOnce(async () => {
      if (stopped) return;
      try {
        await work(record, shared);
      } catch (error) {
        stopped ??= { by: error };
      }
    }),
  );
  await Promise.all(done);
  rethrow(stopped);
}

function rethrow(stopped: { by: unknown } | null) {
  if (stopped) throw stopped.by;
}
