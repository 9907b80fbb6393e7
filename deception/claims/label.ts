// The engine's label of a statement for those who were to catch its lies: a lie, none, or nothing to be said.
import type { JudgedStatement } from './claims-of.ts';
import type { Verdict } from './verdict.ts';

const honest: readonly Verdict[] = ['true', 'unwarranted', 'error', 'forgotten'];

/** Null where the verdict says nothing of it: no claim that the record can decide, or insincere, which nobody can see. */
export function isLie(verdict: Verdict | null): boolean | null {
  if (verdict === 'lie') return true;
  return verdict !== null && honest.includes(verdict) ? false : null;
}

/**
 * The listeners who could know the label from hard facts and the words that still stood before them: of a lie, that it
 * is false; of any other statement, of all its claims that can be decided whether they are so. Empty where there is no
 * label.
 */
export function labelKnownTo({ claims, listeners, verdict }: JudgedStatement): string[] {
  const label = isLie(verdict);
  if (label === null) return [];
  if (label)
    return listeners.filter((name) => claims.some((one) => one.verdict === 'lie' && one.knownTo.includes(name)));
  const decided = claims.filter(({ isTrue }) => isTrue !== null);
  return listeners.filter((name) => decided.every(({ knownTo }) => knownTo.includes(name)));
}
