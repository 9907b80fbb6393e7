// Splits of a bank by deal: the same roles, seats and names never stand in two of them, whoever plays.
import { z } from 'zod';
import { draw } from '../../state/random.ts';

export const BankSplit = z.enum(['train', 'validation', 'test']);
export type BankSplit = z.infer<typeof BankSplit>;

/** Other keys would move deals between splits, and what was trained on one bank could be tested on another. */
const splitSeed = 1;

/**
 * The split of a deal: 60% train, 20% validation and 20% test, by a hash of the deal alone. A deal stays where it is
 * whatever else is exported with it. `deal`: as `getDealKey` gives it.
 *
 * @example findSplit('classic-8: Ginger=Seer, …') // 'train'
 */
export function findSplit(deal: string): BankSplit {
  const drawn = draw(splitSeed, 'bank split', deal).fraction();
  if (drawn < 0.6) return 'train';
  return drawn < 0.8 ? 'validation' : 'test';
}
