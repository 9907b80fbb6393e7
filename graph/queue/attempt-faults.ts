// What an error says of the match whose attempt it ended: whether it is the match's own, and how it is told.
import { BudgetReached } from '../../models/budget.ts';
import { ProviderFailure } from '../../models/retry.ts';
import { flattenToOneLine, parseJson } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { isOutsideFailure } from '../circuit-breaker.ts';
import { DatabaseError } from './database.ts';
import { LeaseLost } from './tournament-store.ts';

/** An error as a row of the database keeps it. */
export const describeFault = (error: unknown) =>
  error instanceof Error ? { name: error.name, words: error.message } : { name: 'Error', words: String(error) };

/** Whether a disk takes nothing, which is no fault of the match. */
export const isDiskFault = (error: unknown): error is Error =>
  isOutsideFailure(error) && !(error instanceof ProviderFailure);

/** Whether an error says nothing of the match: the database or the disk, a provider or the way that the worker is used. */
export const isOwnFault = (error: unknown) =>
  (error instanceof DatabaseError && !error.isOfStatement) ||
  error instanceof UsageError ||
  error instanceof LeaseLost ||
  error instanceof BudgetReached ||
  isOutsideFailure(error);

/** A match by what tells it from others, where its id is not known: the folder of its pairing, board and deal. */
export function describeKey(key: string): string {
  const parts = parseJson(key);
  return flattenToOneLine((Array.isArray(parts) ? parts.slice(0, 3).map(String).join('/') : key).slice(0, 200));
}
