// Words of players as they stand in prompts: quoted, and no markup of the model that reads them.
import { replaceDoubleQuotes } from '../state/text.ts';

// What was made before and is used again; only so much of it is kept.

/**
 * `make`, called once for each key as long as that is among the `most` keys that were used last. What it makes must
 * follow from the key alone, and nobody may change it.
 */
export function memoize<Input, Output>(
  most: number,
  keyOf: (input: Input) => string,
  make: (input: Input) => Output,
): (input: Input) => Output {
  const kept = new Map<string, Output>();
  return (input) => {
    const key = keyOf(input);
    const output = kept.get(key) ?? make(input);
    kept.delete(key); // the latest stands last
    kept.set(key, output);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return output;
  };
}

/**
 * The beginnings of tags and of what chat templates are made of, e.g. `<|im_end|>`, `</s>`, `[INST]`: some servers take
 * them for the end of the message wherever they stand in it.
 */
const markup = /<(?=[\p{L}/|｜!?<])|\[(?=\/?[gs]?[A-Z][A-Z_\d]*\])/gu;

/** Readable as before, with a space in what would be a tag. */
export const breakTags = (text: string) => text.replace(markup, '$& ');

/** Whatever was said stands in many prompts. */
const keptQuotes = 5000;

/** Words in quotes: whatever they say, they stay the speech of their speaker. */
export const quote = memoize(
  keptQuotes,
  (text: string) => text,
  (text) => `"${replaceDoubleQuotes(breakTags(text))}"`,
);
