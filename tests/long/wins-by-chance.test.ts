// In many games with random acts, each side wins as often as the rules imply.
import { describe, it } from '@jest/globals';
import { expectVillageShare, tablesOfKnownChance } from '../deception/known-chances.ts';
import { expectWerewolfShare } from '../state/wins-by-chance.ts';

describe('with everything at random', () => {
  it('the Werewolves win 96.4 % at classic-8 under strict majority', () => {
    expectWerewolfShare(96.4, { rule: { exile: 'majority' }, wrong: [94.3, 99.98], matches: 3000 });
  });

  it.each(tablesOfKnownChance)('Algorithm 1 lets the village win as often as it must: %s', (_table, table, chance) => {
    expectVillageShare(table, chance, 200_000);
  });
});
