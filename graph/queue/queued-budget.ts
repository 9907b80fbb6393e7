// The budget of a queued tournament for calls outside its matches: the calls of the judge that reads collected matches.
import { type Budget, createBudget, createBudgetReached } from '../../models/budget.ts';
import { getMachine } from '../../models/machine/machine.ts';
import type { QueueDatabase } from './database.ts';
import { TournamentStore } from './tournament-store.ts';

/** Milliseconds until a call asks again for money that other calls have reserved. */
const pause = 250;

/**
 * Creates a budget whose calls are charged to the tournament, together with the calls of its workers. Recorded answers
 * cost nothing, because they were charged when they were asked for.
 *
 * @example await openMatchJudging(plan.judge, limits, io, createQueuedBudget(database, plan.name, signal))
 */
export function createQueuedBudget(database: QueueDatabase, name: string, signal: AbortSignal): Budget {
  const store = new TournamentStore(database, name);
  return {
    ...createBudget(null),
    spend: () => undefined,
    reserve: async (usd) => {
      for (;;) {
        const found = await store.charge(usd);
        if (found === 'granted') return (cost) => void store.correctCharge(cost - usd).catch(() => undefined); // the next call reports the fault
        if (found !== 'wait') throw createBudgetReached(found.cap, found.spent);
        await getMachine().clock.sleep(pause, signal);
      }
    },
  };
}
