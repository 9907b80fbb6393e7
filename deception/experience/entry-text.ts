// An entry of a pool as a player is given it: one text of several lines, of which the tokens are counted. What somebody said
// stands in a line of its own, so that it cannot be taken for what happened.
import type { PoolEntry } from './pool-entry.ts';

/**
 * The text of an entry in prompts: what was known, each statement, what was done and what came of it, a line each.
 *
 * @example renderEntry(pool.entries[0]!) // 'You are [C], Seer. Day 1, …\n[B] said: …\nYou voted for [B].\nAfterwards: Your side won.'
 */
export const renderEntry = ({
  situation,
  done,
  reflection,
}: Pick<PoolEntry, 'situation' | 'done' | 'reflection'>): string =>
  [situation, endSentence(`You ${done}`), `Afterwards: ${reflection}`].join('\n');

const endSentence = (text: string) => (/[.!?…]['’)]?$/.test(text) ? text : `${text}.`);

/** An estimate of a text's tokens, four characters each, without any model's tokenizer. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);
