// Splits a bank by deal, so that all matches of a deal (same roles, seats and names) are in the same split, whoever
// played them.
import { z } from 'zod';
import { draw } from '../../state/random.ts';

export const BankSplit = z.enum(['train', 'validation', 'test']);
export type BankSplit = z.infer<typeof BankSplit>;

/**
 * Fixed seed. Another seed would move deals between splits, so that a detector could be tested on deals from its
 * training data.
 */
const splitSeed = 1;

/**
 * Returns the split of a deal: 60% train, 20% validation and 20% test, by a hash of the deal alone. The split does not
 * depend on the other deals of the export. `deal`: as `getDealKey` returns it.
 *
 * @example findSplit('classic-8: Ginger=Seer, …') // 'train'
 */
export function findSplit(deal: string): BankSplit {
  const drawn = draw(splitSeed, 'bank split', deal).fraction();
  if (drawn < 0.6) return 'train';
  return drawn < 0.8 ? 'validation' : 'test';
}
