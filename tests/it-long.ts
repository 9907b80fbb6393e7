// Declares the long tests of a suite, beside the quick ones.
import type { it } from '@jest/globals';

/**
 * Declares a test like `it`, which `npm run test:long` and `npm run mutate` run and `npm test` leaves out. Use it for a
 * test that takes more than about .3 seconds and protects something rare, such as the level of a statistic over many
 * planted studies. Quick tests of the suite must not need what it leaves behind, nor it what they do: each kind runs
 * without the other. A suite of which nearly all is long belongs in `tests/long/`.
 *
 * @example
 *   itLong('a test that finds a difference in at most 5 % of equal studies', () => { … });
 */
export const { itLong } = (globalThis as unknown as { wolfgraphTests: { itLong: typeof it } }).wolfgraphTests;
