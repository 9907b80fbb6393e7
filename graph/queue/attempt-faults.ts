// Classifies the error that ended an attempt at a match: whether the match itself is at fault, and how to report it.
import { BudgetReached } from '../../models/budget.ts';
import { ProviderFailure } from '../../models/retry.ts';
import { flattenToOneLine, parseJson } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { isOutsideFailure } from '../circuit-breaker.ts';
import { DatabaseError } from './database.ts';
import { LeaseLost } from './tournament-store.ts';

/** Describes an error as stored in the database. */
export const describeFault = (error: unknown) =>
  error instanceof Error ? { name: error.name, words: error.message } : { name: 'Error', words: String(error) };

/** Returns whether the error means that a disk is full or failing, which is not the match's fault. */
export const isDiskFault = (error: unknown): error is Error =>
  isOutsideFailure(error) && !(error instanceof ProviderFailure);

/**
 * Returns whether an error has a cause outside the match: the database, the disk, a provider, a reached cap, wrong
 * usage of the worker, or a later attempt that took the match over.
 */
export const isOwnFault = (error: unknown) =>
  (error instanceof DatabaseError && !error.isOfStatement) ||
  error instanceof UsageError ||
  error instanceof LeaseLost ||
  error instanceof BudgetReached ||
  isOutsideFailure(error);

/** Describes a match by its key, for messages where its id is unknown: folder of the pairing, board and deal. */
export function describeKey(key: string): string {
  const parts = parseJson(key);
  return flattenToOneLine((Array.isArray(parts) ? parts.slice(0, 3).map(String).join('/') : key).slice(0, 200));
}
