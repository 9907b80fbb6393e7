// Words on the command line that select who remembers: players, roles, sides, models and entrants.
import { UsageError } from '../../state/usage-error.ts';

/**
 * Returns the last part of a model string: `openai:gpt-4o?temperature=0` → `gpt-4o`, `openrouter:meta/llama-3` →
 * `llama-3`. Null for words that are not models.
 */
const findLastPart = (name: string): string | null =>
  /^[^:]+:(?:.*\/)?([^/?]+)(?:\?.*)?$/.exec(name)?.[1]?.toLowerCase() ?? null;

/**
 * Finds the known name that a word means: the name itself, or else a name that differs only in case, or else the model
 * whose string ends in the word. Null if there is none. Throws a UsageError for an ambiguous word.
 *
 * @example resolveSeatReference('seer', ['Seer', 'villagers', 'openai:gpt-4o']) // 'Seer'
 */
export function resolveSeatReference(word: string, known: readonly string[]): string | null {
  if (known.includes(word)) return word;
  const asked = word.toLowerCase();
  const [byCase, byPart] = [
    known.filter((name) => name.toLowerCase() === asked),
    known.filter((name) => findLastPart(name) === asked),
  ].map((names) => [...new Set(names)]) as [string[], string[]];
  const found = byCase.length > 0 ? byCase : byPart;
  if (found.length > 1)
    throw new UsageError(
      `"${word}", named as a player who remembers earlier matches, may be ${found.join(' or ')}. Name one of them in full.`,
    );
  return found[0] ?? null;
}
