// Exchange of two entrants within deals: the residuals after both are fitted as one entrant.
import { describe, expect, it } from '@jest/globals';
import { compareFitted } from '../../../deception/ratings/exchanged-pairs.ts';
import type { RatedMatch } from '../../../deception/ratings/rating-model.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { createMatch } from './simulated-field.ts';

const deals = Array.from({ length: 12 }, (_, deal) => deal);
const estimate = { value: 0.2, error: 0.05, low: null, high: null, reason: null, p: null };
const compare = (matches: readonly RatedMatch[]) =>
  compareFitted(matches, { pair: ['ann', 'bob'] }, estimate, { resampling: createResampling(deals.length, 199, 1) });

/** In each deal, each of the two entrants plays the Werewolves once against the village of a third. */
const play = (winnerOf: (pack: string) => RatedMatch['winner']) =>
  deals.flatMap((deal) =>
    ['ann', 'bob'].map((pack) => createMatch(deal, [pack, pack], ['cas', 'cas', 'cas'], winnerOf(pack))),
  );

describe('what a deal leaves over', () => {
  it('is nothing where nobody ever won: half of it was expected of both', () => {
    expect(compare(play(() => null)).informative).toBe(0);
  });

  it('is nothing where nobody ever won, one as the pack and the other as the village', () => {
    const matches = deals.flatMap((deal) => [
      createMatch(deal, ['ann', 'ann'], ['cas', 'cas', 'cas'], null),
      createMatch(deal, ['cas', 'cas'], ['bob', 'bob', 'bob'], null),
    ]);
    expect(compare(matches).informative).toBe(0);
  });

  it('is nothing where both won alike, though some matches had no winner', () => {
    const mixed = deals.flatMap((deal) =>
      ['ann', 'bob'].map((pack) =>
        createMatch(deal, [pack, pack], ['cas', 'cas', 'cas'], deal % 3 === 0 ? null : 'werewolves'),
      ),
    );
    expect(compare(mixed).informative).toBe(0);
  });

  it('is for the first where it alone draws what the other loses, and the same against it the other way round', () => {
    const first = compare(play((pack) => (pack === 'ann' ? null : 'villagers')));
    const second = compare(play((pack) => (pack === 'bob' ? null : 'villagers')));
    expect(first.informative).toBe(deals.length);
    expect(first.difference.p).toBeLessThan(0.05);
    expect(second.difference.p).toBe(first.difference.p);
  });

  it('is nothing where one wins as the pack what it loses as the larger village: each side counts as one', () => {
    const matches = deals.flatMap((deal) => [
      createMatch(deal, ['ann', 'ann'], ['cas', 'cas', 'cas'], 'werewolves'),
      createMatch(deal, ['cas', 'cas'], ['ann', 'ann', 'ann'], 'werewolves'),
      createMatch(deal, ['bob', 'bob'], ['cas', 'cas', 'cas'], 'villagers'),
      createMatch(deal, ['cas', 'cas'], ['bob', 'bob', 'bob'], 'villagers'),
    ]);
    expect(compare(matches).informative).toBe(0);
  });

  it('is measured against what was expected: a pack that seldom wins tells more when it does', () => {
    // Both lose as Werewolves and win as the village, except in one deal, where ann also wins as Werewolves.
    const matches = deals.flatMap((deal) => [
      createMatch(deal, ['ann', 'ann'], ['cas', 'cas', 'cas'], deal === 0 ? 'werewolves' : 'villagers'),
      createMatch(deal, ['cas', 'cas'], ['bob', 'bob', 'bob'], 'villagers'),
    ]);
    const { informative, difference } = compare(matches);
    expect(informative).toBe(deals.length);
    expect(difference.p).toBeGreaterThan(0.05);
  });
});
