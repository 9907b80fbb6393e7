// Paired differences: deal by deal, of conditions and of models, adjusted for how many there are.
import { describe, expect, it } from '@jest/globals';
import { byCondition, byModel, differencesOf } from '../../../deception/comparison/compare.ts';
import { lieRate } from '../../../deception/metrics/lie-rate.ts';
import { resampling } from '../../../deception/statistics/resampling.ts';
import { byWolf, match as matchRow, statement, tables } from '../metrics/row-builder.ts';

const deals = Array.from({ length: 12 }, (_, index) => `deal ${index}`);
const named = deals.map((deal) => `classic-8: ${deal}`);
const samples = resampling(deals.length, 200, 1);

/** A match in which the villager lies `lies` times of 10, and the Werewolf always. */
const match = (deal: string, lies: number, models = { village: 'one', pack: 'two' }) =>
  tables({
    match: matchRow({ match_id: `${deal} ${models.village}`, board: 'classic-8', deal }),
    statements: [
      statement({ model: models.village, opportunities: 10, lies }),
      statement({ ...byWolf, model: models.pack, opportunities: 5, lies: 5 }),
    ],
  });

describe('conditions', () => {
  const sides = byCondition([lieRate]);
  for (const [index, deal] of deals.entries()) {
    sides.add('a', match(deal, 4 + (index % 3)));
    sides.add('b', match(deal, 1 + (index % 2)));
  }
  const { primary, secondary } = differencesOf(
    sides.pairs(named),
    [
      { metric: 'lie_rate', of: { team: 'villagers' } },
      { metric: 'lie_rate', of: { role: 'Hunter' } },
    ],
    samples,
  );

  it('differ by what the sums over all deals give', () => {
    // villagers: a lies 60 of 120, b 18 of 120
    expect(primary[0]).toMatchObject({ a: 0.5, b: 0.15, difference: 0.35, pairs: 12 });
    expect(primary[0]!.p!).toBeLessThan(0.05);
  });

  it('have no figures for an endpoint without data, and it keeps its place', () => {
    expect(primary[1]).toMatchObject({ of: { role: 'Hunter' }, difference: null, reason: 'no data', p: null });
  });

  it('name each figure once, as primary or as secondary', () => {
    expect(secondary.filter(({ of }) => of['team'] === 'villagers' && Object.keys(of).length === 1)).toEqual([]);
    expect(secondary.length).toBeGreaterThan(3);
  });

  it('adjust primary endpoints for as many as were named, with data or without', () => {
    expect(primary.map((one) => one.p_adjusted)).toEqual([2 * primary[0]!.p!, null]);
    for (const { p, p_adjusted: adjusted } of secondary) if (p !== null) expect(adjusted!).toBeGreaterThanOrEqual(p);
  });

  it('leave out a deal that only one of them has', () => {
    const [one] = byCondition([lieRate]).pairs(named);
    expect(one).toBeUndefined();
    const some = sides.pairs(named.slice(0, 3));
    expect(some[0]!.pairs).toHaveLength(3);
  });
});

describe('models', () => {
  const sides = byModel([lieRate], ['one', 'two']);
  for (const deal of deals) {
    sides.add('a', match(deal, 5, { village: 'one', pack: 'two' }));
    sides.add('b', match(deal, 1, { village: 'two', pack: 'one' }));
  }
  const { secondary } = differencesOf(sides.pairs(named), [], samples);
  const of = (cell: object) => secondary.find((one) => JSON.stringify(one.of) === JSON.stringify(cell));

  it('are compared over what each did on both sides of the same deals', () => {
    // each 15 claims a deal: 'one' lies 5 + 5 times, 'two' 1 + 5 times
    expect(of({})).toMatchObject({ a: 120 / 180, b: 72 / 180, pairs: 12 });
  });

  it('are compared side by side too', () => {
    expect(of({ team: 'villagers' })).toMatchObject({ a: 0.5, b: 0.1 });
    expect(of({ team: 'werewolves' })).toMatchObject({ a: 1, b: 1 });
  });

  it('do not stand among the dimensions', () => {
    expect(secondary.filter((one) => 'model' in one.of)).toEqual([]);
  });
});
