// Players' words in prompts: quoted, and without markup that a server could interpret. Also the cache with which
// prompts are built.
import { flattenToOneLine, replaceDoubleQuotes } from '../state/text.ts';

/**
 * Beginnings of tags and of chat template markers, e.g. `<|im_end|>`, `</s>`, `[INST]`. Some servers treat these as the
 * end of the message wherever they occur.
 */
const markup = /<(?=[\p{L}/|｜!?<])|\[(?=\/?[gs]?[A-Z][A-Z_\d]*\])/gu;

/** Inserts a space into every tag and marker. The text stays readable. */
export const breakTags = (text: string) => text.replace(markup, '$& ');

/** Number of cached quotes. A statement occurs in many prompts. */
const keptQuotes = 5000;

/**
 * Quotes a text in double quotation marks, in one line, and replaces any such marks within: nothing that a player says
 * can end the quote. Line breaks are also removed when a text enters a match, but a record may have been edited since.
 *
 * @example quote('I said "no".') // `"I said 'no'."`
 */
export const quote = memoize(
  keptQuotes,
  (text: string) => text,
  (text) => `"${replaceDoubleQuotes(breakTags(flattenToOneLine(text)))}"`,
);

/**
 * Returns a cached function that keeps its latest results. `most`: number of results kept. `make` must depend only on
 * the key, and callers must not change its results.
 *
 * @example const trim = memoize(100, (text: string) => text, (text) => text.trim());
 */
export function memoize<Inputs extends readonly unknown[], Output>(
  most: number,
  keyOf: (...inputs: Inputs) => string,
  make: (...inputs: Inputs) => Output,
): (...inputs: Inputs) => Output {
  const kept = new Map<string, Output>();
  return (...inputs) => {
    const key = keyOf(...inputs);
    const known = kept.get(key);
    if (known !== undefined && 2 * kept.size <= most) return known; // half empty, so the order does not matter yet
    const output = known ?? make(...inputs);
    kept.delete(key); // the latest entry is last
    kept.set(key, output);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return output;
  };
}
