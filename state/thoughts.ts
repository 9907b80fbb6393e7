// Marks that models put around their private thoughts, by the reading of a record.
import type { Reading } from './record.ts';

/** Thoughts before the answer, also where their opening mark stood in the chat template or the closing one is missing. */
const marks: Readonly<Record<Reading, RegExp>> = {
  1: /^[\s\S]*<\/think(?:ing)?>|<think(?:ing)?>[\s\S]*$/gi,
  2: /^[\s\S]*(?:<\/think(?:ing)?>|\[\/THINK\])|(?:<think(?:ing)?>|\[THINK\])[\s\S]*$/gi,
};

/**
 * The text of an answer without the thoughts before or after it.
 *
 * @example dropThoughts('<think>Hm.</think> {"bid": 2}', 2); // '{"bid": 2}'
 */
export const dropThoughts = (text: string, reading: Reading): string => text.replace(marks[reading], '').trim();
