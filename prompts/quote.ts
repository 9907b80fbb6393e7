// Words of players as they stand in prompts: quoted, and no markup of the model that reads them.
import { replaceDoubleQuotes } from '../state/text.ts';
import { memoize } from './memoize.ts';

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
