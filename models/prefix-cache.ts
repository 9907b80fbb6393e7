// What a provider's cache of prompt prefixes would serve of a call: the longest beginning that a finished call had too.

/** How a provider counts. In tokens: the shortest prefix that is kept, and the steps in which longer ones are. */
export interface CacheTraits {
  least: number;
  step: number;
  /** Whether the JSON schema of an answer stands before the messages: a call with another schema shares no prefix then. */
  isSchemaFirst: boolean;
}

/** OpenAI's cache without its schemas; those of others are no coarser. */
export const usualCache: CacheTraits = { least: 1024, step: 128, isSchemaFirst: false };

export const charactersPerToken = 4;

/** A cache of one model. */
export interface PrefixCache {
  /** A call begins. Returns the characters that the cache serves, and what must be called once the call has ended. */
  begin(text: string): { served: number; end: () => void };
}

interface Part {
  next: Map<string, Part>;
}

/**
 * Makes an empty cache. A prefix is served only once a call that had it has ended: calls that are under way together cannot
 * serve each other. Prefixes are compared in whole steps, at 4 characters a token.
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
