// Simulates a provider's cache of prompt prefixes. For each call, the cache serves the longest prefix that the call
// shares with a finished call.

/**
 * Sizes of the prefixes that a provider caches, in tokens: the shortest prefix (`least`), and the step between the
 * lengths of longer prefixes (`step`).
 */
export interface CacheTraits {
  least: number;
  step: number;
  /**
   * Whether the JSON schema of an answer precedes the messages. If so, calls with different schemas share no prefix.
   */
  isSchemaFirst: boolean;
}

/** Traits of OpenAI's cache, without counting schemas. The caches of other vendors are at least as fine-grained. */
export const usualCache: CacheTraits = { least: 1024, step: 128, isSchemaFirst: false };

export const charactersPerToken = 4;

/** A cache of one model. */
export interface PrefixCache {
  /** Begins a call. Returns how many characters the cache serves, and a function to call when the call has ended. */
  begin(text: string): { served: number; end: () => void };
}

interface Part {
  next: Map<string, Part>;
}

/**
 * Creates an empty cache. A prefix is served only after a call with this prefix has ended, so concurrent calls do not
 * serve each other. Prefixes are compared in whole steps, at 4 characters per token.
 *
 * @example openPrefixCache().begin('You are Ginger').served // 0
 */
export function openPrefixCache({ least, step }: CacheTraits = usualCache): PrefixCache {
  const root: Part = { next: new Map() };
  const size = step * charactersPerToken;
  const split = (text: string) =>
    Array.from({ length: Math.floor(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
  return {
    begin(text) {
      const parts = split(text);
      let [at, known] = [root, 0];
      for (let next = at.next.get(parts[0] ?? ''); next; next = at.next.get(parts[known] ?? '')) {
        at = next;
        known += 1;
      }
      const end = () => {
        let place = root;
        for (const part of parts) {
          const next = place.next.get(part) ?? { next: new Map() };
          place.next.set(part, next);
          place = next;
        }
      };
      return { served: known * step < least ? 0 : known * size, end };
    },
  };
}
