// Words of players as they stand in prompts: quoted, and without markup that a server could take for its own. Also the
// cache by which prompts are built.
import { flattenToOneLine, replaceDoubleQuotes } from '../state/text.ts';

/**
 * The beginnings of tags and of the marks of chat templates, e.g. `<|im_end|>`, `</s>`, `[INST]`: some servers take them
 * for the end of the message wherever they stand in it.
 */
const markup = /<(?=[\p{L}/|｜!?<])|\[(?=\/?[gs]?[A-Z][A-Z_\d]*\])/gu;

/** The text with a space in everything that would be a tag: readable as before. */
export const breakTags = (text: string) => text.replace(markup, '$& ');

/** What was said once stands in many prompts. */
const keptQuotes = 5000;

/**
 * A text between double quotation marks, with none in it, in one line: whatever a player says, it stays within the quotes. Texts
 * are one line when they enter a match; those of a record may have been changed since.
 *
 * @example quote('I said "no".') // `"I said 'no'."`
 */
export const quote = memoize(
  keptQuotes,
  (text: string) => text,
  (text) => `"${replaceDoubleQuotes(breakTags(flattenToOneLine(text)))}"`,
);

/**
 * A cache of the `most` results that were used last. `make` must depend on the key alone, and callers must not change what
 * it returns.
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
    const output = kept.get(key) ?? make(...inputs);
    kept.delete(key); // the latest stands last
    kept.set(key, output);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return output;
  };
}
