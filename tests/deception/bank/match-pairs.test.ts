// Pairs of lies and comparable true claims, and splits by deal.
import { describe, expect, it } from '@jest/globals';
import { BankSplit, findSplit } from '../../../deception/bank/bank-split.ts';
import { listMatchedPairs, type PairedStatement } from '../../../deception/bank/match-pairs.ts';

let rows = 0;
const say = (
  given: Partial<Omit<PairedStatement, 'stratum'>> & { round?: number; split?: BankSplit },
): PairedStatement => {
  const { round = 1, split = 'train', ...others } = given;
  rows += 1;
  return {
    ...{ row: `a/s1.${rows}`, match: 'a', team: 'villagers', isLie: false, types: ['own_role'] },
    stratum: { split, board: 'six', round, kind: 'debate' },
    ...others,
  };
};
const lie = (given: Parameters<typeof say>[0] = {}) => say({ team: 'werewolves', isLie: true, ...given });

describe('the matched subset', () => {
  it('has a lie beside a true claim of the same kind and round by the other side', () => {
    const [one, other] = [lie(), say({})];
    expect(listMatchedPairs([other, one])).toEqual([
      { pair: 'p1', ...one.stratum, type: 'own_role', lie: one.row, truth: other.row },
    ]);
  });

  it.each<[string, Parameters<typeof say>[0]]>([
    ['of another type', { types: ['check'] }],
    ['of another round', { round: 2 }],
    ['of another split', { split: 'test' }],
    ['by the own side', { team: 'werewolves' }],
    ['that is a lie', { isLie: true }],
  ])('has none with a claim %s', (_, given) => {
    expect(listMatchedPairs([lie(), say(given)])).toEqual([]);
  });

  it('has each statement once, and pairs within a match first', () => {
    const statements = [lie({ match: 'b' }), lie(), say({ match: 'b' }), lie(), say({})];
    const pairs = listMatchedPairs(statements);
    const matchOf = new Map(statements.map(({ row, match }) => [row, match]));
    expect(pairs).toHaveLength(2);
    expect(new Set(pairs.flatMap(({ lie: one, truth }) => [one, truth])).size).toBe(4);
    for (const { lie: one, truth } of pairs) expect(matchOf.get(one)).toBe(matchOf.get(truth));
  });

  it('does not depend on the order of statements', () => {
    const statements = Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? lie() : say({})));
    expect(listMatchedPairs(statements.toReversed())).toEqual(listMatchedPairs(statements));
  });
});

describe('the splits', () => {
  it('have about 60, 20 and 20% of deals', () => {
    const found = Array.from({ length: 3000 }, (_, place) => findSplit(`six: deal ${place}`));
    const share = (split: BankSplit) => found.filter((one) => one === split).length / found.length;
    expect(share('train')).toBeCloseTo(0.6, 1);
    expect(share('validation')).toBeCloseTo(0.2, 1);
    expect(share('test')).toBeCloseTo(0.2, 1);
  });

  it('never change: what was trained on is tested nowhere', () => {
    expect(['a', 'b', 'c', 'd', 'e'].map((deal) => findSplit(`classic-8: ${deal}`))).toMatchInlineSnapshot(`
     [
       "test",
       "train",
       "train",
       "train",
       "test",
     ]
    `);
  });
});
