// The text of a pool's entry in a prompt, and its number of tokens. Each statement has its own line, so that it cannot
// be mistaken for an event.
import type { PoolEntry } from './pool-entry.ts';

/**
 * Returns the text of an entry: the situation, each statement, the decision and its outcome, one line each.
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

/** Estimates the tokens of a text at four characters each, without any model's tokenizer. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);
