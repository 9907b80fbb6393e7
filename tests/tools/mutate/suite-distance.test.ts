// Test suites near a file of the product.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listSuites, measureDistances, readImporters } from '../../../tools/mutate/suite-distance.ts';
import { itLong } from '../../it-long.ts';

const root = path.join(import.meta.dirname, '../../..');

describe('the distance of a suite from a file', () => {
  const importers = new Map([
    ['state/a.ts', ['state/b.ts', 'tests/state/far.test.ts']],
    ['state/b.ts', ['tests/helper.ts', 'tests/state/a.test.ts']],
    ['tests/helper.ts', ['tests/state/farther.test.ts']],
  ]);

  it('is the number of imports between them, and 0 for the suite that mirrors it', () => {
    expect(Object.fromEntries(measureDistances(importers, 'state/a.ts'))).toEqual({
      'state/a.ts': 0,
      'state/b.ts': 1,
      'tests/helper.ts': 2,
      'tests/state/a.test.ts': 0,
      'tests/state/far.test.ts': 1,
      'tests/state/farther.test.ts': 3,
    });
  });

  itLong('is read of the imports of the project', () => {
    const distances = measureDistances(readImporters(root), 'tools/mutate/suite-distance.ts');
    expect(distances.get('tests/tools/mutate/suite-distance.test.ts')).toBe(0);
    expect(distances.get('tools/mutate/mutation-run.ts')).toBe(1);
  });
});

describe('the suites that mutants are tried with', () => {
  it('are those of npm test, without the house rules', () => {
    const suites = listSuites(root);
    expect(suites).toContain('tests/tools/mutate/suite-distance.test.ts');
    expect(suites.filter((suite) => suite.startsWith('tests/long/') || suite === 'tests/house.test.ts')).toEqual([]);
  });
});
