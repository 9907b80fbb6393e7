// Declares the long tests of a suite, beside the quick ones.
import type { it } from '@jest/globals';

/**
 * Declares a test like `it`, which `npm run test:long` runs and `npm test` leaves out. Use it for a test that takes
 * more than about .3 seconds and protects something rare, such as the level of a statistic over many planted studies. A
 * suite of which nearly all is long belongs in `tests/long/`.
 *
 * @example
 *   itLong('a test that finds a difference in at most 5 % of equal studies', () => { … });
 */
export const { itLong } = (globalThis as unknown as { wolfgraphTests: { itLong: typeof it } }).wolfgraphTests;
