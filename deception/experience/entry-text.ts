// An entry of a pool as a player is given it: one text, of which the tokens are counted.
import type { PoolEntry } from './pool-entry.ts';

/**
 * The text of an entry in prompts.
 *
 * @example renderEntry(pool.entries[0]!) // 'You are [C], Seer. Day 1, … You voted for [B]. Afterwards: Your side won. …'
 */
export const renderEntry = ({
  situation,
  done,
  reflection,
}: Pick<PoolEntry, 'situation' | 'done' | 'reflection'>): string =>
  `${situation} You ${done}. Afterwards: ${reflection}`;

/** An estimate of a text's tokens, four characters each, without any model's tokenizer. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4);
