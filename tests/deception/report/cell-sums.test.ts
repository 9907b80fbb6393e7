// Sums in few bytes: nothing is lost on the way from several readers to the figures.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CellSumsBuilder, clustersOf } from '../../../deception/report/cell-sums.ts';

const key = { sample: 'all', metric: 'lie_rate', cell: { team: 'villagers' } };
const sums = fc.dictionary(fc.constantFrom('lies', 'words', 'pairs'), fc.double({ noNaN: true, min: 0.5, max: 9 }));

describe('sums of a cell', () => {
  it('come back as they were, in the order of the matches, whoever gathered them', () => {
    fc.assert(
      fc.property(fc.array(sums, { maxLength: 20 }), fc.array(fc.nat({ max: 2 })), (matches, readers) => {
        const builders = [0, 1, 2].map(() => new CellSumsBuilder());
        matches.forEach((one, unit) => builders[readers[unit] ?? 0]!.add(key, [{ unit: String(unit), sums: one }]));
        const parts = builders.flatMap((builder) => builder.cells()).reverse();
        expect(clustersOf(parts)).toEqual(matches.map((one, unit) => ({ unit: String(unit), sums: { ...one } })));
      }),
    );
  });

  it('are kept apart by sample, metric and cell', () => {
    const builder = new CellSumsBuilder();
    const add = (changes: Partial<typeof key>) => builder.add({ ...key, ...changes }, [{ unit: '0', sums: { a: 1 } }]);
    for (const changes of [{}, { sample: 'other' }, { metric: 'other' }, { cell: { team: 'werewolves' } }, {}])
      add(changes);
    expect(builder.cells().map(({ unit }) => unit.length)).toEqual([2, 1, 1, 1]);
  });
});
