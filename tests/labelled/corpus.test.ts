// The labelled statements are sound: everybody named is at the table, speakers are alive, no situation is in both splits.
import { describe, expect, it } from '@jest/globals';
import { faultsOf, readCorpus } from './corpus.ts';

describe('the labelled statements', () => {
  const corpus = readCorpus();

  it('are said by living players of recorded matches and labelled with names, roles and acts of the table', () => {
    expect(faultsOf(corpus)).toEqual([]);
  });

  it('are split about one to two', () => {
    const development = corpus.statements.filter(({ split }) => split === 'development').length;
    expect(development / corpus.statements.length).toBeGreaterThan(0.25);
    expect(development / corpus.statements.length).toBeLessThan(0.45);
  });

  it('name a statement of which nobody spoke and a speaker who has left', () => {
    const { statements, labels, situations } = corpus;
    const first = statements.find(({ situation }) => situation === 'arena-day-2')!;
    const faults = faultsOf({
      situations,
      statements: [{ ...first, by: 'Scott' }],
      labels: labels.filter(({ id }) => id === first.id).concat({ id: 'x', claims: [], verdict: null }),
    });
    expect(faults).toContainEqual(expect.stringContaining('Scott is not among the living'));
    expect(faults).toContainEqual('A label is of "x", which nobody said.');
  });
});
